"""Deal the same shoes on a GPU, through CuPy (`punto[gpu]`), with equal tallies. `gpu.cu` is the kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from punto.rulebook.model import Rulebook
from punto.sim.atoms import Int64, compiled
from punto.sim.shoes import FLAGS, Setup, Tally

SOURCE: Final = Path(__file__).with_name("gpu.cu")
THREADS: Final = 512
"""Most shoes dealt at once on one multiprocessor. The shared memory of an H200 holds 480 shoes of eight decks."""
WAVES: Final = 20_000
"""Most shoes that a thread deals in one launch, so that no 32-bit count in shared memory can overflow."""


class NoGpu(RuntimeError):
    """There is no graphics card here, or CuPy is not installed."""


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """The constants that the kernel is compiled with."""

    cards: int
    needed: int
    """Cards to shuffle: up to eight (one block of random bits) past the cut card, so all that can be dealt."""
    stop: int
    sure: int
    burn: bool
    atoms: int

    def defines(self) -> tuple[str, ...]:
        values = {
            "CARDS": self.cards,
            "NEEDED": self.needed,
            "STOP": self.stop,
            "SURE": self.sure,
            "BURN": int(self.burn),
            "ATOMS": self.atoms,
        }
        return tuple(f"-D{name}={value}" for name, value in values.items())


def shape(of: Setup) -> Shape:
    return Shape(
        cards=of.cards,
        needed=min(of.cards, of.cut_at + 8),
        stop=of.stop,
        sure=of.sure_rounds,
        burn=of.burns,
        atoms=len(compiled(of.rules).thirds),
    )


def tally(count: int, cells: Int64) -> Tally:
    """A tally from the kernel's counts: the cells of the sure rounds, then those of the late ones."""
    sure, late = cells.reshape(2, -1, len(FLAGS))
    return Tally(shoes=count, cells=sure + late, sure=sure)


def deals(rules: Rulebook) -> npt.NDArray[np.uint16]:
    """The Table of Play as the kernel reads it. Points of both hands and of the fifth card → the first atom that the
    round can be, with flags for whether Player (bit 15) and Banker (bit 14) draw.

    Atoms are in the order of `atoms`: for one (a, b), first those in which the Banker stands, by the Player's third
    card, then the others, by both third cards.
    """
    play, known = rules.table_of_play, compiled(rules)
    table = np.zeros((100, 10), np.uint16)
    for row in range(100):
        a, b = divmod(row, 10)
        player_draws = play.player_draws(a, b)
        thirds = tuple(range(10)) if player_draws else (None,)
        draws = {v: play.banker_draws(b, a, v) for v in thirds}
        atom = int(known.start[row])
        for v in sorted(thirds, key=lambda third: (draws[third], third or 0)):
            table[row, slice(None) if v is None else v] = atom | player_draws << 15 | draws[v] << 14
            atom += 10 if draws[v] else 1
        assert atom == known.start[row + 1], "every atom has its place"
    return table


def shared_bytes(made_for: Shape, threads: int = THREADS) -> int:
    """Shared memory of one block: shoes, two tallies and the Table of Play."""
    return made_for.cards * threads + 2 * made_for.atoms * 4 + 1000 * 2


class Gpu:
    """One GPU, with the kernel compiled for one setup."""

    def __init__(self, of: Setup, threads: int | None = None) -> None:
        self.cupy = _cupy()
        self.setup, self.shape = of, shape(of)
        device = self.cupy.cuda.Device()
        most = int(device.attributes["MaxSharedMemoryPerBlockOptin"])
        self.threads = threads or next(
            (count for count in range(THREADS, 0, -32) if shared_bytes(self.shape, count) <= most), 32
        )
        self.blocks = int(device.attributes["MultiProcessorCount"])
        options = ("-std=c++17", f"-DTHREADS={self.threads}", *self.shape.defines())
        module = self.cupy.RawModule(code=SOURCE.read_text("utf-8"), options=options)
        self.kernel = module.get_function("deal_range")
        self.kernel.max_dynamic_shared_size_bytes = shared_bytes(self.shape, self.threads)
        self.deals = self.cupy.asarray(deals(of.rules))

    def deal_range(self, first: int, count: int) -> Tally:
        """Deal a range of shoes and count every round."""
        cells = self.cupy.zeros(2 * self.shape.atoms * len(FLAGS), dtype=self.cupy.uint64)
        seed = self.setup.seed
        step = self.blocks * self.threads * WAVES
        for start in range(first, first + count, step):
            some = min(step, first + count - start)
            self.kernel(
                (self.blocks,),
                (self.threads,),
                (
                    np.uint32(seed & 0xFFFFFFFF),
                    np.uint32(seed >> 32),
                    np.uint64(start),
                    np.uint64(some),
                    self.deals,
                    cells,
                ),
                shared_mem=shared_bytes(self.shape, self.threads),
            )
        self.cupy.cuda.runtime.deviceSynchronize()
        counted = self.cupy.asnumpy(cells).astype(np.int64).reshape(-1, len(FLAGS))
        counted[:, 0] -= counted[:, 1:].sum(axis=1)  # the kernel also counts rounds with a pair in column 0
        return tally(count, counted)


def _cupy() -> Any:
    try:
        import cupy
    except ImportError:
        raise NoGpu("CuPy is not installed: the GPU engine needs punto[gpu]") from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise NoGpu(f"no graphics card answers: {error}") from None
    if not count:
        raise NoGpu("there is no graphics card here")
    return cupy
