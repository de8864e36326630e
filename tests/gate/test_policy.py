"""Tests of loading policies and exemptions: every problem, at its place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

import pytest

from git_assay.gate.load import EXEMPTIONS_PATH, POLICY_PATH, load_exemptions, load_policy
from git_assay.gate.policy import Enforcement, Policy, class_of, in_role, parse_enforcement, parse_span
from git_assay.git.snapshot import MODE_FILE, Entry, Snapshot
from git_assay.values.ids import ObjectId, Principal, TreePath

GOOD = """\
format: assay-policy/1
version: 7
roles:
  maintainers: {class: human, principals: [alice@example.com, bob@example.com]}
  ci:          {class: ci, principals: [ci@acme.example]}
  agents:      {class: agent, principals: ["*@agents.acme.example"]}
rules:
  - name: critical modules
    match: {labels: [critical]}
    when: affected
    require:
      - {kind: tests, by: ci}
      - {kind: review, by: maintainers, count: 2, not: authors, chain: 5}
  - name: agents get a human
    match: all
    when: changed
    if: {author: agents}
    require: [{kind: review, by: maintainers}]
cones: {open: whole, unparsed: fail, unowned: {max: 0.05}}
policy_changes: {by: maintainers, count: 2}
"""


class Blobs:
    """Blobs of a test, by id."""

    def __init__(self, files: dict[TreePath, bytes]) -> None:
        self.by_oid = {ObjectId(hashlib.sha1(data).hexdigest()): data for data in files.values()}

    def read_blobs(self, oids: Iterable[ObjectId]) -> Iterator[tuple[ObjectId, bytes]]:
        for oid in oids:
            yield oid, self.by_oid[oid]


def snapshot(files: dict[TreePath, bytes]) -> Snapshot:
    entries = {path: Entry(MODE_FILE, ObjectId(hashlib.sha1(data).hexdigest())) for path, data in sorted(files.items())}
    return Snapshot(ObjectId("0" * 40), entries, Blobs(files))


def load(text: str) -> tuple[Policy | None, tuple[str, ...]]:
    policy, problems = load_policy(snapshot({POLICY_PATH: text.encode()}))
    return policy, tuple(map(str, problems))


def test_the_policy_of_the_design_loads() -> None:
    policy, problems = load(GOOD)
    assert problems == ()
    assert policy is not None
    assert policy.version == 7
    assert policy.rules[0].require[1].excluded == "authors"
    assert policy.rules[1].condition is not None
    assert policy.cones.unowned is not None


def test_a_tree_without_a_policy_has_none() -> None:
    assert load_policy(snapshot({})) == (None, ())


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("when: affected", "whem: affected", 10, "did you mean 'when'?"),
        ("by: ci}", "by: cl}", 12, "unknown role cl"),
        ("count: 2, not: authors", "count: 0, not: authors", 13, "at least 1"),
        ("policy_changes: {by: maintainers, count: 2}\n", "", 1, "needs the key 'policy_changes'"),
        ("policy_changes: {by: maintainers", "policy_changes: {by: agents", 20, "is of class agent"),
        ("policy_changes: {by: maintainers", "policy_changes: {by: owners", 20, "policy_changes needs a role"),
        ("by: maintainers, count: 2, not", "by: ci, count: 2, not", 13, "a review needs people"),
        ("version: 7", "version: 0", 2, "at least 1"),
        ("match: {labels: [critical]}", "match: {}", 9, "matches by nothing"),
        ("if: {author: agents}", "if: {}", 17, "an `if` names"),
        ("if: {author: agents}", "enforce: maybe", 17, "enforce is yes, no or"),
        ("require: [{kind: review, by: maintainers}]", "require: []", 18, "requires nothing"),
        ("chain: 5", "max_age: soon", 13, "a span is a number"),
        ("principals: [ci@acme.example]", "principals: [alice@example.com]", 4, "roles of classes ci and human"),
        ("name: agents get a human", "name: critical modules", 14, "two rules are named"),
        ("open: whole", "open: perhaps", 19, "must be fail or whole"),
    ],
)
def test_a_wrong_policy_is_refused_with_its_line(old: str, new: str, line: int, said: str) -> None:
    assert old in GOOD
    _, problems = load(GOOD.replace(old, new, 1))
    assert any(problem.startswith(f".assay/policy.yml:{line}:") and said in problem for problem in problems), problems


def test_an_empty_list_of_rules_is_refused_since_it_would_not_open_anything() -> None:
    head, _, rest = GOOD.partition("rules:\n")
    _, problems = load(head + "rules: []\n" + rest[rest.index("cones:") :])
    assert any("no rule" in problem for problem in problems)


def test_every_problem_is_reported_at_once() -> None:
    _, problems = load(GOOD.replace("by: ci}", "by: nobody}").replace("chain: 5", "max_age: soon"))
    assert len(problems) == 2


def test_an_agent_pattern_wins_over_every_other_role() -> None:
    policy, _ = load(GOOD.replace("bob@example.com]", "'*']"))
    assert policy is not None
    assert class_of(policy, Principal("fixer@agents.acme.example")) == "agent"
    assert class_of(policy, Principal("bob@example.com")) == "human"


def test_only_a_star_is_special_in_a_role() -> None:
    policy, _ = load(GOOD.replace("ci@acme.example", "'c?[i]@acme.example'"))
    assert policy is not None
    assert not in_role(policy.roles["ci"], Principal("cxi@acme.example"))


def test_enforcement_begins_on_its_day() -> None:
    rule = parse_enforcement("from 2026-12-31")
    assert rule == Enforcement(True, date(2026, 12, 31))
    assert not rule.closes(date(2026, 12, 30))
    assert rule.closes(date(2026, 12, 31))
    assert not parse_enforcement("no").closes(date(2026, 12, 31))


@pytest.mark.parametrize("text", ["", "90", "d", "-1d", "1.5d", "90days", "99999d"])
def test_a_malformed_span_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a span is"):
        parse_span(text)


def test_spans_are_hours_days_and_weeks() -> None:
    assert parse_span("36h") == timedelta(hours=36)
    assert parse_span("2w") == timedelta(days=14)


def test_an_exemption_without_a_readable_date_is_refused() -> None:
    text = (
        "format: assay-exemptions/1\nexemptions:\n"
        "  - {module: m, requirement: review, scope: own, digest: abc, reason: old, until: someday}\n"
    )
    _, problems = load_exemptions(snapshot({EXEMPTIONS_PATH: text.encode()}))
    assert [str(problem) for problem in problems] == [
        ".assay/exemptions.yml:3:83: not a date of the form 2026-12-31: someday"
    ]
