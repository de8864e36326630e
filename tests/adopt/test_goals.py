"""Which goal is proposed for a package?"""

from __future__ import annotations

import pytest

from git_assay.adopt.propose import Adopter, propose
from git_assay.documents.reader import decode
from git_assay.graph.store import FactStore
from git_assay.modules.card import Card
from git_assay.values.ids import TreePath
from git_assay.values.moments import parse_day
from tests.snapshots import memory_snapshot

DULL = "Hold what lies under p/."


def goal_of(opening: str) -> str:
    snapshot = memory_snapshot({"p/__init__.py": opening})
    adopter = Adopter("me@example.com", "a" * 32, None, parse_day("2026-11-30"))
    proposal = propose(snapshot, adopter, FactStore(None, lambda: snapshot.reader))
    path = TreePath(b"p/assay.yml")
    card, problems = decode(proposal.files[path], path=path, type=Card)
    assert card is not None, problems
    return card.goal


@pytest.mark.parametrize(
    ("opening", "goal"),
    [
        ('"""Django\'s support for templates."""\n', "Django's support for templates."),
        ("'''Say \"yes\" to: all.'''\n", 'Say "yes" to: all.'),
        ('#!/usr/bin/python\n# -*- coding: utf-8 -*-\n\nr"""Raw."""\n', "Raw."),
        (
            '"""\nA sentence that goes\nover two lines. And another.\n\nMore.\n"""\n',
            "A sentence that goes over two lines.",
        ),
        ('"""\nTitle\n=====\n\nText.\n"""\n', "Title"),
        ('"""Uses e.g. tables. Then more."""\n', "Uses e.g. tables."),
        ("'One line'\n", "One line"),
        ('"""Not closed', "Not closed"),
        ('"""' + "word " * 100 + '"""', "word " * 31 + "word ..."),
        ('""" """\nx = 1\n', DULL),
        ('"""===="""\n', DULL),
        ("x = 'not a docstring'\n", DULL),
        ("", DULL),
        ('"""A \x07 bell: {of} [brackets] # and a hash"""', "A \x07 bell: {of} [brackets] # and a hash"),
    ],
)
def test_the_goal_is_the_first_sentence_of_the_docstring(opening: str, goal: str) -> None:
    assert goal_of(opening) == goal
