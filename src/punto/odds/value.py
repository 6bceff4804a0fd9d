"""The value of a bet: its outcomes with exact probabilities, expectation, deviation, and covariance with other bets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import sqrt

import msgspec

from punto.game.outcome import Outcome, all_outcomes
from punto.game.settlement import Verdict, pay_table
from punto.odds.census import Census, census
from punto.odds.composition import Composition, full
from punto.rulebook.model import Bet, Rulebook


class Way(msgspec.Struct, frozen=True):
    """One way in which a bet can end: the result, the odds if it is won, and the coups in which it happens."""

    result: str
    odds: Fraction | None
    coups: int
    paragraph: str

    @property
    def pays(self) -> Fraction:
        """Net winnings of one unit."""
        return net(self)


class Value(msgspec.Struct, frozen=True):
    """The value of a bet in a shoe. Figures are per unit staked."""

    bet: str
    paragraph: str
    total: int
    ways: tuple[Way, ...]

    def probability(self, way: Way) -> Fraction:
        return Fraction(way.coups, self.total)

    @property
    def expectation(self) -> Fraction:
        return sum((way.coups * way.pays for way in self.ways), Fraction(0)) / self.total

    @property
    def favours_patron(self) -> bool:
        return self.expectation > 0

    @property
    def variance(self) -> Fraction:
        square = sum((way.coups * way.pays**2 for way in self.ways), Fraction(0)) / self.total
        return square - self.expectation**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def house_edge(self) -> float:
        return float(-self.expectation)

    @property
    def hit_frequency(self) -> Fraction:
        """How often the bet is won."""
        return Fraction(sum(way.coups for way in self.ways if way.result == "won"), self.total)


def net(verdict: Way | Verdict) -> Fraction:
    """What one unit wins or loses."""
    if verdict.odds is not None:
        return verdict.odds
    return Fraction(-1 if verdict.result == "lost" else 0)


def count(rules: Rulebook, composition: Composition) -> Census:
    return census(rules.table_of_play, composition)


def values(rules: Rulebook, composition: Composition) -> dict[Bet, Value]:
    """Every bet of an edition, before any card of the round is seen."""
    counted = count(rules, composition)
    return _valued(rules, counted.outcome_counts, counted.total)


def valued(rules: Rulebook, outcomes: dict[Outcome, int], total: int) -> dict[Bet, Value]:
    """Every bet over a distribution of outcomes."""
    return _valued(rules, [outcomes.get(outcome, 0) for outcome in all_outcomes(rules.table_of_play)], total)


def _valued(rules: Rulebook, counts: Sequence[int], total: int) -> dict[Bet, Value]:
    values = {}
    for bet, endings in _endings(rules).items():
        ways = tuple(Way(*ending, sum(map(counts.__getitem__, at)), paragraph) for ending, paragraph, at in endings)
        values[bet] = Value(bet.value, rules.bets[bet].cite, total, ways)
    return values


Ending = tuple[tuple[str, Fraction | None], str, tuple[int, ...]]
"""Result and odds, the paragraph, and the outcomes that lead to them, by their index in `all_outcomes`."""


@lru_cache(maxsize=64)
def _endings(rules: Rulebook) -> dict[Bet, list[Ending]]:
    """Every way in which each bet can end; wins come first, by rising odds. The pay table that settles bets says what
    an outcome pays. A way that is impossible in a given shoe is kept, with no coups."""
    order = ("won", "returned", "lost")
    endings: dict[Bet, dict[tuple[str, Fraction | None, str], list[int]]] = {bet: {} for bet in rules.bets}
    for at, verdicts in enumerate(pay_table(rules).values()):
        for bet, by_way in endings.items():
            verdict = verdicts[bet]
            by_way.setdefault((verdict.result, verdict.odds, verdict.paragraph), []).append(at)
    return {
        bet: [
            ((result, odds), paragraph, tuple(places))
            for (result, odds, paragraph), places in sorted(
                by_way.items(), key=lambda ending: (order.index(ending[0][0]), ending[0][1] or 0)
            )
        ]
        for bet, by_way in endings.items()
    }


@lru_cache(maxsize=32)
def covariances(rules: Rulebook, composition: Composition) -> dict[tuple[Bet, Bet], Fraction]:
    """Covariance of every two bets on one round, per unit each."""
    worths = values(rules, composition)
    counts = count(rules, composition).outcome_counts
    total = sum(counts)
    endings = {bet: _by_net(worths[bet], ways) for bet, ways in _endings(rules).items()}
    result: dict[tuple[Bet, Bet], Fraction] = {}
    bets = tuple(worths)
    for at, bet in enumerate(bets):
        for other in bets[at:]:
            products = sum(
                x * y * sum(map(counts.__getitem__, places & others))
                for x, places in endings[bet].items()
                for y, others in endings[other].items()
            )
            covariance = Fraction(products, total) - worths[bet].expectation * worths[other].expectation
            result[bet, other] = result[other, bet] = covariance
    return result


def _by_net(value: Value, endings: list[Ending]) -> dict[Fraction, frozenset[int]]:
    """Net result → outcomes. Those that return the stake are left out: they add nothing to a product."""
    outcomes: dict[Fraction, frozenset[int]] = {}
    for way, (_, _, places) in zip(value.ways, endings, strict=True):
        if way.pays:
            outcomes[way.pays] = outcomes.get(way.pays, frozenset()) | frozenset(places)
    return outcomes


def edge_by_decks(rules: Rulebook) -> dict[int, dict[Bet, Fraction]]:
    """Decks → bet → expectation, for every number of decks that the edition allows."""
    return {
        decks: {bet: value.expectation for bet, value in values(rules, full(rules, decks)).items()}
        for decks in rules.procedure.decks
    }
