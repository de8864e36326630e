"""Does a review sign what was seen, and can it be taken back by its author only?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from git_assay.errors import AssayError
from tests.attest.world import World, card

GOLDEN = Path(__file__).parent / "golden"


def _topic(world: World) -> None:
    world.repo.branch("topic")
    world.repo.write("base/__init__.py", "value = 2\n")
    world.repo.commit()


def test_what_nobody_owns_and_what_governs_is_seen_too(world: World) -> None:
    world.repo.branch("topic")
    world.repo.write("other/assay.yml", card("other", "exit 0"))
    world.repo.write(".assay/policy.yml", "format: assay-policy/1\nversion: 2\n")
    world.repo.write("Makefile", "all:\n")
    world.repo.commit()
    seen = world.json("review", "--approve", "--yes", "-m", "fine")["seen"]
    assert [(one["module"], one["piece"]) for one in seen] == [
        (".assay", ".assay/policy.yml"),
        (".unowned", "Makefile"),
        ("other", "other/assay.yml"),
    ]


def test_new_and_deleted_pieces_have_one_side(world: World) -> None:
    world.repo.branch("topic")
    world.repo.write("base/more.py", "x = 1\n")
    world.repo.remove("other/__init__.py")
    world.repo.commit()
    seen = world.json("review", "--approve", "--yes", "-m", "fine")["seen"]
    assert [(one["piece"], one["old"] is None, one["new"] is None) for one in seen] == [
        ("base/more.py", True, False),
        ("other/__init__.py", False, True),
    ]


def test_what_the_target_changed_meanwhile_is_not_seen_as_undone(world: World) -> None:
    _topic(world)
    world.repo.checkout("main")
    world.repo.write("other/__init__.py", "value = 7\n")
    world.repo.commit()
    world.repo.checkout("topic")
    seen = world.json("review", "--approve", "--yes", "-m", "fine")["seen"]
    assert [one["piece"] for one in seen] == ["base/__init__.py"]


def test_a_named_module_narrows_and_an_unchanged_one_is_an_error(world: World) -> None:
    world.repo.branch("topic")
    for name in ("base", "other"):
        world.repo.write(f"{name}/__init__.py", "value = 2\n")
    world.repo.commit()
    seen = world.json("review", "--module", "other", "--approve", "--yes", "-m", "fine")["seen"]
    assert {one["module"] for one in seen} == {"other"}
    with pytest.raises(AssayError, match="nothing of app changes in this range"):
        world.assay("review", "--module", "app", "--approve", "--yes", "-m", "fine")


def test_without_a_terminal_a_review_needs_yes_and_says_so(world: World) -> None:
    _topic(world)
    with pytest.raises(AssayError, match="no terminal is here"):
        world.assay("review", "--approve", "-m", "fine")
    record = world.json("review", "--approve", "--yes", "-m", "fine")["records"][0]
    shown = world.json("show", record[:10])
    assert shown["statement"]["predicate"]["review"]["unattended"] is True


@pytest.mark.parametrize(
    ("words", "message"), [("   ", "a review needs words"), ("x" * 2001, "at most 2000 bytes"), ("", "needs words")]
)
def test_empty_and_endless_words_are_refused(world: World, words: str, message: str) -> None:
    _topic(world)
    with pytest.raises(AssayError, match=message):
        world.assay("review", "--approve", "--yes", "-m", words)
    assert world.records() == []


def test_nothing_to_review_is_said(world: World) -> None:
    world.repo.branch("topic")
    with pytest.raises(AssayError, match="nothing to review"):
        world.assay("review", "--approve", "--yes", "-m", "fine")


def test_a_later_review_replaces_the_same_persons_reject_only(world: World) -> None:
    _topic(world)
    for person, verdict in (("alice", "--reject"), ("bob", "--reject"), ("alice", "--approve")):
        world.assay("review", verdict, "--yes", "-m", "so be it", by=person)
    assert [(one["by"][:3], one["verdict"], one["standing"]) for one in world.records()] == [
        ("ali", "approve", "valid"),
        ("bob", "reject", "valid"),
        ("ali", "reject", "superseded"),
    ]


def test_a_large_review_is_split_and_counts_whole(world: World) -> None:
    world.repo.branch("topic")
    for number in range(150):
        world.repo.write(f"base/part_{number:03}.py", f"x = {number}\n")
    world.repo.commit()
    written = world.json("review", "--approve", "--yes", "-m", "fine")
    assert len(written["seen"]) == 150
    assert len(written["records"]) > 1
    assert [one["standing"] for one in world.records()] == ["valid"] * len(written["records"])


def test_only_the_author_takes_a_record_back(world: World) -> None:
    _topic(world)
    record = world.json("review", "--approve", "--yes", "-m", "fine")["records"][0]
    with pytest.raises(AssayError, match=r"is of alice@example\.com; only its author takes a record back"):
        world.assay("withdraw", record[:12], "-m", "no", by="bob")
    assert world.assay("withdraw", record[:12], "-m", "wrong branch") == (0, f"withdrawn  {record[:12]}\n")
    assert [one["verdict"] for one in world.records()] == ["withdraw"]
    assert world.assay("verify")[0] == 0
    code, shown = world.assay("show", record[:12])
    assert (code, "refused: withdrawn" in shown) == (1, True)


def test_a_withdrawal_is_for_good(world: World) -> None:
    _topic(world)
    record = world.json("review", "--approve", "--yes", "-m", "fine")["records"][0]
    taken = world.json("withdraw", record, "-m", "oops")["records"][0]
    with pytest.raises(AssayError, match="is a withdrawal, which cannot be taken back"):
        world.assay("withdraw", taken, "-m", "oops")


@pytest.mark.parametrize(("name", "message"), [("abc", "too short"), ("0" * 12, "no record 000000000000")])
def test_a_record_that_is_not_there_is_said(world: World, name: str, message: str) -> None:
    with pytest.raises(AssayError, match=message):
        world.assay("withdraw", name, "-m", "oops")


def test_a_waiver_is_for_what_the_module_is_now(world: World) -> None:
    out = world.assay("waive", "other", "--requirement", "tests", "--until", "48h", "-m", "runner down")[1]
    assert out.startswith("waived  tests  other  until 2026-01-04\nundo: git assay withdraw ")
    with pytest.raises(AssayError, match="2026-01-01 is past"):
        world.assay("waive", "other", "--requirement", "tests", "--until", "2026-01-01", "-m", "x")
    with pytest.raises(AssayError, match=r"not a day \(2026-12-31\) or a span \(48h, 14d\): soon"):
        world.assay("waive", "other", "--requirement", "tests", "--until", "soon", "-m", "x")


def test_hostile_words_reach_no_terminal(world: World) -> None:
    _topic(world)
    world.assay("review", "--approve", "--yes", "-m", "fine\x1b[2K\u202eenif\nnext\x07line")
    record = world.records()[0]["id"]
    for command in (("log",), ("show", record)):
        assert re.search("[\x1b\x07\u202e]", world.assay(*command)[1]) is None


def test_a_key_is_not_made_where_it_could_be_committed(world: World) -> None:
    with pytest.raises(AssayError, match="where it could be committed"):
        world.assay("key", "new", "--file", "id", "--principal", "alice@example.com")
    with pytest.raises(AssayError, match="exists already"):
        world.assay("key", "new", "--file", str(world.keys / "alice"), "--principal", "alice@example.com")


@pytest.mark.parametrize("name", ["a b", "*", "a,b", "#x", 'x"y', "!x"])
def test_a_principal_is_one_name_and_no_pattern(world: World, name: str) -> None:
    with pytest.raises(AssayError, match="not a principal"):
        world.assay("key", "add", name)


def test_adding_a_key_twice_changes_nothing(world: World) -> None:
    before = (world.repo.path / ".assay/allowed_signers").read_bytes()
    assert "already" in world.assay("key", "add", "alice@example.com")[1]
    assert (world.repo.path / ".assay/allowed_signers").read_bytes() == before


def test_output_is_as_agreed(world: World) -> None:
    world.assay("attest", "other")
    _topic(world)
    world.assay("review", "--comment", "--yes", "-m", "hm", by="bob")
    world.assay("review", "--approve", "--yes", "-m", "fine, after all\nsecond line")
    record = world.records()[0]["id"]
    lines = []
    for command in (["log"], ["show", record[:12]], ["verify"], ["key", "list"], ["log", "--json"]):
        shown = ["show", "RECORD"] if command[0] == "show" else command
        lines.append(f"$ git assay {' '.join(shown)}\n{world.assay(*command)[1]}")
    text = re.sub(r"in \d+\.\d s", "in N s", re.sub(r"SHA256:\S{43}", "SHA256:<key>", "\n".join(lines)))
    text = re.sub(r"\b[0-9a-f]{12,64}\b", "<hex>", text)
    assert text == (GOLDEN / "records.txt").read_text(encoding="utf-8")
