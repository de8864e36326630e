"""Which pieces differ between two trees, and whose are they?

A *piece* is what a reviewer sees and signs: a path, `path::symbol`, `path::` (the rest of a file), an asset, a card
file, a file of `.assay/`. Its digest is the exact digest of its bytes; for anything but an ordinary file the mode is
hashed in, so that making a file executable or a link is a change that someone has to see:

    piece digest = SHA-256 of the bytes                                    for mode 100644 and for symbols
                 = H("assay-piece/1", mode bits, SHA-256 of the bytes)     otherwise

**Source:** design 45-teams "Reviews are of diffs", 40-gate §3 "Every changed path is accounted for".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from git_assay.cones.analysis import Analysis
from git_assay.git.snapshot import MODE_FILE
from git_assay.values.canonical import digest
from git_assay.values.ids import ASSAY_SUBJECT, Digest, ModuleId, ObjectId, TreePath
from git_assay.values.text import path_text


@dataclass(frozen=True, slots=True, order=True)
class PieceChange:
    """A piece whose content differs. old, new: piece digests; None = it did not exist, does not exist any more."""

    piece: str
    path: TreePath
    old: Digest | None
    new: Digest | None


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """base -> result.

    paths: changed paths of any type, sorted.  pieces: by piece text.
    subjects: whose each changed piece is, by the base's map or the result's: module -> piece texts, sorted;
    `.assay` among them.  unattributed: changed paths that neither map gives to anyone, sorted.
    """

    paths: tuple[TreePath, ...]
    pieces: Mapping[str, PieceChange]
    subjects: Mapping[ModuleId, tuple[str, ...]]
    unattributed: tuple[TreePath, ...]

    def of(self, subject: ModuleId) -> tuple[PieceChange, ...]:
        """Returns the changed pieces of one subject, in order of piece text."""
        return tuple(self.pieces[piece] for piece in self.subjects.get(subject, ()))


def changed_paths(base: Analysis, result: Analysis) -> tuple[TreePath, ...]:
    """Returns every path whose mode or object differs, sorted."""
    old, new = base.snapshot.entries, result.snapshot.entries
    return tuple(sorted({path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}))


def find_changes(base: Analysis, result: Analysis) -> Changes:
    """Returns what differs from `base` to `result`, attributed by both ownership maps."""
    paths = changed_paths(base, result)
    sides = (_piece_owners(base, paths), _piece_owners(result, paths))
    digests = tuple(_piece_digests(side, owners, paths) for side, owners in zip((base, result), sides, strict=True))
    pieces: dict[str, PieceChange] = {}
    for piece, path in sorted({**sides[0][1], **sides[1][1]}.items()):
        old, new = digests[0].get(piece), digests[1].get(piece)
        if old != new:
            pieces[piece] = PieceChange(piece, path, old, new)
    subjects: dict[ModuleId, set[str]] = {}
    owned: set[TreePath] = set()
    seen = {change.path for change in pieces.values()}
    for owners, places in sides:
        for piece, modules in owners.items():
            path = places[piece]
            owned.add(path)
            whole = path_text(path)
            if path not in seen and whole not in pieces and digests[0].get(whole) != digests[1].get(whole):
                # Only what the parts do not carry changed (the mode of a file whose symbols are shared out).
                pieces[whole] = PieceChange(whole, path, digests[0].get(whole), digests[1].get(whole))
            for module in modules:
                for each in (piece, whole):
                    if each in pieces:
                        subjects.setdefault(module, set()).add(each)
    loose = tuple(path for path in paths if path not in owned)
    return Changes(paths, {**pieces, **_loose_pieces(base, result, loose)}, _sorted(subjects), loose)


def find_renames(base: Analysis, result: Analysis, paths: Iterable[TreePath]) -> tuple[tuple[TreePath, TreePath], ...]:
    """Returns (old, new) of every file that left one path and stands, byte for byte, at another; sorted.

    A renamed file that was edited too is a deletion and an addition: how alike is alike enough would be a setting.
    """
    left: dict[ObjectId, list[TreePath]] = {}
    entered: dict[ObjectId, list[TreePath]] = {}
    for path in sorted(paths):
        old, new = base.snapshot.entries.get(path), result.snapshot.entries.get(path)
        if new is None and old is not None and old.is_file:
            left.setdefault(old.oid, []).append(path)
        if old is None and new is not None and new.is_file:
            entered.setdefault(new.oid, []).append(path)
    pairs = (zip(places, entered.get(oid, ()), strict=False) for oid, places in left.items())
    return tuple(sorted(pair for each in pairs for pair in each))


def is_assay_path(path: TreePath) -> bool:
    """Returns whether a path belongs to the reserved subject `.assay`."""
    return path.startswith(b".assay/") or path == b".assay" or path.rsplit(b"/", 1)[-1] == b".gitattributes"


def card_paths(analysis: Analysis) -> Mapping[TreePath, tuple[ModuleId, ...]]:
    """Returns which modules each card file declares."""
    found: dict[TreePath, list[ModuleId]] = {}
    for module, loaded in analysis.declarations.cards.items():
        found.setdefault(loaded.path, []).append(module)
    return {path: tuple(modules) for path, modules in found.items()}


def piece_path(piece: str) -> str:
    """Returns the path part of a piece's text."""
    return piece.split("::", 1)[0]


