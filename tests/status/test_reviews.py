"""Tests of chains of seen pairs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.evidence.model import Record
from git_assay.status.changes import PieceChange
from git_assay.status.reviews import ChainRule, Covered, Uncovered, cover, index_reviews
from git_assay.values.ids import Digest, Principal, TreePath
from tests.evidences import ALICE, BOB, CAROL, NOW, Who, evidence, review

PIECE = "src/invoice.py"
PEOPLE = {Principal(who.principal): Principal(who.principal) for who in (ALICE, BOB, CAROL)}


def _change(old: str | None, new: str | None) -> PieceChange:
    return PieceChange(PIECE, TreePath(PIECE.encode()), old and Digest(old), new and Digest(new))  # type: ignore[arg-type]


def _rule(*, count: int = 1, bound: int = 5, modules: frozenset[str] | None = frozenset({"invoice"})) -> ChainRule:
    return ChainRule(PEOPLE, modules, count, timedelta(days=90), bound)


def _judge(change: PieceChange, *records: Record, **rule: int) -> Covered | Uncovered:
    return cover(change, index_reviews(evidence(*records)), _rule(**rule), now=NOW)  # type: ignore[arg-type]


def test_unchanged_content_needs_no_review() -> None:
    assert isinstance(_judge(_change("a", "a")), Covered)


def test_a_change_that_nobody_saw_is_lacking_and_not_vacuous() -> None:
    assert _judge(_change("a", "b")) == Uncovered(0, (), ())


def test_separate_reviews_by_different_people_compose() -> None:
    found = _judge(_change("a", "c"), review(ALICE, (PIECE, "a", "b")), review(BOB, (PIECE, "b", "c")))
    assert isinstance(found, Covered)
    assert found.principals == (ALICE.principal, BOB.principal)


def test_a_new_file_starts_at_none_and_a_deleted_one_ends_there() -> None:
    assert isinstance(_judge(_change(None, "b"), review(ALICE, (PIECE, None, "b"))), Covered)
    assert isinstance(_judge(_change("b", None), review(ALICE, (PIECE, "b", None))), Covered)


def test_the_opposite_direction_does_not_count() -> None:
    assert isinstance(_judge(_change("a", "b"), review(ALICE, (PIECE, "b", "a"))), Uncovered)


def test_a_review_of_another_piece_does_not_count() -> None:
    assert isinstance(_judge(_change("a", "b"), review(ALICE, ("src/other.py", "a", "b"))), Uncovered)


def test_a_review_signed_for_another_module_does_not_count() -> None:
    found = _judge(_change("a", "b"), review(ALICE, (PIECE, "a", "b"), module="order"))
    assert isinstance(found, Uncovered)
    assert found.near[0][1] == "signed for order"


def test_somebody_outside_the_role_does_not_count() -> None:
    assert isinstance(_judge(_change("a", "b"), review(Who("eve@example.com"), (PIECE, "a", "b"))), Uncovered)


def test_comments_and_rejects_are_no_links() -> None:
    for verdict in ("comment", "reject"):
        assert isinstance(_judge(_change("a", "b"), review(ALICE, (PIECE, "a", "b"), verdict=verdict)), Uncovered)


def test_two_people_must_each_cover_every_link() -> None:
    first, second = review(ALICE, (PIECE, "a", "b")), review(ALICE, (PIECE, "b", "c"))
    half = review(BOB, (PIECE, "b", "c"))
    assert _judge(_change("a", "c"), first, second, half, count=2) == Uncovered(1, (), ())
    assert isinstance(_judge(_change("a", "c"), first, second, half, review(BOB, (PIECE, "a", "b")), count=2), Covered)


def test_two_people_may_cover_by_different_paths() -> None:
    steps = (review(ALICE, (PIECE, "a", "b")), review(ALICE, (PIECE, "b", "c")), review(BOB, (PIECE, "a", "c")))
    assert isinstance(_judge(_change("a", "c"), *steps, count=2), Covered)


def test_two_names_with_one_key_are_one_person() -> None:
    rule = ChainRule(
        {
            Principal("alice@example.com"): Principal("alice@example.com"),
            Principal("al"): Principal("alice@example.com"),
        },
        None,
        2,
        timedelta(days=90),
        5,
    )
    index = index_reviews(evidence(review(ALICE, (PIECE, "a", "b")), review(Who("al"), (PIECE, "a", "b"))))
    assert isinstance(cover(_change("a", "b"), index, rule, now=NOW), Uncovered)


@pytest.mark.parametrize("end", ["a", "b"])
def test_a_reject_at_either_end_cuts_a_link(end: str) -> None:
    reject = review(BOB, (PIECE, "x", end), verdict="reject")
    found = _judge(_change("a", "b"), review(ALICE, (PIECE, "a", "b")), reject)
    assert found == Uncovered(0, (reject.id,), found.near)  # type: ignore[union-attr]


def test_a_reject_is_lifted_by_its_own_author_only() -> None:
    reject = review(BOB, (PIECE, "a", "b"), verdict="reject")
    by_other = review(ALICE, (PIECE, "a", "b"), supersedes=[reject])
    assert isinstance(_judge(_change("a", "b"), reject, by_other), Uncovered)
    by_author = review(BOB, (PIECE, "a", "b"), supersedes=[reject])
    assert isinstance(_judge(_change("a", "b"), reject, by_author), Covered)


def test_a_link_older_than_its_age_does_not_count() -> None:
    old = review(ALICE, (PIECE, "a", "b"), age=timedelta(days=91))
    assert isinstance(_judge(_change("a", "b"), old), Uncovered)
    assert isinstance(_judge(_change("a", "b"), review(ALICE, (PIECE, "a", "b"), age=timedelta(days=89))), Covered)


def test_a_chain_longer_than_its_bound_is_not_followed() -> None:
    links = [review(ALICE, (PIECE, str(i), str(i + 1))) for i in range(3)]
    assert isinstance(_judge(_change("0", "3"), *links, bound=2), Uncovered)
    assert isinstance(_judge(_change("0", "3"), *links, bound=3), Covered)


def test_a_host_approval_counts_only_where_asked_for() -> None:
    assert isinstance(_judge(_change("a", "b"), review(ALICE, (PIECE, "a", "b"), via="host")), Uncovered)


def test_an_old_approval_does_not_approve_content_that_the_target_left_since() -> None:
    index = index_reviews(evidence(review(ALICE, (PIECE, "a", "b"), age=timedelta(days=3))))
    left = NOW - timedelta(days=1)
    assert isinstance(cover(_change("a", "b"), index, _rule(), now=NOW, left_at=left), Uncovered)
    again = index_reviews(evidence(review(BOB, (PIECE, "a", "b"), age=timedelta(hours=1))))
    assert isinstance(cover(_change("a", "b"), again, _rule(), now=NOW, left_at=left), Covered)


_states = st.sampled_from([None, "a", "b", "c", "d"])


@given(st.lists(st.tuples(st.sampled_from([ALICE, BOB]), _states, _states), max_size=8), _states, _states)
def test_more_positive_evidence_never_closes_and_less_never_opens(
    links: list[tuple[Who, str | None, str | None]], old: str | None, new: str | None
) -> None:
    records = [review(who, (PIECE, start, end)) for who, start, end in links]
    for count in (1, 2):
        everything = _judge(_change(old, new), *records, count=count)
        fewer = _judge(_change(old, new), *records[1:], count=count)
        assert isinstance(everything, Covered) or isinstance(fewer, Uncovered)


@given(st.lists(st.tuples(_states, _states), max_size=8), _states, _states)
def test_covered_means_a_path_exists(
    links: list[tuple[str | None, str | None]], old: str | None, new: str | None
) -> None:
    reachable = {old}
    for _ in links:
        reachable |= {end for start, end in links if start in reachable}
    found = _judge(_change(old, new), *(review(ALICE, (PIECE, start, end)) for start, end in links), bound=9)
    assert isinstance(found, Covered) == (new in reachable)
