"""How is a radius shown: text, JSON, NUL-separated, a graph?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from git_assay.report.words import chain_object, chain_words, standing_object, standing_word, why_lines, why_object
from git_assay.status.effects import Effect
from git_assay.status.radius import Radius, Reached
from git_assay.values.ids import ModuleId
from git_assay.values.text import clean, path_text

FORMAT = "assay-radius/1"


def radius_text(radius: Radius, effects: Iterable[Effect]) -> str:
    """Returns the page that people read: nearest modules first, each with what carries the change to it."""
    if not radius.changes.paths:
        return "nothing changed"
    lines = [f"{_count(radius.changes.paths, 'path')} changed, {_count(radius.modules, 'module')} reached"]
    by_module = _by_module(effects)
    for reached in radius.modules:
        lines += ["", *_module_lines(reached, by_module.get(reached.module, []))]
    for module in _beside(radius, by_module):
        lines += ["", *_input_lines(module, by_module[module])]
    lines += ["", *_rename_lines(radius)] if radius.renames else []
    if radius.assay:
        lines += ["", ".assay       direct    policy_changes applies"]
    for path in radius.changes.unattributed:
        lines.append(f"unowned      {path_text(path)}")
    for lost in radius.lost:
        targets = ", ".join(path_text(path) for path in lost.lost) or "nothing that is still known"
        lines.append(f"reach lost   {path_text(lost.path)} newly imports {lost.written[0]}; no longer names {targets}")
    lines += _next_lines(radius, by_module)
    return "\n".join(lines)


def radius_document(radius: Radius, effects: Iterable[Effect]) -> Mapping[str, object]:
    """Returns the JSON form."""
    by_module = _by_module(effects)
    return {
        "format": FORMAT,
        "base": radius.base.tree,
        "result": radius.result.tree,
        "paths": [path_text(path) for path in radius.changes.paths],
        "renames": [{"from": path_text(old), "to": path_text(new)} for old, new in radius.renames],
        "assay": radius.assay,
        "unowned": [path_text(path) for path in radius.changes.unattributed],
        "modules": [_module_object(reached, by_module.get(reached.module, [])) for reached in radius.modules],
        "inputs": [
            {"module": module, "checks": [_input_object(effect) for effect in by_module[module]]}
            for module in _beside(radius, by_module)
        ],
        "lost": [
            {"path": path_text(each.path), "written": list(each.written), "lost": [path_text(p) for p in each.lost]}
            for each in radius.lost
        ],
    }


def _beside(radius: Radius, by_module: Mapping[ModuleId, list[Effect]]) -> list[ModuleId]:
    """Returns the modules of which only an input of a check changed."""
    inside = {reached.module for reached in radius.modules}
    return [module for module in by_module if module not in inside]


def _rename_lines(radius: Radius) -> list[str]:
    return [f"renamed      {path_text(old)} => {path_text(new)}" for old, new in radius.renames]


def radius_items(radius: Radius, effects: Iterable[Effect], *, checks: bool) -> Iterable[bytes]:
    """Yields module ids, or `module<TAB>check` of every check to run, for `-z`."""
    if not checks:
        return [reached.module.encode() for reached in radius.modules]
    return [f"{effect.module}\t{effect.check}".encode() for effect in effects if not effect.holds]


def radius_dot(radius: Radius) -> str:
    """Returns the radius as a Graphviz graph of modules and the files that carry the change."""
    lines = ["digraph radius {", "  rankdir=RL;"]
    lines += [f"  {_quoted(reached.module)} [shape=box];" for reached in radius.modules]
    lines += [f"  {_quoted(start)} -> {_quoted(end)};" for start, end in _arrows(radius)]
    return "\n".join([*lines, "}"])


def radius_mermaid(radius: Radius) -> str:
    """Returns the radius as a Mermaid flow chart."""
    names: dict[str, str] = {}

    def node(text: str) -> str:
        return names.setdefault(text, f"n{len(names)}")

    lines = ["flowchart RL"]
    lines += [f'  {node(reached.module)}["{_mermaid(reached.module)}"]' for reached in radius.modules]
    for start, end in _arrows(radius):
        lines.append(f'  {node(start)}["{_mermaid(start)}"] --> {node(end)}["{_mermaid(end)}"]')
    return "\n".join(lines)


def _module_lines(reached: Reached, effects: list[Effect]) -> list[str]:
    touches = "+".join(touch.value for touch in reached.touches)
    lines = [f"{reached.module:<12} {touches:<9} {', '.join(clean(owner) for owner in reached.owners)}".rstrip()]
    chain = chain_words(reached.chain)
    if chain:
        lines.append(f"    through {chain}")
    elif reached.origin is not None:
        lines.append(f"    through {path_text(reached.origin)}, whose imports lead elsewhere")
    lines += [f"    {piece}" for piece in reached.pieces]
    lines += [f"    {_effect_words(effect)}" for effect in effects]
    return lines


def _input_lines(module: ModuleId, effects: list[Effect]) -> list[str]:
    lines = [f"{module:<12} inputs"]
    for effect in effects:
        lines.append(f"    {_effect_words(effect)}")
        lines += [f"        {line}" for line in why_lines(effect.why)] if effect.why else []
    return lines


def _effect_words(effect: Effect) -> str:
    word = f"{effect.kind}:{effect.check}"
    if effect.goes_stale:
        return f"{word} goes stale"
    if effect.holds:
        return f"{word} holds ({effect.mode.value.lower()} digest unchanged)" if effect.unchanged else f"{word} fresh"
    return f"{word} {standing_word(effect.after)}"


def _next_lines(radius: Radius, by_module: Mapping[ModuleId, list[Effect]]) -> list[str]:
    run = [module for module, effects in by_module.items() if any(not effect.holds for effect in effects)]
    ask = sorted({clean(owner) for reached in radius.modules if reached.pieces for owner in reached.owners})
    lines = [""] if run or ask else []
    if run:
        lines.append(f"run: git assay attest {' '.join(sorted(run))}")
    if ask:
        lines.append(f"ask: {', '.join(ask)}")
    return lines


def _module_object(reached: Reached, effects: list[Effect]) -> Mapping[str, object]:
    return {
        "module": reached.module,
        "touches": [touch.value for touch in reached.touches],
        "distance": reached.distance,
        "chain": chain_object(reached.chain),
        "origin": None if reached.origin is None else path_text(reached.origin),
        "reaches": sorted(reach.value.lower() for reach in reached.reaches),
        "pieces": list(reached.pieces),
        "owners": list(reached.owners),
        "checks": [_effect_object(effect) for effect in effects],
    }


def _effect_object(effect: Effect) -> Mapping[str, object]:
    return {
        "check": effect.check,
        "kind": effect.kind,
        "mode": effect.mode.value.lower(),
        "unchanged": effect.unchanged,
        "goes_stale": effect.goes_stale,
        "holds": effect.holds,
        "before": standing_object(effect.before),
        "after": standing_object(effect.after),
    }


def _input_object(effect: Effect) -> Mapping[str, object]:
    return {**_effect_object(effect), "why": None if effect.why is None else why_object(effect.why)}


def _arrows(radius: Radius) -> Iterable[tuple[str, str]]:
    """Returns arrows against the imports: from what changed towards the modules, each once, in order."""
    found: dict[tuple[str, str], None] = {}
    for reached in radius.modules:
        stops = [path_text(edge.source) for edge in reached.chain]
        if reached.origin is not None:
            stops.append(path_text(reached.origin))
        for near, far in zip([reached.module, *stops], stops, strict=False):
            found[(far, near)] = None
    return found


def _by_module(effects: Iterable[Effect]) -> dict[ModuleId, list[Effect]]:
    found: dict[ModuleId, list[Effect]] = {}
    for effect in effects:
        found.setdefault(effect.module, []).append(effect)
    return found


def _count(items: tuple[object, ...], word: str) -> str:
    return f"{len(items)} {word}{'' if len(items) == 1 else 's'}"


def _quoted(text: str) -> str:
    return '"' + clean(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _mermaid(text: str) -> str:
    return clean(text).replace('"', "#quot;")
