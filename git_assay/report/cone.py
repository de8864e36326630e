"""How is a cone shown: members and the chains that bring them in, digests, the difference between two trees?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from git_assay.cones.analysis import Analysis
from git_assay.cones.diff import Carried, ConeDiff
from git_assay.cones.model import ModuleDigests
from git_assay.graph.model import Loose
from git_assay.report.words import chain_object, chain_words
from git_assay.values.digests import Mode, Reach, check_name, cone_name, own_name
from git_assay.values.ids import ModuleId
from git_assay.values.text import clean, path_text

FORMAT = "assay-cone/1"
DIGESTS_FORMAT = "assay-cone-digests/1"
DIFF_FORMAT = "assay-cone-diff/1"


class ConeReport:
    """One cone of one tree, ready to be shown. members: nearest first, then by path."""

    def __init__(self, analysis: Analysis, module: ModuleId, reach: Reach) -> None:
        self.analysis = analysis
        self.module = module
        self.reach = reach
        found = [Carried(path, analysis.chain(module, path, reach)) for path in analysis.members(module, reach)]
        self.members = tuple(sorted(found, key=lambda each: (len(each.chain), each.path)))

    def loose(self) -> tuple[Loose, ...]:
        """Returns the imports of the cone's files that lead out of the tree or nowhere, sorted."""
        graph = self.analysis.graph
        reaches = _within(self.reach)
        found = [loose for each in self.members for loose in graph.loose.get(each.path, ()) if loose.reach in reaches]
        return tuple(sorted(found, key=lambda loose: (loose.source, loose.line, loose.written)))


def cone_text(report: ConeReport) -> str:
    """Returns the page that people read."""
    own = sum(1 for each in report.members if not each.chain)
    head = (
        f"{clean(report.module)}: {_count(len(report.members), 'file')} in its {report.reach.value.lower()} cone, "
        f"{own} of its own"
    )
    return "\n".join([head, *map(_member_line, report.members), "", *_doubts(report)])


def cone_document(report: ConeReport) -> Mapping[str, object]:
    """Returns the JSON form."""
    loose = report.loose()
    return {
        "format": FORMAT,
        "module": report.module,
        "tree": report.analysis.tree,
        "reach": report.reach.value.lower(),
        "members": [{"path": path_text(each.path), "chain": chain_object(each.chain)} for each in report.members],
        "unresolved": [
            {"from": path_text(each.source), "line": each.line, "written": each.written, "reason": each.reason}
            for each in loose
            if each.external is None
        ],
        "external": sorted({each.external for each in loose if each.external is not None}),
        "open": _open_objects(report),
    }


def cone_items(report: ConeReport) -> Iterable[bytes]:
    """Yields the paths of the members, for `-z`."""
    return [each.path for each in report.members]


def hash_rows(analysis: Analysis, module: ModuleId) -> list[tuple[str, str]]:
    """Returns (name, digest) of every digest of a module; a check's name is `assayCheckExact NAME`."""
    digests = [analysis.digests(module, mode) for mode in Mode]
    rows = [("gov", str(digests[0].gov))]
    for each in digests:
        rows.append((own_name(each.mode), each.own))
        rows += [(cone_name(reach, each.mode), each.cone[reach]) for reach in Reach]
        rows += [(f"{check_name(each.mode)} {name}", value) for name, value in sorted(each.checks.items())]
    return rows


def hash_text(rows: Iterable[tuple[str, str]]) -> str:
    """Returns the digests as lines `digest  name`, as sha256sum prints them."""
    return "\n".join(f"{value}  {clean(name)}" for name, value in rows)


def hash_document(analysis: Analysis, module: ModuleId) -> Mapping[str, object]:
    """Returns the digests for JSON."""
    digests = {mode: analysis.digests(module, mode) for mode in Mode}
    return {
        "format": DIGESTS_FORMAT,
        "module": module,
        "tree": analysis.tree,
        "digests": {name: value for each in digests.values() for name, value in _subject_names(each)},
        "checks": {
            check: {check_name(mode): each.checks[check] for mode, each in digests.items() if check in each.checks}
            for check in sorted(digests[Mode.EXACT].checks)
        },
        "gov": digests[Mode.EXACT].gov,
    }


def diff_text(diff: ConeDiff) -> str:
    """Returns what entered, left and changed, each with its chain."""
    lines = [f"{how:<8} {_member_line(each).lstrip()}" for how, found in _sorts(diff) for each in found]
    if diff.own and not any(not each.chain for _, found in _sorts(diff) for each in found):
        lines.append(f"changed  the contract on the card of {clean(diff.module)}, or an asset")
    if not lines:
        return f"the {diff.reach.value.lower()} cone of {clean(diff.module)} is " + (
            "wired otherwise" if diff.cone else "the same"
        )
    return "\n".join(lines)


def diff_document(diff: ConeDiff) -> Mapping[str, object]:
    """Returns the difference for JSON. own, cone: whether these digests differ (exact mode)."""
    found: dict[str, object] = {
        "format": DIFF_FORMAT,
        "module": diff.module,
        "reach": diff.reach.value.lower(),
        "own": diff.own,
        "cone": diff.cone,
    }
    for how, carried in _sorts(diff):
        found[how] = [{"path": path_text(each.path), "chain": chain_object(each.chain)} for each in carried]
    return found


def _sorts(diff: ConeDiff) -> tuple[tuple[str, tuple[Carried, ...]], ...]:
    return ("entered", diff.entered), ("left", diff.left), ("changed", diff.changed), ("rewired", diff.rewired)


def _subject_names(digests: ModuleDigests) -> list[tuple[str, str]]:
    cones = [(cone_name(reach, digests.mode), str(digests.cone[reach])) for reach in Reach]
    return [(own_name(digests.mode), digests.own), *cones]


def _member_line(each: Carried) -> str:
    return f"  {path_text(each.path)}" + (f"  by {chain_words(each.chain)}" if each.chain else "")


def _doubts(report: ConeReport) -> list[str]:
    """Returns what the cone does not know, in numbers and then in places: never silence."""
    graph = report.analysis.graph
    unresolved = [each for each in report.loose() if each.external is None]
    opens = report.analysis.opens(report.module, report.reach)
    accepted = [path for path in opens if path in graph.accepted]
    lines = [
        f"{_count(len(unresolved), 'import')} unresolved, {_count(len(opens), 'open file')}, "
        f"{len(accepted)} of them accepted (not followed)"
    ]
    lines += [
        f"  unresolved {path_text(each.source)}:{each.line}  {clean(each.written)} ({clean(each.reason or '')})"
        for each in unresolved
    ]
    for path, found in opens.items():
        word = "accepted" if path in graph.accepted else "open"
        lines += [f"  {word} {path_text(path)}:{each.line}  {clean(each.written)}" for each in found]
    return lines


def _open_objects(report: ConeReport) -> list[dict[str, object]]:
    graph = report.analysis.graph
    return [
        {
            "path": path_text(path),
            "line": each.line,
            "written": each.written,
            "accepted": path in graph.accepted,
        }
        for path, found in report.analysis.opens(report.module, report.reach).items()
        for each in found
    ]


def _within(reach: Reach) -> frozenset[Reach]:
    order = tuple(Reach)
    return frozenset(order[: order.index(reach) + 1])


def _count(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")
