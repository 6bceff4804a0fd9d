"""An edition in the form that the compiled loop reads: the deal as two tables, the cards as bytes, the burn by rank."""

from __future__ import annotations

import sys
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from punto.cards import DECK, RANKS
from punto.game.coup import MOST_CARDS
from punto.sim.atoms import Int64
from punto.sim.kernel import loop as kernel
from punto.sim.rng import WORD
from punto.sim.shoes import MOST_BURNT, Setup, Tally

SUMS: Final = 19
"""Sums of two cards' points, 0 to 18."""

WIDTH: Final = 32
ROW: Final = 16


class Tables(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The arguments of `loop.deal_shoes` for one setup. `loop` says what each array holds."""

    fresh: npt.NDArray[np.uint8]
    burn: npt.NDArray[np.uint64]
    first: npt.NDArray[np.uint16]
    second: npt.NDArray[np.uint32]
    atoms: int


class Compiled:
    """The compiled engine for one setup. Threads may share it."""

    def __init__(self, of: Setup) -> None:
        assert sys.byteorder == "little", "the loop reads the low half of a word first"
        self.setup = of
        self.tables = tables(of)

    def compile(self) -> None:
        """Compile the loop, or load it from the cache on disk, so that the first call does not have to wait for it."""
        sure, late = self._empty()
        self._add(0, 0, sure, late)

    def deal_range(self, first: int, count: int) -> Tally:
        """Deal a range of shoes and count every round."""
        sure, late = self._empty()
        for start in range(first, first + count, kernel.MOST_SHOES):
            self._add(start, min(kernel.MOST_SHOES, first + count - start), sure, late)
        return Tally(shoes=count, cells=sure + late, sure=sure)

    def _empty(self) -> tuple[Int64, Int64]:
        shape = (self.tables.atoms, kernel.FLAGS)
        return np.zeros(shape, np.int64), np.zeros(shape, np.int64)

    def _add(self, first: int, count: int, sure: Int64, late: Int64) -> None:
        of, made = self.setup, self.tables
        cells = np.zeros((2, kernel.FLAGS * made.atoms), np.uint32)
        kernel.deal_shoes(
            np.uint32(of.seed % WORD),
            np.uint32(of.seed // WORD),
            np.uint64(first),
            np.int64(count),
            made.fresh,
            made.burn,
            np.int64(min(of.cards, of.stop - 1 + MOST_CARDS)),
            np.int64(of.sure_rounds),
            np.uint64(of.stop),
            made.first,
            made.second,
            cells[0],
            cells[1],
        )
        sure += cells[0].reshape(kernel.FLAGS, made.atoms).T
        late += cells[1].reshape(kernel.FLAGS, made.atoms).T


def tables(of: Setup) -> Tables:
    """Compile a setup. Takes about a millisecond, and 0.1 s more for a new edition."""
    skipped = [1 + min(rank + 1, MOST_BURNT - 1) if of.burns else 0 for rank in range(len(RANKS))]
    sums = [(a, b) for a in range(SUMS) for b in range(WIDTH)]
    return Tables(
        fresh=np.array([RANKS.index(card.rank) << 4 | card.points for card in DECK] * of.decks, np.uint8),
        burn=np.array(skipped, np.uint64),
        first=np.array([ROW * (10 * (a % 10) + b % 10) for a, b in sums], np.uint16),
        second=np.array([_entry(of, a, b, v) for a in range(10) for b in range(10) for v in range(ROW)], np.uint32),
        atoms=len(of.atoms),
    )


def _entry(of: Setup, a: int, b: int, card: int) -> int:
    """The entry of `second` for two-card points and the next card, which the Player may or may not draw."""
    if card > 9:
        return 0
    play = of.rules.table_of_play
    third = card if play.player_draws(a, b) else None
    draws = play.banker_draws(b, a, third)
    atom = of.atoms[a, b, third, 0 if draws else None]
    place = 4 + (third is not None)
    return atom | place << 12 | (0xF if draws else 0) << 16 | (place + draws) << 20
