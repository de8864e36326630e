"""How much time and memory do the commands take, beside the cheapest thing that could do the same?

    python -m benchmarks.speed Django 5.2.6 5.2.7 --sources DIR --keep benchmarks/results/speed-django.json

Two releases become two commits of a scratch repository that is adopted with `init`. Both sides of every ratio are
measured in one run, in turns (A B A B), and compared by median: of processor time (user and system, children included;
what counts on a machine that others use too) and of wall time; the worse of the two ratios is held against the target.
A cold run's processor time lacks that of its worker processes, which are no children of it: there wall time counts.
Needs the extra `bench` (pygit2).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.real_history import Scene, _source

PARSE = """
import pathlib, sys
import tree_sitter, tree_sitter_python
parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
blobs = {path.read_bytes() for path in pathlib.Path(sys.argv[1]).rglob("*.py") if path.is_file()}
for blob in blobs:
    parser.parse(blob)
"""
HEAVY = ("pygit2", "tree_sitter", "yaml", "cryptography", "sqlite3")


@dataclass(frozen=True, slots=True)
class Cost:
    """One run of a command. cpu: user and system seconds, children included.  wall: seconds.

    peak: MiB, of the largest single process.
    """

    cpu: float
    wall: float
    peak: float


@dataclass(frozen=True, slots=True)
class Contest:
    """A command beside the cheapest thing that could be asked for. before: what each run of it needs done first."""

    name: str
    command: list[str]
    against: str
    baseline: list[str]
    most: float
    before: Callable[[], None] | None = None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package")
    parser.add_argument("versions", nargs=2)
    parser.add_argument("--sources", type=Path, help="directory with unpacked NAME-VERSION folders")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--keep", type=Path, help="write the figures here as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        sources = [_source(options, version, Path(scratch)) for version in options.versions]
        scene = Scene(Path(scratch) / "scene", 0)
        build(scene, sources)
        rows = [measure(scene, contest, options.rounds) for contest in contests(scene)]
        rows += [measure_alone(scene, verb, max(3, options.rounds // 3)) for verb in (["status"], ["gate"])]
        imported = [name for name in HEAVY if _imports(scene, ["--version"], name)]
        in_radius = [name for name in HEAVY if _imports(scene, ["radius", "HEAD~1..HEAD"], name)]
    document = {
        "format": "assay-bench-speed/1",
        "source": f"{options.package} {' '.join(options.versions)}",
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "rounds": options.rounds,
        "version_imports": imported,
        "radius_imports": in_radius,
        "rows": rows,
    }
    show(document, rows)
    if options.keep:
        options.keep.parent.mkdir(parents=True, exist_ok=True)
        options.keep.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def build(scene: Scene, sources: list[Path]) -> None:
    """Makes the repository: the first release, adopted, then the second."""
    scene.run("git", "init", "-q", show=False)
    for number, source in enumerate(sources):
        scene.replace_code(source)
        if number == 0:
            scene.run("git", "add", "-A", "-f", show=False)
            scene.run("git", "commit", "-q", "-m", "source", show=False)
            scene.run("git", "assay", "init", "--yes", show=False)
        scene.run("git", "add", "-A", "-f", show=False)
        scene.run("git", "commit", "-q", "-m", f"release {number}", show=False)
    scene.run("git", "assay", "radius", "HEAD~1..HEAD", show=False)


def contests(scene: Scene) -> list[Contest]:
    """Returns what has a target."""
    python, assay = sys.executable, [sys.executable, "-m", "git_assay"]
    radius = [*assay, "radius", "HEAD~1..HEAD"]
    cache = scene.repository / ".git" / "assay"
    return [
        Contest("--version", [*assay, "--version"], "python -c pass", [python, "-c", "pass"], 3.0),
        Contest("radius, warm", radius, "import pygit2", [python, "-c", "import pygit2"], 4.0),
        Contest(
            "radius, cold", radius, "tree-sitter, one process", [python, "-c", PARSE, str(scene.repository)], 1.5,
            lambda: shutil.rmtree(cache, ignore_errors=True),
        ),
    ]  # fmt: skip


def measure(scene: Scene, contest: Contest, rounds: int) -> dict[str, object]:
    """Returns medians of both sides, run in turns."""
    ours: list[Cost] = []
    theirs: list[Cost] = []
    _cost(scene, contest.command)
    _cost(scene, contest.baseline)
    for _ in range(rounds):
        if contest.before is not None:
            contest.before()
        ours.append(_cost(scene, contest.command))
        theirs.append(_cost(scene, contest.baseline))
    cpu, wall = _ratio(ours, theirs, "cpu"), _ratio(ours, theirs, "wall")
    return {
        "what": contest.name, "beside": contest.against, **_medians(ours),
        "beside_cpu_s": _median(theirs, "cpu"), "beside_wall_s": _median(theirs, "wall"),
        "cpu_ratio": cpu, "wall_ratio": wall, "target": contest.most, "met": max(cpu, wall) <= contest.most,
    }  # fmt: skip


def measure_alone(scene: Scene, verb: list[str], rounds: int) -> dict[str, object]:
    """Returns medians of a verb that has no target."""
    command = [sys.executable, "-m", "git_assay", *verb]
    _cost(scene, command, codes=(0, 1))
    return {"what": f"{verb[0]}, warm", **_medians([_cost(scene, command, codes=(0, 1)) for _ in range(rounds)])}


def _cost(scene: Scene, command: list[str], codes: tuple[int, ...] = (0,)) -> Cost:
    """Runs a command in a process of its own, whose usage is that of its children: nothing of ours is counted."""
    began = time.perf_counter()
    child = subprocess.Popen(
        command, cwd=scene.repository, env=scene.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in codes:
        raise SystemExit(f"exit code {child.returncode}: {command}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def _imports(scene: Scene, arguments: list[str], module: str) -> bool:
    command = [sys.executable, "-X", "importtime", "-m", "git_assay", *arguments]
    done = subprocess.run(command, cwd=scene.repository, env=scene.env, capture_output=True, text=True, check=True)
    return any(line.rpartition("|")[2].strip() == module for line in done.stderr.splitlines())


def _median(costs: list[Cost], field: str) -> float:
    values: list[float] = [getattr(cost, field) for cost in costs]
    return round(statistics.median(values), 3)


def _medians(costs: list[Cost]) -> dict[str, float]:
    return {
        "cpu_s": _median(costs, "cpu"),
        "wall_s": _median(costs, "wall"),
        "peak_mib": round(max(cost.peak for cost in costs), 1),
    }


def _ratio(ours: list[Cost], theirs: list[Cost], field: str) -> float:
    return round(_median(ours, field) / _median(theirs, field), 2)


def show(document: dict[str, object], rows: list[dict[str, object]]) -> None:
    """Prints the table as Markdown."""
    print(f"{document['source']}, Python {document['python']}, {document['cores']} cores\n")
    print("| command | beside | CPU s | wall s | CPU ratio | wall ratio | target | met | peak MiB |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        names = ("what", "beside", "cpu_s", "wall_s", "cpu_ratio", "wall_ratio", "target", "met", "peak_mib")
        print("| " + " | ".join(str(row.get(name, "")) for name in names) + " |")
    print(f"\n--version imports of {', '.join(HEAVY)}: {document['version_imports'] or 'none'}")
    print(f"warm radius imports of them: {document['radius_imports'] or 'none'}")


if __name__ == "__main__":
    main()
