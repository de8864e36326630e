"""What does a reviewer see of each module between two trees?

People review diffs, so a review signs pairs (piece, old digest -> new digest). The pieces and their digests are those
that the judgement compares (status/changes.py); here they are only grouped and narrowed.
**Source:** design 45-teams "Reviews are of diffs, and compose".
"""

from __future__ import annotations

from collections.abc import Iterable

from git_assay.cones.analysis import Analysis
from git_assay.errors import AssayError, ErrorKind
from git_assay.evidence.records import Seen
from git_assay.modules.unknown import UnknownModule
from git_assay.status.changes import PieceChange, find_changes
from git_assay.values.ids import ASSAY_SUBJECT, UNOWNED_SUBJECT, ModuleId
from git_assay.values.text import clean


def seen_pairs(base: Analysis, head: Analysis, modules: Iterable[str] = ()) -> tuple[Seen, ...]:
    """Returns the pairs of every changed module, or of the named ones only, sorted by module and piece.

    Includes card files, `.assay` and, as `.unowned`, what nobody owns. Raises AssayError when a named module did not
    change.
    """
    changes = find_changes(base, head)
    found = {module: changes.of(module) for module in changes.subjects}
    loose = {path.piece: path for path in changes.pieces.values() if path.path in set(changes.unattributed)}
    if loose:
        found[UNOWNED_SUBJECT] = tuple(loose[piece] for piece in sorted(loose))
    wanted = sorted(set(modules)) or sorted(found)
    for name in wanted:
        if ModuleId(name) not in found:
            declared = {*base.modules, *head.modules, ASSAY_SUBJECT, UNOWNED_SUBJECT}
            if name not in declared:
                raise UnknownModule(name, declared)
            said = f"nothing of {clean(name)} changes in this range"
            raise AssayError(said, hint="git assay radius", kind=ErrorKind.USAGE)
    return tuple(_seen(name, change) for name in wanted for change in found[ModuleId(name)])


def _seen(module: str, change: PieceChange) -> Seen:
    return Seen(module, change.piece, change.old, change.new)
