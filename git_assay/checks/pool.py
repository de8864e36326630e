"""How do independent checks run side by side, and what is kept when someone stops them?

Each worker takes the next task; what a task finishes is handed to the caller at once. An interrupt (Ctrl-C) in the
calling thread, or any other error, sets the stop event: running checks are ended with all they started, and what is
finished stays.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


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
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[int, Result | None, BaseException | None]] = queue.SimpleQueue()
    stop = threading.Event()
    for place in range(len(tasks)):
        waiting.put(place)

    def serve() -> None:
        while not stop.is_set():
            try:
                place = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                done.put((place, work(tasks[place], stop), None))
            except BaseException as error:  # noqa: BLE001 - handed to the calling thread, which raises it
                done.put((place, None, error))

    workers = [threading.Thread(target=serve, daemon=True) for _ in range(min(max(jobs, 1), len(tasks)))]
    results: list[Result | None] = [None] * len(tasks)
    interrupted = False
    try:
        for worker in workers:
            worker.start()
        for _ in tasks:
            place, result, error = done.get()
            if error is not None:
                raise error
            results[place] = result
            if result is not None:
                on_done(tasks[place], result)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        stop.set()
        for worker in workers:
            worker.join()
    # What finished while the pool was stopping counts as finished.
    while not done.empty():
        place, result, error = done.get()
        if error is None and results[place] is None:
            results[place] = result
    return PoolResult(tuple(results), interrupted)
