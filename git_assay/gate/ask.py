"""How is the gate asked about a change in a real repository?

The one place of the judgement that does I/O: it makes the merge result, analyses both trees, reads the rules of the
target tip, the evidence and the range facts, and hands them to the pure `decide`. **Source:** design 40-gate §4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from git_assay.cones.analysis import Analysis
from git_assay.errors import AssayError, DocumentProblems
from git_assay.evidence.model import Evidence
from git_assay.gate.decide import Proposal, Question, Rulebook, decide
from git_assay.gate.decision import Decision, Verdict
from git_assay.gate.facts import RangeFacts
from git_assay.gate.load import fit_problems, load_exemptions, load_policy
from git_assay.gate.matching import matching_modules
from git_assay.gate.policy import Policy, no_policy
from git_assay.gate.range import (
    change_side,
    had_assay_before,
    is_complete,
    left_contents,
    merged_snapshot,
    range_commits,
)
from git_assay.gate.witness import find_witnessed
from git_assay.git.repository import Repository
from git_assay.git.snapshot import Snapshot
from git_assay.modules.scope import is_adopted
from git_assay.signing.allowed_signers import Signers
from git_assay.values.ids import ObjectId, Principal

ReadEvidence = Callable[[Snapshot], tuple[Evidence, Signers]]
"""Reads all evidence of this clone under the keyring of one tree, and gives its signers whose keys are not revoked."""


Analyze = Callable[[Snapshot], Analysis]
"""Analyses one tree, from that snapshot's own objects."""


@dataclass(frozen=True, slots=True)
class Request:
    """target: tip of the branch that the change is for (never the merge base).  head: tip of the change."""

    target: ObjectId
    head: ObjectId
    now: datetime
    require_adopted: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """Where everything is read from. analyze: must read from the snapshot's own reader (a merge result has its own)."""

    repository: Repository
    analyze: Analyze
    read_evidence: ReadEvidence


def judge(sources: Sources, request: Request) -> Decision:
    """Returns the decision on merging `head` into `target`.

    Raises AssayError (cannot decide) for conflicts, broken documents, a target that lost `.assay/`.
    """
    repo = sources.repository
    base = repo.snapshot_of(request.target)
    result = merged_snapshot(repo, request.target, request.head)
    if not is_adopted(base):
        return _not_adopted(sources, request, base, result)
    return decide(_question(sources, request, base, result))


def _question(sources: Sources, request: Request, base: Snapshot, result: Snapshot) -> Question:
    if not is_adopted(result):
        hint = f"git checkout {request.target[:12]} -- .assay"
        raise AssayError("the change removes .assay/, which the target has", hint=hint)
    old = _analyzed(sources, base, "the target", request.target)
    new = old if base.tree == result.tree else _analyzed(sources, result, "the merge result", request.head)
    evidence, signers = sources.read_evidence(base)
    rulebook = read_rulebook(old, signers)
    facts = _facts(sources, request, rulebook.policy, (old, new), evidence=evidence, signers=signers)
    return Question(old, new, rulebook, read_proposal(new), evidence, facts, request.now)


def _analyzed(sources: Sources, snapshot: Snapshot, tree: str, commit: ObjectId) -> Analysis:
    """Returns the analysis. Raises DocumentProblems that say of which side; the hint checks the commit of that side."""
    try:
        return sources.analyze(snapshot)
    except DocumentProblems as error:
        raise DocumentProblems(error.problems, tree=tree, hint=f"git assay check {commit[:12]}") from error


def read_rulebook(base: Analysis, signers: Signers) -> Rulebook:
    """Returns the target's rules. Raises DocumentProblems when its policy or exemptions are wrong."""
    policy, problems = load_policy(base.snapshot)
    exemptions, more = load_exemptions(base.snapshot)
    if policy is None and not problems:
        raise no_policy()
    fit = fit_problems(policy, base) if policy is not None and not problems else ()
    if policy is None or problems or more or fit:
        raise DocumentProblems((*problems, *more, *fit))
    logs = frozenset(line.key.log for line in signers.lines)
    return Rulebook(policy, exemptions, _keys(signers), logs)


def read_proposal(result: Analysis) -> Proposal:
    """Returns what the result says about the rules, with its problems."""
    policy, problems = load_policy(result.snapshot)
    exemptions, more = load_exemptions(result.snapshot)
    fit = fit_problems(policy, result) if policy is not None and not problems else ()
    return Proposal(policy, None if more else exemptions, (*problems, *more, *fit))


def _facts(
    sources: Sources,
    request: Request,
    policy: Policy,
    sides: tuple[Analysis, Analysis],
    *,
    evidence: Evidence,
    signers: Signers,
) -> RangeFacts:
    repo = sources.repository
    unseen, witnessed = find_witnessed(repo, policy, evidence, now=request.now)
    side = change_side(repo, request.target, request.head)
    return RangeFacts(
        target=request.target,
        head=request.head,
        commits=range_commits(repo, request.target, side, signers, now=request.now),
        complete=is_complete(repo, request.target, request.head),
        left=left_contents(repo, request.target, *sides),
        past_known=not repo.layout.shallow,
        unseen=unseen,
        witnessed=witnessed,
    )


def _not_adopted(sources: Sources, request: Request, base: Snapshot, result: Snapshot) -> Decision:
    """Returns an open decision for a target that never had `.assay/`. Raises AssayError where that is not so."""
    repo = sources.repository
    if repo.layout.shallow:
        why = "cannot tell whether the target ever had .assay/: this clone is shallow"
        raise AssayError(why, hint="git fetch --unshallow")
    if had_assay_before(repo, request.target):
        hint = f"git log --first-parent --stat {request.target[:12]} -- .assay"
        raise AssayError("the target had .assay/ and lost it", hint=hint)
    if request.require_adopted:
        raise AssayError("the target has not adopted git assay", hint="git assay init")
    notes = ["the target has no .assay/ yet: nothing is enforced, so that adoption itself can be merged"]
    version, extractor = None, 0
    if is_adopted(result):
        analysis = _analyzed(sources, result, "the merge result", request.head)
        proposal = read_proposal(analysis)
        version = proposal.policy.version if proposal.policy else None
        extractor = analysis.declarations.config.extractor
        notes += [f"once merged: {problem}" for problem in map(str, proposal.problems)]
        notes += _preview(proposal.policy, analysis)
    return Decision(
        Verdict.NOT_ADOPTED,
        (),
        tuple(notes),
        (),
        request.target,
        request.head,
        base.tree,
        result.tree,
        version,
        extractor,
        (),
        request.now,
        0,
    )


def _preview(policy: Policy | None, analysis: Analysis) -> list[str]:
    """Returns what the change's own policy would say of its modules, one line for each rule."""
    lines = []
    for rule in policy.rules if policy else ():
        modules = matching_modules(rule, analysis, analysis)
        needs = ", ".join(f"{r.count} {r.kind}" if r.count > 1 else r.kind for r in rule.require)
        lines.append(f"once merged, rule {rule.name!r} asks for {needs} of {len(modules)} modules")
    return lines


def _keys(signers: Signers) -> Mapping[Principal, frozenset[str]]:
    found: dict[Principal, set[str]] = {}
    for line in signers.lines:
        for name in line.principals:
            # A pattern names nobody; who it stands for is seen from the records themselves.
            if not line.authority and not any(char in name for char in "*?!"):
                found.setdefault(Principal(name), set()).add(line.key.fingerprint)
    return {principal: frozenset(keys) for principal, keys in found.items()}
