"""How does one command's evidence come to stand in the log of its key? Build, sign, write once, read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from git_assay.evidence.envelope import record_id, sign_payload
from git_assay.evidence.records import PredicateType, Review, Run
from git_assay.evidence.statement import Unsigned, build_payloads
from git_assay.evidence.store import NewLine, log_heads, write_records
from git_assay.git.repository import Repository
from git_assay.signing.signer import Signer
from git_assay.values.ids import LogId, RecordId
from git_assay.values.text import clean


@dataclass(frozen=True, slots=True)
class Published:
    """What one statement became: more than one id when it was split."""

    unsigned: Unsigned
    ids: tuple[RecordId, ...]


def publish(
    repo: Repository, statements: Sequence[Unsigned], signer: Signer, *, suffix: str = "", deadline_s: float = 30.0
) -> tuple[Published, ...]:
    """Signs the statements and writes them in one notes commit; returns them with their ids, in order.

    suffix: of the log, for runners that share a key.  deadline_s: seconds for the writing alone.
    """
    log = LogId(f"{signer.public_key.log}-{suffix}" if suffix else signer.public_key.log)
    heads = log_heads(repo, log)
    lines: list[NewLine] = []
    published: list[Published] = []
    for unsigned in statements:
        payloads = build_payloads(unsigned, heads)
        ids = tuple(record_id(payload) for payload in payloads)
        heads = ids[-1:]
        place = None if unsigned.type is PredicateType.ATTEMPT else unsigned.place
        lines += [NewLine(sign_payload(payload, signer), place) for payload in payloads]
        published.append(Published(unsigned, ids))
    write_records(repo, log, lines, subject=commit_subject(statements), deadline_s=deadline_s)
    return tuple(published)


def commit_subject(statements: Sequence[Unsigned]) -> str:
    """Returns `assay: tests pass invoice (+3)`: the first statement in words, and how many more there are."""
    if not statements:
        return "assay: nothing"
    first = statements[0]
    match first.body:
        case Run(kind=kind, verdict=verdict):
            words = f"{kind} {'pass' if verdict == 'pass' else 'fail'}"
        case Review(verdict=verdict):
            words = f"review {verdict}"
        case _:
            words = first.type.name.lower()
    name = f" {first.subjects[0].name}" if first.subjects else ""
    more = len(statements) + max(len(first.subjects), 1) - 2
    return clean(f"assay: {words}{name}" + (f" (+{more})" if more else ""))
