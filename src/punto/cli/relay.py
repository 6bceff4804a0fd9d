"""Processes that take turns: each takes an item, works on it beside the others, and gives its answer in its turn.

Input and output are shared, and a turn is passed on round a ring. So answers keep their order, nothing is copied
between processes but the state of the reader, and each process holds one item.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from multiprocessing import Pipe, get_all_start_methods, get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import msgspec

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
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
        """The same on several processes. What one of them raises is raised here, and ends them all."""
        taking, giving = ([Pipe(duplex=False) for _ in range(workers)] for _ in range(2))
        ended, end = Pipe(duplex=False)

        def run(number: int) -> None:
            following = (number + 1) % workers
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process hears it and ends this one
            try:
                while (at := taking[number][0].recv()) is not None:
                    item, at = self.take(at)
                    taking[following][1].send(at)
                    answer = self.work(item)
                    so_far = self.give(answer, giving[number][0].recv())
                    giving[following][1].send(so_far)
                    if at is None:
                        end.send(so_far)
                taking[following][1].send(None)
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
            message = _first_message(ended, processes)
        finally:
            for process in processes:
                process.kill()
                process.join()
        if isinstance(message, Exception):
            raise message
        last: Total = message
        return last


def _first_message(ended: Connection, processes: list[BaseProcess]) -> Any:
    running = list(processes)
    while not ended.poll():
        wait([ended, *(process.sentinel for process in running)])
        running = [process for process in running if process.is_alive()]
        if any(process.exitcode for process in processes) and not ended.poll():
            raise WorkerLost("a worker process ended before its work did")
    return ended.recv()
