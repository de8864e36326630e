"""Does libgit2 answer anything faster than the git command line, its import included?

    python benchmarks/git_door.py REPOSITORY

Each question is a whole process, started in turn for both sides; prints the fastest of several runs in milliseconds
and the ratio. Needs pygit2 (extra `bench`). The result decided docs/design/git-door.md.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

RUNS = 5
CLI = (
    "import os; from pathlib import Path; from git_assay.git.repository import Repository; "
    "R = Repository.discover(Path('.'), dict(os.environ)); h = R.head(); "
)
LIBGIT2 = "import pygit2; R = pygit2.Repository('.'); h = R[R.head.target]; "
WALK = """
def walk(tree, place):
    for entry in tree:
        if entry.filemode == 0o40000:
            walk(R[entry.id], place + entry.raw_name + b'/')
        else:
            out[place + entry.raw_name] = (entry.filemode, entry.id)
out = {}
walk(h.tree, b'')
"""
QUESTIONS = {
    "open, HEAD": (CLI, LIBGIT2),
    "list the tree": (CLI + "R.snapshot_of(h)", LIBGIT2 + WALK),
    "read every blob": (
        CLI + "s = R.snapshot_of(h); sum(len(d) for _, d in R.read_blobs(e.oid for e in s.entries.values()))",
        LIBGIT2 + WALK + "sum(len(R[oid].data) for mode, oid in out.values() if mode != 0o160000)",
    ),
    "merge base": (
        CLI + "from git_assay.git.merge import merge_bases; merge_bases(R, h, R.resolve('HEAD~1'))",
        LIBGIT2 + "R.merge_base(h.id, h.parents[0].id)",
    ),
    "diff with the parent": (
        CLI + "from git_assay.git.diff import diff_trees; diff_trees(R, 'HEAD~1', 'HEAD', renames=False)",
        LIBGIT2 + "list(R.diff(h.parents[0].tree, h.tree).deltas)",
    ),
}


def main() -> None:
    repository = Path(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
    print(f"{'question':<22} {'git, ms':>8} {'libgit2, ms':>12} {'ratio':>6}")
    for question, (cli, libgit2) in QUESTIONS.items():
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(RUNS):
            for side, code in enumerate((cli, libgit2)):
                times[side].append(_took(code, repository))
        ours, theirs = (min(side) * 1000 for side in times)
        print(f"{question:<22} {ours:>8.0f} {theirs:>12.0f} {theirs / ours:>6.2f}")


def _took(code: str, repository: Path) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, cwd=repository, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
