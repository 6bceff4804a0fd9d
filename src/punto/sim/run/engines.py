"""Prepare the engine of a run: compile it, or connect to it. All engines deal the same shoes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, assert_never

from punto.sim import cluster, shoes
from punto.sim.run.blocks import Block, Engine, by_threads
from punto.sim.shoes import Setup, Tally

Ready = Callable[[Iterable[Block]], Iterator[Tally]]
"""A function from blocks to their tallies, in order."""

BLOCK: Final = {Engine.NUMBA: 1 << 14, Engine.PYTHON: 1 << 3, Engine.GPU: 1 << 26, Engine.RAY: 1 << 20}
"""Shoes in a block: some hundredths of a second of work, or a second for a task that is sent to another machine."""


def ready(of: Setup, engine: Engine, *, workers: int, address: str = cluster.LOCAL) -> Ready:
    """Prepare an engine. Raises NoCluster or NoGpu, with a sentence, if there is none."""
    match engine:
        case Engine.NUMBA:
            from punto.sim.kernel.tables import Compiled

            compiled = Compiled(of)
            compiled.compile()
            return lambda todo: by_threads(compiled.deal_range, todo, workers)
        case Engine.PYTHON:
            return lambda todo: by_threads(lambda first, count: shoes.deal_range(of, first, count), todo, workers)
        case Engine.GPU:
            from punto.sim.gpu import Gpu

            card = Gpu(of)
            return lambda todo: by_threads(card.deal_range, todo, 1)
        case Engine.RAY:
            library = cluster.connect(address, workers)
            return lambda todo: cluster.by_tasks(library, of, todo, workers)
        case _:
            assert_never(engine)
