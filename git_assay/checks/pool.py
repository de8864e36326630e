"""How do independent checks run side by side, and what is kept when someone stops them?

An interrupt (Ctrl-C) in the calling thread, or any error, sets the stop event: running checks are ended with all they
started, waiting ones do not start, and what is finished stays.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

# How often the calling thread looks up while it waits, so that an interrupt is noticed on every system.
_WAIT_S = 0.5


@dataclass(frozen=True, slots=True)
class PoolResult(Generic[Result]):
    """results: of the tasks in order, None for those that did not finish.  interrupted: an interrupt ended the pool."""

    results: tuple[Result | None, ...]
    interrupted: bool


def run_pool(
    tasks: Sequence[Task],
    work: Callable[[Task, threading.Event], Result | None],
    *,
    jobs: int,
    on_done: Callable[[Task, Result], None] = lambda _task, _result: None,
) -> PoolResult[Result]:
    """Returns what `work` made of each task, at most `jobs` at once.

    work: gets the stop event, and returns None when it was stopped before it had a result.  on_done: called in the
    calling thread as each task finishes.  An exception of `work` or `on_done` stops the others and is raised.
    """
    stop = threading.Event()
    executor = ThreadPoolExecutor(max_workers=max(jobs, 1), thread_name_prefix="check")
    futures = [executor.submit(work, task, stop) for task in tasks]
    interrupted = False
    try:
        _follow(tasks, futures, on_done)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        stop.set()
        executor.shutdown(cancel_futures=True)
    return PoolResult(tuple(_result(future) for future in futures), interrupted)


def _follow(
    tasks: Sequence[Task], futures: Sequence[Future[Result | None]], on_done: Callable[[Task, Result], None]
) -> None:
    """Reports each task as it finishes; the first exception of any is raised."""
    task_of = dict(zip(futures, tasks, strict=True))
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, timeout=_WAIT_S, return_when=FIRST_COMPLETED)
        for future in sorted(done, key=futures.index):
            result = future.result()
            if result is not None:
                on_done(task_of[future], result)


def _result(future: Future[Result | None]) -> Result | None:
    """Returns what a task had when the pool ended; a task that failed while the pool was stopping has nothing."""
    if future.cancelled() or future.exception() is not None:
        return None
    return future.result()
