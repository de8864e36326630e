"""Does the story of `git assay demo` go as it is told, from cards to a gate that opens?"""

from __future__ import annotations

from pathlib import Path

from tests.cli.command import assay


def test_demo_goes_as_told_and_leaves_the_repository(tmp_path: Path) -> None:
    answer = assay("demo", cwd=tmp_path, env={"TMPDIR": str(tmp_path)})
    assert answer.code == 0, answer.err
    told = [line for line in answer.out.splitlines() if line.startswith("  closed: ") or line.startswith("  open: ")]
    assert [line.split(":")[0].strip() for line in told] == ["closed", "open"]
    assert list(tmp_path.glob("git-assay-demo-*/shop/.git"))
