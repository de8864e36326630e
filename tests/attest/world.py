"""How does a test get an adopted repository with keys, and type commands in it?"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from git_assay.cli import dispatch
from git_assay.cli.session import Session
from tests.repos import Repo

_CONFIG = "format: assay-config/1\nrepository: 0123456789abcdef0123456789abcdef\nextractor: 1\n"
_CARD = """\
format: assay-card/1
module: {name}
goal: Be {name}.
owners: [alice@example.com]
checks:
  - {{name: unit, kind: tests, run: {run!r}, inputs: []}}
"""


@dataclass
class World:
    """repo: main holds modules app -> mid -> low -> base, and other.  now: moves a minute with every command."""

    repo: Repo
    keys: Path
    capsys: pytest.CaptureFixture[str]
    now: datetime = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    env: Mapping[str, str] = field(default_factory=dict)

    def assay(self, *args: str, by: str = "alice") -> tuple[int, str]:
        """Returns exit code and stdout of `git assay ARGS`, run in this process. AssayError passes through."""
        self.now += timedelta(minutes=1)
        key = {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "assay.signingKey",
            "GIT_CONFIG_VALUE_0": str(self.keys / by),
        }
        now = self.now
        session = Session(cwd=self.repo.path, env={**os.environ, **key, **self.env}, clock=lambda: now)
        self.capsys.readouterr()
        code = dispatch.run_verb(args, session)
        return code, self.capsys.readouterr().out

    def json(self, *args: str, by: str = "alice") -> Any:
        """Returns the JSON document that a command prints."""
        return json.loads(self.assay(*args, "--json", by=by)[1])

    def records(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.json("log")["records"]
        return found

    def plan(self) -> dict[str, set[str]]:
        """Returns which modules' checks are fresh and which would run."""
        found = self.json("attest", "--all", "--dry-run")
        return {name: {one["module"] for one in found[name]} for name in ("fresh", "unrun")}


def card(name: str, run: str = "true") -> str:
    return _CARD.format(name=name, run=run)


def make_world(path: Path, capsys: pytest.CaptureFixture[str]) -> World:
    """Returns a repository with one commit on main; alice and bob have keys that count."""
    repo = Repo(path / "repo").init()
    world = World(repo, path / "keys", capsys)
    repo.write(".assay/config.yml", _CONFIG)
    repo.write(".assay/policy.yml", "format: assay-policy/1\n")
    repo.write(".assay/revoked_keys", "")
    for name, imports in {"app": "mid", "mid": "low", "low": "base", "base": "", "other": ""}.items():
        repo.write(f"{name}/assay.yml", card(name))
        repo.write(f"{name}/__init__.py", f"import {imports}\n" if imports else "value = 1\n")
    for person in ("alice", "bob", "eve"):
        world.assay("key", "new", "--file", str(world.keys / person), "--principal", f"{person}@example.com")
        if person != "eve":
            world.assay("key", "add", f"{person}@example.com", by=person)
    repo.commit("modules")
    return world
