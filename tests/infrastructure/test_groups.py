"""Calls of several threads, run in groups by one of them."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from rental_app.infrastructure.groups import Groups
from tests.support.groups import SECONDS, wait_for_calls


class Line:
    """Groups whose first run lasts until it is told to end; later calls wait in line meanwhile."""

    def __init__(self, most: int, *, fails: bool = False) -> None:
        self.runs: list[list[int]] = []
        self.threads: list[str] = []
        self.may_end, self._begun, self._fails = threading.Event(), threading.Event(), fails
        self.groups: Groups[int] = Groups(self._run, most)

    def _run(self, calls: list[int]) -> None:
        self.runs.append(calls)
        self.threads.append(threading.current_thread().name)
        self._begun.set()
        assert self.may_end.wait(SECONDS)
        if self._fails:
            raise OSError(str(calls))

    def with_calls(self, threads: ThreadPoolExecutor, *calls: int) -> list[Future[None]]:
        """Make the first call, then the others one after the other while it runs, then let it end."""
        made = [threads.submit(self.groups.run, calls[0])]
        assert self._begun.wait(SECONDS)
        for number, call in enumerate(calls[1:], 1):
            made.append(threads.submit(self.groups.run, call))
            wait_for_calls(self.groups, number)
        self.may_end.set()
        return made


def test_calls_made_while_a_group_runs_are_the_next_groups() -> None:
    line = Line(most=2)
    with ThreadPoolExecutor(4) as threads:
        made = line.with_calls(threads, 1, 2, 3, 4)
    assert [each.result() for each in made] == [None] * 4
    assert line.runs == [[1], [2, 3], [4]]
    # None runs more than the group of its own call, however many come later.
    assert len(set(line.threads)) == 3


def test_what_a_run_raises_reaches_all_of_its_group_and_nobody_else() -> None:
    line = Line(most=2, fails=True)
    with ThreadPoolExecutor(4) as threads:
        made = line.with_calls(threads, 1, 2, 3, 4)
    assert [str(each.exception()) for each in made] == ["[1]", "[2, 3]", "[2, 3]", "[4]"]


def test_a_call_after_a_failure_is_run() -> None:
    line = Line(most=2, fails=True)
    line.may_end.set()
    for call in (1, 2):
        with pytest.raises(OSError, match=str(call)):
            line.groups.run(call)
