"""How is it shown what adopting would write?"""

from __future__ import annotations

from collections.abc import Mapping

from git_assay.adopt.propose import Proposal
from git_assay.values.text import clean, path_text

FORMAT = "assay-init/1"
_SHOWN = 30  # cards on screen; --json lists all


def plan_text(proposal: Proposal, *, key: str) -> str:
    """Returns the plan: cards, governing files, exemptions, key. key: in words."""
    cards = proposal.cards
    width = max((len(ident) for ident, _, _ in cards), default=0)
    lines = [f"{len(cards)} card{'' if len(cards) == 1 else 's'}"]
    lines += [f"  {ident:{width}}  {path_text(path)}  {clean(goal)}" for ident, path, goal in cards[:_SHOWN]]
    if len(cards) > _SHOWN:
        lines.append(f"  and {len(cards) - _SHOWN} more")
    other = [path for path in proposal.files if path not in {path for _, path, _ in cards}]
    lines += ["governing files", *(f"  {path_text(path)}" for path in other)]
    plural = "" if proposal.exemptions == 1 else "s"
    lines.append(f"{proposal.exemptions} exemption{plural}: what exists needs evidence only when it is touched")
    if proposal.opens:
        files = "file imports" if proposal.opens == 1 else "files import"
        lines.append(f"{proposal.opens} {files} by computed names today: accepted in config.yml, look at them")
    return "\n".join([*lines, f"key: {clean(key)}", *map(clean, proposal.advice)])


def plan_document(proposal: Proposal, *, key: str) -> Mapping[str, object]:
    """Returns the JSON form of the plan."""
    return {
        "format": FORMAT,
        "cards": [{"module": ident, "path": path_text(path), "goal": goal} for ident, path, goal in proposal.cards],
        "files": [path_text(path) for path in proposal.files],
        "exemptions": proposal.exemptions,
        "open": proposal.opens,
        "key": key,
        "advice": list(proposal.advice),
    }
