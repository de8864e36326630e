"""Is it told when an id vanishes, comes back or silently changes its meaning?"""

from __future__ import annotations

from git_assay.modules.identity import Declared, identity_problems
from tests.modules.trees import card, owned

CODE = "def f(x):\n    return x\n"
RETIRED = "format: assay-retired/1\nretired:\n  - {id: %s, date: 2026-01-01, reason: split}\n"


def problems_of(base: dict[str, str | bytes], result: dict[str, str | bytes]) -> list[str]:
    found = identity_problems(Declared(*owned(base)), Declared(*owned(result)))
    return [f"{problem.path}:{problem.line} {problem.code} {problem.message}" for problem in found]


def goal(text: str) -> str:
    return card("a").replace("Do a.", text)


def test_an_id_that_vanishes_needs_an_entry() -> None:
    base: dict[str, str | bytes] = {"x/assay.yml": card("a") + "---\n" + card("b")}
    result: dict[str, str | bytes] = {"x/assay.yml": card("a")}
    assert problems_of(base, result) == [
        "x/assay.yml:4 vanished-id module b vanished without an entry in .assay/retired.yml"
    ]
    assert problems_of(base, {**result, ".assay/retired.yml": RETIRED % "b"}) == []


def test_an_id_that_moves_to_another_card_file_did_not_vanish() -> None:
    assert problems_of({"x/assay.yml": card("a")}, {"y/assay.yml": card("a")}) == []


def test_a_retired_id_stays_retired() -> None:
    base: dict[str, str | bytes] = {".assay/retired.yml": RETIRED % "a"}
    assert problems_of(base, {}) == [
        ".assay/retired.yml:0 unretired-id the entry of a is gone: a retired id stays retired"
    ]
    assert problems_of(base, {"x/assay.yml": card("a")}) == ["x/assay.yml:2 retired-id id a was retired on 2026-01-01"]


def test_another_goal_and_other_code_in_one_change_is_a_new_responsibility() -> None:
    base: dict[str, str | bytes] = {"x/assay.yml": goal("Turn an order into an invoice."), "x/old.py": CODE}
    goals = goal("Send mail to customers.")
    other = "def g():\n    return 2\n"
    assert problems_of(base, {"x/assay.yml": goals, "x/new.py": other}) == [
        "x/assay.yml:3 repurposed-id module a has another goal and other code: a new responsibility needs a new id"
    ]
    assert problems_of(base, {"x/assay.yml": goals, "x/old.py": other}) == [], "the same file, rewritten"
    assert problems_of(base, {"x/assay.yml": goals, "x/moved.py": CODE}) == [], "the same code, moved"
    words = goal("Turn an order into a paid invoice.")
    assert problems_of(base, {"x/assay.yml": words, "x/new.py": other}) == [], "the same goal, in other words"


def test_a_card_that_got_its_first_code_is_not_repurposed() -> None:
    base: dict[str, str | bytes] = {"x/assay.yml": card("a")}
    assert problems_of(base, {"x/assay.yml": card("a"), "x/new.py": CODE}) == []
    assert problems_of(base, {"x/assay.yml": goal("Send mail."), "y/new.py": CODE}) == [], "no code on either side"
