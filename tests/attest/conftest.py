"""A small adopted repository for every test that asks for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attest.world import World, make_world


@pytest.fixture
def world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> World:
    return make_world(tmp_path, capsys)
