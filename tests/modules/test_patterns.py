"""Do patterns mean what git means by them?"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_assay.modules.patterns import Pattern
from git_assay.values.ids import TreePath

ROOT = TreePath(b"")


@pytest.mark.parametrize(
    ("text", "directory", "path", "expected"),
    [
        ("*.py", b"src", b"src/a.py", True),
        ("*.py", b"src", b"src/deep/a.py", True),
        ("*.py", b"src", b"lib/a.py", False),
        ("a/*.py", b"src", b"src/a/b.py", True),
        ("a/*.py", b"src", b"src/a/b/c.py", False),
        ("/common/x.py", b"src", b"common/x.py", True),
        ("/common", b"src", b"common/deep/x.py", True),
        ("common/", b"", b"common", False),
        ("common/", b"", b"src/common/x", True),
        ("**/x", b"", b"x", True),
        ("a/**", b"", b"a/b/c", True),
        ("a/**", b"", b"a", False),
        ("a/**/b", b"", b"a/b", True),
        ("[!a].py", b"", b"b.py", True),
        ("[!a].py", b"", b"a.py", False),
        ("\\*.py", b"", b"*.py", True),
        ("caf?.py", b"", b"caf\xe9.py", True),
        ("", b"", b"a", False),
        ("/", b"", b"a", False),
        ("//a", b"", b"a", False),
        ("a//b", b"", b"a/b", False),
        ("**/**/b", b"", b"b", True),
        ("*a*a*", b"", b"baab", True),
        ("a*b/c*d", b"", b"axb/cxd/e", True),
    ],
)
def test_a_pattern_matches_as_documented(text: str, directory: bytes, path: bytes, expected: bool) -> None:
    assert Pattern(text, TreePath(directory)).matches(TreePath(path)) is expected


TOKENS = st.sampled_from(["a", "b", "*", "?", "**", "**/", "/", "[ab]", "[!a]", "\\a"])
WORDS = st.one_of(
    st.text(st.sampled_from("ab*?[]!-/\\."), min_size=1, max_size=7),
    st.lists(TOKENS, min_size=1, max_size=9).map("".join),
).filter(lambda word: not word.startswith(("!", "#")) and not word.endswith(("\\", " ")))
PATHS = st.lists(st.text(st.sampled_from("ab.-]["), min_size=1, max_size=3), min_size=1, max_size=5).filter(
    lambda parts: not {".", ".."} & set(parts)
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ignore")
    subprocess.run(["git", "init", "-q", str(path)], check=True)
    return path


@settings(max_examples=120, deadline=None)
@given(word=WORDS, paths=st.lists(PATHS, min_size=1, max_size=6))
def test_a_pattern_matches_what_git_would_ignore(repository: Path, word: str, paths: list[list[str]]) -> None:
    (repository / ".git" / "info").mkdir(exist_ok=True)
    (repository / ".git" / "info" / "exclude").write_text(word + "\n")
    names = sorted({"/".join(parts) for parts in paths})
    done = subprocess.run(
        ["git", "-C", str(repository), "check-ignore", "--no-index", "-z", "--stdin"],
        input="\0".join(names).encode(),
        capture_output=True,
        check=False,
    )
    ignored = {name for name in done.stdout.decode().split("\0") if name}
    pattern = Pattern(word, ROOT)
    assert {name for name in names if pattern.matches(TreePath(name.encode()))} == ignored


def test_a_pattern_without_special_characters_names_one_path() -> None:
    assert Pattern("a/b.py", TreePath(b"src")).exact == b"src/a/b.py"
    assert Pattern("/a.py", TreePath(b"src")).exact == b"a.py"
    assert Pattern("*.py", TreePath(b"src")).exact is None
    assert Pattern("a/", TreePath(b"src")).exact is None
    assert Pattern("//a", TreePath(b"src")).exact is None


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("**/" * 40 + "x", b"a/" * 200 + b"y"),
        ("**/a/" * 40 + "x", b"a/" * 200 + b"y"),
        ("**/*a*/" * 20 + "x", b"aaaa/" * 200 + b"y"),
        ("*a" * 60 + "b", b"a" * 250),
        ("[ab]*?*" * 60 + "c", b"ab" * 120),
    ],
)
def test_no_pattern_makes_matching_slow(text: str, path: bytes) -> None:
    """Without atomic groups each of these takes longer than any test run."""
    assert not Pattern(text, ROOT).matches(TreePath(path))
