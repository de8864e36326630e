"""Which keys may sign for which principal, in which namespace, at which time?

Reads OpenSSH's ALLOWED SIGNERS format. A line that cannot be read is skipped and reported, later lines still count,
as in ssh-keygen; unlike there, times need a `Z`. **Source:** ssh-keygen(1) ALLOWED SIGNERS; design 30-evidence §4.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from git_assay.errors import Problem
from git_assay.signing.public_key import PublicKey, public_key_from
from git_assay.signing.wire import MalformedBlobError
from git_assay.values.ids import Principal

PATH = ".assay/allowed_signers"

_FIELD = re.compile(r'((?:"[^"]*"|[^\s"])+)(?:\s+|$)')
_OPTION = re.compile(r'([A-Za-z-]+)(?:="([^"]*)")?(?:,(?=.)|$)')
_TIME_FORMS = {9: "%Y%m%dZ", 13: "%Y%m%d%H%MZ", 15: "%Y%m%d%H%M%SZ"}


@dataclass(frozen=True, slots=True)
class SignerLine:
    """One valid line. principals, namespaces: patterns; empty namespaces = any.  The times are inclusive, UTC.

    authority: a cert-authority line, which never matches a plain key.
    """

    line: int
    principals: tuple[str, ...]
    key: PublicKey
    namespaces: tuple[str, ...] = ()
    valid_after: datetime | None = None
    valid_before: datetime | None = None
    authority: bool = False


@dataclass(frozen=True, slots=True)
class Signers:
    """lines: in file order.  problems: lines that were skipped."""

    lines: tuple[SignerLine, ...]
    problems: tuple[Problem, ...]

    def why_not(self, principal: Principal, key: PublicKey, *, namespace: str, time: datetime) -> str | None:
        """Returns None when a line lists `key` for all of these, else the reason, for people."""
        reason = f"the key {key.fingerprint} is not listed in allowed_signers"
        for line in self.lines:
            if line.key != key:
                continue
            lacking = _lacking(line, principal, namespace=namespace, time=time)
            if lacking is None:
                return None
            reason = f"allowed_signers line {line.line}: {lacking}"
        return reason

    def principals_of(self, key: PublicKey) -> tuple[str, ...]:
        """Returns the principal patterns that list a key, in file order."""
        return tuple(name for line in self.lines if line.key == key and not line.authority for name in line.principals)


def parse_allowed_signers(data: bytes) -> Signers:
    """Returns every valid line and a problem for every other one; never raises."""
    lines: list[SignerLine] = []
    problems: list[Problem] = []
    for number, raw in enumerate(data.split(b"\n"), start=1):
        text = raw.decode("utf-8", "surrogateescape").strip()
        if not text or text.startswith("#"):
            continue
        try:
            lines.append(_parse_line(number, text))
        except (MalformedBlobError, ValueError) as error:
            problems.append(Problem(PATH, number, 1, "bad-signer-line", f"line is skipped: {error}"))
    return Signers(lines=tuple(lines), problems=tuple(problems))


def matches(patterns: tuple[str, ...], text: str) -> bool:
    """Returns whether a pattern list matches: `*`, `?`, and `!` which wins wherever it stands. Case-sensitive."""
    found = False
    for pattern in patterns:
        negated = pattern.startswith("!")
        if fnmatchcase(text, pattern.removeprefix("!").replace("[", "[[]")):
            if negated:
                return False
            found = True
    return found


def parse_time(text: str) -> datetime:
    """Returns the moment of YYYYMMDDZ, YYYYMMDDHHMMZ or YYYYMMDDHHMMSSZ. Raises ValueError, also without Z."""
    form = _TIME_FORMS.get(len(text))
    if form is None or not re.fullmatch(r"[0-9]+Z", text):
        raise ValueError(f"not a UTC time of the form YYYYMMDD[HHMM[SS]]Z: {text!r}")
    return datetime.strptime(text, form).replace(tzinfo=UTC)


def _lacking(line: SignerLine, principal: Principal, *, namespace: str, time: datetime) -> str | None:
    if line.authority:
        return "is a certificate authority, which does not sign itself"
    if not matches(line.principals, principal):
        return f"the key is not listed for {principal}"
    if line.namespaces and not matches(line.namespaces, namespace):
        return f"the key is not listed for the namespace {namespace}"
    if line.valid_after is not None and time < line.valid_after:
        return "the key is not valid yet at the time of the record"
    if line.valid_before is not None and time > line.valid_before:
        return "the key is not valid any more at the time of the record"
    return None


def _parse_line(number: int, text: str) -> SignerLine:
    fields = [(match[1], match.end()) for match in _FIELD.finditer(text)]
    if len(fields) < 3 or _FIELD.match(text) is None:
        raise ValueError("needs: principals [options] keytype key")
    principals = tuple(_unquoted(fields[0][0]).split(","))
    if not all(principals):
        raise ValueError("an empty principal")
    if _is_key_type(fields[1][0]):
        return SignerLine(number, principals, public_key_from(fields[1][0], fields[2][0]))
    if len(fields) < 4:
        raise ValueError("needs: principals [options] keytype key")
    options = _parse_options(fields[1][0])
    after = parse_time(options["valid-after"]) if "valid-after" in options else None
    before = parse_time(options["valid-before"]) if "valid-before" in options else None
    if after is not None and before is not None and before <= after:
        raise ValueError("valid-before is not after valid-after")
    return SignerLine(
        line=number,
        principals=principals,
        key=public_key_from(fields[2][0], fields[3][0]),
        namespaces=tuple(options["namespaces"].split(",")) if "namespaces" in options else (),
        valid_after=after,
        valid_before=before,
        authority="cert-authority" in options,
    )


def _unquoted(text: str) -> str:
    inner = text[1:-1] if len(text) > 1 and text.startswith('"') and text.endswith('"') else text
    if '"' in inner:
        raise ValueError("principals are quoted as a whole or not at all")
    return inner


def _is_key_type(text: str) -> bool:
    return text.startswith(("ssh-", "ecdsa-", "sk-"))


def _parse_options(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    at = 0
    while at < len(text):
        match = _OPTION.match(text, at)
        if match is None:
            raise ValueError('options are written as name or name="value", with commas between')
        name, value = match[1].lower(), match[2]
        if name not in ("cert-authority", "namespaces", "valid-after", "valid-before"):
            raise ValueError(f"unknown option {name}")
        if (value is None) != (name == "cert-authority") or value == "":
            raise ValueError(f"option {name} has the wrong form")
        if name in found:
            raise ValueError(f"option {name} stands twice")
        found[name] = value or ""
        at = match.end()
    return found
