"""What reaches a check of the caller's environment?"""

from __future__ import annotations

from pathlib import Path

import pytest

from git_assay.checks.environment import child_environment, environment_digest, is_withheld


@pytest.mark.parametrize(
    "name",
    [
        "SSH_AUTH_SOCK",
        "SSH_AGENT_PID",
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_CONFIG_PARAMETERS",
        "GPG_AGENT_INFO",
        "GITHUB_TOKEN",
        "ACTIONS_ID_TOKEN_REQUEST_URL",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_ACCESS_KEY_ID",
        "DB_PASSWORD",
        "PGPASSWORD",
        "OPENAI_API_KEY",
        "STRIPE_APIKEY",
        "GH_PAT",
        "npm_config__auth",
        "ASSAY_SIGNING_KEY",
    ],
)
def test_agents_hooks_and_secrets_are_withheld(name: str) -> None:
    assert is_withheld(name, "value")


@pytest.mark.parametrize(
    "name", ["PATH", "HOME", "LANG", "PWD", "PYTHONPATH", "KEYBOARD", "XDG_CONFIG_HOME", "COMPASS"]
)
def test_what_tools_need_is_kept(name: str) -> None:
    assert not is_withheld(name, "/usr/bin")


@pytest.mark.parametrize(
    "value", ["-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA", "postgres://app:hunter2@db/app", "see https://x:y@host/p"]
)
def test_secrets_are_recognized_by_value(value: str) -> None:
    assert is_withheld("PLAIN", value)


def test_child_environment_names_the_run_and_a_fresh_place_for_bytecode(tmp_path: Path) -> None:
    given = {"PATH": "/bin", "GIT_DIR": "x", "PYTHONPYCACHEPREFIX": "/elsewhere", "ASSAY_RUN": "old"}
    env = child_environment(given, root=tmp_path, run="r1", bytecode=tmp_path / "pyc")
    assert env == {
        "PATH": "/bin",
        "PWD": str(tmp_path),
        "ASSAY_RUN": "r1",
        "PYTHONPYCACHEPREFIX": str(tmp_path / "pyc"),
    }


def test_environment_digest_follows_what_tells_and_nothing_else() -> None:
    base = environment_digest("sh x", {"PATH": "/bin:/usr/bin", "TZ": "UTC", "EDITOR": "a"})
    assert environment_digest("sh x", {"PATH": "/bin:/usr/bin", "TZ": "UTC", "EDITOR": "b"}) == base
    assert environment_digest("sh x", {"PATH": "/bin:/usr/bin", "TZ": "CET", "EDITOR": "a"}) != base
    assert environment_digest("A=1 sh x", {"PATH": "/bin:/usr/bin", "TZ": "UTC"}) == base
    assert environment_digest("cat x", {"PATH": "/bin:/usr/bin", "TZ": "UTC"}) != base


@pytest.mark.parametrize("command", ["", "'unclosed", "no-such-program-anywhere", "A=1"])
def test_environment_digest_exists_for_every_command(command: str) -> None:
    assert len(environment_digest(command, {"PATH": "/nowhere"})) == 64
