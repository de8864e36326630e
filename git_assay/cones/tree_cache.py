"""What did an earlier run already find out about this tree? One small file per tree and section.

A tree never changes, so what follows from it is kept under its id and the versions of everything that takes part. Files
appear whole (temporary name, then rename), carry their own SHA-256, and the oldest are removed. A file that is missing,
cut off, altered or of another version is a miss, never an error; a cache that cannot be written is not written.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from pathlib import Path
from typing import TypeVar

import msgspec

from git_assay.values.ids import ObjectId

T = TypeVar("T")

# Four sections for each of 64 trees: a branch under work and its base, several times over.
_MOST_FILES = 256
_CHECKSUM_BYTES = 32
_LEVEL = 1  # zlib: the fastest, which already saves nine tenths of an import graph


class TreeCache:
    """Sections of trees. folder: where the files are, None for no cache.  version: of all that makes the values."""

    def __init__(self, folder: Path | None, version: str) -> None:
        self._folder = folder
        self._version = hashlib.sha256(version.encode()).hexdigest()[:16]

    def load(self, tree: ObjectId, section: str, kind: type[T]) -> T | None:
        """Returns the value of a section, None when there is none that can be used."""
        if self._folder is None:
            return None
        try:
            data = self._path(self._folder, tree, section).read_bytes()
            body = data[_CHECKSUM_BYTES:]
            if hashlib.sha256(body).digest() != data[:_CHECKSUM_BYTES]:
                return None
            return msgspec.msgpack.decode(zlib.decompress(body), type=kind)
        except (OSError, zlib.error, msgspec.DecodeError):
            return None

    def save(self, tree: ObjectId, section: str, value: object) -> None:
        """Keeps the value of a section, where that is possible."""
        if self._folder is None:
            return
        try:
            body = zlib.compress(msgspec.msgpack.encode(value), _LEVEL)
            self._folder.mkdir(parents=True, exist_ok=True)
            _write(self._path(self._folder, tree, section), hashlib.sha256(body).digest() + body)
            _prune(self._folder)
        except (OSError, UnicodeEncodeError):
            return  # full, read-only, or text that is not Unicode: it is made again next time

    def _path(self, folder: Path, tree: ObjectId, section: str) -> Path:
        return folder / f"{tree}.{section}.{self._version}"


def _write(path: Path, data: bytes) -> None:
    import tempfile  # only a tree that is new is written

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _prune(folder: Path) -> None:
    with os.scandir(folder) as found:
        files = [entry for entry in found if entry.is_file(follow_symlinks=False)]
    if len(files) <= _MOST_FILES:
        return
    ages = sorted((entry.stat(follow_symlinks=False).st_mtime_ns, entry.path) for entry in files)
    for _, path in ages[: len(files) - _MOST_FILES]:
        Path(path).unlink(missing_ok=True)
