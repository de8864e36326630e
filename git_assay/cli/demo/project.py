"""Which small project does the demo work on? Four Python packages with tests; `invoice` imports `tax` imports `money`.

`catalog` stands beside them and imports nothing: it is what stays fresh.
"""

from __future__ import annotations

_CARD = """\
format: assay-card/1
module: {id}
goal: {goal}
owners: [{owner}]
labels: [{label}]
checks:
  - name: unit
    kind: tests
    run: python3 -m unittest -q tests.test_{id}
    timeout: 60
    inputs: [/tests/test_{id}.py]
"""

_TEST = """\
import unittest

from shop.{id} import {name}


class Test{title}(unittest.TestCase):
    def test_{name}(self):
        self.assertEqual({call}, {expected})
"""


def _module(ident: str, goal: str, owner: str, *, label: str, source: str) -> dict[str, str]:
    return {
        f"shop/{ident}/__init__.py": source,
        f"shop/{ident}/assay.yml": _CARD.format(id=ident, goal=goal, owner=owner, label=label),
    }


def _test(ident: str, name: str, call: str, expected: str) -> dict[str, str]:
    body = _TEST.format(id=ident, name=name, title=ident.title(), call=call, expected=expected)
    return {f"tests/test_{ident}.py": body}


MONEY_BEFORE = '''\
"""Amounts in cents."""


def round_cents(amount):
    return int(amount + 0.5)
'''

MONEY_AFTER = '''\
"""Amounts in cents."""

from math import floor


def round_cents(amount):
    """Round half up, also below zero."""
    return floor(amount + 0.5)
'''

_TAX = '''\
"""Tax on an amount."""

from shop.money import round_cents


def tax_on(cents, percent):
    return round_cents(cents * percent / 100)
'''

_INVOICE = '''\
"""The total that a customer pays."""

from shop.tax import tax_on


def total(cents, percent):
    return cents + tax_on(cents, percent)
'''

_CATALOG = '''\
"""Names of what is sold."""


def title(name):
    return name.strip().title()
'''

ALICE = "alice@example.com"
BOB = "bob@example.com"

_PLAIN_CARD = """\
format: assay-card/1
module: {id}
goal: {goal}
owners: [{owner}]
"""

FILES: dict[str, str] = {
    ".gitignore": "__pycache__/\n",
    "shop/__init__.py": "",
    "shop/assay.yml": _PLAIN_CARD.format(id="shop", goal="Hold the packages of the shop.", owner=ALICE),
    "tests/__init__.py": "",
    "tests/assay.yml": _PLAIN_CARD.format(id="suite", goal="Hold the tests of the shop.", owner=BOB),
    **_module("money", "Round amounts of money.", ALICE, label="critical", source=MONEY_BEFORE),
    **_module("tax", "Compute tax.", ALICE, label="critical", source=_TAX),
    **_module("invoice", "Turn an order into a total.", BOB, label="critical", source=_INVOICE),
    **_module("catalog", "Name what is sold.", BOB, label="plain", source=_CATALOG),
    **_test("money", "round_cents", "round_cents(10.5)", "11"),
    **_test("tax", "tax_on", "tax_on(1000, 19)", "190"),
    **_test("invoice", "total", "total(1000, 19)", "1190"),
    **_test("catalog", "title", "title(' red mug ')", "'Red Mug'"),
}

CONFIG = """\
format: assay-config/1
repository: {repository}
extractor: 1
"""

POLICY = """\
format: assay-policy/1
version: 1
roles:
  team: {class: human, principals: [alice@example.com, bob@example.com]}
rules:
  - name: whatever a change reaches is tested
    match: {labels: [critical, plain]}
    when: affected
    require:
      - {kind: tests, by: team}
  - name: critical modules are reviewed by somebody else
    match: {labels: [critical]}
    when: changed
    require:
      - {kind: review, by: team, not: authors}
  - name: everything else is looked at, too
    match: {modules: [shop, suite], paths: ["/.gitignore"]}
    when: changed
    require:
      - {kind: review, by: team, not: authors}
policy_changes: {by: team, not: authors}
"""
