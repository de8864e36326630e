"""How is the verification of all records shown? Counts, then each refusal with its reason."""

from __future__ import annotations

from collections.abc import Mapping

from git_assay.evidence.model import Evidence, Refusal, Refused
from git_assay.report.log import refused_object
from git_assay.report.records import short
from git_assay.values.text import clean

FORMAT = "assay-verify/1"


def truly_refused(evidence: Evidence) -> tuple[Refused, ...]:
    """Returns what does not count although nobody took it back, in order of log, reason and id."""
    return tuple(sorted((item for item in evidence.refused if item.reason is not Refusal.WITHDRAWN), key=_order))


def render_verification(evidence: Evidence) -> str:
    """Returns text: one line of counts, one line for each record that does not count, one for each gap."""
    refused = truly_refused(evidence)
    lines = [f"{len(evidence.records)} verified, {len(refused)} refused, {len(evidence.withdrawn)} withdrawn"]
    lines += [_refused_line(item) for item in refused]
    for log, missing in sorted(evidence.gaps.items()):
        lines.append(f"gap      {log}  missing {' '.join(short(name) for name in missing)}")
    return "\n".join(lines)


def verification_document(evidence: Evidence) -> Mapping[str, object]:
    """Returns the JSON form."""
    return {
        "format": FORMAT,
        "verified": len(evidence.records),
        "withdrawn": dict(sorted(evidence.withdrawn.items())),
        "refused": [refused_object(item) for item in truly_refused(evidence)],
        "gaps": {log: list(missing) for log, missing in sorted(evidence.gaps.items())},
        "tips": dict(sorted(evidence.tips.items())),
    }


def _order(item: Refused) -> tuple[str, str, str]:
    return (item.log, item.reason.name, item.id or "")


def _refused_line(item: Refused) -> str:
    name = short(item.id) if item.id is not None else "-" * 12
    detail = f": {clean(item.detail)}" if item.detail else ""
    return f"refused  {name}  {item.log}  {item.reason.value}{detail}"
