"""A whole run: the engine made ready, blocks added up and saved as they come, and the answer at the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, Final

import msgspec

from punto.sim.run import engines, files
from punto.sim.run.answer import answer
from punto.sim.run.blocks import Engine, Progress, add_up, blocks, check
from punto.sim.shoes import Setup, Tally, no_tally
from punto.sim.stats import Exact

CHECKPOINT_S: Final = 10.0
"""Seconds between two checkpoints."""


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be simulated, by whom, until when, and what is written."""

    of: Setup
    engine: Engine
    shoes: int
    workers: int
    address: str
    until: float | None = None
    checkpoint: Path | None = None
    out: Path | None = None

    def check(self) -> None:
        """Before any work. Raises ValueError with a sentence."""
        check(shoes=self.shoes, workers=self.workers, until=self.until)
        if self.out is not None and self.out == self.checkpoint:
            raise ValueError(f"{self.out} can't be the checkpoint and the result: the same file can't be both")
        if self.out is not None:
            files.check_place(self.out, suffixes=tuple(files.FORMATS))
        if self.checkpoint is not None:
            files.check_place(self.checkpoint)


class Ready(msgspec.Struct, frozen=True, kw_only=True):
    """An order that can be carried out: the tally to go on from, and the engine, compiled or connected."""

    order: Order
    before: Tally
    deal: engines.Ready
    compile_seconds: float


def ready(order: Order) -> Ready:
    """Raises ValueError, NoCluster or NoGpu, with a sentence."""
    order.check()
    of, kept = order.of, order.checkpoint
    before = no_tally(of) if kept is None else files.resume(kept, of, order.shoes)
    started = time.perf_counter()
    deal = engines.ready(of, order.engine, address=order.address, workers=order.workers)
    return Ready(order=order, before=before, deal=deal, compile_seconds=time.perf_counter() - started)


def simulate(
    run: Ready, exact: Exact, *, stopped: Callable[[], bool], tell: Callable[[Progress], None]
) -> tuple[dict[str, Any], str | None]:
    """The answer, and why a file is not written, if one is not. What a long run has found is not thrown away for a full
    disk."""
    order, before = run.order, run.before
    of, checkpoint = order.of, order.checkpoint
    started = time.perf_counter()
    saved = -inf  # the first block is saved at once

    def after_block(progress: Progress) -> None:
        nonlocal saved
        tell(progress)
        if checkpoint is not None and time.monotonic() - saved > CHECKPOINT_S:
            _unwritten(checkpoint, partial(files.save, checkpoint, of, progress.tally))  # the last one tells
            saved = time.monotonic()

    todo = blocks(before.shoes, order.shoes, engines.BLOCK[order.engine])
    tally, ended = add_up(of, before, run.deal(todo), until=order.until, stopped=stopped, tell=after_block)
    seconds = time.perf_counter() - started
    fault = None if checkpoint is None else _unwritten(checkpoint, partial(files.save, checkpoint, of, tally))
    timing = {
        "engine": order.engine.value,
        "workers": 1 if order.engine is Engine.GPU else order.workers,
        "compile_seconds": run.compile_seconds,
        "seconds": seconds,
        "rounds_per_second": (tally.rounds - before.rounds) / seconds,
    }
    found = answer(of, tally, ended, timing, exact)
    if order.out is not None:
        fault = _unwritten(order.out, partial(files.write, order.out, found)) or fault
    return found, fault


def _unwritten(path: Path, write: Callable[[], None]) -> str | None:
    """Write a file, or say why it is not written."""
    try:
        write()
    except OSError as error:
        return f"{path} is not written: {error.strerror}"
    return None
