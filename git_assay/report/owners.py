"""How is it shown who owns something?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from git_assay.values.text import clean

FORMAT = "assay-owners/1"


@dataclass(frozen=True, slots=True)
class Answer:
    """asked: as the user wrote it.  module: None = nobody.  reason: by which word of which card, or why nobody."""

    asked: str
    module: str | None
    owners: tuple[str, ...]
    reason: str


def owners_text(answers: Sequence[Answer]) -> str:
    """Returns one aligned line for each answer."""
    width = max((len(clean(answer.asked)) for answer in answers), default=0)
    return "\n".join(
        f"{clean(answer.asked):{width}}  {answer.module or '-'}  {clean(' '.join(answer.owners)) or '-'}  "
        f"({clean(answer.reason)})"
        for answer in answers
    )


def owners_document(answers: Sequence[Answer]) -> Mapping[str, object]:
    """Returns the JSON form."""
    return {
        "format": FORMAT,
        "answers": [
            {"asked": a.asked, "module": a.module, "owners": list(a.owners), "reason": a.reason} for a in answers
        ],
    }
