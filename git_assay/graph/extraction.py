"""How are many blobs extracted at once?

This process reads; other processes parse (the parser holds the interpreter lock, so threads gain nothing). A few
batches are on their way at a time, so memory stays bounded. The facts do not depend on the number of processes. Where
no process can be started, or one dies, this process does the work.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future
from typing import TYPE_CHECKING

from git_assay.graph.encoding import Tier, encode_facts
from git_assay.syntax.languages import get
from git_assay.values.ids import ObjectId

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Batch = list[tuple[ObjectId, bytes]]
Encoded = dict[ObjectId, bytes]

_WAITING_PER_WORKER = 3


def extract(batch: Batch, tier: Tier, language: str) -> Encoded:
    """Returns the encoded facts of a batch."""
    known = get(language)
    function = known.imports if tier is Tier.IMPORTS else known.definitions
    return {oid: encode_facts(function(data)) for oid, data in batch}


def extract_all(
    batches: Iterator[Batch], tier: Tier, language: str, *, workers: int | None = None
) -> Iterator[tuple[Batch, Encoded]]:
    """Yields each batch with its encoded facts, in order. workers: None for one process per core."""
    count = workers if workers is not None else _cores()
    pool = _pool(count) if count > 1 else None
    if pool is None:
        for batch in batches:
            yield batch, extract(batch, tier, language)
        return
    with pool:
        waiting: deque[tuple[Batch, Future[Encoded] | None]] = deque()
        for batch in batches:
            waiting.append((batch, _submit(pool, batch, tier, language)))
            if len(waiting) >= count * _WAITING_PER_WORKER:
                yield _collect(*waiting.popleft(), tier, language)
        while waiting:
            yield _collect(*waiting.popleft(), tier, language)


def _submit(pool: ProcessPoolExecutor, batch: Batch, tier: Tier, language: str) -> Future[Encoded] | None:
    try:
        return pool.submit(extract, batch, tier, language)
    except (BrokenExecutor, OSError, RuntimeError):
        return None


def _collect(batch: Batch, future: Future[Encoded] | None, tier: Tier, language: str) -> tuple[Batch, Encoded]:
    if future is not None:
        try:
            return batch, future.result()
        except (BrokenExecutor, OSError):
            pass  # a worker was killed or could not start
    return batch, extract(batch, tier, language)


def _pool(count: int) -> ProcessPoolExecutor | None:
    """Returns a pool that is safe whatever threads this process has: never a plain fork."""
    import multiprocessing  # costly to import, and a warm run has no use for it
    from concurrent.futures import ProcessPoolExecutor

    try:
        methods = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        return ProcessPoolExecutor(count, mp_context=context)
    except (ImportError, OSError, ValueError):
        return None


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1
