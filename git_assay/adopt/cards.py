"""What does a new card look like? Text as a person would write it."""

from __future__ import annotations

from dataclasses import dataclass

from git_assay.documents.writer import flow_list, scalar
from git_assay.errors import AssayError, ErrorKind
from git_assay.modules.model import Declarations
from git_assay.values.ids import ModuleId, is_module_id
from git_assay.values.text import clean


@dataclass(frozen=True, slots=True)
class ProposedCheck:
    """A check of a proposed card. inputs: patterns as written."""

    name: str
    kind: str
    run: str
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProposedCard:
    """A card that does not exist yet. owns: None = all beneath its directory."""

    id: ModuleId
    goal: str
    owners: tuple[str, ...] = ()
    parent: ModuleId | None = None
    labels: tuple[str, ...] = ()
    owns: tuple[str, ...] | None = None
    checks: tuple[ProposedCheck, ...] = ()


def card_text(card: ProposedCard) -> str:
    """Returns the YAML document of a card, with a newline at its end."""
    lines = ["format: assay-card/1", f"module: {scalar(card.id)}", f"goal: {scalar(card.goal)}"]
    if card.parent is not None:
        lines.append(f"parent: {scalar(card.parent)}")
    lines += [
        f"{word}: {flow_list(items)}"
        for word, items in (("owners", card.owners), ("labels", card.labels), ("owns", card.owns))
        if items
    ]
    if card.checks:
        lines.append("checks:")
    for check in card.checks:
        lines += [f"  - name: {scalar(check.name)}", f"    kind: {scalar(check.kind)}", f"    run: {scalar(check.run)}"]
        if check.inputs:
            lines.append(f"    inputs: {flow_list(check.inputs)}")
    return "\n".join(lines) + "\n"


def require_new_id(text: str, declarations: Declarations | None) -> ModuleId:
    """Returns the id when it may be allocated now. Raises AssayError (usage) otherwise. **Source:** 10-modules §4."""
    if not is_module_id(text):
        raise AssayError(
            f"'{clean(text)}' is not a module id: lower case words joined by . or -, at most 64 characters",
            hint="git assay module new billing.invoice --goal 'Turn an order into an invoice.'",
            kind=ErrorKind.USAGE,
        )
    if declarations is not None:
        card = declarations.cards.get(ModuleId(text))
        if card is not None:
            raise AssayError(f"module {text} exists", hint=f"git assay module show {text}", kind=ErrorKind.USAGE)
        if any(entry.id == text for entry in declarations.retired.retired):
            raise AssayError(
                f"id {text} is retired and is never used again", hint="git assay module list", kind=ErrorKind.USAGE
            )
    return ModuleId(text)
