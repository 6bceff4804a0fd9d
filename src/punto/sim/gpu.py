"""The same shoes on a graphics card, through CuPy (`punto[gpu]`): equal tallies. `gpu.cu` is the kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from punto.rulebook.model import Rulebook
from punto.sim.atoms import NO_THIRD, THIRDS, compiled

SOURCE: Final = Path(__file__).with_name("gpu.cu")
THREADS: Final = 512
"""Shoes in flight on one multiprocessor: what its shared memory holds of eight decks."""
WAVES: Final = 20_000
"""Shoes a thread deals in one launch at most, so that no 32-bit count in shared memory can overflow."""
SPARE_WORDS: Final = 2
"""The kernel reads one card beyond a coup before it knows that none is due."""


class NoGpu(RuntimeError):
    """There is no graphics card here, or CuPy is not installed."""


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """What a build of the kernel is made for."""

    decks: int
    cut_at: int
    burn: bool
    stop_between: bool
    atoms: int

    @property
    def cards(self) -> int:
        return 52 * self.decks

    def defines(self) -> tuple[str, ...]:
        needed = min(self.cards, self.cut_at + 8)
        values = {
            "CARDS": self.cards,
            "NEEDED": needed,
            "CUT_AT": self.cut_at,
            "BURN": int(self.burn),
            "STOP_BETWEEN": int(self.stop_between),
            "ATOMS": self.atoms,
        }
        return tuple(f"-D{name}={value}" for name, value in values.items())


class Arrays(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The Table of Play as the kernel reads it."""

    deals: npt.NDArray[np.int16]
    """100 × 11 → the first of its atoms; where the Banker stands, the one atom negated less one."""
    player_draws: npt.NDArray[np.uint8]
    least: npt.NDArray[np.uint16]
    """n → 65536 mod n, the bound of exact rejection."""


def shape(rules: Rulebook, decks: int, cut_at: int) -> Shape:
    procedure = rules.procedure
    return Shape(
        decks=decks,
        cut_at=cut_at,
        burn=procedure.burn != "none",
        stop_between=procedure.cut_card_between == "ends-shoe",
        atoms=len(compiled(rules).thirds),
    )


def arrays(rules: Rulebook, decks: int) -> Arrays:
    """Compile an edition's Table of Play. Atoms stand in the order of `atoms`: of one (a, b), first those in which the
    Banker stands, by the Player's third card, then the others, by both third cards."""
    play, found = rules.table_of_play, compiled(rules)
    deals = np.full(100 * THIRDS, -1, np.int16)
    player_draws = np.zeros(100, np.uint8)
    for row in range(100):
        a, b = divmod(row, 10)
        player_draws[row] = play.player_draws(a, b)
        thirds = tuple(range(10)) if player_draws[row] else (None,)
        draws = {v: play.banker_draws(b, a, v) for v in thirds}
        atom = int(found.start[row])
        for v in sorted(thirds, key=lambda third: (draws[third], third or 0)):
            deals[row * THIRDS + (NO_THIRD if v is None else v)] = atom if draws[v] else -atom - 1
            atom += 10 if draws[v] else 1
        assert atom == found.start[row + 1], "every atom has its place"
    cards = 52 * decks
    least = np.array([0, *(65536 % n for n in range(1, cards + 1))], np.uint16)
    return Arrays(deals=deals, player_draws=player_draws, least=least)


def shared_bytes(made_for: Shape, threads: int = THREADS) -> int:
    """Shared memory of one block: shoes, tallies and the three tables."""
    shoes = (made_for.cards // 4 + SPARE_WORDS) * threads * 4
    tables_bytes = ((made_for.cards + 2) & ~1) * 2 + 100 * THIRDS * 2 + 100
    return shoes + made_for.atoms * 4 + tables_bytes


class Gpu:
    """One card, with the kernel built for one edition and cut."""

    def __init__(self, rules: Rulebook, decks: int, cut_at: int, threads: int | None = None) -> None:
        self.cupy = _cupy()
        self.shape = shape(rules, decks, cut_at)
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
        made = arrays(rules, decks)
        self.tables = tuple(self.cupy.asarray(one) for one in (made.deals, made.player_draws, made.least))

    def deal(self, seed: int, first: int, count: int) -> npt.NDArray[np.int64]:
        """The tally of a range of shoes: atom × 5 pair flags, flat."""
        cells = self.cupy.zeros(self.shape.atoms * 5, dtype=self.cupy.uint64)
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
                    *self.tables,
                    cells,
                ),
                shared_mem=shared_bytes(self.shape, self.threads),
            )
        self.cupy.cuda.runtime.deviceSynchronize()
        found: npt.NDArray[np.int64] = self.cupy.asnumpy(cells).astype(np.int64)
        return found


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
