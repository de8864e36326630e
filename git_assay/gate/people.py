"""Who may satisfy a requirement?

People come from roles of the target's policy and from owners on the base's cards; the evidence's own words about
itself are never asked. Principals that share a key or that an alias names are one person; where one of a person's
names is an agent's or a machine's, none of them is a human's. **Source:** design 40-gate §3, 30-evidence §4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from git_assay.evidence.model import Evidence
from git_assay.gate.facts import RangeFacts
from git_assay.gate.policy import OWNERS, Policy, Roles, class_of, in_role, roles_of
from git_assay.values.ids import Principal


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """policy: the target's.  persons: every principal of the evidence or keyring -> the person behind the key.

    authors: persons who made the change.  strangers: identities of the range that map to no principal, sorted;
    when there are any, or the range is not complete, `not: authors` cannot be told.
    """

    policy: Policy
    persons: Mapping[Principal, Principal]
    authors: frozenset[Principal]
    strangers: tuple[str, ...]
    authors_known: bool

    def admitted(self, by: Roles, owners: Iterable[str] = ()) -> frozenset[Principal]:
        """Returns the principals that fill any of the roles."""
        found: set[Principal] = set()
        for name in roles_of(by):
            if name == OWNERS:
                found |= self.owners(owners)
            else:
                role = self.policy.roles[name]
                # A name that also stands in an agent role never fills a human one (class_of: agent wins).
                found |= {p for p in self.persons if in_role(role, p) and class_of(self.policy, p) == role.class_}
        return frozenset(found)

    def owners(self, owners: Iterable[str]) -> frozenset[Principal]:
        """Returns the principals behind owners as cards name them: a principal, or a role of that name."""
        found: set[Principal] = set()
        for name in owners:
            role = self.policy.roles.get(name)
            found |= {p for p in self.persons if p == name or (role is not None and in_role(role, p))}
        return frozenset(found)

    def reviewers(self, by: Roles, *, owners: Iterable[str] = (), not_authors: bool) -> Mapping[Principal, Principal]:
        """Returns the *human* principals that may review, each with the person behind it."""
        people = (p for p in self.admitted(by, owners) if self._is_human(p))
        chosen = {p: self.persons[p] for p in people}
        return {p: who for p, who in chosen.items() if not (not_authors and who in self.authors)}

    def is_agent_made(self, facts: RangeFacts) -> bool:
        """Returns True unless every commit is proved, by a signature that holds, to be a human's."""
        if not facts.complete or not facts.commits:
            return True
        return any(c.signer is None or not self._is_human(c.signer) for c in facts.commits)

    def principal_of(self, identity: str) -> Principal | None:
        """Returns the principal behind a written e-mail address, None for a stranger."""
        return _principal_of(identity, self.policy, self.persons)

    def _is_human(self, principal: Principal) -> bool:
        """Returns whether the name is a human's and no other name of that person is a machine's."""
        person = self.persons.get(principal, principal)
        names = {principal} | {name for name, who in self.persons.items() if who == person}
        return class_of(self.policy, principal) == "human" and {class_of(self.policy, name) for name in names} <= {
            "human",
            None,
        }


def find_people(
    policy: Policy, evidence: Evidence, facts: RangeFacts, *, same_key: Mapping[Principal, frozenset[str]]
) -> People:
    """Returns who is who. same_key: principal -> fingerprints of the keys that the keyring lists for it."""
    persons = _persons(evidence, same_key, facts.signers, aliases=policy.aliases)
    found: set[Principal] = {persons.get(signer, signer) for signer in facts.signers}
    strangers: list[str] = []
    for identity in sorted(facts.identities):
        principal = _principal_of(identity, policy, persons)
        if principal is None:
            strangers.append(identity)
        else:
            found.add(persons.get(principal, principal))
    known = facts.complete and not strangers
    return People(policy, persons, frozenset(found), tuple(strangers), known)


def _persons(
    evidence: Evidence,
    same_key: Mapping[Principal, frozenset[str]],
    signers: Iterable[Principal],
    *,
    aliases: Mapping[str, str],
) -> Mapping[Principal, Principal]:
    """Returns each principal's person: the first name, in order, of all that are tied together.

    What ties: a common key, an alias of the policy, and names that differ only in case.
    """
    marks: dict[Principal, set[str]] = {principal: set(found) for principal, found in same_key.items()}
    for record in evidence.records.values():
        marks.setdefault(record.principal, set()).add(record.key)
    for name in (*signers, *map(Principal, aliases.values())):
        marks.setdefault(name, set())
    folded = {written.casefold(): principal.casefold() for written, principal in aliases.items()}
    for written_as, found in marks.items():
        plain = written_as.casefold()
        # A mark that no fingerprint can be: the name itself, and the name that it is an alias of.
        found |= {f"name {plain}", f"name {folded.get(plain, plain)}"}
    return _tied(marks)


def _tied(marks: Mapping[Principal, set[str]]) -> Mapping[Principal, Principal]:
    """Returns the first name, in order, of everyone tied to each principal by common marks."""
    parent = {principal: principal for principal in marks}

    def root(principal: Principal) -> Principal:
        while parent[principal] != principal:
            principal = parent[principal]
        return principal

    holder: dict[str, Principal] = {}
    for principal in sorted(marks):
        for mark in sorted(marks[principal]):
            other = holder.setdefault(mark, principal)
            low, high = sorted((root(principal), root(other)))
            parent[high] = low
    return {principal: root(principal) for principal in marks}


def _principal_of(identity: str, policy: Policy, persons: Mapping[Principal, Principal]) -> Principal | None:
    for written, principal in policy.aliases.items():
        if written.casefold() == identity.casefold():
            return Principal(principal)
    for principal in persons:
        if principal.casefold() == identity.casefold():
            return principal
    for role in policy.roles.values():
        for name in role.principals:
            if name.casefold() == identity.casefold():
                return Principal(name)
        if in_role(role, Principal(identity)):
            return Principal(identity)
    return None
