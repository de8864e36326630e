"""Which rules are about which modules and paths?

A rule applies when it matches in the base *or* the result, so that dropping a label, an owner, a card or a path from
scope does not drop its rule. **Source:** design 40-gate §3.
"""

from __future__ import annotations

from collections.abc import Iterable

from git_assay.cones.analysis import Analysis
from git_assay.gate.facts import RangeFacts
from git_assay.gate.people import People
from git_assay.gate.policy import Condition, Match, Policy, Rule, in_role
from git_assay.modules.card import Card
from git_assay.modules.patterns import Pattern
from git_assay.status.changes import Changes
from git_assay.status.effects import changed_checks
from git_assay.status.radius import Radius, Touch, by_module
from git_assay.values.ids import ModuleId, TreePath


def matching_modules(rule: Rule, base: Analysis, result: Analysis) -> tuple[ModuleId, ...]:
    """Returns the modules that a rule matches on either side, in order of id."""
    found: set[ModuleId] = set()
    for side in (base, result):
        for module, loaded in side.declarations.cards.items():
            if rule.match == "all" or _matches(rule.match, module, loaded.card):
                found.add(module)
    return tuple(sorted(found))


def selected_modules(rule: Rule, radius: Radius) -> tuple[ModuleId, ...]:
    """Returns the matching modules that the rule's `when` selects for this change.

    Where the rule demands checks, a module is affected as well when a check of it means something else, since a test
    file, a lock or a configuration that is an input changed: its evidence is stale although its cone is the same.
    """
    reached = by_module(radius)
    kinds = {requirement.kind for requirement in rule.require}
    renewed = (
        {module for module, check in changed_checks(radius.base, radius.result) if check.kind in kinds}
        if rule.when == "affected"
        else set()
    )
    chosen = []
    for module in matching_modules(rule, radius.base, radius.result):
        found = reached.get(module)
        touched = module in radius.changes.subjects
        changed = touched or (found is not None and found.touches != (Touch.THROUGH,))
        affected = rule.when == "affected" and (found is not None or module in renewed)
        if rule.when == "always" or changed or affected:
            chosen.append(module)
    return tuple(chosen)


def matching_paths(rule: Rule, changes: Changes) -> tuple[TreePath, ...]:
    """Returns the changed paths that the rule's `paths` match."""
    if rule.match == "all" or not rule.match.paths:
        return ()
    patterns = path_patterns(rule)
    return tuple(path for path in changes.paths if any(pattern.matches(path) for pattern in patterns))


def path_patterns(rule: Rule) -> tuple[Pattern, ...]:
    """Returns the compiled `paths` of a rule, relative to the root."""
    return () if rule.match == "all" else tuple(Pattern(text, TreePath(b"")) for text in rule.match.paths)


def unaccounted_paths(policy: Policy, changes: Changes) -> tuple[TreePath, ...]:
    """Returns changed paths that are nobody's and that no `paths:` rule of the target's policy matches."""
    matched: set[TreePath] = set()
    for rule in policy.rules:
        matched.update(matching_paths(rule, changes))
    return tuple(path for path in changes.unattributed if path not in matched)


def condition_holds(condition: Condition | None, people: People, facts: RangeFacts) -> bool:
    """Returns whether a rule's `if` holds; True wherever it cannot be proved false."""
    if condition is None or people.is_agent_made(facts):
        return True
    if condition.author is not None:
        written = {name for commit in facts.commits for name in (commit.author, *commit.coauthors)}
        if _any_in_role(people, condition.author, written):
            return True
    if condition.committer is not None and _any_in_role(people, condition.committer, _committers(facts)):
        return True
    return condition.trailer is not None and any(
        condition.trailer.casefold() in commit.trailers for commit in facts.commits
    )


def matches_nothing(rule: Rule, analysis: Analysis) -> bool:
    """Returns whether a rule is about nothing at all in one tree."""
    if rule.match == "all":
        return not analysis.declarations.cards
    cards = analysis.declarations.cards.items()
    if any(_matches(rule.match, module, loaded.card) for module, loaded in cards):
        return False
    patterns = path_patterns(rule)
    return not any(pattern.matches(path) for path in analysis.snapshot.entries for pattern in patterns)


def _matches(match: Match | str, module: ModuleId, card: Card) -> bool:
    if isinstance(match, str):
        return True
    return module in match.modules or bool(set(match.labels) & set(card.labels) or set(match.owners) & set(card.owners))


def _any_in_role(people: People, role_name: str, identities: Iterable[str]) -> bool:
    role = people.policy.roles[role_name]
    principals = (people.principal_of(identity) for identity in identities)
    return any(principal is None or in_role(role, principal) for principal in principals)


def _committers(facts: RangeFacts) -> frozenset[str]:
    return frozenset(commit.committer for commit in facts.commits) | facts.signers
