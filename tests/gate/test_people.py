"""Tests of who counts as whom, and of conditions on what cannot be proved."""

from __future__ import annotations

import pytest

from git_assay.gate.facts import RangeCommit, RangeFacts
from git_assay.gate.matching import condition_holds
from git_assay.gate.people import People, find_people
from git_assay.gate.policy import Condition
from git_assay.values.ids import ObjectId, Principal
from tests.evidences import AGENT, ALICE, Who, evidence, review
from tests.gate.test_policy import GOOD, load

HUMAN = Principal("alice@example.com")


def _commit(author: str = HUMAN, signer: str | None = HUMAN, trailers: frozenset[str] = frozenset()) -> RangeCommit:
    proved = None if signer is None else Principal(signer)
    return RangeCommit(ObjectId("a" * 40), author, author, signer=proved, trailers=trailers)


def _people(facts: RangeFacts, *signers: Who) -> People:
    policy, problems = load(GOOD)
    assert policy is not None, problems
    records = [review(who, ("x", "a", "b")) for who in (ALICE, *signers)]
    return find_people(policy, evidence(*records), facts, same_key={})


def _facts(*commits: RangeCommit, complete: bool = True) -> RangeFacts:
    return RangeFacts(None, None, commits, complete=complete)


AGENTS = Condition(author="agents")


def test_commits_signed_by_people_are_not_an_agents() -> None:
    facts = _facts(_commit(), _commit())
    assert not condition_holds(AGENTS, _people(facts), facts)


@pytest.mark.parametrize(
    "facts",
    [
        _facts(_commit(), _commit(signer=None)),
        _facts(_commit(), _commit(signer=AGENT.principal)),
        _facts(_commit(author=AGENT.principal)),
        _facts(_commit(), complete=False),
        _facts(),
    ],
    ids=["one unsigned", "signed by an agent", "an agent is named", "history is missing", "no commits"],
)
def test_whatever_is_not_proved_to_be_a_persons_may_be_an_agents(facts: RangeFacts) -> None:
    assert condition_holds(AGENTS, _people(facts), facts)


def test_a_trailer_is_looked_for_whatever_its_case() -> None:
    facts = _facts(_commit(trailers=frozenset({"co-authored-by"})))
    assert condition_holds(Condition(trailer="Co-Authored-By"), _people(facts), facts)
    plain = _facts(_commit())
    assert not condition_holds(Condition(trailer="Co-Authored-By"), _people(plain), plain)


def test_an_author_is_found_whatever_the_case_of_the_address() -> None:
    people = _people(_facts(_commit(author="ALICE@example.com", signer=None)))
    assert people.authors == {HUMAN}
    assert people.authors_known


def test_a_stranger_among_the_authors_is_said() -> None:
    people = _people(_facts(_commit(author="eve@elsewhere.example")))
    assert people.strangers == ("eve@elsewhere.example",)
    assert not people.authors_known


def test_the_name_behind_an_authors_key_is_an_author_too() -> None:
    twin = Who("bob@example.com", key=ALICE.principal)
    people = _people(_facts(_commit()), twin)
    assert Principal("bob@example.com") not in people.reviewers("maintainers", not_authors=True)
    assert HUMAN not in people.reviewers("maintainers", not_authors=True)


def test_nobody_outside_a_role_of_people_may_review() -> None:
    people = _people(_facts(_commit()), AGENT, Who("ci@acme.example"))
    assert set(people.reviewers("maintainers", not_authors=False)) == {HUMAN}
    assert not people.reviewers("owners", owners=(AGENT.principal, "ci@acme.example"), not_authors=False)


def test_whoever_signed_a_commit_is_an_author_whatever_name_is_written() -> None:
    people = _people(_facts(_commit(author="bob@example.com")))
    assert people.authors == {HUMAN, Principal("bob@example.com")}


def test_a_committer_is_an_author_too() -> None:
    commit = RangeCommit(ObjectId("a" * 40), "bob@example.com", HUMAN)
    assert HUMAN in _people(_facts(commit)).authors


def test_authors_are_not_known_where_the_history_is_not_complete() -> None:
    assert not _people(_facts(_commit(), complete=False)).authors_known


def test_an_author_whom_only_a_pattern_names_is_the_person_of_the_evidence() -> None:
    policy, problems = load(GOOD.replace("[alice@example.com, bob@example.com]", '["*@example.com"]'))
    assert policy is not None, problems
    records = evidence(review(ALICE, ("x", "a", "b")))
    people = find_people(policy, records, _facts(_commit(author="Alice@example.com", signer=None)), same_key={})
    assert HUMAN not in people.reviewers("maintainers", not_authors=True)


def test_an_author_whom_nobody_knows_may_be_of_any_role() -> None:
    facts = _facts(_commit(author="eve@elsewhere.example"))
    assert condition_holds(AGENTS, _people(facts), facts)


def test_a_committers_role_is_also_that_of_the_signer() -> None:
    facts = _facts(_commit(author="bob@example.com"))
    reviewers = Condition(committer="maintainers")
    assert condition_holds(reviewers, _people(facts), facts)
    policy, problems = load(GOOD.replace("  ci: ", "  leads: {class: human, principals: [alice@example.com]}\n  ci: "))
    assert policy is not None, problems
    signed = RangeCommit(ObjectId("a" * 40), "bob@example.com", "bob@example.com", signer=HUMAN)
    both = _facts(signed)
    people = find_people(policy, evidence(), both, same_key={})
    assert condition_holds(Condition(committer="leads"), people, both)


def test_an_agent_fills_no_role_of_machines_that_its_name_also_fits() -> None:
    policy, problems = load(GOOD.replace("principals: [ci@acme.example]", 'principals: ["*acme.example"]'))
    assert policy is not None, problems
    records = evidence(review(AGENT, ("x", "a", "b")), review(Who("ci@acme.example"), ("x", "a", "b")))
    people = find_people(policy, records, _facts(_commit()), same_key={})
    assert people.admitted("ci") == {Principal("ci@acme.example")}
