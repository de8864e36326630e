"""Which files of the tree does a command line name?

A shell command is not parsed, it is combed: every word, every part of a word between shell punctuation, option values,
paths before `::`, words relative to each directory that is named too, globs, `-m` and `-p` (a plugin) with the name of
a Python module, and dotted names of modules anywhere (`python -c "import tools.check"`). What
it finds too much only makes a check depend on more. What a command reads without naming it belongs into `inputs`.
"""

from __future__ import annotations

import fnmatch
import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence

from git_assay.cones.paths import TreePaths
from git_assay.values.ids import TreePath

_PUNCTUATION = re.compile(r"[\s'\"`$(){}<>=,;|&:@!]+")
_GLOB = re.compile(r"[*?\[]")


def named_files(command: str, paths: TreePaths) -> frozenset[TreePath]:
    """Returns the files that the command names; a directory stands for all beneath it."""
    words = tuple(dict.fromkeys(_words(command)))
    found: set[TreePath] = set()
    for base in _bases(words, paths):
        for word in words:
            found.update(_matching(word, base, paths))
    for name in _module_names(command):
        found.update(_module_files(name, paths))
    return frozenset(found)


def _words(command: str) -> Iterator[str]:
    try:
        words = shlex.split(command)
    except ValueError:  # an unbalanced quote: the shell will refuse it, but its words still count
        words = command.split()
    for word in words:
        yield word
        yield word.split("::", 1)[0]
        yield from filter(None, _PUNCTUATION.split(word))


def _bases(words: Sequence[str], paths: TreePaths) -> list[bytes]:
    """Returns the directories that the command may stand in: the root, and each that it names (`cd web && …`)."""
    named = [path for word in words if (path := _normal(word, b"")) and paths.beneath(path)]
    return [b"", *dict.fromkeys(named)]


def _matching(word: str, base: bytes, paths: TreePaths) -> Iterator[TreePath]:
    path = _normal(word, base)
    if path is None:
        return
    if path in paths:
        yield path
    elif _GLOB.search(word):  # `*` may cross a slash here: more, never less
        pattern = re.compile(fnmatch.translate(path.decode("utf-8", "surrogateescape")), re.DOTALL)
        names = ((found, found.decode("utf-8", "surrogateescape")) for found in paths)
        yield from (found for found, name in names if pattern.match(name))
    else:
        yield from paths.beneath(path)


def _normal(word: str, base: bytes) -> TreePath | None:
    """Returns the path inside the tree, b"" for the root; None when the word leads out of it."""
    raw = word.encode("utf-8", "surrogateescape")
    if not raw or raw.startswith((b"/", b"-")) or b"\0" in raw:
        return None
    path = posixpath.normpath(posixpath.join(base, raw))
    if path == b".":
        return TreePath(b"")
    return None if path.startswith(b"../") or path == b".." else TreePath(path)


def _module_names(command: str) -> list[str]:
    return [
        *re.findall(r"(?:^|\s)-[mp][\s=]*([A-Za-z_][\w.]*)", command),
        *re.findall(r"(?<![\w./-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?![\w./-])", command),
    ]


def _module_files(name: str, paths: TreePaths) -> Iterator[TreePath]:
    """Yields every file that could be this Python module, whatever the root it is found from.

    Its packages' `__init__.py` need no mention: the file's own component imports them.
    """
    stem = name.encode().replace(b".", b"/")
    yield from paths.ending(stem + b".py", stem + b"/__main__.py", stem + b"/__init__.py")
