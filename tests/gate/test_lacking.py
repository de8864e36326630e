"""When may evidence be missing, and when can nobody tell? Waivers, witnesses, cones that cannot be known, adoption."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from git_assay.errors import AssayError
from git_assay.evidence.model import Record
from git_assay.gate.ask import Request, Sources, judge
from git_assay.gate.decision import Decision, Verdict
from git_assay.git.snapshot import Snapshot
from git_assay.report.gate import gate_text
from git_assay.signing.allowed_signers import Signers
from git_assay.values.digests import Mode, own_name
from git_assay.values.ids import LogId, ModuleId, ObjectId
from tests.evidences import AGENT, ALICE, BOB, CAROL, CI, NOW, Who, evidence, run, waiver, witness
from tests.gate.worlds import FILES, POLICY, World, lacks, subject_digests, why

INVOICE = "src/billing/invoice.py"
WAIVABLE = "{kind: tests, by: ci, waivable: {by: maintainers, not: authors, max_days: 3}}"
LACKS_TESTS = {("critical", "billing", "tests:unit")}


def _world(path: Path, policy: str = POLICY, **files: str) -> World:
    world = World(path / "repo", {**FILES, ".assay/policy.yml": policy, **files})
    world.edit(INVOICE, "return total()", "return total() + 1")
    world.repo.commit()
    return world


def _waived(
    world: World, who: Who = ALICE, *, days: int = 2, requirement: str = "tests", rev: str = "change"
) -> Record:
    own = {own_name(Mode.EXACT): world.at(rev).digests(ModuleId("billing"), Mode.EXACT).own}
    return waiver(who, "billing", own, requirement, (NOW + timedelta(days=days)).date().isoformat())


@pytest.fixture
def waivable(tmp_path: Path) -> World:
    return _world(tmp_path, POLICY.replace("{kind: tests, by: ci}", WAIVABLE))


def test_a_waiver_opens_where_the_rule_allows_it_and_the_gate_says_so(waivable: World) -> None:
    decision = waivable.judge(*waivable.reviews(ALICE, BOB), _waived(waivable))
    assert decision.verdict is Verdict.OPEN
    assert gate_text(decision).startswith("open (waived by alice@example.com, until 2026-12-02)\n")


@pytest.mark.parametrize(
    ("who", "given"),
    [
        (AGENT, {}),
        (CI, {}),
        (ALICE, {"days": 9}),
        (ALICE, {"days": -1}),
        (ALICE, {"requirement": "review"}),
        (ALICE, {"rev": "main"}),
    ],
    ids=["an agent", "a machine", "longer than allowed", "lapsed", "of something else", "of other content"],
)
def test_a_waiver_that_does_not_fit_excuses_nothing(waivable: World, who: Who, given: dict[str, object]) -> None:
    record = _waived(waivable, who, **given)  # type: ignore[arg-type]
    assert lacks(waivable.judge(*waivable.reviews(ALICE, BOB), record)) == LACKS_TESTS


def test_an_author_does_not_waive_the_own_change(tmp_path: Path) -> None:
    policy = POLICY.replace("{kind: tests, by: ci}", WAIVABLE).replace(
        "test@example.com: dev@", "test@example.com: alice@"
    )
    world = _world(tmp_path, policy)
    assert lacks(world.judge(*world.reviews(BOB, CAROL), _waived(world, ALICE))) == LACKS_TESTS
    assert world.judge(*world.reviews(BOB, CAROL), _waived(world, BOB)).verdict is Verdict.OPEN


def test_a_waiver_counts_nowhere_unless_the_rule_says_so(tmp_path: Path) -> None:
    world = _world(tmp_path)
    assert lacks(world.judge(*world.reviews(ALICE, BOB), _waived(world))) == LACKS_TESTS


def test_a_pass_and_a_fail_from_two_logs_are_disputed_and_lack(tmp_path: Path) -> None:
    policy = POLICY.replace("principals: [ci@acme.example]", "principals: [ci@acme.example, ci2@acme.example]")
    world = _world(tmp_path, policy)
    failed = run(Who("ci2@acme.example"), "billing", subject_digests(world.at("change"), "billing"), verdict="fatal")
    decision = world.judge(*world.reviews(ALICE, BOB), *world.tests("billing"), failed)
    assert lacks(decision) == LACKS_TESTS
    assert "disputed" in why(decision, "billing")


class Witnessed:
    """A world whose policy demands a witness by CI. log: a ref with two commits, as a log of evidence has them."""

    def __init__(self, path: Path) -> None:
        self.world = _world(path, POLICY + "witness: {by: ci, max_age: 7d}\n")
        repo = self.world.repo
        self.old, self.new = (ObjectId(repo.git("rev-parse", rev)) for rev in ("main", "change"))

    def judge(self, *records: Record, tip: ObjectId | None) -> Decision:
        repository = self.world.open()
        tips = {} if tip is None else {ALICE.log: tip}
        needed = (*self.world.reviews(ALICE, BOB), *self.world.tests("billing"))

        def read(_: Snapshot) -> tuple[object, Signers]:
            return evidence(*needed, *records, tips=tips), Signers((), ())

        sources = Sources(repository, self.world.analyze, read)  # type: ignore[arg-type]
        return judge(sources, Request(self.old, self.new, NOW))


def test_without_the_witness_that_the_policy_demands_nobody_can_decide(tmp_path: Path) -> None:
    world = Witnessed(tmp_path)
    decision = world.judge(tip=world.new)
    assert decision.verdict is Verdict.CANNOT_DECIDE
    assert decision.reasons == ("the policy demands a witness and there is no valid one",)


def test_evidence_that_a_witness_saw_whole_is_enough(tmp_path: Path) -> None:
    world = Witnessed(tmp_path)
    seen = witness(CI, {ALICE.log: world.old})
    assert world.judge(seen, tip=world.old).verdict is Verdict.OPEN
    assert world.judge(seen, tip=world.new).verdict is Verdict.OPEN


@pytest.mark.parametrize("cut", ["shorter", "gone", "of another history"])
def test_a_log_that_was_cut_since_a_witness_saw_it_decides_nothing(tmp_path: Path, cut: str) -> None:
    world = Witnessed(tmp_path)
    seen = world.new if cut != "of another history" else ObjectId("1" * 40)
    tip = None if cut == "gone" else world.old
    decision = world.judge(witness(CI, {ALICE.log: seen}), tip=tip)
    assert decision.verdict is Verdict.CANNOT_DECIDE
    assert decision.reasons == (f"log {ALICE.log} is shorter here than a witness saw",)


@pytest.mark.parametrize("who", [ALICE, AGENT], ids=["a person", "an agent"])
def test_only_the_role_witnesses(tmp_path: Path, who: Who) -> None:
    world = Witnessed(tmp_path)
    assert world.judge(witness(who, {ALICE.log: world.old}), tip=world.old).verdict is Verdict.CANNOT_DECIDE


def test_the_newest_witness_counts_and_an_old_one_does_not(tmp_path: Path) -> None:
    world = Witnessed(tmp_path)
    young = witness(CI, {ALICE.log: world.new}, age=timedelta(hours=1))
    older = witness(CI, {ALICE.log: world.old}, age=timedelta(days=2))
    assert world.judge(young, older, tip=world.old).verdict is Verdict.CANNOT_DECIDE
    ancient = witness(CI, {LogId("0" * 16): world.old}, age=timedelta(days=8))
    assert world.judge(ancient, tip=world.new).reasons == ("the policy demands a witness and there is no valid one",)


OPEN_FILE = "import importlib\n\n\ndef total():\n    return importlib.import_module(NAME)\n"
BROKEN_FILE = "def total(:\n    return 1\n"


@pytest.mark.parametrize(
    ("cones", "text", "reason"),
    [
        ("{open: fail}", OPEN_FILE, "src/order/cart.py imports what cannot be known"),
        ("{open: whole}", OPEN_FILE, None),
        ("{unparsed: fail}", BROKEN_FILE, "src/order/cart.py does not parse"),
        ("{unparsed: accept}", BROKEN_FILE, None),
    ],
)
def test_a_cone_that_cannot_be_known_lacks_where_the_policy_says_so(
    tmp_path: Path, cones: str, text: str, reason: str | None
) -> None:
    world = _world(tmp_path, POLICY + f"cones: {cones}\n", **{"src/order/cart.py": text})
    decision = world.judge(*world.reviews(ALICE, BOB), *world.tests("billing"))
    assert lacks(decision) == (LACKS_TESTS if reason else set())
    assert reason is None or reason in why(decision, "billing")


def _unadopted(path: Path) -> World:
    world = World(path / "repo", {"README.md": "hello\n"})
    for name, text in FILES.items():
        world.repo.write(name, text)
    world.repo.commit("adopt")
    return world


def test_adoption_itself_can_be_merged_and_says_what_will_hold(tmp_path: Path) -> None:
    decision = _unadopted(tmp_path).judge()
    assert decision.verdict is Verdict.NOT_ADOPTED
    assert gate_text(decision).startswith("open: the target has not adopted git assay yet\n")
    assert any("critical" in note for note in decision.notes)


def test_adoption_can_be_demanded(tmp_path: Path) -> None:
    world = _unadopted(tmp_path)
    repository = world.open()
    sources = Sources(repository, world.analyze, lambda _: (evidence(), Signers((), ())))
    request = Request(repository.resolve("main"), repository.resolve("change"), NOW, require_adopted=True)
    with pytest.raises(AssayError, match="has not adopted"):
        judge(sources, request)


def test_a_target_that_lost_its_rules_decides_nothing(tmp_path: Path) -> None:
    world = World(tmp_path / "repo")
    world.repo.checkout("main")
    world.repo.git("rm", "-qr", ".assay")
    world.repo.commit("drop the rules")
    world.repo.branch("later")
    world.repo.write("src/order/cart.py", "def total():\n    return 2\n")
    world.repo.commit()
    with pytest.raises(AssayError, match=r"had \.assay/ and lost it"):
        world.judge(head="later")


def test_a_shallow_clone_cannot_tell_whether_the_target_ever_adopted(tmp_path: Path) -> None:
    world = _unadopted(tmp_path)
    world.repo.git(
        "clone", "-q", "--depth=1", "--no-single-branch", f"file://{world.repo.path}", str(tmp_path / "shallow")
    )
    world.repo.path = tmp_path / "shallow"
    world.repo.git("fetch", "-q", "--depth=2", "origin", "change")
    with pytest.raises(AssayError, match="this clone is shallow"):
        world.judge(target="origin/main", head="origin/change")


def test_one_file_of_two_that_was_seen_is_not_the_change(tmp_path: Path) -> None:
    world = _world(tmp_path)
    seen = world.reviews(ALICE, BOB)
    world.repo.write("src/billing/refund.py", "def refund():\n    return 0\n")
    world.repo.commit()
    decision = world.judge(*seen, *world.tests("billing"))
    assert lacks(decision) == {("critical", "billing", "review"), ("everything", "billing", "review")}
    assert "src/billing/refund.py: nobody has seen this change" in why(decision, "billing")
    assert "invoice.py" not in why(decision, "billing")


def test_a_waiver_by_no_author_needs_authors_that_are_known(tmp_path: Path) -> None:
    policy = POLICY.replace("{kind: tests, by: ci}", WAIVABLE).replace("count: 2, not: authors", "count: 2")
    policy = policy.replace("aliases: {test@example.com: dev@example.com}\n", "")
    world = _world(tmp_path, policy)
    records = (*world.reviews(ALICE, BOB), _waived(world))
    assert lacks(world.judge(*records)) >= LACKS_TESTS


def test_a_waiver_of_another_module_excuses_nothing(waivable: World) -> None:
    own = {own_name(Mode.EXACT): waivable.at("change").digests(ModuleId("billing"), Mode.EXACT).own}
    other = waiver(ALICE, "order", own, "tests", (NOW + timedelta(days=1)).date().isoformat())
    assert lacks(waivable.judge(*waivable.reviews(ALICE, BOB), other)) == LACKS_TESTS


def test_a_rule_of_paths_is_about_owned_files_of_any_module(tmp_path: Path) -> None:
    rule = (
        "  - {name: money, match: {paths: [/src/order/cart.py]}, when: changed, "
        "require: [{kind: review, by: maintainers, count: 3}]}\npolicy_changes"
    )
    world = World(tmp_path / "repo", {**FILES, ".assay/policy.yml": POLICY.replace("policy_changes", rule, 1)})
    world.edit("src/order/cart.py", "return 1", "return 2")
    world.repo.commit()
    records = (*world.reviews(ALICE, BOB), *world.tests("billing"))
    assert lacks(world.judge(*records)) == {("money", "order", "review")}
    assert world.judge(*records, *world.reviews(CAROL)).verdict is Verdict.OPEN
