"""Which checks are to run, and which are fresh already?

A check is fresh here when *this signer* holds a standing pass at this content: what somebody else signed does not
fill a rule that asks for this signer's role. A fail of this signer at this very content is replaced by the new run.
**Source:** design 30-evidence §5, 40-gate §1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from git_assay.cones.analysis import Analysis
from git_assay.errors import AssayError, ErrorKind
from git_assay.evidence.model import Evidence, Record
from git_assay.modules.card import Check
from git_assay.modules.unknown import UnknownModule
from git_assay.status.model import Fresh
from git_assay.status.standings import RunIndex, check_standing, index_runs, passed
from git_assay.values.digests import Mode, check_name
from git_assay.values.ids import LogId, ModuleId, Principal, RecordId
from git_assay.values.text import clean


@dataclass(frozen=True, slots=True)
class Planned:
    """One check of one module. fresh: the record that makes running it needless, None = it is to run.

    supersedes: this log's standing fails at the same content.
    """

    module: ModuleId
    check: Check
    fresh: RecordId | None
    supersedes: tuple[RecordId, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """modules: whose checks.  check: only those of this name, None = all.  force: also what is fresh."""

    modules: tuple[ModuleId, ...]
    check: str | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class Author:
    """Who signs: the principal and the log of the key."""

    principal: Principal
    log: LogId


def make_plan(analysis: Analysis, evidence: Evidence, author: Author, selection: Selection) -> tuple[Planned, ...]:
    """Returns the selected checks in order of module and card. Raises AssayError when none has the asked name."""
    runs = index_runs(evidence)
    planned = []
    for module in selection.modules:
        for check in _checks_of(analysis, module):
            if selection.check in (None, check.name):
                planned.append(_plan_one(analysis, runs, author, (module, check), force=selection.force))
    if not planned and selection.check is not None:
        raise _unknown_check(analysis, selection.modules, selection.check)
    return tuple(planned)


def _unknown_check(analysis: Analysis, modules: Iterable[ModuleId], name: str) -> AssayError:
    from difflib import get_close_matches

    names = sorted({check.name for module in modules for check in _checks_of(analysis, module)})
    near = get_close_matches(name, names, n=1)
    meant = f" (did you mean '{clean(near[0])}'?)" if near else ""
    message = f"no selected module has a check named '{clean(name)}'{meant}"
    return AssayError(message, hint="git assay attest --all --dry-run", kind=ErrorKind.USAGE)


def known_modules(analysis: Analysis, names: Iterable[str]) -> tuple[ModuleId, ...]:
    """Returns the named modules, each once, in order of id. Raises AssayError for a name that no card declares."""
    declared = set(analysis.modules)
    wanted = sorted(set(names))
    for name in wanted:
        if ModuleId(name) not in declared:
            raise UnknownModule(name, declared)
    return tuple(ModuleId(name) for name in wanted)


def affected_modules(base: Analysis, head: Analysis) -> tuple[ModuleId, ...]:
    """Returns the modules of head of which any digest, also that of a check, is another than in base or new."""

    def same(module: ModuleId) -> bool:
        old, new = base.digests(module, Mode.EXACT), head.digests(module, Mode.EXACT)
        return (old.own, old.cone, old.checks, old.gov) == (new.own, new.cone, new.checks, new.gov)

    known = set(base.modules)
    return tuple(module for module in head.modules if module not in known or not same(module))


def _checks_of(analysis: Analysis, module: ModuleId) -> tuple[Check, ...]:
    return analysis.declarations.cards[module].card.checks


def _plan_one(
    analysis: Analysis, runs: RunIndex, author: Author, what: tuple[ModuleId, Check], *, force: bool
) -> Planned:
    module, check = what
    standing = check_standing(analysis, module, check, runs=runs, principals=frozenset({author.principal}))
    fresh = standing.record if isinstance(standing, Fresh) and not force else None
    return Planned(module, check, fresh, _standing_fails(analysis, runs, author, what))


def _standing_fails(
    analysis: Analysis, runs: RunIndex, author: Author, what: tuple[ModuleId, Check]
) -> tuple[RecordId, ...]:
    module, check = what
    known = runs.records.get((module, check.kind), ())
    own = [r for r in known if r.log == author.log and not passed(r) and r.id not in runs.superseded]
    return tuple(sorted(r.id for r in own if _is_here(analysis, r, module, check.name)))


def _is_here(analysis: Analysis, record: Record, module: ModuleId, check: str) -> bool:
    """Returns whether a record is about this check's content, in either mode."""
    for subject in record.statement.subject:
        if subject.name == module:
            return any(
                subject.digest.get(check_name(mode)) == analysis.digests(module, mode).checks.get(check)
                for mode in Mode
            )
    return False
