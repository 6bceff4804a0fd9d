"""Measure how countable a bet is: exact expectations of random depleted shoes, against the best linear count.

`punto.odds.removal` estimates the same by a formula. Where a bet is far from linear, trust the figures from here.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np

from punto.cards import RANKS
from punto.game.coup import MOST_CARDS as LEAST_CARDS
from punto.rulebook.model import Bet, Rulebook
from punto.sim.analysis import count, expectations
from punto.sim.atoms import Float64, Int64, compiled

MOST_SHOES: Final = 100_000


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """A bet over random shoes dealt down to the cut card."""

    bet: Bet
    correlation: float
    """Correlation of the best linear count with the true expectation, when the cut card comes."""
    deviation_at_cut: float
    gain_per_shoe: float
    """Units won by betting one unit in every round whose true expectation is positive."""
    gain_by_count: float
    """The same if the linear count, not the true expectation, decides when to bet."""
    standard_error: float
    """Of `gain_per_shoe`."""


def measured(rules: Rulebook, *, decks: int, cut_cards: int, shoes: int = 200, seed: int = 0) -> dict[Bet, Measured]:
    """Draw `shoes` depleted shoes at the depth of every round before the cut card and value them exactly."""
    whole = np.full(len(RANKS), 4 * decks, dtype=np.int64)
    if not LEAST_CARDS <= cut_cards < whole.sum() or not 1 < shoes <= MOST_SHOES:
        raise ValueError(
            f"{cut_cards} cards behind the cut card and {shoes} shoes: expected {LEAST_CARDS} to {whole.sum() - 1} "
            f"cards and 2 to {MOST_SHOES} shoes"
        )
    chance = np.random.Generator(np.random.Philox(seed))
    start, worth = _linear(rules, whole)
    bets = compiled(rules).bets
    gain, by_count, variance = np.zeros(len(bets)), np.zeros(len(bets)), np.zeros(len(bets))
    for left in _depths(rules, whole, cut_cards):
        true, guess = _drawn(rules, chance, whole, left, shoes, start, worth)
        won = np.maximum(true, 0)
        gain += won.mean(axis=0)
        by_count += np.where(guess > 0, true, 0).mean(axis=0)
        variance += won.var(axis=0, ddof=1) / shoes
    true, guess = _drawn(rules, chance, whole, cut_cards, shoes, start, worth)
    return {
        bet: Measured(
            bet=bet,
            correlation=_correlation(true[:, at], guess[:, at]),
            deviation_at_cut=float(true[:, at].std(ddof=1)),
            gain_per_shoe=float(gain[at]),
            gain_by_count=float(by_count[at]),
            standard_error=float(np.sqrt(variance[at])),
        )
        for at, bet in enumerate(bets)
    }


def _drawn(
    rules: Rulebook, chance: np.random.Generator, whole: Int64, left: int, shoes: int, start: Float64, worth: Float64
) -> tuple[Float64, Float64]:
    """Random shoes with `left` cards: their true expectations, and the linear count's estimates of them."""
    ranks = chance.multivariate_hypergeometric(whole, left, size=shoes)
    return expectations(rules, ranks), start + ranks @ worth / left


def _linear(rules: Rulebook, whole: Int64) -> tuple[Float64, Float64]:
    """Expectation of the whole shoe, and what a card left in a shoe adds to it: rank × bet."""
    start = expectations(rules, whole[None])[0]
    moved = expectations(rules, whole - np.eye(len(RANKS), dtype=np.int64)) - start
    worth = -moved * float(whole.sum() - 1)
    return start, worth - whole @ worth / whole.sum()


def _depths(rules: Rulebook, whole: Int64, cut_cards: int) -> list[int]:
    """Cards left at the start of every round, if each round uses the average number of cards."""
    counted = count(rules, whole[None])
    cards = np.array([outcome.player_cards + outcome.banker_cards for outcome in counted.compiled.outcomes])
    step = float(counted.outcomes[0] @ cards) / float(counted.total[0])
    return [round(left) for left in np.arange(float(whole.sum()), cut_cards, -step)]


def _correlation(sample: Float64, other: Float64) -> float:
    if sample.std() == 0 or other.std() == 0:
        return 0.0
    return float(np.corrcoef(sample, other)[0, 1])
