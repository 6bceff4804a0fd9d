"""Tests of cards as dealt: what a shoe must hold, where cards lie, and how cards and shoes follow each other."""

from __future__ import annotations

from hashlib import blake2b
from math import comb, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from punto.cards import CARDS_IN_A_DECK, RANKS
from punto.rng import exact
from punto.rng.exact import Figure, chi_square, normal, poisson, quadratic
from punto.sim.atoms import Int64

Shoes = npt.NDArray[np.uint8]
"""One shoe per row. A card is its index in the sorted deck, which has the four suits of a rank together."""

SUITS: Final = 4
OPENING: Final = 4
"""Cards of an opening."""
NORMAL_ABOVE: Final = 1000.0


def count_composition(shoes: Shoes) -> Int64:
    """The number of shoes that do not hold every card equally often, and of all shoes."""
    rows = np.arange(len(shoes), dtype=np.int64)[:, None] * CARDS_IN_A_DECK
    held = np.bincount((shoes + rows).reshape(-1), minlength=CARDS_IN_A_DECK * len(shoes))
    whole = held.reshape(len(shoes), CARDS_IN_A_DECK) == shoes.shape[1] // CARDS_IN_A_DECK
    return np.array([int((~whole.all(axis=1)).sum()), len(shoes)])


def judge_none(seen: Int64) -> Figure:
    """Judge what must never happen: one case fails the test."""
    return Figure(statistic=float(seen[0]), degrees=None, p=0.0 if seen[0] else 1.0, observations=int(seen[1]))


def digests(shoes: Shoes) -> Int64:
    """A 128-bit digest of every shoe, as two numbers."""
    rows = b"".join(blake2b(row.tobytes(), digest_size=16).digest() for row in shoes)
    return np.frombuffer(rows, np.int64).reshape(-1, 2)


def judge_repeats(seen: Int64) -> Figure:
    repeated = len(seen) - len(np.unique(seen, axis=0))
    return judge_none(np.array([repeated, len(seen)]))


def count_places(shoes: Shoes) -> Int64:
    at = np.arange(shoes.shape[1], dtype=np.int64) * CARDS_IN_A_DECK
    return np.bincount((shoes + at).reshape(-1), minlength=CARDS_IN_A_DECK * shoes.shape[1])


def judge_places(seen: Int64) -> Figure:
    """The places of a shoe are correlated by -1/(cards - 1). A factor corrects for that."""
    cards = len(seen) // CARDS_IN_A_DECK
    expected = int(seen.sum()) / len(seen)
    statistic = float(((seen - expected) ** 2).sum() / expected) * (cards - 1) / cards
    return chi_square(statistic, (cards - 1) * (CARDS_IN_A_DECK - 1), int(seen.sum()))


def count_neighbours(shoes: Shoes) -> Int64:
    ranks = shoes.astype(np.int64) // SUITS
    pairs = len(RANKS) * ranks[:, :-1] + ranks[:, 1:]
    return np.bincount(pairs.reshape(-1), minlength=len(RANKS) ** 2)


def judge_neighbours(seen: Int64, cards: int) -> Figure:
    return quadratic(seen, exact.neighbours(cards), int(seen.sum()) // (cards - 1))


def count_gaps(shoes: Shoes) -> Int64:
    """Gaps between cards of one rank, another rank for each shoe in turn. The last entry is the number of shoes."""
    wanted = np.arange(len(shoes)) % len(RANKS)
    edges = np.ones((len(shoes), 1), np.bool_)
    marks = np.hstack((edges, shoes // SUITS == wanted[:, None], edges))
    row, at = np.nonzero(marks)
    inside = row[1:] == row[:-1]
    between = (np.diff(at) - 1)[inside]
    return np.append(np.bincount(np.minimum(between, exact.GAPS - 1), minlength=exact.GAPS), len(shoes))


def judge_gaps(seen: Int64, cards: int) -> Figure:
    return quadratic(seen[:-1], exact.gaps(cards), int(seen[-1]))


def count_poker(shoes: Shoes) -> Int64:
    """Patterns of five ranks in a row. The last entry is the number of shoes."""
    used = shoes.shape[1] // exact.HAND * exact.HAND
    hands = (shoes[:, :used] // SUITS).reshape(-1, exact.HAND)
    equal = np.zeros(len(hands), np.int64)
    for at in range(exact.HAND):
        for other in range(at):
            equal += hands[:, at] == hands[:, other]
    by_pairs = np.zeros(comb(exact.HAND, 2) + 1, np.int64)
    by_pairs[list(exact.POKER)] = list(exact.POKER.values())
    return np.append(np.bincount(by_pairs[equal], minlength=max(exact.POKER.values()) + 1), len(shoes))


def judge_poker(seen: Int64, cards: int) -> Figure:
    return quadratic(seen[:-1], exact.poker(cards), int(seen[-1]))


def openings(shoes: Shoes) -> Int64:
    """The first four cards of each shoe, as one number."""
    scale = CARDS_IN_A_DECK ** np.arange(OPENING, dtype=np.int64)
    return np.asarray(shoes[:, :OPENING].astype(np.int64) @ scale, np.int64)


def judge_collisions(seen: Int64, cards: int) -> Figure:
    """Judge the number of pairs of shoes with the same first four cards."""
    _, times = np.unique(seen, return_counts=True)
    shoes, pairs = len(seen), int((times * (times - 1) // 2).sum())
    two, three = exact.openings(cards // CARDS_IN_A_DECK)
    mean = comb(shoes, 2) * two
    if mean < NORMAL_ABOVE:
        return poisson(pairs, mean, shoes)
    variance = comb(shoes, 2) * (two - two**2) + 6 * comb(shoes, 3) * (three - two**2)
    return normal((pairs - mean) / sqrt(variance), shoes)


def count_serial(shoes: Shoes) -> Int64:
    return np.array([int((shoes[1:] == shoes[:-1]).sum()), len(shoes) - 1])


def judge_serial(seen: Int64, cards: int) -> Figure:
    mean, variance = exact.matches(cards // CARDS_IN_A_DECK)
    pairs = int(seen[1])
    return normal((int(seen[0]) - pairs * mean) / sqrt(pairs * variance), pairs)
