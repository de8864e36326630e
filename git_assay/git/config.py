"""What do git's settings say? Always asked from `git config`: it alone knows includes, scopes, `-c` and variables."""

from __future__ import annotations

from collections.abc import Iterator

from git_assay.git.repository import Repository


def get(repo: Repository, key: str) -> str | None:
    """Returns the value that counts (the last one), or None when the key is not set."""
    values = get_all(repo, key)
    return values[-1] if values else None


def get_bool(repo: Repository, key: str, *, default: bool = False) -> bool:
    """Returns the value as git reads booleans. Raises GitFailed for a value that is none."""
    done = repo.git.call(["config", "-z", "--type=bool", "--get", key], ok=(0, 1))
    return done.out == b"true\0" if done.code == 0 else default


def get_path(repo: Repository, key: str) -> str | None:
    """Returns the value as a path, with a leading `~` expanded by git; None when the key is not set."""
    done = repo.git.call(["config", "-z", "--type=path", "--get", key], ok=(0, 1))
    return _values(done.out)[-1] if done.code == 0 else None


def get_all(repo: Repository, key: str) -> tuple[str, ...]:
    """Returns every value, in git's order (the last one counts)."""
    return _values(repo.git.run(["config", "-z", "--get-all", key], ok=(0, 1)))


def get_section(repo: Repository, section: str) -> dict[str, tuple[str, ...]]:
    """Returns all values of the keys below `section`, for example `assay`, in one spawn. Keys as git spells them."""
    found: dict[str, tuple[str, ...]] = {}
    for key, value in _matching(repo, f"^{section.lower()}\\."):
        found[key] = (*found.get(key, ()), value)
    return found


def get_matching(repo: Repository, pattern: str) -> dict[str, str]:
    """Returns the value that counts of every key that the regular expression matches, in one spawn.

    Keys as git spells them: section and last part in lower case, what is between them as written.
    """
    return dict(_matching(repo, pattern))


def _matching(repo: Repository, pattern: str) -> Iterator[tuple[str, str]]:
    for record in _values(repo.git.run(["config", "-z", "--get-regexp", pattern], ok=(0, 1))):
        key, _, value = record.partition("\n")
        yield key, value


def set_local(repo: Repository, key: str, value: str) -> None:
    """Sets the key in the repository's own configuration, replacing all its values there."""
    repo.git.run(["config", "--local", "--replace-all", key, value])


def add_local(repo: Repository, key: str, value: str) -> None:
    """Adds one more value in the repository's own configuration; nothing happens when it is there already."""
    present = _values(repo.git.run(["config", "--local", "-z", "--get-all", key], ok=(0, 1)))
    if value not in present:
        repo.git.run(["config", "--local", "--add", key, value])


def unset_local(repo: Repository, key: str) -> None:
    """Removes every value of the key from the repository's own configuration; git's 5 means that there was none."""
    repo.git.run(["config", "--local", "--unset-all", key], ok=(0, 5))


def _values(out: bytes) -> tuple[str, ...]:
    return tuple(out.decode("utf-8", "surrogateescape").split("\0")[:-1])
