"""What is wrong with everything declared in a tree? Puts together what the layers below know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from git_assay.cli.context import analysis_at, analysis_of, fact_store, snapshot_of
from git_assay.cli.session import Session
from git_assay.errors import DocumentProblems, Problem

if TYPE_CHECKING:
    from git_assay.cones.analysis import Analysis
    from git_assay.git.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Checked:
    """Everything found in one tree. sources, unowned: counts of in-scope source files; 0 where cards do not load."""

    problems: tuple[Problem, ...]
    modules: int
    sources: int
    unowned: int


def check_tree(session: Session, name: str, *, base: str | None = None) -> Checked:
    """Returns every problem of cards, ownership, imports, contracts, policy and exemptions of a tree.

    base: also what changed about ids since that revision. Raises NotAdopted without `.assay/`.
    """
    from git_assay.cli.naming import named

    with named(session, name):
        return check_snapshot(session, snapshot_of(session, name), base=base)


def check_snapshot(session: Session, snapshot: Snapshot, *, base: str | None = None) -> Checked:
    """Returns `check_tree` of a snapshot that is at hand."""
    policy_problems = _document_problems(snapshot)
    try:
        analysis = analysis_of(session, snapshot)
    except DocumentProblems as error:
        return Checked(tuple(sorted({*error.problems, *policy_problems})), 0, 0, 0)
    found = {
        *policy_problems,
        *analysis.ownership.problems,
        *_module_problems(session, analysis),
        *_fit_problems(analysis),
    }
    if base is not None:
        found |= set(_identity_problems(session, analysis, base))
    return Checked(
        tuple(sorted(found)), len(analysis.modules), len(analysis.graph.files), len(analysis.ownership.unowned)
    )


def _document_problems(snapshot: Snapshot) -> tuple[Problem, ...]:
    from git_assay.gate.load import POLICY_PATH, load_exemptions, load_policy
    from git_assay.values.text import path_text

    policy, problems = load_policy(snapshot)
    if policy is None and not problems:
        text = "there is no such file: without rules the gate stays closed"
        problems = (Problem(path_text(POLICY_PATH), 0, 0, "missing-file", text, "git assay init"),)
    return (*problems, *load_exemptions(snapshot)[1])


def _fit_problems(analysis: Analysis) -> tuple[Problem, ...]:
    from git_assay.gate.load import fit_problems, load_policy

    policy, _ = load_policy(analysis.snapshot)
    return fit_problems(policy, analysis) if policy is not None else ()


def _module_problems(session: Session, analysis: Analysis) -> tuple[Problem, ...]:
    from git_assay.modules.problems import ImportPlace, module_problems
    from git_assay.modules.unmatched import unmatched_patterns
    from git_assay.syntax.facts import Definition
    from git_assay.values.ids import TreePath

    store = fact_store(session, analysis.snapshot.reader)
    files = analysis.graph.files

    def definitions(path: TreePath) -> tuple[Definition, ...]:
        oid = analysis.snapshot.entries[path].oid
        return store.definitions(files[path], (oid,))[oid].definitions

    imports = (
        ImportPlace(edge.source, edge.line, TreePath(edge.target.name))
        for edges in analysis.graph.edges.values()
        for edge in edges
        if not edge.target.hub
    )
    return (
        *module_problems(analysis.declarations, analysis.ownership, files, imports, definitions),
        *unmatched_patterns(analysis.declarations, analysis.snapshot.entries, files),
    )


def _identity_problems(session: Session, analysis: Analysis, base: str) -> tuple[Problem, ...]:
    from git_assay.modules.identity import Declared, identity_problems
    from git_assay.modules.scope import is_adopted

    snapshot = snapshot_of(session, base)
    if not is_adopted(snapshot):
        return ()
    before = analysis_at(session, base)
    return identity_problems(
        Declared(before.snapshot, before.declarations, before.ownership),
        Declared(analysis.snapshot, analysis.declarations, analysis.ownership),
    )
