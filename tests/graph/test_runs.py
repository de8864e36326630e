"""Does a run that is killed, shared, forbidden to write or huge still give the facts?"""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from git_assay.graph.store import FactStore
from git_assay.syntax import languages
from git_assay.syntax.facts import ImportFacts
from git_assay.values.ids import ObjectId, TreePath
from tests.graph.test_cases import graph_of
from tests.snapshots import MemoryReader, memory_snapshot

# A tree of many blobs, extracted into the cache that is named on the command line.
_RUN = """
import sys
from pathlib import Path
from git_assay.graph.store import FactStore
from tests.snapshots import memory_snapshot
first, count = int(sys.argv[2]), int(sys.argv[3])
files = {f"m{n}.py": f"import m{n + 1}\\n" + f"x{n} = [a, b, c]\\n" * 40 for n in range(first, first + count)}
snapshot = memory_snapshot(files)
store = FactStore(Path(sys.argv[1]), lambda: snapshot.reader, workers=1)
print("ready", flush=True)
found = store.imports("python", [entry.oid for entry in snapshot.entries.values()])
print(len(found))
"""
_ROOT = Path(__file__).parents[2]


def start(cache: Path, first: int, count: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _RUN, str(cache), str(first), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, cwd=_ROOT, env={**os.environ, "PYTHONPATH": str(_ROOT)})


def facts_of(cache: Path | None, first: int, count: int) -> tuple[dict[ObjectId, ImportFacts], int]:
    """Returns the facts of the same tree, and how many blobs were read for them."""
    files = {f"m{n}.py": f"import m{n + 1}\n" + f"x{n} = [a, b, c]\n" * 40 for n in range(first, first + count)}
    snapshot = memory_snapshot(files)
    assert isinstance(snapshot.reader, MemoryReader)
    store = FactStore(cache, lambda: snapshot.reader, workers=1)
    found = dict(store.imports("python", [entry.oid for entry in snapshot.entries.values()]))
    store.close()
    return found, len(snapshot.reader.reads)


def _kept(cache: Path) -> int:
    """Returns how many facts about imports another process sees in the cache."""
    if not cache.exists():
        return 0
    with contextlib.closing(sqlite3.connect(f"file:{cache}?mode=ro", uri=True, timeout=10)) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM facts WHERE tier LIKE 'imports/%'").fetchone()[0])
        except sqlite3.OperationalError:  # the table is not made yet
            return 0


def test_a_killed_run_keeps_what_it_had_and_leaves_a_sound_cache(tmp_path: Path) -> None:
    cache = tmp_path / "facts.sqlite"
    process = start(cache, 0, 1000)
    assert process.stdout is not None
    process.stdout.readline()
    while process.poll() is None and not _kept(cache):
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    found, read = facts_of(cache, 0, 1000)
    assert found == facts_of(None, 0, 1000)[0]
    assert read < 1000
    assert facts_of(cache, 0, 1000)[1] == 0


def test_several_processes_write_one_cache_at_once(tmp_path: Path) -> None:
    cache = tmp_path / "facts.sqlite"
    processes = [start(cache, first, 300) for first in (0, 100, 200, 300)]
    outputs = [process.communicate()[0].split() for process in processes]
    assert outputs == [[b"ready", b"300"]] * 4
    found, _ = facts_of(cache, 0, 600)
    assert found == facts_of(None, 0, 600)[0]
    assert facts_of(cache, 0, 600)[1] == 0


def test_a_cache_in_a_read_only_directory_is_read_or_missed_but_no_error(tmp_path: Path) -> None:
    directory = tmp_path / "assay"
    expected, _ = facts_of(directory / "facts.sqlite", 0, 5)
    (directory / "facts.sqlite").chmod(0o444)
    directory.chmod(0o555)
    try:
        assert facts_of(directory / "facts.sqlite", 0, 5)[0] == expected
        assert len(facts_of(directory / "facts.sqlite", 0, 9)[0]) == 9
        assert len(facts_of(directory / "new" / "facts.sqlite", 0, 5)[0]) == 5
    finally:
        directory.chmod(0o755)


