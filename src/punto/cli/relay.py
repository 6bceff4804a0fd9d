"""Worker processes in a ring. Each takes an item, works on it in parallel with the others, and writes in its turn.

The processes share input and output. Answers keep the order of the items, and each process holds one item at a time.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from multiprocessing import Pipe, get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    Pipes = list[tuple[Connection, Connection]]

State = TypeVar("State")
Item = TypeVar("Item")
Answer = TypeVar("Answer")
Total = TypeVar("Total")


class WorkerLost(Exception):
    """A worker could not be started, or ended before its work was done."""


class Work(msgspec.Struct, Generic[State, Item, Answer, Total], frozen=True, kw_only=True):
    """`take` reads an item and returns the next state, None at the end. `give` writes, and adds to the total."""

    take: Callable[[State], tuple[Item, State | None]]
    work: Callable[[Item], Answer]
    give: Callable[[Answer, Total], Total]

    def alone(self, state: State, total: Total) -> Total:
        """Do all work in this process."""
        at: State | None = state
        while at is not None:
            item, at = self.take(at)
            total = self.give(self.work(item), total)
        return total

    def shared(self, workers: int, state: State, total: Total) -> Total:
        """Use several processes. An exception in one ends all, and is raised here after all earlier answers."""
        processes = []
        try:
            taking, giving = ([Pipe(duplex=False) for _ in range(workers)] for _ in range(2))
            ended, end = Pipe(duplex=False)
            for number in range(workers):
                process = get_context("fork").Process(target=self._run, args=(number, taking, giving, end), daemon=True)
                process.start()
                processes.append(process)
            taking[0][1].send(state)
            giving[0][1].send(total)
            wait([ended, *(process.sentinel for process in processes)])
            if not ended.poll():
                raise WorkerLost("a worker process stopped before its work was done")
            message: Total | Exception = ended.recv()
        except OSError as error:
            raise WorkerLost(f"can't run {workers} worker processes: {error.strerror}") from None
        finally:
            for process in processes:
                process.kill()
                process.join()
        if isinstance(message, Exception):
            raise message
        return message

    def _run(self, number: int, taking: Pipes, giving: Pipes, end: Connection) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles it and kills this process
        Thread(target=_end_with_the_first, daemon=True).start()
        following = (number + 1) % len(taking)
        try:
            while True:  # until the parent kills it
                try:
                    item, at = self.take(taking[number][0].recv())
                    if at is not None:
                        taking[following][1].send(at)
                    answer = self.work(item)
                finally:  # a failure waits for its turn to write too
                    before = giving[number][0].recv()
                total = self.give(answer, before)
                (end if at is None else giving[following][1]).send(total)
        except Exception as error:  # the parent raises it again
            end.send(error)
        os._exit(0)  # skip the clean-up: the open files are the parent's


def _end_with_the_first() -> None:
    """Exit when the parent ends, even if it was killed while this process waits for input."""
    first = parent_process()
    assert first is not None
    first.join()
    os._exit(1)
