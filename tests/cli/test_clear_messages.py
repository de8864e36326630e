"""What does each verb say where it cannot do its work, with which exit code, and does it leave everything as it was?

Every verb meets every situation of `situations`. What goes to stderr, and the exit code, is a golden file for each
situation; `ASSAY_GOLDEN=write` rewrites them, and the difference is to be read: one clear message, and a hint that can
be pasted. Whatever fails, and whatever only reads, leaves refs, index, working directory and configuration byte for
byte as they were.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.situations import SITUATIONS, fingerprint
from tests.cli.spoken import Spoken, speak

GOLDEN = Path(__file__).parent / "golden"

READING = (
    "check",
    "check --staged",
    "check HEAD",
    "module list",
    "module list --rev HEAD",
    "module show shop",
    "owners shop/money.py",
    "graph --files",
    "cone shop",
    "cone shop --hash",
    "cone shop --diff HEAD HEAD",
    "status",
    "status --staged",
    "status --worktree",
    "radius",
    "radius main..HEAD",
    "radius main...HEAD",
    "radius --staged",
    "radius --worktree",
    "gate",
    "gate main..HEAD",
    "log",
    "show 0123456789",
    "verify",
    "key list",
    "attest --all --dry-run",
    "hook pre-commit",
    "hook pre-push origin",
    "hooks status",
)
# May write: each gets a repository of its own, and must have changed nothing where it fails.
WRITING = (
    "attest --all",
    "attest --affected main..HEAD",
    "review --approve --yes -m fine",
    "review main..HEAD --approve --yes -m fine",
    "review main..HEAD --approve -m fine",
    "waive shop --requirement tests --until 14d -m why",
    "withdraw 0123456789 -m why",
    "init --yes",
    "module new x --goal Be.",
    "key add",
    "hooks install",
    "log --refresh",
    "hook post-merge",
)


@pytest.mark.parametrize("name", SITUATIONS)
def test_every_verb_says_clearly_what_is_missing_and_loses_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    place = SITUATIONS[name](shared)
    before = fingerprint(shared)
    answers = [speak(line, place, shared, monkeypatch, capfd) for line in READING]
    assert fingerprint(shared) == before, "something that only reads changed more than the cache"
    for number, line in enumerate(WRITING):
        own = tmp_path / str(number)
        own.mkdir()
        place = SITUATIONS[name](own)
        before = fingerprint(own)
        answers.append(speak(line, place, own, monkeypatch, capfd))
        if answers[-1].code:
            assert fingerprint(own) == before, f"git assay {line} failed and changed something"
    _compare(GOLDEN / f"{name.replace(' ', '-')}.txt", _grouped(answers))


@pytest.mark.parametrize("name", SITUATIONS)
def test_no_verb_ends_in_a_defect_or_speaks_without_help(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    place = SITUATIONS[name](tmp_path)
    for line in READING:
        answer = speak(line, place, tmp_path, monkeypatch, capfd)
        assert answer.code in (0, 1, 128), answer
        if answer.code == 128:
            first, *_, last = answer.said.splitlines()
            assert first.startswith(("error: ", "git assay: ")), answer
            assert last.startswith("hint: git "), answer


def _grouped(answers: list[Spoken]) -> str:
    """Returns what was said, once for all the verbs that said it."""
    groups: dict[tuple[int, str], list[str]] = {}
    for answer in answers:
        groups.setdefault((answer.code, answer.said), []).append(answer.line)
    blocks = []
    for (code, said), lines in groups.items():
        blocks.append("".join(f"$ git assay {line}\n" for line in lines) + said + f"[{code}]\n")
    return "\n".join(blocks)


def _compare(path: Path, found: str) -> None:
    if os.environ.get("ASSAY_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(found)
    assert found == path.read_text()
