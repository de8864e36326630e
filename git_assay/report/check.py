"""How are the problems of a tree shown?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from git_assay.errors import Problem
from git_assay.values.text import clean

FORMAT = "assay-check/1"


def check_text(problems: Sequence[Problem], *, modules: int, sources: int, unowned: int) -> str:
    """Returns one line for each problem and a summary."""
    lines = [clean(str(problem)) for problem in problems]
    owned = f"{sources - unowned} of {sources} source files owned ({_share(sources - unowned, sources)})"
    counted = f"{len(problems)} problem{'' if len(problems) == 1 else 's'}" if problems else "no problem"
    summary = f"{counted}: {modules} module{'' if modules == 1 else 's'}, {owned}"
    return "\n".join([*lines, summary if modules or not problems else f"{counted}; cards do not load"])


def check_document(problems: Sequence[Problem], *, modules: int, sources: int, unowned: int) -> Mapping[str, object]:
    """Returns the JSON form. `line` and `column` are 1-based, 0 for the whole file."""
    return {
        "format": FORMAT,
        "problems": [
            {
                "path": problem.path,
                "line": problem.line,
                "column": problem.column,
                "code": problem.code,
                "message": problem.message,
                "hint": problem.hint,
            }
            for problem in problems
        ],
        "modules": modules,
        "sources": sources,
        "unowned": unowned,
    }


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none in scope"
