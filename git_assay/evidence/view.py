"""What do people read in `git log --notes=assay`?

Short aligned lines under `refs/notes/assay`, made from verified records only and never read back: a line in a fetched
view is not believed. Rebuilt at will; the ref has no history. **Source:** design 30-evidence §2.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from git_assay.evidence.model import Evidence, Record
from git_assay.evidence.notes_tree import tree_entries
from git_assay.evidence.records import Review, Run, Waiver, Withdrawal
from git_assay.git.history import first_parents
from git_assay.git.objects import write_blobs, write_commit, write_tree
from git_assay.git.refs import RefUpdate, read_ref, read_refs, update_refs
from git_assay.git.repository import Repository
from git_assay.values.ids import ModuleId, ObjectId, RefName
from git_assay.values.text import clean

VIEW_REF = RefName("refs/notes/assay")
HOLDS_DEPTH = 200  # first-parent commits, design 30-evidence §2
_WORDS_LIMIT = 72
_MODULES_SHOWN = 3
_GAP = "   "


@dataclass(frozen=True, slots=True)
class Held:
    """Evidence made elsewhere that holds for a commit's content. source: the commit where it was made."""

    kind: str
    module: ModuleId
    source: ObjectId


def write_view(
    repo: Repository, evidence: Evidence, *, holds: Callable[[ObjectId], Iterable[Held]] | None = None
) -> bool:
    """Writes the view anew; returns whether it changed. Raises AssayError when the ref cannot be written.

    holds: asked for each local branch tip and the last 200 first-parent commits that have no records of their own.
    """
    rows = record_rows(evidence)
    if holds is not None:
        held = {commit: tuple(_held_row(one) for one in holds(commit)) for commit in _commits_without(rows, repo)}
        rows |= {commit: lines for commit, lines in held.items() if lines}
    texts = {place: aligned(lines).encode() for place, lines in rows.items()}
    blobs = write_blobs(repo, list(texts.values()))
    tree = write_tree(repo, tree_entries(dict(zip(texts, blobs, strict=True)), {}, {}))
    old = read_ref(repo, VIEW_REF)
    if old is not None and repo.tree_of(old) == tree:
        return False
    subject = "assay: the view of verified records"
    commit = write_commit(repo, tree, (), subject + "\n")
    update_refs(repo, (RefUpdate(VIEW_REF, commit, old),), reason=subject)
    return True


def record_rows(evidence: Evidence) -> dict[ObjectId, tuple[tuple[str, ...], ...]]:
    """Returns the columns of each line, by the object that the note stands on; in order of time."""
    rows: dict[ObjectId, list[tuple[str, ...]]] = defaultdict(list)
    for record in evidence.records.values():
        if record.place is not None:
            rows[record.place].append(_row(record))
    return {place: tuple(lines) for place, lines in rows.items()}


def aligned(rows: Iterable[tuple[str, ...]]) -> str:
    """Returns the rows as lines with aligned columns; nothing in them can steer a terminal."""
    cleaned = [tuple(clean(cell) for cell in row) for row in rows]
    widths = [0] * max((len(row) for row in cleaned), default=0)
    for row in cleaned:
        for column, cell in enumerate(row):
            widths[column] = max(widths[column], len(cell))
    lines = (_GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in cleaned)
    return "".join(line + "\n" for line in lines)


def _row(record: Record) -> tuple[str, ...]:
    modules = [subject.name for subject in record.statement.subject]
    shown = ", ".join(modules[:_MODULES_SHOWN]) + (f" (+{rest})" if (rest := len(modules) - _MODULES_SHOWN) > 0 else "")
    verdict, kind, words = _words(record)
    moment = f"{record.time:%Y-%m-%d %H:%MZ}"
    return verdict, kind, shown or "-", _cut(words), record.principal, moment, record.id[:8]


def _words(record: Record) -> tuple[str, str, str]:
    predicate = record.statement.predicate
    match predicate.run or predicate.review or predicate.waiver or predicate.withdrawal:
        case Run(kind=kind, verdict=verdict, timed_out=late) as run:
            return ("late" if late else "pass" if verdict == "pass" else "fail"), kind, _ran(run)
        case Review(verdict=verdict, words=words):
            return verdict, "review", words or "-"
        case Waiver(requirement=requirement, reason=reason, until=until):
            return "waived", requirement, f"until {until}: {reason}"
        case Withdrawal(records=records, reason=reason):
            return "withdraws", ", ".join(name[:8] for name in records[:_MODULES_SHOWN]), reason
        case _:
            return record.type.name.lower(), "-", "-"


def _ran(run: Run) -> str:
    seconds = f"{run.duration_ms / 1000:.1f} s"
    if run.counts is None:
        return f"{run.check}: exit {run.exit} in {seconds}"
    counts = [(run.counts.passed, "passed"), (run.counts.failed, "failed"), (run.counts.errors, "errors")]
    counts.append((run.counts.skipped, "skipped"))
    said = ", ".join(f"{number} {word}" for number, word in counts if number) or "no tests"
    return f"{run.check}: {said} in {seconds}"


def _held_row(held: Held) -> tuple[str, ...]:
    return "holds", held.kind, held.module, f"from {held.source[:7]}"


def _cut(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _WORDS_LIMIT else line[: _WORDS_LIMIT - 1] + "…"


def _commits_without(rows: Mapping[ObjectId, object], repo: Repository) -> Iterable[ObjectId]:
    commits = dict.fromkeys(read_refs(repo, "refs/heads/").values())
    head = repo.head()
    if head is not None:
        commits |= dict.fromkeys(first_parents(repo, head, limit=HOLDS_DEPTH))
    return [commit for commit in commits if commit not in rows]
