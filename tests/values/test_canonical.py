"""Is the canonical encoding injective, and the digest what the page says?"""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.values import canonical

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers() | st.text(st.characters(codec="utf-8")) | st.binary(),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=12,
)


@given(VALUES, VALUES)
def test_two_different_values_never_share_an_encoding(left: Any, right: Any) -> None:
    same = canonical.encode(left) == canonical.encode(right)
    assert same == (left == right)


@given(st.lists(st.binary(), min_size=2, max_size=4))
def test_moving_a_byte_between_neighbours_changes_the_digest(parts: list[bytes]) -> None:
    joined = [b"".join(parts)]
    assert canonical.digest("t", tuple(parts)) != canonical.digest("t", tuple(joined))


def test_the_domain_is_part_of_the_digest() -> None:
    assert canonical.digest("assay-own/1", b"x") != canonical.digest("assay-scc/1", b"x")


def test_the_written_form_of_each_type_is_the_documented_one() -> None:
    eight = b"\0" * 7
    assert canonical.encode(None) == b"n"
    assert canonical.encode(-12) == b"i" + eight + b"\x03-12"
    assert canonical.encode("é") == b"s" + eight + b"\x02\xc3\xa9"
    assert canonical.encode(b"\xff") == b"b" + eight + b"\x01\xff"
    assert canonical.encode((None, 1)) == b"l" + eight + b"\x02n" + b"i" + eight + b"\x011"


@pytest.mark.parametrize("value", [True, 1.5, {"a"}, {"a": 1}, "\udce9"])
def test_values_without_an_order_or_an_encoding_are_refused(value: Any) -> None:
    with pytest.raises((TypeError, UnicodeEncodeError)):
        canonical.encode(value)


def test_the_exact_digest_is_what_sha256sum_prints() -> None:
    assert canonical.digest_bytes(b"abc") == hashlib.sha256(b"abc").hexdigest()
