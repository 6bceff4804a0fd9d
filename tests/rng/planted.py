"""Shuffles with a defect in them, and an honest one beside.

`python -m tests.rng.planted [NAME...]` prints which tests of the battery find which, at the sizes that each needs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from punto.cards import DECK
from punto.house.table.virtual_shoes import Below, shuffled
from punto.rng.battery import Result, run
from punto.rng.cards import Shoes
from punto.rng.orders import Orders
from punto.rng.sources import Simulation
from punto.sim.kernel.loop import shuffle_shoes

Shuffle = Callable[[Sequence[int]], Sequence[int]]


class Planted:
    """A source whose bytes are honest and whose shuffle is given."""

    def __init__(self, shuffle: Shuffle, chance: Random) -> None:
        self.shuffle, self.chance = shuffle, chance

    def raw(self, size: int) -> bytes:
        return self.chance.randbytes(size)

    def orders(self, size: int, count: int) -> Orders:
        return np.array([self.shuffle(range(size)) for _ in range(count)], np.uint16)

    def shoes(self, decks: int, count: int) -> Shoes:
        faces = [*range(len(DECK))] * decks
        return np.array([self.shuffle(faces) for _ in range(count)], np.uint8)


def fair(chance: Random) -> Below:
    """As `secrets.randbelow` does it, from a seed."""

    def below(n: int) -> int:
        bits = n.bit_length()
        while (draw := chance.getrandbits(bits)) >= n:
            pass
        return draw

    return below


def honest(seed: int) -> Planted:
    """The house's own shuffle."""
    chance = Random(seed)
    below = fair(chance)
    return Planted(lambda cards: shuffled(cards, below), chance)


def modulo(bits: int, seed: int) -> Planted:
    """Random bits modulo the number of choices, which makes some choices likelier than others."""
    chance = Random(seed)
    return Planted(lambda cards: shuffled(cards, lambda n: chance.getrandbits(bits) % n), chance)


def one_short(seed: int) -> Planted:
    """Of the cards that are left, the last is never chosen."""
    chance = Random(seed)
    below = fair(chance)
    return Planted(lambda cards: shuffled(cards, lambda n: below(max(1, n - 1))), chance)


def never_stays(seed: int) -> Planted:
    """One short at the other end: a card never stays where it is."""
    chance = Random(seed)
    below = fair(chance)
    return Planted(lambda cards: shuffled(cards, lambda n: 1 + below(n - 1)), chance)


def tail_stays(seed: int, tail: int = 8) -> Planted:
    """The last cards are never moved."""
    chance = Random(seed)
    below = fair(chance)
    return Planted(lambda cards: (*shuffled(cards[:-tail], below), *cards[-tail:]), chance)


def ends_early(seed: int, left: int = 8) -> Planted:
    """The loop of the shuffle ends too early."""
    chance = Random(seed)
    below = fair(chance)

    def shuffle(cards: Sequence[int]) -> Sequence[int]:
        return shuffled(cards, lambda n: below(n) if n > left else 0)

    return Planted(shuffle, chance)


def any_place(seed: int) -> Planted:
    """Each card changes places with any other, also with one that has had its turn."""
    chance = Random(seed)
    below = fair(chance)

    def shuffle(cards: Sequence[int]) -> Sequence[int]:
        order = list(cards)
        for place in range(len(order)):
            other = below(len(order))
            order[place], order[other] = order[other], order[place]
        return order

    return Planted(shuffle, chance)


def riffles(seed: int, times: int = 7) -> Planted:
    """Riffles as people make them, each with two packets."""
    chance = Random(seed)

    def shuffle(cards: Sequence[int]) -> Sequence[int]:
        order = list(cards)
        for _ in range(times):
            packets: tuple[list[int], list[int]] = ([], [])
            sides = [chance.getrandbits(1) for _ in order]
            for card, side in zip(order, sorted(sides), strict=True):
                packets[side].append(card)
            packets[0].reverse()
            packets[1].reverse()
            order = [packets[side].pop() for side in sides]
        return order

    return Planted(shuffle, chance)


