"""What did the gate decide, and why? Frozen values that every report is made from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import TypeAlias

from git_assay.values.canonical import digest
from git_assay.values.ids import Digest, LogId, ObjectId, RecordId

CI = "CI"
"""Who attests where only roles of class `ci` are asked for."""


class Verdict(Enum):
    """open: nothing enforced is lacking.  closed: something is.  cannot decide: never taken for open."""

    OPEN = "open"
    CLOSED = "closed"
    CANNOT_DECIDE = "cannot decide"
    NOT_ADOPTED = "not adopted"


@dataclass(frozen=True, slots=True)
class Satisfied:
    """records: what satisfies it.  words: how, for people (`2 of 3 runs passed`, `approved by ...`)."""

    records: tuple[RecordId, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Excused:
    """An exemption of the target holds. until: its last day."""

    reason: str
    until: date


@dataclass(frozen=True, slots=True)
class Waived:
    """A waiver that the requirement allows. by: principal."""

    record: RecordId
    by: str
    until: date


@dataclass(frozen=True, slots=True)
class Lacking:
    """why: reasons in words, the first the most telling.  who: who can help (`CI`, `@acme/billing`).

    command: what they would type, None where no evidence can help.  pieces: uncovered ones.
    """

    why: tuple[str, ...]
    who: str
    command: str | None
    pieces: tuple[str, ...] = ()


Outcome: TypeAlias = Satisfied | Excused | Waived | Lacking


@dataclass(frozen=True, slots=True)
class Item:
    """One requirement of one subject. rule: its name, or `policy_changes`, `card_changes`, or a built-in law.

    subject: module, reserved subject, or `paths`.  need: `review`, or `kind:check`.  enforced: whether lacking closes.
    """

    rule: str
    subject: str
    need: str
    outcome: Outcome
    enforced: bool = True

    @property
    def closes(self) -> bool:
        """Returns whether this item closes the gate."""
        return self.enforced and isinstance(self.outcome, Lacking)


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The gate's result: a pure function of (policy, two trees, evidence, range facts, now).

    items: in order of rule and subject.  notes: what is said beside the verdict.  reasons: why it cannot be decided.
    """

    verdict: Verdict
    items: tuple[Item, ...]
    notes: tuple[str, ...]
    reasons: tuple[str, ...]
    target: ObjectId | None
    head: ObjectId | None
    base_tree: ObjectId
    result_tree: ObjectId
    policy_version: int | None
    extractor: int
    tips: tuple[tuple[LogId, ObjectId], ...]
    now: datetime
    affected: int

    @property
    def lacking(self) -> tuple[Item, ...]:
        """Returns the items that close the gate."""
        return tuple(item for item in self.items if item.closes)

    @property
    def advised(self) -> tuple[Item, ...]:
        """Returns the items that lack and do not close it."""
        return tuple(item for item in self.items if isinstance(item.outcome, Lacking) and not item.enforced)

    @property
    def waived(self) -> tuple[Item, ...]:
        """Returns the items that a waiver opens."""
        return tuple(item for item in self.items if isinstance(item.outcome, Waived))

    @property
    def exit_code(self) -> int:
        """Returns the process exit code. **Source:** design 40-gate §4."""
        return {Verdict.OPEN: 0, Verdict.NOT_ADOPTED: 0, Verdict.CLOSED: 1, Verdict.CANNOT_DECIDE: 128}[self.verdict]

    @property
    def id(self) -> Digest:
        """Returns a digest over the inputs and the verdict, so that two runs can be told to be the same."""
        lacking = [(item.rule, item.subject, item.need) for item in self.items if isinstance(item.outcome, Lacking)]
        return digest(
            "assay-decision/1",
            self.verdict.value,
            self.base_tree,
            self.result_tree,
            self.target,
            self.head,
            self.policy_version,
            self.extractor,
            [list(tip) for tip in self.tips],
            self.now.isoformat(),
            [list(names) for names in lacking],
        )
