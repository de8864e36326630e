"""How are the bytes of objects read, many at once, also where a partial clone has not fetched them?

`cat-file --batch --buffer` reads them in one spawn; a thread feeds it, so neither pipe can fill and block the other.
In a partial clone git would fetch missing blobs one by one (30 ms each); lazy fetching is off here, and what is
missing is fetched in one batch. What cannot be fetched is `NotFetched`, which is not corruption.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from git_assay.errors import AssayError
from git_assay.git.process import Git
from git_assay.values.ids import ObjectId

_NO_LAZY_FETCH = {"GIT_NO_LAZY_FETCH": "1"}
# A tree's worth of blobs is asked in pieces, so that what is read and not yet used stays small.
_FETCH = (
    *("-c", "fetch.negotiationAlgorithm=noop", "fetch"),
    *("--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", "--filter=blob:none", "--no-auto-maintenance"),
    *("--quiet", "--stdin"),
)


class ObjectMissing(AssayError):
    """An object that must exist does not: the repository is damaged, or the id was never here."""


class NotFetched(AssayError):
    """A partial clone lacks an object, and its remote did not give it."""


@dataclass(frozen=True, slots=True)
class GitObjects:
    """The `BlobReader` over git. holder: keeps temporary objects alive as long as this reader; else None."""

    git: Git
    holder: object = None

    def read_blobs(self, oids: Iterable[ObjectId]) -> Iterator[tuple[ObjectId, bytes]]:
        """Yields (oid, bytes) for each asked id once, in the order asked.

        Raises ObjectMissing, or NotFetched in a partial clone; AssayError when an id is not of a blob.
        """
        for oid, kind, data in self.read(oids):
            if kind != "blob":
                raise AssayError(f"object {oid} is a {kind}, not a blob")
            yield oid, data

    def read(self, oids: Iterable[ObjectId]) -> Iterator[tuple[ObjectId, str, bytes]]:
        """Yields (oid, type, bytes) for each asked id once, in the order asked; raises as `read_blobs` does."""
        wanted = list(dict.fromkeys(oids))
        done = 0
        for found in self._batch(wanted):
            done += 1
            yield found
        if done < len(wanted):
            rest = wanted[done:]
            self._fetch_missing(rest)
            for found in self._batch(rest):
                done += 1
                yield found
        if done < len(wanted):
            raise ObjectMissing(f"cannot read object {wanted[done]}", hint="git fsck")

    def ensure(self, oids: Iterable[ObjectId]) -> None:
        """Fetches, in one batch, those objects that a partial clone lacks. Does nothing in a complete clone."""
        if promisor_remotes(self.git):
            self._fetch_missing(list(dict.fromkeys(oids)))

    def _batch(self, wanted: Sequence[ObjectId]) -> Iterator[tuple[ObjectId, str, bytes]]:
        """Yields until all are read, or until git ends at an object that it may not fetch."""
        if not wanted:
            return
        process = self.git.start(["cat-file", "--batch", "--buffer"], env=_NO_LAZY_FETCH)
        stdin, stdout = process.stdin, process.stdout
        if stdin is None or stdout is None:
            raise AssayError("git cat-file has no pipes")
        feeder = threading.Thread(target=_feed, args=(stdin, wanted), daemon=True)
        feeder.start()
        try:
            for oid in wanted:
                found = _read_one(stdout, oid)
                if found is None:
                    return
                yield found
        finally:
            process.kill()
            stdout.close()
            process.wait()
            feeder.join()

    def _fetch_missing(self, wanted: Sequence[ObjectId]) -> None:
        remotes = promisor_remotes(self.git)
        missing = self._absent(wanted)
        for remote in remotes:
            if not missing:
                return
            listing = "".join(f"{oid}\n" for oid in missing).encode()
            # A remote that refuses (or is not reachable) is told by what is still missing afterwards.
            self.git.call([*_FETCH, remote], input=listing, ok=(0, 1, 128, 129))
            missing = self._absent(missing)
        if missing and remotes:
            raise NotFetched(
                f"{len(missing)} objects are not in this partial clone and could not be fetched, first {missing[0]}",
                hint=f"git fetch {remotes[0]} --refetch --filter=blob:none",
            )
        if missing:
            raise ObjectMissing(f"object {missing[0]} is missing", hint="git fsck")

    def _absent(self, wanted: Sequence[ObjectId]) -> list[ObjectId]:
        """Returns which of `wanted` are not here. Lists all local objects: no question about one can then fetch."""
        options = ["--batch-all-objects", "--unordered", "--buffer", "--batch-check=%(objectname)"]
        here = frozenset(self.git.run(["cat-file", *options], env=_NO_LAZY_FETCH).decode().split())
        return [oid for oid in wanted if oid not in here]


def promisor_remotes(git: Git) -> tuple[str, ...]:
    """Returns the remotes that a partial clone may fetch missing objects from; empty in a complete clone."""
    pattern = r"^(remote\..*\.promisor|extensions\.partialclone)$"
    listed = git.run(["config", "-z", "--get-regexp", pattern], ok=(0, 1)).decode("utf-8", "surrogateescape")
    found = []
    for record in listed.split("\0")[:-1]:
        key, _, value = record.partition("\n")
        if key == "extensions.partialclone":
            found.append(value)
        elif value.lower() not in ("false", "no", "off", "0"):
            found.append(key.removeprefix("remote.").removesuffix(".promisor"))
    return tuple(dict.fromkeys(found))


def _feed(stdin: IO[bytes], wanted: Sequence[ObjectId]) -> None:
    try:
        with stdin:
            stdin.write("".join(f"{oid}\n" for oid in wanted).encode())
    except (BrokenPipeError, ValueError):
        return  # git ended early; the reader sees its output end


def _read_one(stdout: IO[bytes], oid: ObjectId) -> tuple[ObjectId, str, bytes] | None:
    header = stdout.readline().decode("ascii", "replace").split()
    if len(header) == 2 and header[1] == "missing":
        return None
    if len(header) != 3 or header[0] != oid:
        return None
    size = int(header[2])
    data = stdout.read(size)
    if len(data) != size or stdout.read(1) != b"\n":
        return None
    return oid, header[1], data
