"""Do checks run side by side, and does a stop keep what is finished?"""

from __future__ import annotations

import threading

import pytest

from git_assay.checks.pool import run_pool


def test_results_keep_the_order_of_the_tasks() -> None:
    result = run_pool((3, 1, 2), lambda task, _stop: task * 10, jobs=2)
    assert result.results == (30, 10, 20)
    assert not result.interrupted


def test_tasks_really_overlap() -> None:
    barrier = threading.Barrier(2)
    result = run_pool((1, 2), lambda task, _stop: barrier.wait(20) * 0 + task, jobs=2)
    assert result.results == (1, 2)


def test_one_job_runs_one_at_a_time() -> None:
    running = threading.Semaphore(1)

    def work(task: int, _stop: threading.Event) -> bool:
        free = running.acquire(blocking=False)
        if free:
            running.release()
        return free and task >= 0

    assert run_pool(tuple(range(5)), work, jobs=1).results == (True,) * 5


def test_no_tasks_are_no_results() -> None:
    assert run_pool((), lambda task, _stop: task, jobs=4).results == ()


def test_an_interrupt_keeps_what_is_finished_and_stops_the_rest() -> None:
    def work(task: int, stop: threading.Event) -> int | None:
        return task if task == 0 else (None if stop.wait(60) else task)

    def interrupt(_task: int, _result: int) -> None:
        raise KeyboardInterrupt

    result = run_pool((0, 1, 2), work, jobs=2, on_done=interrupt)
    assert result.interrupted
    assert result.results == (0, None, None)


def test_an_error_stops_the_others_and_is_raised() -> None:
    def work(task: int, stop: threading.Event) -> int:
        if task == 0:
            raise ValueError("broken")
        stop.wait(60)
        return task

    with pytest.raises(ValueError, match="broken"):
        run_pool((0, 1), work, jobs=2)