class Doubled(Planted):
    """One card is replaced by another: one too few of the first, one too many of the second."""

    def shoes(self, decks: int, count: int) -> Shoes:
        packs = super().shoes(decks, count)
        packs[np.arange(count), np.argmax(packs == 4, axis=1)] = 33
        return packs


def doubled(seed: int) -> Planted:
    sound = honest(seed)
    return Doubled(sound.shuffle, sound.chance)


class Seeded(Planted):
    """Whole shoes from a seed of few bits, by the simulation's generator, which is honest: only shoes that repeat
    give it away. Orders are the honest generator's."""

    def __init__(self, bits: int, seed: int) -> None:
        super().__init__(lambda cards: cards, Random(seed))
        self.bits = bits
        self.sound = Simulation(seed)

    def orders(self, size: int, count: int) -> Orders:
        return self.sound.orders(size, count)

    def shoes(self, decks: int, count: int) -> Shoes:
        fresh = np.tile(np.arange(len(DECK), dtype=np.uint8), decks)
        made = np.empty((count, len(fresh)), fresh.dtype)
        for row in range(count):
            shuffle_shoes(self.chance.getrandbits(self.bits), 0, fresh, made[row : row + 1])
        return made


class Halved(Planted):
    """Every second shoe is the one before, its first half shuffled anew."""

    def shoes(self, decks: int, count: int) -> Shoes:
        packs = super().shoes(decks, count)
        half = packs.shape[1] // 2
        for row in range(1, count, 2):
            packs[row, half:] = packs[row - 1, half:]
            packs[row, :half] = self.shuffle(packs[row - 1, :half].tolist())
        return packs


def halved(seed: int) -> Planted:
    sound = honest(seed)
    return Halved(sound.shuffle, sound.chance)


def stuck(seed: int) -> Planted:
    """One bit in every 64 bytes of the raw stream is stuck at 1; the shuffle is honest."""
    sound = honest(seed)

    class Stuck(Planted):
        def raw(self, size: int) -> bytes:
            stream = np.frombuffer(super().raw(size), np.uint8).copy()
            stream[::64] |= 1
            return stream.tobytes()

    return Stuck(sound.shuffle, sound.chance)


DEFECTS: dict[str, tuple[Callable[[int], Planted], int, int]] = {
    "modulo of 10 bits": (lambda seed: modulo(10, seed), 500, 500),
    "modulo of 12 bits": (lambda seed: modulo(12, seed), 2_000, 0),
    "modulo of 16 bits": (lambda seed: modulo(16, seed), 100_000, 0),
    "one short": (one_short, 500, 500),
    "never stays": (never_stays, 500, 500),
    "seed of 16 bits": (lambda seed: Seeded(16, seed), 2_000, 2_000),
    "seed of 32 bits": (lambda seed: Seeded(32, seed), 300_000, 0),
    "a card doubled": (doubled, 500, 500),
    "last cards never moved": (tail_stays, 500, 500),
    "loop ends early": (ends_early, 500, 500),
    "any place": (any_place, 500, 500),
    "seven riffles": (riffles, 500, 0),
    "second half stays": (halved, 500, 0),
    "a bit stuck": (stuck, 2_000, 0),
}
"""How a defect is made, how many shoes are enough to find it, and how many the quick tests use (0: not among them)."""


def found_by(results: Sequence[Result]) -> list[str]:
    return [result.test.id for result in results if not result.passed]


if __name__ == "__main__":
    for name in sys.argv[1:] or DEFECTS:
        make, shoes, _ = DEFECTS[name]
        caught = found_by(run(make(1), shoes=shoes, decks=8))
        print(f"{name:24} {shoes:>8,} shoes  {'FOUND by ' + ', '.join(caught) if caught else 'NOT FOUND'}", flush=True)
