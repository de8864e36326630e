"""Tests of verdicts: fresh, failing, disputed, stale, refused, absent."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from git_assay.cones.analysis import Analysis, analyze
from git_assay.evidence.model import Record
from git_assay.graph.store import FactStore
from git_assay.status.model import Absent, Disputed, Failing, Fresh, RefusedEvidence, Stale, Standing
from git_assay.status.standings import check_standing, index_runs
from git_assay.status.survey import make_survey
from git_assay.values.ids import ModuleId, Principal
from tests.evidences import AGENT, ALICE, CI, NOW, Who, evidence, review, run
from tests.gate.worlds import FILES, subject_digests
from tests.snapshots import memory_snapshot

BILLING = ModuleId("billing")


def _analysis(**edits: str) -> Analysis:
    snapshot = memory_snapshot({**FILES, **edits})
    return analyze(snapshot, FactStore(None, lambda: snapshot.reader))


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return _analysis()


def _pass(analysis: Analysis, who: Who = CI, **more: Any) -> Record:
    return run(who, "billing", subject_digests(analysis, "billing"), **more)


def _judge(analysis: Analysis, *records: Record, principals: frozenset[Principal] | None = None) -> Standing:
    (check,) = analysis.declarations.cards[BILLING].card.checks
    return check_standing(analysis, BILLING, check, runs=index_runs(evidence(*records)), principals=principals)


def test_without_a_record_it_is_absent(analysis: Analysis) -> None:
    assert _judge(analysis) == Absent()


def test_a_pass_at_this_content_is_fresh(analysis: Analysis) -> None:
    record = _pass(analysis)
    assert _judge(analysis, record) == Fresh(record.id, 1, 1)


def test_a_claim_is_stale_when_a_dependency_changes(analysis: Analysis) -> None:
    record = _pass(analysis)
    changed = _analysis(**{"src/order/cart.py": "def total():\n    return 2\n"})
    assert _judge(changed, record) == Stale(record.id)


def test_a_claim_is_fresh_when_something_outside_the_cone_changes(analysis: Analysis) -> None:
    record = _pass(analysis)
    assert isinstance(_judge(_analysis(**{"README.md": "other\n"}), record), Fresh)


def test_a_claim_is_stale_when_the_command_changes(analysis: Analysis) -> None:
    card = FILES["src/billing/assay.yml"].replace("pytest -q", "true")
    assert isinstance(_judge(_analysis(**{"src/billing/assay.yml": card}), _pass(analysis)), Stale)


def test_a_fail_stands_beside_a_later_pass_of_the_same_log(analysis: Analysis) -> None:
    fail = _pass(analysis, verdict="fatal", age=timedelta(hours=2))
    assert _judge(analysis, fail, _pass(analysis)) == Failing(fail.id)


def test_a_superseding_pass_lifts_the_fail_and_the_count_shows_it(analysis: Analysis) -> None:
    fail = _pass(analysis, verdict="fatal", age=timedelta(hours=2))
    good = _pass(analysis, supersedes=[fail])
    assert _judge(analysis, fail, good) == Fresh(good.id, 1, 2)


def test_another_log_cannot_supersede_a_fail(analysis: Analysis) -> None:
    fail = _pass(analysis, verdict="fatal", age=timedelta(hours=2))
    good = _pass(analysis, ALICE, supersedes=[fail])
    assert _judge(analysis, fail, good) == Disputed((good.id,), (fail.id,))


def test_a_review_cannot_supersede_a_fail(analysis: Analysis) -> None:
    fail = _pass(analysis, verdict="fatal", age=timedelta(hours=2))
    words = review(CI, ("x", "a", "b"), module="billing", supersedes=[fail])
    assert _judge(analysis, fail, words) == Failing(fail.id)


def test_a_fail_at_the_same_code_but_other_bytes_stands_too(analysis: Analysis) -> None:
    path = "src/billing/invoice.py"
    other = _analysis(**{path: "# a remark\n" + FILES[path]})
    fail = _pass(other, verdict="fatal", age=timedelta(hours=2))
    assert _judge(analysis, fail, _pass(analysis)) == Failing(fail.id)


def test_a_pass_holds_when_only_a_comment_changes(analysis: Analysis) -> None:
    path = "src/billing/invoice.py"
    record = _pass(analysis)
    assert isinstance(_judge(_analysis(**{path: "# a remark\n" + FILES[path]}), record), Fresh)


def test_a_pass_by_somebody_outside_the_role_is_refused_with_the_reason(analysis: Analysis) -> None:
    record = _pass(analysis, AGENT)
    found = _judge(analysis, record, principals=frozenset({Principal(CI.principal)}))
    assert isinstance(found, RefusedEvidence)
    assert AGENT.principal in found.reason


def test_a_record_of_another_module_with_these_digests_does_not_count(analysis: Analysis) -> None:
    record = run(CI, "order", subject_digests(analysis, "billing"))
    assert _judge(analysis, record) == Absent()


def test_a_record_of_another_kind_does_not_count(analysis: Analysis) -> None:
    assert _judge(analysis, _pass(analysis, kind="static")) == Absent()


def test_exact_digests_that_agree_cost_no_code_digests() -> None:
    analysis = _analysis()
    record = run(CI, "billing", {k: v for k, v in subject_digests(_analysis(), "billing").items() if "Exact" in k})
    assert isinstance(_judge(analysis, record), Fresh)
    assert [mode.value for mode in analysis._digests] == ["Exact"]


def test_the_survey_says_whether_what_was_reviewed_is_still_as_it_was_seen(analysis: Analysis) -> None:
    path = "src/billing/invoice.py"
    looked = review(ALICE, (path, None, analysis.pieces(BILLING)[path]), module="billing")
    standing = make_survey(analysis, evidence(looked), now=NOW).modules[BILLING].review
    assert standing is not None
    assert standing.current
    changed = _analysis(**{path: "# a remark\n" + FILES[path]})
    later = make_survey(changed, evidence(looked), now=NOW).modules[BILLING].review
    assert later is not None
    assert not later.current
