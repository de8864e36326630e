"""What may a change never do, whoever approves it?

1. the policy's version decreases;  2. the result's policy or exemptions do not load, or a rule of it is about nothing;
3. a module takes an id that the target retired;  4. the ownership map gets a problem that the base has not (two owners,
a claim beyond a card's directory that nobody lends).  **Source:** design 40-gate §3, 10-modules §3-4.
"""

from __future__ import annotations

from collections.abc import Iterable

from git_assay.cones.analysis import Analysis
from git_assay.errors import Problem
from git_assay.gate.decision import Item, Lacking
from git_assay.gate.policy import Policy
from git_assay.values.ids import ASSAY_SUBJECT
from git_assay.values.text import path_text


def judge_laws(
    base: Analysis, result: Analysis, policy: Policy, proposed: Policy | None, problems: tuple[Problem, ...]
) -> Iterable[Item]:
    """Yields one item for each law that the result breaks."""
    if proposed is None and not problems:
        yield _broken("policy", ASSAY_SUBJECT, "the result has no .assay/policy.yml")
    if proposed is not None and proposed.version < policy.version:
        why = f"the policy's version goes from {policy.version} to {proposed.version}; it must not decrease"
        yield _broken("policy version", ASSAY_SUBJECT, why)
    for problem in problems:
        yield _broken("policy loads", ASSAY_SUBJECT, str(problem))
    retired = {entry.id for entry in base.declarations.retired.retired}
    for module, loaded in result.declarations.cards.items():
        if module in retired:
            yield _broken("retired ids", module, f"{module} is a retired id ({path_text(loaded.path)})")
    known = {(problem.path, problem.code, problem.message) for problem in base.ownership.problems}
    for problem in result.ownership.problems:
        if (problem.path, problem.code, problem.message) not in known:
            yield _broken("ownership", problem.path, str(problem))


def _broken(rule: str, subject: str, why: str) -> Item:
    return Item(rule, subject, "law", Lacking((why,), "you", None))
