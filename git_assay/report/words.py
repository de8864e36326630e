"""How are chains, standings and places written in words?"""

from __future__ import annotations

from collections.abc import Iterable

from git_assay.graph.model import Edge
from git_assay.status.model import Absent, Disputed, Failing, Fresh, RefusedEvidence, Stale, Standing, Why
from git_assay.values.ids import LogId, ObjectId, TreePath
from git_assay.values.text import path_text

SHORT = 8  # digits of a record's id on screen


def tips_words(tips: Iterable[tuple[LogId, ObjectId]]) -> str:
    """Returns `log@commit` of every log of evidence that was read, or `none`."""
    return ",".join(f"{log}@{tip[:SHORT]}" for log, tip in sorted(tips)) or "none"


def chain_words(chain: Iterable[Edge]) -> str:
    """Returns `a.py:3 -> b.py:9 -> c.py`: each import with the line it is written on."""
    edges = tuple(chain)
    steps = [f"{path_text(edge.source)}:{edge.line}" if edge.line else path_text(edge.source) for edge in edges]
    return " -> ".join([*steps, path_text(TreePath(edges[-1].target.name))]) if edges else ""


def chain_object(chain: Iterable[Edge]) -> list[dict[str, object]]:
    """Returns a chain for JSON."""
    return [
        {
            "from": path_text(edge.source),
            "to": path_text(TreePath(edge.target.name)),
            "kind": edge.kind.value,
            "line": edge.line,
            "written": edge.written,
        }
        for edge in chain
    ]


def standing_word(standing: Standing) -> str:
    """Returns the one word of a standing."""
    match standing:
        case Fresh():
            return "fresh"
        case Failing():
            return "failing"
        case Disputed():
            return "disputed"
        case Stale():
            return "stale"
        case RefusedEvidence():
            return "refused"
        case Absent():
            return "absent"


def standing_object(standing: Standing | None) -> dict[str, object] | None:
    """Returns a standing for JSON."""
    if standing is None:
        return None
    found: dict[str, object] = {"standing": standing_word(standing)}
    match standing:
        case Fresh(record, passes, runs):
            found |= {"record": record, "passes": passes, "runs": runs}
        case Failing(record):
            found |= {"record": record}
        case Disputed(passed, failed):
            found |= {"passed": list(passed), "failed": list(failed)}
        case Stale(record, why):
            found |= {"record": record, "why": None if why is None else why_object(why)}
        case RefusedEvidence(reason, record):
            found |= {"record": record, "reason": reason}
        case Absent():
            pass
    return found


def why_object(why: Why) -> dict[str, object]:
    """Returns an explanation for JSON."""
    return {
        "reason": why.reason,
        "paths": [
            {"path": path_text(each.path), "how": each.how, "input": each.input, "chain": chain_object(each.chain)}
            for each in why.carried
        ],
        "more": why.more,
    }


def why_lines(why: Why) -> list[str]:
    """Returns an explanation as lines, nearest first."""
    lines = [why.reason] if why.reason else []
    for each in why.carried:
        chain = chain_words(each.chain)
        what = f"{path_text(each.path)} {each.how}{', an input of the check' if each.input and not chain else ''}"
        lines.append(what + (f", through {chain}" if chain else ""))
    if why.more:
        lines.append(f"and {why.more} more")
    return lines
