"""What does one raw commit object say?

Parsed here and not by `git log`, because a signature is over the raw bytes. **Source:** git's commit object format and
`gitformat-signature(5)`: the signed payload is the object without its `gpgsig*` headers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from git_assay.errors import AssayError
from git_assay.values.ids import ObjectId

_PERSON = re.compile(rb"(?P<name>.*?) ?<(?P<email>[^>]*)> ?(?P<time>-?\d+)?(?: (?P<zone>[+-]\d{4}))?$", re.DOTALL)
_CO_AUTHOR = re.compile(r"(?P<name>[^<>]*?)\s*<(?P<email>[^<>]*)>\s*$")


@dataclass(frozen=True, slots=True)
class Person:
    """Author or committer. time: seconds since 1970 UTC (0 when the commit gives none).  zone: as written, `+0100`."""

    name: str
    email: str
    time: int
    zone: str


@dataclass(frozen=True, slots=True)
class CommitFacts:
    """One commit. parents: as written in the object, also at a shallow boundary.

    trailers: (key, value) as git parses them.  signature: armored, as in the header; None when unsigned.
    signed_payload: the bytes that the signature is over; None when unsigned.
    """

    oid: ObjectId
    tree: ObjectId
    parents: tuple[ObjectId, ...]
    author: Person
    committer: Person
    message: str
    trailers: tuple[tuple[str, str], ...] = ()
    signature: bytes | None = None
    signed_payload: bytes | None = None

    @property
    def subject(self) -> str:
        return self.message.partition("\n")[0]

    @property
    def co_authors(self) -> tuple[tuple[str, str], ...]:
        """(name, email) of every well-formed Co-authored-by trailer."""
        values = [value for key, value in self.trailers if key.lower() == "co-authored-by"]
        found = [match for value in values if (match := _CO_AUTHOR.match(value))]
        return tuple((match["name"], match["email"]) for match in found)


def parse_commit(
    oid: ObjectId, raw: bytes, *, object_format: str, trailers: tuple[tuple[str, str], ...] = ()
) -> CommitFacts:
    """Returns the facts of a raw commit object. Raises AssayError when it is not one."""
    head, _, body = raw.partition(b"\n\n")
    headers = _headers(head)
    tree = _first(headers, b"tree")
    author, committer = _first(headers, b"author"), _first(headers, b"committer")
    if tree is None or author is None or committer is None:
        raise AssayError(f"object {oid} is not a well-formed commit", hint="git fsck")
    encoding = (_first(headers, b"encoding") or b"utf-8").decode("ascii", "replace")
    own_header = b"gpgsig" if object_format == "sha1" else b"gpgsig-sha256"
    signature = _first(headers, own_header)
    return CommitFacts(
        oid=oid,
        tree=ObjectId(tree.decode("ascii", "replace")),
        parents=tuple(ObjectId(value.decode("ascii", "replace")) for key, value in headers if key == b"parent"),
        author=_person(oid, author, encoding),
        committer=_person(oid, committer, encoding),
        message=_decode(body, encoding),
        trailers=trailers,
        signature=signature if signature is None else signature + b"\n",
        signed_payload=None if signature is None else _without_signatures(raw),
    )


def _headers(head: bytes) -> list[tuple[bytes, bytes]]:
    """Returns (name, value) in order; continuation lines begin with a space."""
    found: list[tuple[bytes, bytes]] = []
    for line in head.split(b"\n"):
        if line.startswith(b" ") and found:
            key, value = found[-1]
            found[-1] = (key, value + b"\n" + line[1:])
        else:
            key, _, value = line.partition(b" ")
            found.append((key, value))
    return found


def _first(headers: list[tuple[bytes, bytes]], name: bytes) -> bytes | None:
    return next((value for key, value in headers if key == name), None)


def _without_signatures(raw: bytes) -> bytes:
    head, blank, body = raw.partition(b"\n\n")
    kept: list[bytes] = []
    skipping = False
    for line in head.split(b"\n"):
        # As git does: every header whose name begins with gpgsig is left out, with its continuation lines.
        skipping = line.startswith(b"gpgsig") or (skipping and line.startswith(b" "))
        if not skipping:
            kept.append(line)
    return b"\n".join(kept) + blank + body


def _person(oid: ObjectId, value: bytes, encoding: str) -> Person:
    match = _PERSON.match(value)
    if match is None:
        raise AssayError(f"commit {oid} has a malformed author or committer", hint="git fsck")
    name, email = _decode(match["name"], encoding), _decode(match["email"], encoding)
    return Person(name, email, int(match["time"] or 0), (match["zone"] or b"+0000").decode())


def _decode(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding, "replace")
    except LookupError:
        return data.decode("utf-8", "replace")
