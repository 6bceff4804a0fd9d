"""How a bet's value changes with the cards that leave the shoe: the effect of removing a rank, and how countable it is.

A count adds a number (a tag) for every card that leaves. The best linear count uses the effects of removal as tags;
rounded to small integers, a person can keep it in mind. Gains use the usual normal approximation over depleted shoes;
`punto.sim.counting` measures them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import erf, exp, pi, sqrt

import msgspec

from punto.cards import RANKS
from punto.game.coup import MOST_CARDS
from punto.odds.composition import Composition, OddsError
from punto.odds.value import count, values
from punto.rulebook.model import Bet, Rulebook

LARGEST_TAG = 4


@lru_cache(maxsize=64)
def effects(rules: Rulebook, composition: Composition) -> dict[Bet, dict[str, Fraction]]:
    """Bet → rank → change of its expectation when one card of the rank is removed."""
    if composition.cards <= MOST_CARDS:
        raise OddsError(f"{composition.cards} cards are left: with one less a coup can't be dealt")
    before = {bet: value.expectation for bet, value in values(rules, composition).items()}
    by_rank: dict[Bet, dict[str, Fraction]] = {bet: {} for bet in before}
    for rank in RANKS:
        if not composition.ranks[RANKS.index(rank)]:
            continue
        after = values(rules, composition.without(rank))
        for bet, expectation in before.items():
            by_rank[bet][rank] = after[bet].expectation - expectation
    return by_rank


class Countable(msgspec.Struct, frozen=True, kw_only=True):
    """A bet and its best linear count."""

    bet: Bet
    effects: dict[str, Fraction]
    tags: dict[str, int]
    correlation: float
    """Correlation of the small integer tags with the effects: 1 means that rounding loses nothing."""
    deviation_at_cut: float
    """Standard deviation of the bet's expectation when the cut card comes."""
    gain_per_shoe: float
    """Units won per shoe by betting one unit whenever the expectation is positive, dealing to the cut."""


def countable(rules: Rulebook, composition: Composition, *, cut_cards: int, bet: Bet) -> Countable:
    """How much a perfect linear count of this bet is worth when `cut_cards` are left behind the cut card."""
    if not MOST_CARDS <= cut_cards < composition.cards:
        allowed = f"{MOST_CARDS} to {composition.cards - 1}"
        raise OddsError(f"{cut_cards} cards behind the cut card: expected {allowed}")
    moved = effects(rules, composition)[bet]
    weights = {rank: composition.ranks[RANKS.index(rank)] for rank in moved}
    expectation = float(values(rules, composition)[bet].expectation)
    spread = _spread(moved, weights, composition.cards)
    tags = _tags(moved)
    return Countable(
        bet=bet,
        effects=moved,
        tags=tags,
        correlation=betting_correlation(composition, moved, tags),
        deviation_at_cut=_deviation(spread, composition.cards, cut_cards),
        gain_per_shoe=_gain(expectation, spread, composition.cards, cut_cards, cards_a_round(rules, composition)),
    )


def _spread(moved: dict[str, Fraction], weights: dict[str, int], cards: int) -> float:
    """Deviation of one card's value to the bet, if the expectation were the mean value of the cards left."""
    worth = {rank: -float(effect) * (cards - 1) for rank, effect in moved.items()}
    total = sum(weights.values())
    mean = sum(weights[rank] * worth[rank] for rank in worth) / total
    return sqrt(sum(weights[rank] * (worth[rank] - mean) ** 2 for rank in worth) / total)


def _deviation(spread: float, cards: int, left: int) -> float:
    """Standard deviation of the mean of `left` cards drawn without replacement."""
    return spread * sqrt((cards - left) / (left * (cards - 1)))


def cards_a_round(rules: Rulebook, composition: Composition) -> float:
    """Cards that a coup uses on average."""
    counted = count(rules, composition)
    used = sum((outcome.player_cards + outcome.banker_cards) * coups for outcome, coups in counted.outcomes.items())
    return used / counted.total


def _gain(expectation: float, spread: float, cards: int, cut_cards: int, step: float) -> float:
    """Expected positive part of the expectation, summed over the rounds of a shoe."""
    gain, left = 0.0, float(cards)
    while left > cut_cards:
        deviation = _deviation(spread, cards, round(left)) if left < cards else 0.0
        if deviation:
            z = expectation / deviation
            gain += deviation * exp(-z * z / 2) / sqrt(2 * pi) + expectation * (1 + erf(z / sqrt(2))) / 2
        elif expectation > 0:
            gain += expectation
        left -= step
    return gain


def _tags(moved: dict[str, Fraction]) -> dict[str, int]:
    """Effects scaled so that the largest is a small integer, and rounded."""
    largest = max((abs(effect) for effect in moved.values()), default=Fraction(0))
    return {rank: round(effect * LARGEST_TAG / largest) if largest else 0 for rank, effect in moved.items()}


def betting_correlation(composition: Composition, moved: dict[str, Fraction], tags: dict[str, int]) -> float:
    """Correlation of a count's tags with the effects of removal, over the cards of the shoe."""
    weights = {rank: composition.ranks[RANKS.index(rank)] for rank in moved}
    total = sum(weights.values())

    def mean(of: dict[str, float]) -> float:
        return sum(weights[rank] * of[rank] for rank in moved) / total

    x = {rank: float(effect) for rank, effect in moved.items()}
    y = {rank: float(tags[rank]) for rank in moved}
    mx, my = mean(x), mean(y)
    xy = mean({rank: (x[rank] - mx) * (y[rank] - my) for rank in moved})
    xx = mean({rank: (x[rank] - mx) ** 2 for rank in moved})
    yy = mean({rank: (y[rank] - my) ** 2 for rank in moved})
    return xy / sqrt(xx * yy) if xx and yy else 0.0
