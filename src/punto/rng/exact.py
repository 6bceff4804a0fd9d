"""Exact distributions for honest shuffles: means, covariances, and the probability of the counts seen.

Counts over a whole shoe are not independent, since each card comes out once. So they are compared by their exact
covariance: the quadratic form with its inverse is chi-square, however the counts depend on each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb, erfc, perm, sqrt
from typing import Final

import msgspec
import numpy as np

from punto.cards import CARDS_IN_A_DECK, RANKS
from punto.sim.atoms import Float64, Int64
from punto.sim.estimates import upper_gamma

HAND: Final = 5
POKER: Final = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 6: 5, 10: 5}
"""Pairs of equal ranks among five cards → no pair, one, two, three of a kind, full house, four or five of a kind."""
GAPS: Final = 41
"""Classes of gaps: 0 to 39, and 40 or more."""
TINY: Final = 1e-9
"""A direction with less variance than this share of the largest is treated as having none."""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a test. `p` is two-sided: too good a fit is suspicious as well."""

    statistic: float
    degrees: int | None
    p: float
    observations: int


def normal(z: float, observations: int) -> Figure:
    return Figure(statistic=z, degrees=None, p=erfc(abs(z) / sqrt(2)), observations=observations)


def binomial(seen: int, trials: int) -> Figure:
    """Heads of a fair coin, by the normal approximation."""
    return normal((2 * seen - trials) / sqrt(trials), trials)


def chi_square(statistic: float, degrees: int, observations: int) -> Figure:
    above = upper_gamma(degrees / 2, statistic / 2)
    p = min(1.0, 2 * min(above, 1 - above))
    return Figure(statistic=statistic, degrees=degrees, p=p, observations=observations)


def pearson(seen: Int64, shares: Float64) -> Figure:
    """Pearson's chi-square: independent observations in classes with known shares."""
    total = int(seen.sum())
    expected = total * shares
    return chi_square(float(((seen - expected) ** 2 / expected).sum()), len(seen) - 1, total)


def poisson(seen: int, mean: float, observations: int) -> Figure:
    below = upper_gamma(seen + 1, mean)  # P(X <= seen)
    above = 1 - upper_gamma(seen, mean) if seen else 1.0
    return Figure(statistic=float(seen), degrees=None, p=min(1.0, 2 * min(below, above)), observations=observations)


