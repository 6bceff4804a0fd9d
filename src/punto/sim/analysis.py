"""The compiled closed form for batches of shoes. It agrees with `punto.odds` on every number.

A shoe is a row of 13 counts in the order A 2 … 9 T J Q K. Two cards of a hand are counted without their order, so a
shoe of N cards has N (N-1) … (N-5) / 4 coups. No intermediate sum or product exceeds N⁶, which fits int64 up to
MOST_CARDS; up to eleven decks every count is below 2⁵³, so float64 holds it exactly too. docs/mathematics.md has the
formulas and the bound.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from punto.cards import POINTS, RANKS
from punto.game.coup import MOST_CARDS as LEAST_CARDS
from punto.rulebook.model import Bet, Rulebook
from punto.sim.atoms import FLAGS, RESULTS, Compiled, Float64, Int64, compiled, separate
from punto.sim.closed_form import count_atoms, count_outcomes, expect

MOST_CARDS: Final = 1_000

BLOCK: Final = 1_024
"""Shoes counted at a time where only their expectations are kept. This limits memory to 10 MB."""

_POINTS: Final = np.array([POINTS[rank] for rank in RANKS], dtype=np.int64)


class Counts(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Coups of each shoe, the two cards of a hand unordered: shoe × outcome, and shoe × offer × won, returned, lost."""

    compiled: Compiled
    total: Int64
    outcomes: Int64
    offers: Int64

    def expectation(self, shoe: int) -> dict[Bet, Fraction]:
        """Exact expectation of every bet in one shoe."""
        total = int(self.total[shoe])
        counts = [int(count) for count in self.outcomes[shoe]]
        worths = {}
        for at, bet in enumerate(self.compiled.bets):
            won = sum(count * pays for count, pays in zip(counts, self.compiled.pays[:, at].tolist(), strict=True))
            worths[bet] = Fraction(won, total * self.compiled.scale[at])
        return worths

    def offer_expectation(self, shoe: int) -> list[Fraction | None]:
        """Exact expectation of every insurance offer in one shoe, given that it is made; None where it can't be."""
        worths: list[Fraction | None] = []
        for offer, (won, returned, lost) in zip(self.compiled.offers, self.offers[shoe].tolist(), strict=True):
            made = won + returned + lost
            worths.append((won * offer.odds - lost) / made if made else None)
        return worths


def count(rules: Rulebook, shoes: npt.ArrayLike) -> Counts:
    """Count every outcome and every insurance offer of every shoe."""
    known, ranks = compiled(rules), _checked(shoes)
    outcomes = np.zeros((len(ranks), len(known.outcomes)), dtype=np.int64)
    offers = np.zeros((len(ranks), len(RESULTS) * len(known.offers) + 1), dtype=np.int64)
    count_outcomes(ranks, _POINTS, known.start, known.thirds, known.outcome, known.insured, outcomes, offers)
    by_offer = offers[:, :-1].reshape(len(ranks), len(known.offers), len(RESULTS))
    return Counts(compiled=known, total=_coups(ranks), outcomes=outcomes, offers=by_offer)


def expectations(rules: Rulebook, shoes: npt.ArrayLike) -> Float64:
    """Shoe × bet → expectation of one unit, in float64, accurate to about 13 digits."""
    known, ranks = compiled(rules), _checked(shoes)
    worths = np.empty((len(ranks), len(known.bets)))
    for at in range(0, len(ranks), BLOCK):
        block = ranks[at : at + BLOCK]
        counts, net = count_ends_and_pairs(rules, block)
        expect(counts, _coups(block), net, worths[at : at + BLOCK])
    return worths


def count_ends_and_pairs(rules: Rulebook, ranks: Int64) -> tuple[Int64, Float64]:
    """Coups of each shoe by the classes that decide bets, and what each class adds to a bet's net winnings.

    Where no bet depends on points and pairs together, kinds of ends and pair flags are enough. There are ten times
    fewer of them than outcomes.
    """
    known, apart = compiled(rules), separate(rules)
    if apart is None:
        return count(rules, ranks).outcomes, known.net
    counts = np.zeros((len(ranks), len(apart.net)), dtype=np.int64)
    count_atoms(ranks, _POINTS, known.start, known.thirds, apart.end, counts)
    counts[:, -len(FLAGS) :] = _by_flag(ranks)
    return counts, apart.net


def _by_flag(ranks: Int64) -> Int64:
    """Coups of each shoe by pair flag. Both hands are drawn first, then any two cards."""
    cards, pairs = ranks.sum(axis=1), ranks * (ranks - 1) // 2
    rest = (cards - 4) * (cards - 5)
    hands = (cards - 2) * (cards - 3) // 2 * rest
    in_one = pairs.sum(axis=1) * hands
    twin = (pairs * ((ranks - 2) * (ranks - 3) // 2)).sum(axis=1) * rest
    both = (pairs.sum(axis=1) ** 2 - (pairs**2).sum(axis=1)) * rest
    single = in_one - both - twin
    none = _coups(ranks) - 2 * single - both - twin
    return np.stack([none, single, single, both, twin], axis=1)


def offer_expectations(rules: Rulebook, shoes: npt.ArrayLike) -> Float64:
    """Shoe × offer → expectation of one unit of insurance given the offer, in float64; NaN where it can't be made."""
    known, ranks = compiled(rules), _checked(shoes)
    worths = np.empty((len(ranks), len(known.offers)))
    for at in range(0, len(ranks), BLOCK):
        block = ranks[at : at + BLOCK]
        counts = np.zeros((len(block), len(RESULTS) * len(known.offers) + 1), dtype=np.int64)
        count_atoms(block, _POINTS, known.start, known.thirds, known.insured, counts)
        offers = counts[:, :-1].reshape(len(block), len(known.offers), len(RESULTS)).astype(np.float64)
        won, made = offers[:, :, 0], offers.sum(axis=2)
        with np.errstate(invalid="ignore"):
            worths[at : at + BLOCK] = (won * known.offer_odds - offers[:, :, 2]) / made
    return worths


def _checked(shoes: npt.ArrayLike) -> Int64:
    """The shoes as an array. Raises ValueError about the first row that is not a valid shoe."""
    ranks = np.asarray(shoes)
    if ranks.ndim != 2 or ranks.shape[1] != len(RANKS) or not np.issubdtype(ranks.dtype, np.integer):
        raise ValueError(f"{ranks.dtype} array of shape {ranks.shape}: expected integers, 13 ranks for every shoe")
    cards = ranks.sum(axis=1)
    wrong = (ranks < 0).any(axis=1) | (cards < LEAST_CARDS) | (cards > MOST_CARDS)
    if wrong.any():
        at = int(wrong.argmax())
        raise ValueError(
            f"shoe {at}: {ranks[at].tolist()} is not a valid shoe: expected counts of at least 0, "
            f"{LEAST_CARDS} to {MOST_CARDS} cards in all"
        )
    return np.ascontiguousarray(ranks, dtype=np.int64)


def _coups(ranks: Int64) -> Int64:
    cards = ranks.sum(axis=1)
    total: Int64 = cards * (cards - 1) * (cards - 2) * (cards - 3) // 4 * (cards - 4) * (cards - 5)
    return total