def test_a_pool_whose_workers_die_is_replaced_by_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def dead(*_: object) -> Future[object]:
        future: Future[object] = Future()
        future.set_exception(BrokenProcessPool("a worker was killed"))
        return future

    snapshot = memory_snapshot({f"m{n}.py": "import a\n" for n in range(300)})
    expected = graph_of(snapshot, workers=1)
    monkeypatch.setattr(ProcessPoolExecutor, "submit", dead)
    assert graph_of(snapshot, workers=2).loose == expected.loose


def test_a_distribution_adds_a_language_through_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install_toy(tmp_path, "1.0", "")
    monkeypatch.syspath_prepend(tmp_path)
    _forget_plugins()
    try:
        assert languages.known() == ("python", "toy")
        assert languages.language_of(TreePath(b"a/b.toy")) == "toy"
        assert languages.language_of(TreePath(b"a/b.py")) == "python"
        assert b".toyc" in languages.loadable_suffixes()
        graph = graph_of(memory_snapshot({"a.toy": "anything", "b.py": "import c\n", "c.py": ""}))
        assert graph.files[TreePath(b"a.toy")] == "toy"
        assert [edge.target.name for edge in graph.edges[TreePath(b"b.py")]] == [b"c.py"]
    finally:
        monkeypatch.undo()
        _forget_plugins()


def _install_toy(folder: Path, version: str, imports: str) -> None:
    """A distribution with one language, in which every file imports the same."""
    (folder / "toy_language.py").write_text(
        "from git_assay.syntax.facts import *\n"
        "from git_assay.syntax.languages import Language\n"
        "from git_assay.values.canonical import digest_bytes\n"
        f"def imports(data): return ImportFacts(({imports}), (), False)\n"
        "def definitions(data): return DefinitionFacts((), digest_bytes(data), 1, False)\n"
        "def parts(data, symbols): return {}, PartDigest(digest_bytes(data), digest_bytes(data))\n"
        "toy = Language('toy', (b'.toy', b'.py'), (b'.toyc',), imports, definitions, parts)\n"
    )
    for information in folder.glob("*.dist-info"):
        shutil.rmtree(information)
    information = folder / f"toy_language-{version}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: toy-language\nVersion: {version}\n")
    (information / "entry_points.txt").write_text("[git_assay.languages]\ntoy = toy_language:toy\n")


def test_a_new_version_of_a_language_finds_nothing_of_the_old_one_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "facts.sqlite"
    snapshot = memory_snapshot({"a.toy": "anything", "b.py": ""})
    monkeypatch.syspath_prepend(tmp_path)
    versions = []
    try:
        for version, imports in (("1.0", ""), ("1.1", "WrittenImport(1, 'b', (), ImportKind.LOAD, False),")):
            _install_toy(tmp_path, version, imports)
            monkeypatch.delitem(sys.modules, "toy_language", raising=False)
            _forget_plugins()
            versions.append(languages.facts_version("toy"))
            graph = graph_of(snapshot, cache=cache)
            assert len(graph.edges) == (1 if imports else 0)
    finally:
        monkeypatch.undo()
        _forget_plugins()
    assert versions == [f"{languages.EXTRACTOR_VERSION}+1.0", f"{languages.EXTRACTOR_VERSION}+1.1"]


def _forget_plugins() -> None:
    importlib.invalidate_caches()
    for cached in (languages._plugins, languages._plugin_suffixes, languages.get, languages.loadable_suffixes):
        cached.cache_clear()


_MEMORY = """
import resource
from tests.graph.test_cases import graph_of
from tests.snapshots import memory_snapshot
text = "def f(a, b):\\n    return [a, b]\\n" * 30
files = {f"p{n % 90}/m{n}.py": f"import p{(n + 1) % 90}.m{n + 1}\\n# {n}\\n{text}" for n in range(9000)}
files.update({f"p{n}/__init__.py": "" for n in range(90)})
graph = graph_of(memory_snapshot(files))
print(len(graph.edges), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in KiB on Linux only")
def test_nine_thousand_files_stay_within_the_memory_budget() -> None:
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    output = subprocess.run(
        [sys.executable, "-c", _MEMORY], cwd=_ROOT, env=environment, capture_output=True, check=True
    )
    edges, kibibytes = map(int, output.stdout.split())
    assert edges >= 8900
    assert kibibytes < 400 * 1024