class Spread(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Mean and covariance of the counts of a shoe; the covariance as its eigenvalues and eigenvectors."""

    mean: Float64
    variances: Float64
    directions: Float64


def spread(mean: Float64, covariance: Float64) -> Spread:
    values, vectors = np.linalg.eigh(covariance)
    kept = values > TINY * values[-1]
    return Spread(mean=mean, variances=values[kept], directions=vectors[:, kept].T)


def quadratic(seen: Int64, of: Spread, shoes: int) -> Figure:
    """Chi-square of the counts of `shoes` shoes, by the quadratic form with their inverse covariance."""
    along = of.directions @ (seen - shoes * of.mean)
    return chi_square(float((along**2 / (shoes * of.variances)).sum()), len(of.variances), int(seen.sum()))


@cache
def neighbours(cards: int) -> Spread:
    """Two ranks in a row: mean and covariance of the 169 counts of a shoe."""
    ranks = len(RANKS)
    copies = cards // ranks
    pairs = cards - 1
    two, four = perm(cards, 2), perm(cards, 4)
    at = np.arange(ranks * ranks)
    first, second = at // ranks, at % ranks
    mean = pairs * copies * (copies - (first == second)) / two
    f, g, h, k = first[:, None], second[:, None], first[None, :], second[None, :]
    product = np.where((f == h) & (g == k), mean[:, None], 0.0)
    product += np.where(g == h, (pairs - 1) * _sequence(copies, cards, f, g, k), 0.0)
    product += np.where(f == k, (pairs - 1) * _sequence(copies, cards, h, f, g), 0.0)
    apart = (pairs - 1) * (pairs - 2)
    apart_p = copies * (copies - (f == g)) * (copies - 1.0 * (f == h) - (g == h))
    product += apart * apart_p * (copies - 1.0 * (f == k) - (g == k) - (h == k)) / four
    return spread(mean, product - np.outer(mean, mean))


def _sequence(copies: int, cards: int, x: Int64, y: Int64, z: Int64) -> Float64:
    """The probability of three ranks in a row at a given place."""
    ways = copies * (copies - 1.0 * (x == y)) * (copies - 1.0 * (x == z) - (y == z))
    return np.asarray(ways / perm(cards, 3), np.float64)


@cache
def gaps(cards: int) -> Spread:
    """Cards between two of one rank, with those before the first and after the last: mean and covariance."""
    copies = cards // len(RANKS)
    others, whole = cards - copies, comb(cards, copies)
    lengths = np.zeros(GAPS)
    two = np.zeros((GAPS, GAPS))
    for i in range(others + 1):
        lengths[min(i, GAPS - 1)] += comb(cards - 1 - i, copies - 1) / whole
        for j in range(others - i + 1):
            two[min(i, GAPS - 1), min(j, GAPS - 1)] += comb(cards - 2 - i - j, copies - 2) / whole
    return _exchangeable(lengths, two, copies + 1)


def _exchangeable(chances: Float64, two: Float64, number: int) -> Spread:
    """Mean and covariance of `number` exchangeable things counted by class, from probabilities of one and of two."""
    product = number * np.diag(chances) + number * (number - 1) * two
    return spread(number * chances, product - np.outer(number * chances, number * chances))


@cache
def poker(cards: int) -> Spread:
    """Patterns of all hands of five cards in a shoe: mean and covariance. Two hands at once are counted rank by rank,
    by how many cards of the rank each hand has."""
    copies = cards // len(RANKS)
    ways = {(0, 0, 0, 0): 1}  # cards and equal pairs of the first hand, then of the second → how many ways
    for _ in RANKS:
        after: dict[tuple[int, int, int, int], int] = {}
        for (x, pairs_x, y, pairs_y), number in ways.items():
            for more in range(min(HAND - x, copies) + 1):
                for other in range(HAND - y + 1):
                    key = (x + more, pairs_x + comb(more, 2), y + other, pairs_y + comb(other, 2))
                    chosen = comb(copies, more) * comb(copies - more, other)
                    after[key] = after.get(key, 0) + number * chosen
        ways = after
    whole = comb(cards, HAND) * comb(cards - HAND, HAND)
    two = np.zeros((max(POKER.values()) + 1,) * 2)
    for (x, pairs_x, y, pairs_y), number in ways.items():
        if x == y == HAND:
            two[POKER[pairs_x], POKER[pairs_y]] += number / whole
    return _exchangeable(two.sum(axis=1), two, cards // HAND)


@cache
def openings(decks: int) -> tuple[float, float]:
    """The probability that two shoes have the same first four cards, and that three have."""
    faces, cards = CARDS_IN_A_DECK, CARDS_IN_A_DECK * decks
    # Sizes of the groups of equal cards among four, and in how many ways four places fall into them.
    groups: Sequence[tuple[tuple[int, ...], int]] = (
        ((1, 1, 1, 1), 1),
        ((2, 1, 1), 6),
        ((2, 2), 3),
        ((3, 1), 4),
        ((4,), 1),
    )
    same = [0.0, 0.0]
    for sizes, splits in groups:
        chance = 1 / perm(cards, 4)
        for size in sizes:
            chance *= perm(decks, size)
        words = splits * perm(faces, len(sizes))
        same = [total + words * chance**power for total, power in zip(same, (2, 3), strict=True)]
    return same[0], same[1]


@cache
def matches(decks: int) -> tuple[float, float]:
    """Places where two shoes have the same card: mean and variance."""
    faces, cards = CARDS_IN_A_DECK, CARDS_IN_A_DECK * decks
    mean = cards / faces
    alike, unlike = faces * (decks * (decks - 1)) ** 2, faces * (faces - 1) * decks**4
    both = (alike + unlike) / perm(cards, 2) ** 2
    return mean, mean + cards * (cards - 1) * both - mean**2
