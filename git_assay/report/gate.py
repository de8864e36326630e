"""How is a decision shown, so that whoever reads it knows what to do?

First line: the verdict in words. Second: what it was made from. Then each lacking item with who can satisfy it and the
command. **Source:** design 45-teams "What a closed gate says".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from git_assay.gate.decision import CI, Decision, Excused, Item, Lacking, Satisfied, Verdict, Waived
from git_assay.report.words import tips_words
from git_assay.values.moments import format_moment
from git_assay.values.text import clean

FORMAT = "assay-gate/1"
_REASONS = 4  # of one item on screen; --json has all


def gate_text(decision: Decision) -> str:
    """Returns the page that people read."""
    lines = [verdict_words(decision)]
    if decision.verdict is Verdict.OPEN and not decision.items:
        return lines[0]
    lines.append(_inputs(decision))
    for item in decision.lacking:
        lines += ["", *_item_lines(item)]
    for item in decision.advised:
        lines += ["", *_item_lines(item, advised=True)]
    lines += [f"cannot tell: {clean(reason)}" for reason in decision.reasons]
    lines += [f"note: {clean(note)}" for note in decision.notes]
    return "\n".join(lines)


def verdict_words(decision: Decision) -> str:
    """Returns the verdict in words: `closed: 2 reviews (@acme/billing), 1 check (ci)`."""
    if decision.verdict is Verdict.CLOSED:
        return f"closed: {_sums(decision.lacking)}"
    if decision.verdict is Verdict.CANNOT_DECIDE:
        return f"cannot decide: {clean(decision.reasons[0]) if decision.reasons else 'something is missing'}"
    if decision.verdict is Verdict.NOT_ADOPTED:
        return "open: the target has not adopted git assay yet"
    if decision.waived:
        waivers = sorted(
            {
                f"waived by {i.outcome.by}, until {i.outcome.until}"
                for i in decision.waived
                if isinstance(i.outcome, Waived)
            }
        )
        return f"open ({clean('; '.join(waivers))})"
    if not decision.items:
        return "open: nothing that the policy is about is affected"
    return f"open: {len(decision.items)} requirements hold, {decision.affected} modules affected"


def gate_document(decision: Decision) -> Mapping[str, object]:
    """Returns the JSON form; complete."""
    return {
        "format": FORMAT,
        "verdict": decision.verdict.value,
        "exit": decision.exit_code,
        "id": decision.id,
        "target": decision.target,
        "head": decision.head,
        "base_tree": decision.base_tree,
        "result_tree": decision.result_tree,
        "policy": decision.policy_version,
        "extractor": decision.extractor,
        "at": format_moment(decision.now),
        "tips": dict(decision.tips),
        "affected": decision.affected,
        "items": [_item_object(item) for item in decision.items],
        "reasons": list(decision.reasons),
        "notes": list(decision.notes),
    }


def gate_github(decision: Decision) -> str:
    """Returns workflow commands: one error or warning for each item that lacks."""
    lines = []
    for item in (*decision.lacking, *decision.advised):
        level = "error" if item.enforced else "warning"
        why = item.outcome.why[0] if isinstance(item.outcome, Lacking) else ""
        text = f"{item.subject} lacks {item.need} ({item.rule}): {why}"
        lines.append(f"::{level} title=git assay::{_command_data(clean(text))}")
    lines.append(clean(verdict_words(decision)))
    return "\n".join(lines)


def gate_summary(decision: Decision) -> str:
    """Returns the job summary: Markdown with a table of what lacks."""
    lines = [f"### git assay: {_markdown(verdict_words(decision))}", ""]
    rows = (*decision.lacking, *decision.advised)
    if rows:
        lines += ["| module | needs | rule | why | who |", "|---|---|---|---|---|"]
        lines += [_row(item) for item in rows]
    lines += ["", f"<sub>{_markdown(_inputs(decision))}</sub>"]
    return "\n".join(lines)


def _inputs(decision: Decision) -> str:
    return " ".join(
        [
            f"target {(decision.target or decision.base_tree)[:12]}",
            f"head {(decision.head or decision.result_tree)[:12]}",
            f"policy {decision.policy_version if decision.policy_version is not None else 'none'}",
            f"extractor {decision.extractor}",
            f"evidence {tips_words(decision.tips)}",
            f"at {format_moment(decision.now)}",
            f"decision {decision.id[:12]}",
        ]
    )


def _item_lines(item: Item, *, advised: bool = False) -> list[str]:
    outcome = item.outcome
    if not isinstance(outcome, Lacking):
        return []
    mark = "advice" if advised else "lacks"
    lines = [f"{clean(item.subject)} {mark} {clean(item.need)}   rule: {clean(item.rule)}"]
    lines += [f"    {clean(why)}" for why in outcome.why[:_REASONS]]
    if len(outcome.why) > _REASONS:
        lines.append(f"    and {len(outcome.why) - _REASONS} more")
    lines.append(f"    {_help(item.need, outcome)}")
    return lines


def _help(need: str, outcome: Lacking) -> str:
    who = clean(outcome.who)
    if outcome.command is None:
        return f"{who}: change it, no evidence can satisfy this"
    if who == CI:
        return f"push: CI attests this ({clean(outcome.command)})"
    return f"{'ask: ' if need == 'review' and who != 'you' else ''}{who}: {clean(outcome.command)}"


def _sums(items: Iterable[Item]) -> str:
    """Returns `2 reviews (@acme/billing), 1 check (ci)`."""
    groups: dict[str, list[Lacking]] = {}
    for item in items:
        word = item.need if item.need in ("review", "law") else "check"
        if isinstance(item.outcome, Lacking):
            groups.setdefault(word, []).append(item.outcome)
    parts = []
    for word in ("law", "review", "check"):
        found = groups.get(word, [])
        if found:
            who = ", ".join(sorted({clean(each.who) for each in found}))
            noun = "rule broken" if word == "law" else word
            plural = noun if len(found) == 1 else {"rule broken": "rules broken"}.get(noun, noun + "s")
            parts.append(f"{len(found)} {plural} ({who})")
    return ", ".join(parts)


def _item_object(item: Item) -> Mapping[str, object]:
    found: dict[str, object] = {
        "rule": item.rule,
        "subject": item.subject,
        "need": item.need,
        "enforced": item.enforced,
    }
    match item.outcome:
        case Satisfied(records, words):
            found |= {"outcome": "satisfied", "records": list(records), "words": words}
        case Excused(reason, until):
            found |= {"outcome": "excused", "reason": reason, "until": until.isoformat()}
        case Waived(record, by, until):
            found |= {"outcome": "waived", "record": record, "by": by, "until": until.isoformat()}
        case Lacking(why, who, command, pieces):
            found |= {"outcome": "lacking", "why": list(why), "who": who, "command": command, "pieces": list(pieces)}
    return found


def _command_data(text: str) -> str:
    # GitHub's workflow commands escape these three in the message.
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _row(item: Item) -> str:
    outcome = item.outcome
    why, who = (outcome.why[0], outcome.who) if isinstance(outcome, Lacking) else ("", "")
    cells = (item.subject, item.need, item.rule, why, who)
    return "| " + " | ".join(_markdown(clean(cell)) for cell in cells) + " |"


def _markdown(text: str) -> str:
    for char in "\\`*_[]<>|":
        text = text.replace(char, "\\" + char)
    return text
