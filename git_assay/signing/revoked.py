"""Which keys do not count any more, and since when?

One public key per line; its comment says `retired YYYYMMDDZ` or `compromised-since YYYYMMDDZ`; without a comment the
key never counted. A line that cannot be read, or a missing file, revokes everything: nobody knows what it meant to say.
**Source:** design 10-modules §1, 30-evidence §4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from git_assay.errors import Problem
from git_assay.signing.allowed_signers import parse_time
from git_assay.signing.public_key import PublicKey, public_key_from
from git_assay.signing.wire import MalformedBlobError

PATH = ".assay/revoked_keys"


class Revocation(Enum):
    """How a key was revoked."""

    OUTRIGHT = "revoked"
    RETIRED = "retired"
    COMPROMISED = "compromised-since"


@dataclass(frozen=True, slots=True)
class RevokedKey:
    """since: UTC; None exactly when revoked outright."""

    kind: Revocation
    since: datetime | None


@dataclass(frozen=True, slots=True, eq=False)
class RevokedKeys:
    """problems: when there are any, every key is revoked."""

    keys: Mapping[bytes, RevokedKey]
    problems: tuple[Problem, ...]

    def why_revoked(self, key: PublicKey) -> str | None:
        """Returns None when records of `key` count, else the reason, for people.

        A record's own time is not asked: who holds a stolen key can write any time into it.
        """
        if self.problems:
            return f"the list of revoked keys cannot be read: {self.problems[0]}"
        found = self.keys.get(key.blob)
        if found is None:
            return None
        since = "" if found.since is None else f" {found.since:%Y%m%dZ}"
        return f"the key {key.fingerprint} is {found.kind.value}{since}"


def parse_revoked_keys(data: bytes | None) -> RevokedKeys:
    """Returns the revoked keys; `data` is None when the file does not exist. Never raises."""
    if data is None:
        return RevokedKeys({}, (Problem(PATH, 0, 0, "missing-file", "the file does not exist"),))
    keys: dict[bytes, RevokedKey] = {}
    problems: list[Problem] = []
    for number, raw in enumerate(data.split(b"\n"), start=1):
        text = raw.decode("utf-8", "surrogateescape").strip()
        if not text or text.startswith("#"):
            continue
        try:
            key, revoked = _parse_line(text)
        except (MalformedBlobError, ValueError) as error:
            problems.append(Problem(PATH, number, 1, "bad-revocation", f"line cannot be read: {error}"))
            continue
        if key.blob in keys:
            problems.append(Problem(PATH, number, 1, "double-key", "the key stands twice"))
        keys[key.blob] = revoked
    return RevokedKeys(keys, tuple(problems))


def _parse_line(text: str) -> tuple[PublicKey, RevokedKey]:
    fields = text.split()
    if len(fields) < 2:
        raise ValueError("needs: keytype key [retired YYYYMMDDZ | compromised-since YYYYMMDDZ]")
    key = public_key_from(fields[0], fields[1])
    match fields[2:]:
        case []:
            return key, RevokedKey(Revocation.OUTRIGHT, None)
        case [("retired" | "compromised-since") as kind, time]:
            return key, RevokedKey(Revocation(kind), parse_time(time))
        case _:
            raise ValueError("the comment is neither `retired YYYYMMDDZ` nor `compromised-since YYYYMMDDZ`")
