"""Hermetic git for every test: a temporary HOME, no system configuration, fixed names and dates."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def hermetic_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Gives the fixtures of modules the environment that tests have."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        _clean_environment(tmp_path_factory.mktemp("home"), monkeypatch)
        yield


@pytest.fixture(autouse=True)
def hermetic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Clears every GIT_* and key variable, so that a test can never touch the repository it runs in.

    A test that leaves the environment changed fails, since it would change what the tests after it mean.
    """
    with pytest.MonkeyPatch.context() as monkeypatch:
        home = tmp_path_factory.mktemp("home")
        _clean_environment(home, monkeypatch)
        before = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        yield home
        after = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        for name in after.keys() - before.keys():
            del os.environ[name]
        assert after == before, "a test left the environment changed"


def _clean_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("GIT_", "SSH_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n"
        '[commit]\n\tgpgSign = false\n[core]\n\teditor = false\n\tfsync = none\n[protocol "file"]\n\tallow = always\n'
        "[gc]\n\tauto = 0\n[advice]\n\tdetachedHead = false\n"
    )
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
    monkeypatch.setenv("GIT_TERMINAL_PROMPT", "0")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("TZ", "UTC")
