"""How long do facts and graph of a source tree take, beside tree-sitter alone, and how useful is the code digest?

    python -m benchmarks.extract PATH

Prints seconds and ratios: parse alone (one process), cold graph with one process and with all, warm graph, code
digests; then how many of the files that `ruff format` with another line length and quote style changes keep their code
digest, and whether any file with an equal digest has another `ast.dump`.
"""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from git_assay.git.snapshot import Snapshot
from git_assay.graph.build import build_graph
from git_assay.graph.store import FactStore
from git_assay.syntax.code_digest import code_digest
from git_assay.syntax.languages import language_of
from git_assay.syntax.parsing import parse_python
from tests.snapshots import memory_snapshot


class DerivedRoots:
    """A configuration without `roots:`."""

    roots: tuple[str, ...] = ()


def main(source: Path, scratch: Path) -> None:
    paths = sorted(path.relative_to(source) for path in source.rglob("*") if path.is_file() and not path.is_symlink())
    snapshot = memory_snapshot({str(path): (source / path).read_bytes() for path in paths})
    blobs = [(source / path).read_bytes() for path in paths if path.suffix == ".py"]
    alone = timed("parse alone", lambda: [parse_python(blob) for blob in blobs], None)
    timed("graph, cold, 1 process", lambda: graph(snapshot, None, 1), alone)
    timed("graph, cold, all cores", lambda: graph(snapshot, scratch / "facts.sqlite", None), alone)
    timed("graph, warm", lambda: graph(snapshot, scratch / "facts.sqlite", None), alone)
    timed("definitions and code digests, 1 process", lambda: [code_digest(blob) for blob in blobs], alone)
    usefulness(source, scratch / "formatted")


def graph(snapshot: Snapshot, cache: Path | None, workers: int | None) -> None:
    files = {path: name for path in snapshot.entries if (name := language_of(path)) is not None}
    store = FactStore(cache, lambda: snapshot.reader, workers=workers)
    build_graph(snapshot, files, DerivedRoots(), store=store, dynamic={})
    store.close()


def timed(what: str, run: Callable[[], object], alone: float | None) -> float:
    start = time.perf_counter()
    run()
    seconds = time.perf_counter() - start
    print(f"{what:42} {seconds:7.2f} s" + (f"  {seconds / alone:5.2f} x" if alone else ""))
    return seconds


def usefulness(source: Path, formatted: Path) -> None:
    shutil.copytree(source, formatted, symlinks=True)
    for configuration in [*formatted.rglob("pyproject.toml"), *formatted.rglob("ruff.toml")]:
        configuration.unlink()
    (formatted / "ruff.toml").write_text('line-length = 120\n[format]\nquote-style = "single"\n')
    subprocess.run(["ruff", "format", "--no-cache", "-q", str(formatted)], check=False)
    pairs = [(path.read_bytes(), (formatted / path.relative_to(source)).read_bytes()) for path in source.rglob("*.py")]
    changed = [pair for pair in pairs if pair[0] != pair[1]]
    kept = [pair for pair in changed if code_digest(pair[0]) == code_digest(pair[1])]
    unsound = [pair for pair in kept if dumped(pair[0]) != dumped(pair[1])]
    print(f"formatted {len(changed)} of {len(pairs)} files, code digest kept for {len(kept)}, unsound {len(unsound)}")


def dumped(data: bytes) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.dump(ast.parse(data))
        except (SyntaxError, ValueError) as error:
            return repr(error)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(Path(sys.argv[1]), Path(folder))
