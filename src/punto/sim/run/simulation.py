"""A whole run: prepare the engine, add and save blocks as they are dealt, and compute the results at the end."""

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


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What to simulate, with which engine, until when, and which files to write."""

    of: Setup
    engine: Engine
    shoes: int
    workers: int
    address: str
    until: float | None = None
    checkpoint: Path | None = None
    out: Path | None = None

    def check(self) -> None:
        """Check the plan before any work is done. Raises ValueError with a sentence."""
        check(shoes=self.shoes, workers=self.workers, until=self.until)
        if self.out is not None and self.out == self.checkpoint:
            raise ValueError(f"the result and the checkpoint can't be the same file: {self.out}")
        if self.out is not None:
            files.check_place(self.out, suffixes=tuple(files.FORMATS))
        if self.checkpoint is not None:
            files.check_place(self.checkpoint)


class Ready(msgspec.Struct, frozen=True, kw_only=True):
    """A plan that is ready to run: the tally to continue from, and the engine, compiled or connected."""

    plan: Plan
    before: Tally
    deal: engines.Ready
    compile_seconds: float


def ready(plan: Plan) -> Ready:
    """Check a plan and prepare its engine. Raises ValueError, NoCluster or NoGpu, with a sentence."""
    plan.check()
    of, kept = plan.of, plan.checkpoint
    before = no_tally(of) if kept is None else files.resume(kept, of, plan.shoes)
    started = time.perf_counter()
    deal = engines.ready(of, plan.engine, address=plan.address, workers=plan.workers)
    return Ready(plan=plan, before=before, deal=deal, compile_seconds=time.perf_counter() - started)


def simulate(
    run: Ready, exact: Exact, *, stopped: Callable[[], bool], tell: Callable[[Progress], None]
) -> tuple[dict[str, Any], str | None]:
    """The results, and the reason if a file could not be written. A full disk must not lose the results of a long
    run."""
    plan, before = run.plan, run.before
    of, checkpoint = plan.of, plan.checkpoint
    started = time.perf_counter()
    saved = -inf  # the first block is saved at once

    def after_block(progress: Progress) -> None:
        nonlocal saved
        tell(progress)
        if checkpoint is not None and time.monotonic() - saved > CHECKPOINT_S:
            _unwritten(checkpoint, partial(files.save, checkpoint, of, progress.tally))  # the last save reports errors
            saved = time.monotonic()

    todo = blocks(before.shoes, plan.shoes, engines.BLOCK[plan.engine])
    tally, ended = add_up(of, before, run.deal(todo), until=plan.until, stopped=stopped, tell=after_block)
    seconds = time.perf_counter() - started
    fault = None if checkpoint is None else _unwritten(checkpoint, partial(files.save, checkpoint, of, tally))
    timing = {
        "engine": plan.engine.value,
        "workers": 1 if plan.engine is Engine.GPU else plan.workers,
        "compile_seconds": run.compile_seconds,
        "seconds": seconds,
        "rounds_per_second": (tally.rounds - before.rounds) / seconds,
    }
    result = answer(of, tally, ended, timing, exact)
    if plan.out is not None:
        fault = _unwritten(plan.out, partial(files.write, plan.out, result)) or fault
    return result, fault


def _unwritten(path: Path, write: Callable[[], None]) -> str | None:
    """Write a file. Returns the reason if it can't be written."""
    try:
        write()
    except OSError as error:
        return f"{path} is not written: {error.strerror}"
    return None
