"""Work on several processes with its answers in order: a bounded number of items is on its way at any time."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from queue import Queue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 3
"""Items on their way for each process: one in work, one waiting for it, one waiting to be taken."""


def in_order(work: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    """`map` on processes. Items are read by a thread of their own, so that an answer never waits for the next item."""
    on_their_way: Queue[Future[R] | None] = Queue(AHEAD * workers)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))
    Thread(target=_submit, args=(pool, work, items, on_their_way), daemon=True).start()
    try:
        while (answer := on_their_way.get()) is not None:
            yield answer.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _submit(
    pool: ProcessPoolExecutor, work: Callable[[T], R], items: Iterable[T], on_their_way: Queue[Future[R] | None]
) -> None:
    try:
        for item in items:
            on_their_way.put(pool.submit(work, item))
    except BaseException as error:  # noqa: BLE001 (raised again where the answers are read)
        failed: Future[R] = Future()
        failed.set_exception(error)
        on_their_way.put(failed)
    on_their_way.put(None)
