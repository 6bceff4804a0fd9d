"""The compiled loop: shuffle a shoe, deal it to its last round, count one cell a round. Nothing here knows a rule.

A shoe is a pure function of (seed, index): Philox4x32-10 with the seed as key and the counter (card div 8, attempt,
index low, index high), 16 bits a card, multiply-shift with exact rejection, Fisher-Yates from the front. So tallies
depend on nothing else, and any shoe can be dealt again, card by card.
"""

from __future__ import annotations

import numpy as np
from numba import njit, uint32, uint64

LANES = 4
"""Shoes shuffled side by side, so that their multiplications overlap."""

M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
W0, W1 = np.uint32(0x9E3779B9), np.uint32(0xBB67AE85)
LOW = np.uint64(0xFFFFFFFF)


@njit(inline="always")
def _philox(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]
    for _ in range(10):
        p0 = M0 * uint64(c0)
        p1 = M1 * uint64(c2)
        c0 = uint32(p1 >> uint64(32)) ^ c1 ^ k0
        c1 = uint32(p1 & LOW)
        c2 = uint32(p0 >> uint64(32)) ^ c3 ^ k1
        c3 = uint32(p0 & LOW)
        k0 = uint32(k0 + W0)
        k1 = uint32(k1 + W1)
    return c0, c1, c2, c3


@njit(inline="always")
def _lane(block0, block1, block2, block3, lane):  # type: ignore[no-untyped-def]
    """16 of the 128 bits: lanes 0 to 7, the low half of each word first."""
    word = block0 if lane < 2 else block1 if lane < 4 else block2 if lane < 6 else block3
    return uint32((word >> uint32(16)) if lane & 1 else (word & uint32(0xFFFF)))


@njit(nogil=True, cache=True)
def deal_shoes(  # type: ignore[no-untyped-def]
    key0, key1, first, count, decks, cut_at, burn, stop_between, player_draws, banker_draws, atom_at, cells
):
    """Deal `count` shoes from index `first` on, and add their rounds to `cells`. Returns the number of rounds."""
    cards = 52 * decks
    needed = min(cards, cut_at + 8)
    points = np.empty(52, np.int32)
    for card in range(52):
        rank = card >> 2
        points[card] = rank + 1 if rank < 9 else 0
    fresh = np.empty(cards, np.uint8)
    for at in range(cards):
        fresh[at] = at % 52
    floor = np.empty(cards + 1, np.uint32)
    for n in range(1, cards + 1):
        floor[n] = 65536 % n
    shoes = np.empty((LANES, cards), np.uint8)
    block = np.empty((LANES, 8), np.uint32)
    rounds = 0
    done = 0
    while done < count:
        group = min(LANES, count - done)
        for s in range(LANES):
            shoes[s, :] = fresh
        for base in range(0, needed, 8):
            for s in range(LANES):
                index = uint64(first + done + s)
                c0, c1, c2, c3 = _philox(
                    uint32(base >> 3), uint32(0), uint32(index & LOW), uint32(index >> uint64(32)), key0, key1
                )
                block[s, 0] = c0 & uint32(0xFFFF)
                block[s, 1] = c0 >> uint32(16)
                block[s, 2] = c1 & uint32(0xFFFF)
                block[s, 3] = c1 >> uint32(16)
                block[s, 4] = c2 & uint32(0xFFFF)
                block[s, 5] = c2 >> uint32(16)
                block[s, 6] = c3 & uint32(0xFFFF)
                block[s, 7] = c3 >> uint32(16)
            for lane in range(min(8, needed - base)):
                i = base + lane
                n = uint32(cards - i)
                least = floor[n]
                for s in range(LANES):
                    product = block[s, lane] * n
                    attempt = uint32(0)
                    while (product & uint32(0xFFFF)) < least:
                        attempt += uint32(1)
                        index = uint64(first + done + s)
                        b0, b1, b2, b3 = _philox(
                            uint32(base >> 3), attempt, uint32(index & LOW), uint32(index >> uint64(32)), key0, key1
                        )
                        product = _lane(b0, b1, b2, b3, lane) * n
                    j = i + int(product >> uint32(16))
                    kept = shoes[s, i]
                    shoes[s, i] = shoes[s, j]
                    shoes[s, j] = kept
        for s in range(group):
            shoe = shoes[s]
            pos = 0
            if burn:
                rank = shoe[0] >> 2
                pos = 1 + min(rank + 1, 10)
            last = False
            while not last:
                if pos >= cut_at:
                    if stop_between:
                        break
                    last = True
                c0_, c1_, c2_, c3_ = shoe[pos], shoe[pos + 1], shoe[pos + 2], shoe[pos + 3]
                a = points[c0_] + points[c2_]
                a -= 10 * (a >= 10)
                b = points[c1_] + points[c3_]
                b -= 10 * (b >= 10)
                row = a * 10 + b
                pair_p = (c0_ >> 2) == (c2_ >> 2)
                pair_b = (c1_ >> 2) == (c3_ >> 2)
                drawn = player_draws[row]
                v = 10 + drawn * (points[shoe[pos + 4]] - 10)
                pos += 4 + drawn
                k = row * 11 + v
                drawn = banker_draws[k]
                w = 10 + drawn * (points[shoe[pos]] - 10)
                pos += drawn
                flag = pair_p + 2 * pair_b + (pair_p & pair_b & ((c0_ >> 2) == (c1_ >> 2)))
                cells[atom_at[k * 11 + w] * 5 + flag] += 1
                rounds += 1
                if pos > cut_at:
                    last = True
        done += group
    return rounds
