"""How is the everyday page shown: modules, owners, how each kind of evidence stands, why stale, what to run next?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from git_assay.report.words import SHORT, standing_object, standing_word, tips_words, why_lines
from git_assay.status.model import CheckStanding, Fresh, ModuleSurvey, Stale, Survey
from git_assay.values.moments import format_moment
from git_assay.values.text import clean, path_text

FORMAT = "assay-status/1"


def status_text(survey: Survey) -> str:
    """Returns the page that people read."""
    lines = [_head(survey)]
    for module in survey.modules.values():
        lines += ["", *_module_lines(module)]
    if survey.gaps:
        lines += ["", f"cannot tell: records are missing from {', '.join(survey.gaps)} (git assay verify)"]
    needed = sorted({check.module for check in _lacking(survey)})
    if needed:
        lines += ["", f"next: git assay attest {' '.join(needed)}"]
    return "\n".join(lines)


def status_document(survey: Survey) -> Mapping[str, object]:
    """Returns the JSON form; complete, with the inputs that the answer depends on."""
    return {
        "format": FORMAT,
        "tree": survey.analysis.tree,
        "at": format_moment(survey.now),
        "extractor": survey.analysis.declarations.config.extractor,
        "tips": dict(sorted(survey.tips.items())),
        "gaps": list(survey.gaps),
        "modules": [_module_object(module) for module in survey.modules.values()],
    }


def status_porcelain(survey: Survey) -> Iterable[str]:
    """Yields `module<TAB>kind:check<TAB>standing<TAB>record or -` for scripts; stable."""
    for module in survey.modules.values():
        for check in module.checks:
            record = getattr(check.standing, "record", None) or "-"
            yield f"{check.module}\t{check.kind}:{check.check}\t{standing_word(check.standing)}\t{record}"
        if module.review is not None:
            word = "fresh" if module.review.current else "stale"
            yield f"{module.module}\treview\t{word}\t{module.review.record}"
        else:
            yield f"{module.module}\treview\tabsent\t-"


def _head(survey: Survey) -> str:
    counts: dict[str, int] = {}
    for module in survey.modules.values():
        for check in module.checks:
            word = standing_word(check.standing)
            counts[word] = counts.get(word, 0) + 1
    said = ", ".join(f"{number} {word}" for word, number in sorted(counts.items())) or "no checks"
    modules = len(survey.modules)
    inputs = (
        f"tree {survey.analysis.tree[:12]} evidence {tips_words(survey.tips.items())} at {format_moment(survey.now)}"
    )
    return f"{modules} module{'' if modules == 1 else 's'}: {said}\n{inputs}"


def _module_lines(module: ModuleSurvey) -> list[str]:
    lines = [f"{module.module:<20} {', '.join(clean(owner) for owner in module.owners)}".rstrip()]
    for check in module.checks:
        lines.append(f"    {standing_word(check.standing):<9} {check.kind}:{check.check}{_detail(check)}")
        if isinstance(check.standing, Stale) and check.standing.why is not None:
            lines += [f"        {clean(line)}" for line in why_lines(check.standing.why)]
    if module.review is not None:
        word = "fresh" if module.review.current else "stale"
        lines.append(f"    {word:<9} review   {module.review.record[:SHORT]}")
    if module.open_files:
        more = f" and {len(module.open_files) - 1} more" if len(module.open_files) > 1 else ""
        lines.append(f"    open      {path_text(module.open_files[0])}{more}: what is imported there cannot be known")
    return lines


def _detail(check: CheckStanding) -> str:
    record = getattr(check.standing, "record", None)
    found = f"   {record[:SHORT]}" if record else ""
    if isinstance(check.standing, Fresh) and check.standing.runs > 1:
        found += f"   {check.standing.passes} of {check.standing.runs} runs passed"
    return found


def _module_object(module: ModuleSurvey) -> Mapping[str, object]:
    review = module.review
    return {
        "module": module.module,
        "owners": list(module.owners),
        "checks": [
            {
                "check": check.check,
                "kind": check.kind,
                "mode": check.mode.value.lower(),
                **(standing_object(check.standing) or {}),
            }
            for check in module.checks
        ],
        "review": None if review is None else {"record": review.record, "current": review.current},
        "open": [path_text(path) for path in module.open_files],
    }


def _lacking(survey: Survey) -> Iterable[CheckStanding]:
    return (c for module in survey.modules.values() for c in module.checks if not isinstance(c.standing, Fresh))
