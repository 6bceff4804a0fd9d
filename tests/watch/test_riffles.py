"""How well cards are shuffled: the published figures for 52 cards, and what shoes keep of the last order."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations
from math import factorial

import numpy as np
import pytest

from punto.watch import riffles
from tests.watch.shoes import riffled, shuffled

BAYER_DIACONIS = ("1.000", "1.000", "1.000", "1.000", "0.924", "0.614", "0.334", "0.167", "0.085", "0.043")
"""Total variation for 52 cards after 1 to 10 riffles: D. Bayer and P. Diaconis, Trailing the dovetail shuffle to its
lair, Annals of Applied Probability 2 (1992), table 1."""


def test_the_distances_of_bayer_and_diaconis_come_back() -> None:
    distances = [f"{float(riffles.distance(52, m)):.3f}" for m in range(1, 11)]
    assert tuple(distances) == BAYER_DIACONIS


def test_orders_by_rising_sequences_are_counted_right() -> None:
    for cards in (1, 2, 3, 5, 6):
        counts = [0] * cards
        for order in permutations(range(cards)):
            counts[riffles.rising_sequences(order) - 1] += 1
        assert tuple(counts) == riffles.eulerian(cards)
    assert sum(riffles.eulerian(52)) == factorial(52)
    assert riffles.distance(3, 1) == Fraction(1, 3)


@pytest.mark.parametrize("times", [1, 2, 3, 4, 5])
def test_the_number_of_riffles_is_found_again(times: int) -> None:
    chance = random.Random(times)
    rising = [riffles.rising_sequences(riffled(chance, list(range(52)), times)) for _ in range(20)]
    assert riffles.riffles_that_fit(52, rising) == times


def test_one_riffle_in_one_move_has_the_chance_of_the_formula() -> None:
    """All orders of four cards, 40,000 times two riffles in one move: within five deviations of the exact chances."""
    chance, counts, draws = np.random.default_rng(3), dict[tuple[int, ...], int](), 40_000
    for _ in range(draws):
        order = tuple(riffles.riffled(chance, np.arange(4), 2).tolist())
        counts[order] = counts.get(order, 0) + 1
    for order in permutations(range(4)):
        ways = riffles.log_likelihood(4, riffles.rising_sequences(order), 2)
        share = np.exp(ways)
        assert abs(counts.get(order, 0) - draws * share) <= 5 * (draws * share * (1 - share)) ** 0.5 + 1e-9


def test_what_a_shoe_keeps_falls_by_half_with_every_riffle() -> None:
    by_riffles, fair = riffles.measured(np.random.default_rng(1), 8, suits=True)
    assert abs(by_riffles[0][0] - 0.5) < 0.03
    assert abs(by_riffles[1][0] - 0.25) < 0.03
    assert abs(fair[0]) < 0.01
    chance = random.Random(4)
    for times in (1, 2, 3, 4):
        shares = []
        for _ in range(8):
            last = shuffled(chance)
            shares.append(riffles.kept(last, riffled(chance, last, times), 8, 416).share)
        assert riffles.fit(sum(shares) / 8, 8, by_riffles, fair).riffles == times
    shares = [riffles.kept(shuffled(chance), shuffled(chance), 8, 416).share for _ in range(8)]
    assert riffles.fit(sum(shares) / 8, 8, by_riffles, fair).riffles is None
