"""The generators under test: the one for virtual shoes, and the one for simulations."""

from __future__ import annotations

import secrets
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from punto.cards import DECK
from punto.house.table.virtual_shoes import new_shoe, shuffled
from punto.rng.cards import Shoes
from punto.rng.orders import Orders
from punto.sim.kernel.loop import draw_words, shuffle_shoes

FACES: Final = {str(card): at for at, card in enumerate(DECK)}
WORDS: Final = 1024
"""Words in a raw block of the simulation's generator."""


class House:
    """The functions that fill a virtual shoe, with the operating system's randomness."""

    name = "house"
    seed = None
    says = "punto.house.table.virtual_shoes: new_shoe and shuffled, from the operating system's randomness"

    def raw(self, size: int) -> bytes:
        return secrets.token_bytes(size)

    def orders(self, size: int, count: int) -> Orders:
        return np.array([shuffled(range(size)) for _ in range(count)], np.uint16)

    def shoes(self, decks: int, count: int) -> Shoes:
        return np.array([[FACES[card] for card in new_shoe(decks)] for _ in range(count)], np.uint8)


class Simulation:
    """The compiled shuffle of a simulation. Each draw uses the next shoes, so that no shoe is used twice."""

    name = "simulation"
    says = "punto.sim.kernel.loop: Philox4x32-10 and its shuffle, docs/simulation.md"

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._next = 0

    def _take(self, count: int) -> int:
        first = self._next
        self._next += count + -count % 4
        return first

    def raw(self, size: int) -> bytes:
        blocks = -(-size // (4 * WORDS))
        words = np.empty((blocks, WORDS), np.uint32)
        draw_words(self.seed, self._take(blocks), words)
        return words.tobytes()[:size]

    def orders(self, size: int, count: int) -> Orders:
        return self._shuffled(np.arange(size, dtype=np.uint16), count)

    def shoes(self, decks: int, count: int) -> Shoes:
        return self._shuffled(np.tile(np.arange(len(DECK), dtype=np.uint8), decks), count)

    def _shuffled(self, fresh: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
        made = np.empty((count, len(fresh)), fresh.dtype)
        shuffle_shoes(self.seed, self._take(count), fresh, made)
        return made
