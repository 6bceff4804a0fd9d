"""A run: an engine deals blocks of shoes, and their tallies are added in the order of the shoes.

A block is a range of shoes; its tally consists of integers, so tallies are merged by addition. Because blocks are added
in order, a run that stops early, for precision or by Ctrl-C, is the run of its first shoes, whatever the engine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from enum import StrEnum
from typing import Final

import msgspec

from punto.sim.shoes import MOST_INDEX, Setup, Tally
from punto.sim.stats import precision

Block = tuple[int, int]
"""First shoe, number of shoes."""

Deal = Callable[[int, int], Tally]
"""An engine: a block of shoes → its tally. It is a pure function, so a block may be dealt twice."""

AHEAD: Final = 2
"""Blocks per worker that are being dealt or wait to be added. This limits memory."""

MOST_WORKERS: Final = 4_096


class Engine(StrEnum):
    """The engine that deals. All engines deal the same shoes."""

    NUMBA = "numba"
    PYTHON = "python"
    GPU = "gpu"
    RAY = "ray"


class Ended(StrEnum):
    """Why a run ended."""

    COMPLETE = "complete"
    PRECISE = "precise"
    INTERRUPTED = "interrupted"


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a run after a block."""

    tally: Tally
    error: float | None
    """The largest standard error of a main bet; computed only if the run stops at a given precision."""


def check(*, shoes: int, workers: int, until: float | None) -> None:
    """Raises ValueError with a sentence."""
    if not 1 <= shoes <= MOST_INDEX:
        raise ValueError(f"{shoes} shoes can't be dealt: expected 1 to {MOST_INDEX}")
    if not 1 <= workers <= MOST_WORKERS:
        raise ValueError(f"{workers} workers can't deal: expected 1 to {MOST_WORKERS}")
    if until is not None and not 0 < until < 1:
        raise ValueError(f"a standard error of {until} can't be waited for: expected more than 0 and less than 1")


def blocks(first: int, end: int, size: int) -> Iterator[Block]:
    """Split a range of shoes at multiples of the size, so that a resumed run has the same blocks."""
    while first < end:
        nearest = min(end, (first // size + 1) * size)
        yield first, nearest - first
        first = nearest


def by_threads(deal: Deal, todo: Iterable[Block], workers: int) -> Iterator[Tally]:
    """Deal blocks on threads, and yield their tallies in order. The compiled engines release the GIL."""
    waiting: deque[Future[Tally]] = deque()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="shoes")
    try:
        for block in todo:
            waiting.append(pool.submit(deal, *block))
            if len(waiting) >= AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def add_up(
    of: Setup,
    so_far: Tally,
    dealt: Iterator[Tally],
    *,
    until: float | None = None,
    stopped: Callable[[], bool] = lambda: False,
    tell: Callable[[Progress], None] = lambda _: None,
) -> tuple[Tally, Ended]:
    """Add blocks until there are no more, the main bets are precise enough, or somebody asks to stop."""
    error = precision(of.rules, so_far.cells) if until is not None else None
    if _precise(error, until):
        return so_far, Ended.PRECISE
    for block in dealt:
        so_far = so_far + block
        error = precision(of.rules, so_far.cells) if until is not None else None
        tell(Progress(tally=so_far, error=error))
        if _precise(error, until):
            return so_far, Ended.PRECISE
        if stopped():
            return so_far, Ended.INTERRUPTED
    return so_far, Ended.COMPLETE


def _precise(error: float | None, until: float | None) -> bool:
    return until is not None and error is not None and error < until
