"""Attacks on the gate, one test each: what an author may try inside a change, and what must come of it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from git_assay.errors import AssayError
from git_assay.gate.decision import Verdict
from git_assay.values.moments import format_moment
from tests.evidences import AGENT, ALICE, BOB, CAROL, CI, NOW, Who, review
from tests.gate.worlds import FILES, POLICY, World, lacks, why

INVOICE = "src/billing/invoice.py"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "repo")


def _touch(world: World) -> None:
    """An honest change of the critical module."""
    world.edit(INVOICE, "return total()", "return total() + 1")


def test_an_honest_change_is_closed_until_tests_and_people_have_seen_it(world: World) -> None:
    _touch(world)
    world.repo.commit()
    assert lacks(world.judge()) == {
        ("critical", "billing", "tests:unit"),
        ("critical", "billing", "review"),
        ("everything", "billing", "review"),
    }
    assert world.judge(*world.reviews(ALICE, BOB), *world.tests("billing")).verdict is Verdict.OPEN
    assert lacks(world.judge(*world.reviews(ALICE), *world.tests("billing"))) == {("critical", "billing", "review")}


def test_a_change_of_nothing_is_open(world: World) -> None:
    world.repo.commit()
    assert world.judge().verdict is Verdict.OPEN


def test_edits_the_policy(world: World) -> None:
    world.edit(".assay/policy.yml", "policy_changes: {by: maintainers, count: 2}", "policy_changes: {by: maintainers}")
    world.repo.commit()
    assert lacks(world.judge(*world.reviews(ALICE))) == {("policy_changes", ".assay", "review")}
    assert world.judge(*world.reviews(ALICE, BOB)).verdict is Verdict.OPEN


def test_edits_the_policy_so_that_its_own_code_needs_nothing(world: World) -> None:
    _touch(world)
    world.edit(".assay/policy.yml", "match: {labels: [critical]}", "match: {modules: [order]}")
    world.repo.commit()
    found = lacks(world.judge(*world.reviews(ALICE)))
    assert ("critical", "billing", "tests:unit") in found
    assert ("policy_changes", ".assay", "review") in found


def test_lowers_the_version_of_the_policy_and_nobody_can_allow_it(world: World) -> None:
    world.edit(".assay/policy.yml", "version: 3", "version: 2")
    world.repo.commit()
    assert lacks(world.judge(*world.reviews(ALICE, BOB, CAROL))) == {("policy version", ".assay", "law")}


def test_proposes_a_policy_that_does_not_load(world: World) -> None:
    world.edit(".assay/policy.yml", "by: ci}", "by: nobody}")
    world.repo.commit()
    assert ("policy loads", ".assay", "law") in lacks(world.judge(*world.reviews(ALICE, BOB)))


def test_edits_the_keyring(world: World) -> None:
    world.repo.write(".assay/allowed_signers", "eve@example.com ssh-ed25519 AAAA\n")
    world.repo.commit()
    assert lacks(world.judge(*world.reviews(ALICE))) == {("policy_changes", ".assay", "review")}


def test_the_keyring_is_read_from_the_target_and_never_from_the_change(world: World) -> None:
    from git_assay.gate.ask import Request, Sources, judge
    from git_assay.git.snapshot import Snapshot
    from git_assay.signing.allowed_signers import Signers
    from tests.evidences import evidence

    world.repo.write(".assay/allowed_signers", "eve@example.com ssh-ed25519 AAAA\n")
    world.repo.commit()
    asked: list[str] = []

    def read(snapshot: Snapshot) -> tuple[object, Signers]:
        asked.append(snapshot.tree)
        return evidence(), Signers((), ())

    repository = world.open()
    request = Request(repository.resolve("main"), repository.resolve("change"), NOW)
    judge(Sources(repository, world.analyze, read), request)  # type: ignore[arg-type]
    assert asked == [repository.tree_of("main")]


def test_adds_an_exemption(world: World) -> None:
    _touch(world)
    world.repo.commit()
    from git_assay.gate.exempting import scope_digest
    from git_assay.values.ids import ModuleId

    value = scope_digest(world.at("change"), ModuleId("billing"), "cone")
    world.repo.write(
        ".assay/exemptions.yml",
        "format: assay-exemptions/1\nexemptions:\n  - {module: billing, requirement: tests, scope: cone, "
        f"digest: {value}, reason: mine, until: 2027-01-01}}\n",
    )
    world.repo.commit()
    found = lacks(world.judge())
    assert ("critical", "billing", "tests:unit") in found
    assert ("policy_changes", ".assay", "review") in found


def test_drops_the_label_that_a_rule_matches_on(world: World) -> None:
    _touch(world)
    world.edit("src/billing/assay.yml", "labels: [critical]\n", "")
    world.edit(".assay/policy.yml", "    when: affected\n", "    when: affected\n    may_match_nothing: true\n")
    world.repo.commit()
    found = lacks(world.judge())
    assert {("critical", "billing", "tests:unit"), ("critical", "billing", "review")} <= found
    assert ("card_changes", "billing", "review") in found


def test_drops_a_label_alone_and_the_owner_of_the_base_must_see_it(world: World) -> None:
    world.edit("src/order/assay.yml", "owners: [bob@example.com]", "owners: [carol@example.com]")
    world.repo.commit()
    assert ("card_changes", "order", "review") in lacks(world.judge(*world.reviews(CAROL)))
    assert world.judge(*world.reviews(BOB)).verdict is Verdict.OPEN


def test_drops_the_card(world: World) -> None:
    _touch(world)
    world.repo.remove("src/billing/assay.yml")
    world.edit(".assay/policy.yml", "    when: affected\n", "    when: affected\n    may_match_nothing: true\n")
    world.repo.commit()
    found = lacks(world.judge())
    assert ("card_changes", "billing", "review") in found
    assert {("critical", "billing", "tests:unit"), ("critical", "billing", "review")} <= found


def test_drops_a_check(world: World) -> None:
    card = FILES["src/billing/assay.yml"]
    world.repo.write("src/billing/assay.yml", card[: card.index("checks:")])
    world.repo.commit()
    found = lacks(world.judge(*world.reviews(BOB, CAROL)))
    assert ("card_changes", "billing", "review") in found
    assert ("critical", "billing", "tests:unit") in found
    # Even with the owner's word: a kind without any check is lacking, never vacuous.
    assert lacks(world.judge(*world.reviews(ALICE, BOB))) == {("critical", "billing", "tests")}


def test_weakens_the_command_of_a_check(world: World) -> None:
    world.edit("src/billing/assay.yml", "run: pytest -q", "run: 'true'")
    world.repo.commit()
    old = world.tests("billing", rev="main")
    assert ("critical", "billing", "tests:unit") in lacks(world.judge(*old, *world.reviews(ALICE, BOB)))
    found = lacks(world.judge(*world.tests("billing"), *world.reviews(BOB, CAROL)))
    assert found == {("card_changes", "billing", "review")}


def test_drops_a_path_from_scope(world: World) -> None:
    world.edit(".assay/config.yml", "roots: [src]\n", 'roots: [src]\nexclude: ["/src/billing/invoice.py"]\n')
    world.edit(INVOICE, "total()\n", "0\n")
    world.repo.commit()
    found = lacks(world.judge(*world.reviews(BOB)))
    assert ("policy_changes", ".assay", "review") in found
    assert ("card_changes", "billing", "review") in found
    assert ("critical", "billing", "review") in found


def test_claims_another_cards_files_by_a_deeper_card(world: World) -> None:
    world.repo.write("src/billing/inner/assay.yml", FILES["src/order/assay.yml"].replace("order", "taker"))
    (world.repo.path / INVOICE).rename(world.repo.path / "src/billing/inner/invoice.py")
    world.repo.commit()
    decision = world.judge(*world.reviews(BOB, CAROL))
    assert ("card_changes", "billing", "review") in lacks(decision)
    assert "moves to taker" in why(decision, "billing")


def test_claims_another_cards_files_from_outside(world: World) -> None:
    world.edit("src/order/assay.yml", "owners:", 'owns: ["*.py", "/src/billing/invoice.py"]\nowners:')
    world.repo.commit()
    assert any(item[2] == "law" for item in lacks(world.judge(*world.reviews(ALICE, BOB, CAROL))))


def test_hides_a_module_behind_a_dynamic_import(world: World) -> None:
    hidden = "import importlib\n\n\ndef invoice(name):\n    return importlib.import_module(name).total()\n"
    world.repo.write(INVOICE, hidden)
    world.repo.commit("hide")
    assert ("critical", "billing", "tests:unit") in lacks(world.judge(*world.tests("billing", rev="main")))
    world.repo.git("checkout", "-q", "main")
    world.repo.git("merge", "-q", "--ff-only", "change")
    world.repo.git("checkout", "-q", "change")
    world.edit("src/order/cart.py", "return 1", "return 2")
    world.repo.commit("break what it reaches")
    assert ("critical", "billing", "tests:unit") in lacks(world.judge(*world.tests("billing", rev="main")))


def test_a_newly_open_file_reports_what_it_no_longer_names(world: World) -> None:
    from git_assay.status.radius import find_radius

    hidden = "import importlib\n\n\ndef invoice(name):\n    return importlib.import_module(name).total()\n"
    world.repo.write(INVOICE, hidden)
    world.repo.commit()
    radius = find_radius(world.at("main"), world.at("change"))
    assert [lost.path for lost in radius.lost] == [INVOICE.encode()]


def test_branches_from_before_adoption(tmp_path: Path) -> None:
    world = World(tmp_path / "repo", {name: text for name, text in FILES.items() if "assay" not in name})
    world.repo.git("checkout", "-q", "main")
    for name, text in FILES.items():
        world.repo.write(name, text)
    world.repo.commit("adopt")
    world.repo.git("checkout", "-q", "change")
    _touch(world)
    world.repo.commit()
    assert ("critical", "billing", "tests:unit") in lacks(world.judge())


def test_reapplies_a_reverted_change(world: World) -> None:
    _touch(world)
    world.repo.commit("change")
    early = world.reviews(ALICE, BOB, hours=5)
    tests = world.tests("billing")
    assert world.judge(*early, *tests).verdict is Verdict.OPEN
    world.repo.git("checkout", "-q", "main")
    world.repo.git("merge", "-q", "--ff-only", "change")
    when = format_moment(NOW - timedelta(hours=2))
    world.repo.git("revert", "--no-edit", "HEAD", GIT_COMMITTER_DATE=when, GIT_AUTHOR_DATE=when)
    world.repo.git("checkout", "-q", "-b", "again")
    world.repo.git("revert", "--no-edit", "HEAD")
    assert ("critical", "billing", "review") in lacks(world.judge(*early, *tests, head="again"))
    late = world.reviews(ALICE, BOB, head="again", hours=0.5)
    assert world.judge(*early, *tests, *late, head="again").verdict is Verdict.OPEN


def test_makes_a_file_executable_or_a_link(world: World) -> None:
    (world.repo.path / INVOICE).chmod(0o755)
    world.repo.commit()
    assert ("everything", "billing", "review") in lacks(world.judge())
    assert ("everything", "billing", "review") not in lacks(world.judge(*world.reviews(ALICE)))


def test_adds_a_workflow_that_nobody_owns(world: World) -> None:
    world.repo.write(".github/workflows/ci.yml", "on: push\n")
    world.repo.commit()
    assert lacks(world.judge(*world.reviews(ALICE))) == {("policy_changes", ".unowned", "review")}
    assert world.judge(*world.reviews(ALICE, BOB)).verdict is Verdict.OPEN


def test_a_path_that_a_rule_matches_is_judged_by_that_rule(world: World) -> None:
    world.repo.write("docs/guide.md", "guide\n")
    world.repo.commit()
    assert lacks(world.judge()) == {("docs", ".unowned", "review")}
    assert world.judge(*world.reviews(ALICE)).verdict is Verdict.OPEN


def test_writes_attributes_deep_in_the_tree(world: World) -> None:
    world.repo.write("src/order/.gitattributes", "*.py linguist-generated\n")
    world.repo.commit()
    assert ("policy_changes", ".assay", "review") in lacks(world.judge(*world.reviews(ALICE)))


def test_the_author_reviews_the_own_change(world: World) -> None:
    _touch(world)
    world.repo.commit(GIT_AUTHOR_EMAIL="alice@example.com")
    found = lacks(world.judge(*world.reviews(ALICE, BOB), *world.tests("billing")))
    assert found == {("critical", "billing", "review")}


def test_an_author_whom_nobody_knows_makes_not_authors_untellable(world: World) -> None:
    _touch(world)
    world.repo.commit(GIT_AUTHOR_EMAIL="somebody@elsewhere.example")
    decision = world.judge(*world.reviews(ALICE, BOB), *world.tests("billing"))
    assert ("critical", "billing", "review") in lacks(decision)
    assert "cannot tell who the authors are: somebody@elsewhere.example" in why(decision, "billing")


def test_a_co_author_counts_as_an_author(world: World) -> None:
    _touch(world)
    world.repo.commit("change\n\nCo-authored-by: Bob <bob@example.com>")
    found = lacks(world.judge(*world.reviews(ALICE, BOB), *world.tests("billing")))
    assert found == {("critical", "billing", "review")}


def test_an_agent_never_fills_a_human_requirement(tmp_path: Path) -> None:
    loose = POLICY.replace("bob@example.com, carol@example.com]", '"*"]')
    world = World(tmp_path / "repo", {**FILES, ".assay/policy.yml": loose})
    _touch(world)
    world.repo.commit()
    records = (*world.reviews(ALICE, AGENT), *world.tests("billing"))
    assert lacks(world.judge(*records)) == {("critical", "billing", "review")}


def test_a_pass_that_is_not_by_ci_does_not_count(world: World) -> None:
    _touch(world)
    world.repo.commit()
    records = (*world.reviews(ALICE, BOB), *world.tests("billing", who=ALICE))
    assert lacks(world.judge(*records)) == {("critical", "billing", "tests:unit")}


def test_a_pass_of_another_module_does_not_count(world: World) -> None:
    _touch(world)
    world.repo.commit()
    records = (*world.reviews(ALICE, BOB), *world.tests("order"))
    assert lacks(world.judge(*records)) == {("critical", "billing", "tests:unit")}


def test_a_reject_closes_what_approvals_opened(world: World) -> None:
    _touch(world)
    world.repo.commit()
    approvals = world.reviews(ALICE, BOB)
    pairs = [(seen.piece, seen.old, seen.new) for seen in approvals[0].statement.predicate.review.seen]  # type: ignore[union-attr]
    reject = review(CAROL, *pairs, verdict="reject", module="billing")
    assert ("critical", "billing", "review") in lacks(world.judge(*approvals, reject, *world.tests("billing")))


def test_two_names_on_one_key_are_one_person(world: World) -> None:
    _touch(world)
    world.repo.commit()
    twin = Who("bob@example.com", key="alice@example.com")
    records = (*world.reviews(ALICE, twin), *world.tests("billing"))
    assert lacks(world.judge(*records)) == {("critical", "billing", "review")}


def test_a_comment_leaves_tests_fresh_and_makes_the_review_lack(world: World) -> None:
    before = world.tests("billing", rev="main")
    world.edit(INVOICE, "def invoice", "# a remark\ndef invoice")
    world.repo.commit()
    assert lacks(world.judge(*before)) == {("critical", "billing", "review"), ("everything", "billing", "review")}


def test_a_gap_in_a_log_is_cannot_decide_and_never_open(world: World) -> None:
    from git_assay.evidence.model import Evidence
    from git_assay.gate.ask import Request, Sources, judge
    from git_assay.signing.allowed_signers import Signers
    from git_assay.values.ids import RecordId
    from tests.evidences import evidence

    _touch(world)
    world.repo.commit()
    records = (*world.reviews(ALICE, BOB), *world.tests("billing"))
    found: Evidence = evidence(*records, gaps={CI.log: (RecordId("0" * 64),)})
    repository = world.open()
    sources = Sources(repository, world.analyze, lambda _: (found, Signers((), ())))
    decision = judge(sources, Request(repository.resolve("main"), repository.resolve("change"), NOW))
    assert (decision.verdict, decision.exit_code) == (Verdict.CANNOT_DECIDE, 128)


def test_removes_everything_under_assay(world: World) -> None:
    world.repo.git("rm", "-rq", ".assay")
    world.repo.commit()
    with pytest.raises(AssayError, match=r"removes \.assay"):
        world.judge()


def test_a_target_that_lost_its_rules_does_not_pass_for_one_that_never_had_any(world: World) -> None:
    world.repo.git("checkout", "-q", "main")
    world.repo.git("rm", "-rq", ".assay")
    world.repo.commit("bypass")
    world.repo.git("checkout", "-q", "-b", "next")
    _touch(world)
    world.repo.commit()
    with pytest.raises(AssayError, match=r"had \.assay/ and lost it"):
        world.judge(head="next")


def test_adoption_itself_can_be_merged(tmp_path: Path) -> None:
    world = World(tmp_path / "repo", {"README.md": "hello\n"})
    for name, text in FILES.items():
        world.repo.write(name, text)
    world.repo.commit("adopt")
    decision = world.judge()
    assert (decision.verdict, decision.exit_code) == (Verdict.NOT_ADOPTED, 0)
    assert any("'critical' asks for tests, 2 review of 1 modules" in note for note in decision.notes)


def test_a_conflict_cannot_be_decided_and_names_the_path(world: World) -> None:
    _touch(world)
    world.repo.commit()
    world.repo.git("checkout", "-q", "main")
    world.edit(INVOICE, "return total()", "return total() + 2")
    world.repo.commit()
    with pytest.raises(AssayError, match=INVOICE):
        world.judge()


def test_the_merge_result_is_judged_and_not_the_head(world: World) -> None:
    world.edit("src/order/cart.py", "return 1", "return 2")
    world.repo.commit()
    head_only = world.tests("billing")
    world.repo.git("checkout", "-q", "main")
    world.edit(INVOICE, "return total()", "return total() + 1")
    world.repo.commit()
    assert ("critical", "billing", "tests:unit") in lacks(world.judge(*head_only))
