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
