"""How is the verification of all records shown? Counts, then each refusal with its reason."""

from __future__ import annotations

from collections.abc import Mapping

from git_assay.evidence.model import Evidence, Refused
from git_assay.report.log import refused_object
from git_assay.report.records import short
from git_assay.values.text import clean

FORMAT = "assay-verify/1"


def render_verification(evidence: Evidence) -> str:
    """Returns text: one line of counts, one line for each record that does not count, one for each gap."""
    refused = evidence.refused
    lines = [f"{len(evidence.records)} verified, {len(refused)} refused, {len(evidence.withdrawn)} withdrawn"]
    lines += [_refused_line(item) for item in sorted(refused, key=_order)]
    for log, missing in sorted(evidence.gaps.items()):
        lines.append(f"gap      {log}  missing {' '.join(short(name) for name in missing)}")
    return "\n".join(lines)


def verification_document(evidence: Evidence) -> Mapping[str, object]:
    """Returns the JSON form."""
    return {
        "format": FORMAT,
        "verified": len(evidence.records),
        "withdrawn": dict(sorted(evidence.withdrawn.items())),
        "refused": [refused_object(item) for item in sorted(evidence.refused, key=_order)],
        "gaps": {log: list(missing) for log, missing in sorted(evidence.gaps.items())},
        "tips": dict(sorted(evidence.tips.items())),
    }


def _order(item: Refused) -> tuple[str, str, str]:
    return (item.log, item.reason.name, item.id or "")


def _refused_line(item: Refused) -> str:
    name = short(item.id) if item.id is not None else "-" * 12
    detail = f": {clean(item.detail)}" if item.detail else ""
    return f"refused  {name}  {item.log}  {item.reason.value}{detail}"
