"""Processes that take turns: each takes an item, works on it beside the others, and gives its answer in its turn.

Input and output are shared, and a turn is passed on round a ring. So answers keep their order, nothing is copied
between processes but the state of the reader, and each process holds one item.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from multiprocessing import Pipe, get_all_start_methods, get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import msgspec

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

State = TypeVar("State")
Item = TypeVar("Item")
Answer = TypeVar("Answer")
Total = TypeVar("Total")

FORKS: Final = "fork" in get_all_start_methods()
"""Whether this system lets a process share its open files with a copy of itself."""


class WorkerLost(Exception):
    """A process ended before its work did."""


class Work(msgspec.Struct, Generic[State, Item, Answer, Total], frozen=True, kw_only=True):
    """`take` reads the next item and says how to go on, None at the end. `give` writes, and adds to the total."""

    take: Callable[[State], tuple[Item, State | None]]
    work: Callable[[Item], Answer]
    give: Callable[[Answer, Total], Total]

    def alone(self, state: State, total: Total) -> Total:
        """All of it in this process."""
        at: State | None = state
        while at is not None:
            item, at = self.take(at)
            total = self.give(self.work(item), total)
        return total

    def shared(self, workers: int, state: State, total: Total) -> Total:
        """The same on several processes. What one of them raises is raised here after all answers before it, and ends
        them all."""
        taking, giving = ([Pipe(duplex=False) for _ in range(workers)] for _ in range(2))
        ended, end = Pipe(duplex=False)

        def run(number: int) -> None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process hears it and ends this one
            Thread(target=_end_with_the_first, daemon=True).start()
            following = (number + 1) % workers
            try:
                while True:  # until the first process has heard the end
                    try:
                        item, at = self.take(taking[number][0].recv())
                        if at is not None:
                            taking[following][1].send(at)
                        answer = self.work(item)
                    finally:
                        so_far = giving[number][0].recv()
                    so_far = self.give(answer, so_far)
                    (end if at is None else giving[following][1]).send(so_far)
            except Exception as error:  # raised again in the first process
                end.send(error)
            os._exit(0)  # what this copy holds of the first process is not its to close

        processes: list[BaseProcess] = []
        try:
            for number in range(workers):
                processes.append(get_context("fork").Process(target=run, args=(number,), daemon=True))
                processes[-1].start()
            taking[0][1].send(state)
            giving[0][1].send(total)
            wait([ended, *(process.sentinel for process in processes)])
            if not ended.poll():
                raise WorkerLost("a worker process ended before its work did")
            message = ended.recv()
        finally:
            for process in processes:
                process.kill()
                process.join()
        if isinstance(message, Exception):
            raise message
        last: Total = message
        return last


def _end_with_the_first() -> None:
    """No process outlives the first, however that one ends: also where it was killed, and this one waits for input."""
    first = parent_process()
    assert first is not None
    first.join()
    os._exit(1)
