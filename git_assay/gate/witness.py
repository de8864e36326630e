"""Does the evidence here contain what the newest witness saw?

Without it, whoever can rewrite refs could hide a fail or a reject by cutting a log short.
**Source:** design 40-gate §4 ("a policy `witness` catches truncation").
"""

from __future__ import annotations

from datetime import datetime

from git_assay.evidence.model import Evidence, Record
from git_assay.evidence.records import PredicateType
from git_assay.gate.policy import Policy, class_of, in_role, parse_span, roles_of
from git_assay.git.history import is_ancestor
from git_assay.git.repository import Repository
from git_assay.values.ids import LogId, ObjectId


def find_witnessed(
    repo: Repository, policy: Policy, evidence: Evidence, *, now: datetime
) -> tuple[tuple[LogId, ...], datetime | None]:
    """Returns the logs that fall short of the newest valid witness, and when it was made (None: there is none)."""
    newest = _newest(policy, evidence, now=now)
    if newest is None or newest.statement.predicate.witness is None:
        return (), None
    short = []
    for name, tip in sorted(newest.statement.predicate.witness.logs.items()):
        here = evidence.tips.get(LogId(name))
        if here is None or not _contains(repo, here, ObjectId(tip)):
            short.append(LogId(name))
    return tuple(short), newest.time


def _newest(policy: Policy, evidence: Evidence, *, now: datetime) -> Record | None:
    if policy.witness is None:
        return None
    roles = [policy.roles[name] for name in roles_of(policy.witness.by)]
    age = parse_span(policy.witness.max_age)
    valid = [
        record
        for record in evidence.records.values()
        if record.type is PredicateType.WITNESS and now - record.time <= age
        if any(in_role(r, record.principal) and class_of(policy, record.principal) == r.class_ for r in roles)
    ]
    return max(valid, key=lambda record: (record.time, record.id), default=None)


def _contains(repo: Repository, tip: ObjectId, seen: ObjectId) -> bool:
    # An id that is not here cannot be an ancestor of anything here.
    return repo.try_resolve(seen) is not None and is_ancestor(repo, seen, tip)
