"""The compiled loop: shuffle shoes, deal them to the cut card, count one cell a round. No rule is written here.

A shoe is a pure function of (seed, index): `rng` has the same in plain Python, docs/simulation.md the specification.
Four shoes are dealt in parallel, so that the processor works on one while it waits for data of another. The deal has no
branch: a card is a byte with its rank in the high half and its points in the low half, and two tables do the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit, uint32, uint64

from punto.sim import rng

LANES = 4
"""Shoes dealt in parallel. The code below is written out for four."""

FLAGS = 5
"""Pair flags, in the order of `punto.game.outcome.Pairs`."""

# `first` maps the sums of both two-card hands, 32 × Player + Banker, to a row of 16 entries of `second`. The points of
# the fifth card choose the entry, whether the Player draws it or not. Bits of an entry: 0–11 the atom, for a Banker's
# third card of no points; 12–15 where that card lies; 16–19 a mask, all ones if it is drawn; 20 and up the cards of the
# round.

MOST_SHOES = 1 << 24
"""Most shoes in one call, so that every count fits 32 bits: no shoe has more than 130 rounds."""

M0, M1 = np.uint64(rng.MULTIPLIERS[0]), np.uint64(rng.MULTIPLIERS[1])
W0, W1 = np.uint32(rng.WEYL[0]), np.uint32(rng.WEYL[1])
LOW32, LOW16, LOW12, LOW4 = np.uint64(0xFFFFFFFF), np.uint32(0xFFFF), np.uint32(0xFFF), np.uint32(0xF)


@njit(inline="always")
def _philox(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]
    for _ in range(10):
        p0 = M0 * uint64(c0)
        p1 = M1 * uint64(c2)
        c0 = uint32(p1 >> uint64(32)) ^ c1 ^ k0
        c1 = uint32(p1 & LOW32)
        c2 = uint32(p0 >> uint64(32)) ^ c3 ^ k1
        c3 = uint32(p0 & LOW32)
        k0 = uint32(k0 + W0)
        k1 = uint32(k1 + W1)
    return c0, c1, c2, c3


@njit(nogil=True, cache=True)
def _draw(key0, key1, index, words):  # type: ignore[no-untyped-def]
    """Draw the random bits of the first attempt for every card of a shoe: four words of 32 bits for eight cards."""
    low, high = uint32(index & LOW32), uint32(index >> uint64(32))
    for block in range(len(words) // 4):
        w0, w1, w2, w3 = _philox(uint32(block), uint32(0), low, high, key0, key1)
        words[4 * block] = w0
        words[4 * block + 1] = w1
        words[4 * block + 2] = w2
        words[4 * block + 3] = w3


@njit(nogil=True, cache=True)
def _redraw(key0, key1, index, card, n):  # type: ignore[no-untyped-def]
    """The product for a card whose first attempt was rejected, because it would favour some of the cards left."""
    low, high = uint32(index & LOW32), uint32(index >> uint64(32))
    least = uint32(uint64(65536) % uint64(n))
    attempt = uint32(0)
    while True:
        attempt = uint32(attempt + uint32(1))
        w0, w1, w2, w3 = _philox(uint32(card >> 3), attempt, low, high, key0, key1)
        lane = card & 7
        word = w0 if lane < 2 else w1 if lane < 4 else w2 if lane < 6 else w3
        product = uint32(uint32((word >> uint32(16)) if lane & 1 else (word & LOW16)) * n)
        if (product & LOW16) >= least:
            return product


@njit(nogil=True, cache=True)
def _shuffle(key0, key1, first, fresh, floor, needed, words, halves, shoes):  # type: ignore[no-untyped-def]
    """Shuffle four shoes, from index `first` on, but only their first `needed` cards."""
    cards = len(fresh)
    for s in range(LANES):
        shoes[s, :] = fresh
        _draw(key0, key1, first + uint64(s), words[s])
    for i in range(needed):
        n = uint32(cards - i)
        least = floor[i]
        for s in range(LANES):
            product = uint32(uint32(halves[s, i]) * n)
            if (product & LOW16) < least:
                product = _redraw(key0, key1, first + uint64(s), i, n)
            j = uint64(i) + uint64(product >> uint32(16))
            kept = shoes[s, i]
            shoes[s, i] = shoes[s, j]
            shoes[s, j] = kept


@njit(inline="always")
def _round(shoe, at, atoms, first, second, cells):  # type: ignore[no-untyped-def]
    """Deal one round from place `at` on and count its cell. Returns the place of the next card."""
    p1, b1, p2, b2 = shoe[at], shoe[at + uint64(1)], shoe[at + uint64(2)], shoe[at + uint64(3)]
    third = shoe[at + uint64(4)]
    sums = (((p1 & LOW4) + (p2 & LOW4)) << uint32(5)) + (b1 & LOW4) + (b2 & LOW4)
    row = second[uint64(uint32(first[uint64(sums)]) + (third & LOW4))]
    last = shoe[at + uint64((row >> uint32(12)) & LOW4)]
    atom = (row & LOW12) + (last & (row >> uint32(16)) & LOW4)
    player, banker = uint32(p1 == p2), uint32(b1 == b2)
    flag = player + banker + banker + (player & banker & uint32(p1 == b1))
    cells[uint64(flag * atoms + atom)] += uint32(1)
    return at + uint64(row >> uint32(20))


@njit(nogil=True, cache=True)
def _deal(shoes, begin, sure, stop, atoms, first, second, cells, late):  # type: ignore[no-untyped-def]
    """Deal four shoes to their ends: the rounds that every shoe has whatever its cards are, then the late ones."""
    s0, s1, s2, s3 = shoes[0], shoes[1], shoes[2], shoes[3]
    a0, a1, a2, a3 = begin[0], begin[1], begin[2], begin[3]
    for _ in range(sure):
        a0 = _round(s0, a0, atoms, first, second, cells)
        a1 = _round(s1, a1, atoms, first, second, cells)
        a2 = _round(s2, a2, atoms, first, second, cells)
        a3 = _round(s3, a3, atoms, first, second, cells)
    while (a0 < stop) & (a1 < stop) & (a2 < stop) & (a3 < stop):
        a0 = _round(s0, a0, atoms, first, second, late)
        a1 = _round(s1, a1, atoms, first, second, late)
        a2 = _round(s2, a2, atoms, first, second, late)
        a3 = _round(s3, a3, atoms, first, second, late)
    _deal_shoe(s0, a0, 0, stop, atoms, first, second, cells, late)
    _deal_shoe(s1, a1, 0, stop, atoms, first, second, cells, late)
    _deal_shoe(s2, a2, 0, stop, atoms, first, second, cells, late)
    _deal_shoe(s3, a3, 0, stop, atoms, first, second, cells, late)


@njit(nogil=True, cache=True)
def _deal_shoe(shoe, at, sure, stop, atoms, first, second, cells, late):  # type: ignore[no-untyped-def]
    """The same for one shoe."""
    for _ in range(sure):
        at = _round(shoe, at, atoms, first, second, cells)
    while at < stop:
        at = _round(shoe, at, atoms, first, second, late)


@njit(nogil=True, cache=True)
def deal_shoes(  # type: ignore[no-untyped-def]
    key0, key1, start, count, fresh, burn, needed, sure, stop, first, second, cells, late
):
    """Deal `count` shoes from index `start` on and count pair flag × atom: in `cells` the first `sure` rounds of each
    shoe, in `late` the others. `burn` has the cards burnt by rank of the first card, `needed` is how many cards can be
    dealt, and no round starts from card `stop` on."""
    cards = len(fresh)
    floor = np.empty(cards, np.uint32)
    for i in range(cards):
        floor[i] = 65536 % (cards - i)
    shoes = np.empty((LANES, cards), np.uint8)
    words = np.empty((LANES, 4 * ((needed + 7) // 8)), np.uint32)
    halves = words.view(np.uint16)
    begin = np.empty(LANES, np.uint64)
    atoms = uint32(len(cells) // FLAGS)
    for done in range(0, count, LANES):
        _shuffle(key0, key1, start + uint64(done), fresh, floor, needed, words, halves, shoes)
        for s in range(LANES):
            begin[s] = burn[shoes[s, 0] >> 4]
        if done + LANES <= count:
            _deal(shoes, begin, sure, stop, atoms, first, second, cells, late)
        else:
            for s in range(count - done):
                _deal_shoe(shoes[s], begin[s], sure, stop, atoms, first, second, cells, late)


def shuffle_shoes(seed: int, start: int, fresh: npt.NDArray[Any], out: npt.NDArray[Any]) -> None:
    """Shuffle as many shoes as `out` has rows, from index `start` on. `fresh` holds the cards of an unshuffled shoe."""
    _shuffle_all(*_key(seed), np.uint64(start), fresh, out)


def draw_words(seed: int, start: int, out: npt.NDArray[np.uint32]) -> None:
    """The random words behind as many shoes as `out` has rows, from index `start` on."""
    _draw_all(*_key(seed), np.uint64(start), out)


def _key(seed: int) -> tuple[np.uint32, np.uint32]:
    return np.uint32(seed % rng.WORD), np.uint32(seed // rng.WORD)


@njit(nogil=True, cache=True)
def _shuffle_all(key0, key1, start, fresh, out):  # type: ignore[no-untyped-def]
    cards = len(fresh)
    floor = np.empty(cards, np.uint32)
    for i in range(cards):
        floor[i] = 65536 % (cards - i)
    shoes = np.empty((LANES, cards), fresh.dtype)
    words = np.empty((LANES, 4 * ((cards + 7) // 8)), np.uint32)
    halves = words.view(np.uint16)
    for done in range(0, len(out), LANES):
        _shuffle(key0, key1, start + uint64(done), fresh, floor, cards, words, halves, shoes)
        for s in range(min(LANES, len(out) - done)):
            out[done + s] = shoes[s]


@njit(nogil=True, cache=True)
def _draw_all(key0, key1, start, out):  # type: ignore[no-untyped-def]
    for row in range(len(out)):
        _draw(key0, key1, start + uint64(row), out[row])
