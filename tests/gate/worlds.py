"""A small real repository with cards and a policy, and people who look at changes of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from git_assay.cones.analysis import Analysis, analyze
from git_assay.evidence.model import Record
from git_assay.gate.ask import Request, Sources, judge
from git_assay.gate.decision import Decision
from git_assay.git.repository import Repository
from git_assay.git.snapshot import Snapshot
from git_assay.graph.store import FactStore
from git_assay.signing.allowed_signers import Signers
from git_assay.status.changes import find_changes
from git_assay.values.digests import Mode, check_name, own_name
from git_assay.values.ids import UNOWNED_SUBJECT, ModuleId, ObjectId
from tests.evidences import CI, NOW, Who, evidence, review, run
from tests.repos import Repo

CONFIG = "format: assay-config/1\nrepository: 0123456789abcdef0123456789abcdef\nextractor: 1\nroots: [src]\n"
POLICY = """\
format: assay-policy/1
version: 3
roles:
  maintainers: {class: human, principals: [alice@example.com, bob@example.com, carol@example.com]}
  ci: {class: ci, principals: [ci@acme.example]}
  agents: {class: agent, principals: ["*@agents.acme.example"]}
rules:
  - name: critical
    match: {labels: [critical]}
    when: affected
    require: [{kind: tests, by: ci}, {kind: review, by: maintainers, count: 2, not: authors}]
  - name: everything
    match: all
    when: changed
    require: [{kind: review, by: maintainers, not: authors}]
  - name: docs
    match: {paths: ["/docs/**"]}
    when: changed
    require: [{kind: review, by: maintainers}]
    may_match_nothing: true
policy_changes: {by: maintainers, count: 2}
aliases: {test@example.com: dev@example.com}
"""
BILLING = """\
format: assay-card/1
module: billing
goal: Bill.
owners: [alice@example.com]
labels: [critical]
checks:
  - {name: unit, kind: tests, run: pytest -q, inputs: []}
"""
ORDER = """\
format: assay-card/1
module: order
goal: Order.
owners: [bob@example.com]
checks:
  - {name: unit, kind: tests, run: pytest -q, inputs: []}
"""
FILES = {
    ".assay/config.yml": CONFIG,
    ".assay/policy.yml": POLICY,
    ".assay/exemptions.yml": "format: assay-exemptions/1\n",
    ".assay/allowed_signers": "",
    ".assay/revoked_keys": "",
    "src/billing/__init__.py": "",
    "src/billing/assay.yml": BILLING,
    "src/billing/invoice.py": "from order.cart import total\n\n\ndef invoice():\n    return total()\n",
    "src/order/__init__.py": "",
    "src/order/assay.yml": ORDER,
    "src/order/cart.py": "def total():\n    return 1\n",
    "README.md": "hello\n",
}


class World:
    """A repository on branch main, adopted; work happens on branch `change`."""

    def __init__(self, path: Path, files: dict[str, str] | None = None) -> None:
        self.repo = Repo(path).init()
        for name, text in (FILES if files is None else files).items():
            self.repo.write(name, text)
        self.base = self.repo.commit("adopt")
        self.repo.git("checkout", "-q", "-b", "change")

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.repo.path / path).read_text()
        assert old in text
        self.repo.write(path, text.replace(old, new))

    def judge(self, *records: Record, now: datetime = NOW, target: str = "main", head: str = "change") -> Decision:
        repository = self.open()

        def read(_: Snapshot) -> tuple[object, Signers]:
            return evidence(*records), Signers((), ())

        sources = Sources(repository, self.analyze, read)  # type: ignore[arg-type]
        return judge(sources, Request(repository.resolve(target), repository.resolve(head), now))

    def open(self) -> Repository:
        import os

        return Repository.discover(self.repo.path, dict(os.environ))

    def analyze(self, snapshot: Snapshot) -> Analysis:
        return analyze(snapshot, FactStore(None, lambda: snapshot.reader))

    def at(self, rev: str) -> Analysis:
        repository = self.open()
        return self.analyze(repository.snapshot_of(repository.resolve(rev)))

    def reviews(self, *people: Who, target: str = "main", head: str = "change", hours: float = 1) -> tuple[Record, ...]:
        """Makes an approval of everything that changed, for each module and reserved subject, by each of the people."""
        from datetime import timedelta

        changes = find_changes(self.at(target), self.at(head))
        subjects = {module: changes.of(module) for module in changes.subjects}
        loose = set(changes.unattributed)
        subjects[UNOWNED_SUBJECT] = tuple(piece for piece in changes.pieces.values() if piece.path in loose)
        return tuple(
            review(who, *((p.piece, p.old, p.new) for p in pieces), module=module, age=timedelta(hours=hours))
            for who in people
            for module, pieces in subjects.items()
            if pieces
        )

    def tests(self, *modules: str, rev: str = "change", who: Who = CI) -> tuple[Record, ...]:
        """Makes a pass of the check `unit` of each module at a revision."""
        analysis = self.at(rev)
        return tuple(run(who, module, subject_digests(analysis, module)) for module in modules)


def subject_digests(analysis: Analysis, module: str, check: str = "unit") -> dict[str, str]:
    """Returns what a statement of this module carries."""
    found: dict[str, str] = {}
    for mode in Mode:
        digests = analysis.digests(ModuleId(module), mode)
        found[own_name(mode)] = digests.own
        if check in digests.checks:
            found[check_name(mode)] = digests.checks[check]
    return found


def lacks(decision: Decision) -> set[tuple[str, str, str]]:
    """Returns (rule, subject, need) of everything that closes the gate."""
    return {(item.rule, item.subject, item.need) for item in decision.lacking}


def why(decision: Decision, subject: str) -> str:
    """Returns every reason of a subject's lacking items."""
    found: Iterable[tuple[str, ...]] = (getattr(i.outcome, "why", ()) for i in decision.lacking if i.subject == subject)
    return "\n".join(line for lines in found for line in lines)


__all__ = ["FILES", "POLICY", "ObjectId", "World", "lacks", "subject_digests", "why"]