def _piece_owners(
    analysis: Analysis, paths: Iterable[TreePath]
) -> tuple[Mapping[str, tuple[ModuleId, ...]], Mapping[str, TreePath]]:
    """Returns piece text -> owners and piece text -> path, for the pieces on changed paths of one tree."""
    wanted = {path for path in paths if path in analysis.snapshot.entries}
    owners: dict[str, list[ModuleId]] = {}
    places: dict[str, TreePath] = {}

    def add(piece: str, path: TreePath, module: ModuleId) -> None:
        owners.setdefault(piece, []).append(module)
        places[piece] = path

    for module, pieces in analysis.ownership.pieces.items():
        for piece in pieces:
            if piece.path in wanted:
                add(_piece_text(piece.path, piece.symbol), piece.path, module)
    for module, assets in analysis.ownership.assets.items():
        for path in assets:
            if path in wanted:
                add(path_text(path), path, module)
    for path, modules in card_paths(analysis).items():
        if path in wanted:
            for module in modules:
                add(path_text(path), path, module)
    for path in wanted:
        if is_assay_path(path):
            add(path_text(path), path, ASSAY_SUBJECT)
    return {piece: tuple(dict.fromkeys(found)) for piece, found in owners.items()}, places


def _piece_text(path: TreePath, symbol: str | None) -> str:
    return path_text(path) if symbol is None else f"{path_text(path)}::{symbol}"


def _piece_digests(
    analysis: Analysis,
    side: tuple[Mapping[str, tuple[ModuleId, ...]], Mapping[str, TreePath]],
    paths: Iterable[TreePath],
) -> Mapping[str, Digest]:
    owners, _ = side
    found: dict[str, Digest] = {}
    whole = path_digests(analysis, (path for path in paths if path in analysis.snapshot.entries))
    for path, value in whole.items():
        found[path_text(path)] = value
    for piece, modules in owners.items():
        if "::" in piece and piece not in found:
            found[piece] = analysis.pieces(modules[0])[piece]
    return found


def path_digests(analysis: Analysis, paths: Iterable[TreePath]) -> Mapping[TreePath, Digest]:
    """Returns the piece digest of whole paths of one tree (see the head of this file)."""
    exact = analysis.exact(tuple(paths))
    entries = analysis.snapshot.entries
    return {
        path: value if entries[path].mode == MODE_FILE else digest("assay-piece/1", entries[path].mode, value)
        for path, value in exact.items()
    }


def _loose_pieces(base: Analysis, result: Analysis, paths: tuple[TreePath, ...]) -> Mapping[str, PieceChange]:
    old = path_digests(base, (path for path in paths if path in base.snapshot.entries))
    new = path_digests(result, (path for path in paths if path in result.snapshot.entries))
    return {path_text(path): PieceChange(path_text(path), path, old.get(path), new.get(path)) for path in paths}


def _sorted(subjects: Mapping[ModuleId, set[str]]) -> Mapping[ModuleId, tuple[str, ...]]:
    return {module: tuple(sorted(pieces)) for module, pieces in sorted(subjects.items())}
