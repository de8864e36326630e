"""Attacks by way of history: merges that add something, bases that are old, what a clone replaces or renames."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from git_assay.errors import AssayError
from git_assay.gate.decision import Verdict
from git_assay.gate.range import merged_snapshot
from git_assay.values.ids import ObjectId, TreePath
from git_assay.values.moments import format_moment
from tests.evidences import ALICE, BOB, CAROL, NOW
from tests.gate.test_exemptions import exempted
from tests.gate.worlds import BILLING, FILES, POLICY, World, lacks, why

INVOICE, CART = "src/billing/invoice.py", "src/order/cart.py"
TESTS = ("critical", "billing", "tests:unit")
HONEST = {TESTS, ("critical", "billing", "review"), ("everything", "billing", "review")}


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path / "repo")
    world.edit(INVOICE, "return total()", "return total() + 1")
    world.repo.commit()
    return world


def test_a_merge_commit_that_is_neither_side_is_judged_by_what_it_holds(world: World) -> None:
    records = (*world.reviews(ALICE, BOB), *world.tests("billing"))
    world.repo.checkout("main")
    world.repo.write("README.md", "hello again\n")
    world.repo.commit()
    world.repo.branch("evil")
    world.repo.git("merge", "-q", "--no-ff", "--no-commit", "change")
    world.edit(CART, "return 1", "return 666")
    world.repo.commit("merge")
    found = lacks(world.judge(*records, head="evil"))
    assert {TESTS, ("everything", "order", "review")} <= found


def test_an_octopus_is_judged_by_what_it_holds(world: World) -> None:
    records = (*world.reviews(ALICE, BOB), *world.tests("billing"))
    world.repo.git("checkout", "-q", "-b", "other", "main")
    world.edit(CART, "return 1", "return 2")
    world.repo.commit()
    world.repo.git("checkout", "-q", "-b", "octopus", "main")
    world.repo.git("merge", "-q", "--no-ff", "-m", "octopus", "change", "other")
    assert {TESTS, ("everything", "order", "review")} <= lacks(world.judge(*records, head="octopus"))


def test_a_stranger_who_made_the_merge_commit_of_a_host_is_no_author(world: World) -> None:
    records = (*world.reviews(ALICE, BOB), *world.tests("billing"))
    world.repo.branch("host", "main")
    world.repo.merge("change", GIT_COMMITTER_EMAIL="host@elsewhere.example", GIT_AUTHOR_EMAIL="host@elsewhere.example")
    assert world.judge(*records, head="host").verdict is Verdict.OPEN
    world.edit(INVOICE, "total() + 1", "total() + 1 ")
    world.repo.git("add", "-A")
    world.repo.git("commit", "-q", "--amend", "--no-edit")
    late = world.reviews(ALICE, BOB, head="host")
    assert "host@elsewhere.example" in why(world.judge(*records, *late, head="host"), "billing")


def test_the_policy_that_the_target_has_by_now_is_the_one_that_judges(world: World) -> None:
    records = (*world.reviews(ALICE, BOB), *world.tests("billing"))
    assert world.judge(*records).verdict is Verdict.OPEN
    world.repo.checkout("main")
    world.edit(".assay/policy.yml", "count: 2, not: authors", "count: 3, not: authors")
    world.repo.commit()
    assert lacks(world.judge(*records)) == {("critical", "billing", "review")}
    assert world.judge(*records, *world.reviews(CAROL)).verdict is Verdict.OPEN


def test_objects_and_parents_that_a_clone_replaces_are_not_looked_at(world: World) -> None:
    blobs = [world.repo.git("rev-parse", f"{rev}:{INVOICE}") for rev in ("change", "main")]
    world.repo.git("replace", *blobs)
    trees = [world.repo.tree(rev) for rev in ("change", "main")]
    world.repo.git("replace", *trees)
    world.repo.git("replace", world.repo.head("change"), world.repo.head("main"))
    (world.repo.path / ".git/info/grafts").write_text(f"{world.repo.head('main')} {world.repo.head('change')}\n")
    assert lacks(world.judge()) == HONEST


@pytest.mark.parametrize("where", [".gitattributes", ".git/info/attributes"])
def test_no_merge_driver_and_no_filter_has_a_say(world: World, where: str) -> None:
    world.repo.checkout("main")
    world.repo.write(where, "*.py merge=mine filter=mine diff=mine -text\n")
    for key in ("merge.mine.driver", "filter.mine.smudge", "filter.mine.clean", "diff.mine.textconv"):
        world.repo.git("config", key, "false")
    world.repo.write(".gitattributes", "*.py merge=mine\n")
    world.repo.git("-c", "filter.mine.clean=cat", "add", "-A")
    world.repo.git("commit", "-q", "-m", "attributes")
    world.repo.git("-c", "filter.mine.clean=cat", "checkout", "-q", "-B", "later", "main")
    text = (world.repo.path / INVOICE).read_text()
    world.repo.write(INVOICE, f"# a remark\n\n\n\n{text}")
    world.repo.git("-c", "filter.mine.clean=cat", "commit", "-q", "-a", "-m", "another place of the same file")
    repository = world.open()
    merged = merged_snapshot(repository, repository.resolve("later"), repository.resolve("change"))
    assert (
        merged.read(TreePath(INVOICE.encode()))
        == f"# a remark\n\n\n\n{text}".replace("return total()", "return total() + 1").encode()
    )


def test_a_deletion_that_was_undone_and_is_made_again_needs_a_new_look(tmp_path: Path) -> None:
    world = World(tmp_path / "repo", {**FILES, "src/order/guard.py": "LIMIT = 1\n"})
    world.repo.remove("src/order/guard.py")
    world.repo.commit("delete")
    early = world.reviews(ALICE, hours=5)
    assert world.judge(*early).verdict is Verdict.OPEN
    world.repo.checkout("main")
    world.repo.git("merge", "-q", "--ff-only", "change")
    when = format_moment(NOW - timedelta(hours=2))
    world.repo.git("commit", "-q", "--amend", "--no-edit", GIT_COMMITTER_DATE=when)
    world.repo.git("revert", "--no-edit", "HEAD", GIT_COMMITTER_DATE=when)
    world.repo.branch("again")
    world.repo.remove("src/order/guard.py")
    world.repo.commit("delete again")
    assert lacks(world.judge(*early, head="again")) == {("everything", "order", "review")}
    late = world.reviews(ALICE, head="again", hours=1)
    assert world.judge(*early, *late, head="again").verdict is Verdict.OPEN


def test_a_revert_at_no_time_that_a_calendar_knows_opens_nothing(world: World) -> None:
    records = (*world.reviews(ALICE, BOB), *world.tests("billing"))
    world.repo.checkout("main")
    world.repo.git("merge", "-q", "--ff-only", "change")
    world.repo.git("revert", "--no-edit", "HEAD")
    raw = world.repo.git_bytes(("cat-file", "commit", "HEAD"))
    absurd = raw.replace(b"1767323045 +0000\n", b"999999999999 +0000\n")
    assert absurd != raw
    made = world.repo.git_bytes(("hash-object", "-t", "commit", "-w", "--stdin"), stdin=absurd)
    world.repo.git("reset", "-q", "--hard", made.decode().strip())
    world.repo.branch("again")
    world.edit(INVOICE, "return total()", "return total() + 1")
    world.repo.commit("again")
    assert ("critical", "billing", "review") in lacks(world.judge(*records, head="again"))


def test_evidence_of_a_shallow_clone_decides_nothing(tmp_path: Path) -> None:
    policy = POLICY.replace(", not: authors", "")
    world = World(tmp_path / "repo", {**FILES, ".assay/policy.yml": policy})
    for number in range(2):
        world.repo.commit(str(number))
    world.repo.git("branch", "-f", "main", "change")
    world.edit(INVOICE, "return total()", "return total() + 1")
    world.repo.commit()
    records = (*world.reviews(ALICE, BOB), *world.tests("billing"))
    assert world.judge(*records).verdict is Verdict.OPEN
    url = f"file://{world.repo.path}"
    world.repo.git("clone", "-q", "--depth=2", "--no-single-branch", url, str(tmp_path / "shallow"))
    world.repo.path = tmp_path / "shallow"
    decision = world.judge(*records, target="origin/main", head="origin/change")
    assert decision.verdict is Verdict.CANNOT_DECIDE
    assert any("shallow" in reason for reason in decision.reasons)


def test_a_result_without_any_policy_breaks_a_law(world: World) -> None:
    world.repo.remove(".assay/policy.yml")
    world.repo.commit()
    found = lacks(world.judge(*world.reviews(ALICE, BOB, CAROL), *world.tests("billing")))
    assert ("policy", ".assay", "law") in found


def test_an_id_that_the_target_retired_stays_retired_whatever_the_change_says(tmp_path: Path) -> None:
    retired = "format: assay-retired/1\nretired:\n  - {id: refund, date: 2026-01-01, reason: merged}\n"
    world = World(tmp_path / "repo", {**FILES, ".assay/retired.yml": retired})
    world.repo.write(".assay/retired.yml", "format: assay-retired/1\n")
    world.repo.write("src/refund/assay.yml", BILLING.replace("module: billing", "module: refund"))
    world.repo.write("src/refund/a.py", "A = 1\n")
    world.repo.commit()
    found = lacks(world.judge(*world.reviews(ALICE, BOB, CAROL), *world.tests("refund")))
    assert ("retired ids", "refund", "law") in found


def test_a_rule_is_about_a_module_that_only_the_result_has(world: World) -> None:
    world.repo.write("src/refund/assay.yml", BILLING.replace("module: billing", "module: refund"))
    world.repo.write("src/refund/a.py", "A = 1\n")
    world.repo.commit()
    assert {("critical", "refund", "tests:unit"), ("critical", "refund", "review")} <= lacks(world.judge())


def test_a_module_without_checks_that_goes_still_lacks_what_its_rule_demands(tmp_path: Path) -> None:
    bare = BILLING[: BILLING.index("checks:")]
    world = World(tmp_path / "repo", {**FILES, "src/billing/assay.yml": bare})
    world.repo.git("rm", "-rq", "src/billing")
    world.edit(".assay/policy.yml", "    when: affected\n", "    when: affected\n    may_match_nothing: true\n")
    world.repo.commit()
    assert ("critical", "billing", "tests") in lacks(world.judge(*world.reviews(BOB, CAROL)))
    assert ("critical", "billing", "tests") not in lacks(world.judge(*world.reviews(ALICE, BOB)))


def test_taking_exemptions_away_is_free_and_nothing_else_about_that_file(tmp_path: Path) -> None:
    world = exempted(tmp_path)
    path = world.repo.path / ".assay/exemptions.yml"
    text = path.read_text()
    path.write_text("".join(text.splitlines(keepends=True)[:-1]))
    world.repo.commit()
    assert world.judge().verdict is Verdict.OPEN
    path.chmod(0o755)
    world.repo.commit()
    assert lacks(world.judge()) == {("policy_changes", ".assay", "review")}


def test_a_commit_without_an_author_decides_nothing(world: World) -> None:
    raw = world.repo.git_bytes(("cat-file", "commit", "change"))
    begin = raw.index(b"author ")
    broken = raw[:begin] + raw[raw.index(b"\n", begin) + 1 :]
    made = world.repo.git_bytes(("hash-object", "-t", "commit", "-w", "--literally", "--stdin"), stdin=broken)
    world.repo.git("update-ref", "refs/heads/change", made.decode().strip())
    with pytest.raises(AssayError):
        world.judge(*world.reviews(ALICE, BOB), *world.tests("billing"))


def test_a_target_that_is_not_there_decides_nothing(world: World) -> None:
    repository = world.open()
    with pytest.raises(AssayError):
        merged_snapshot(repository, ObjectId("0" * 39 + "1"), repository.resolve("change"))
