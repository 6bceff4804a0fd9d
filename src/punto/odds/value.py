"""The worth of a bet: its outcomes with exact probabilities, expectation, deviation, and how bets move together."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import sqrt

import msgspec

from punto.game.outcome import Outcome
from punto.game.settlement import pay_table
from punto.odds.census import Census, census
from punto.odds.composition import Composition
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
        return {"won": self.odds or Fraction(0), "returned": Fraction(0), "lost": Fraction(-1)}[self.result]


class Value(msgspec.Struct, frozen=True):
    """A bet in a shoe. Figures are per unit staked."""

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


def count(rules: Rulebook, composition: Composition) -> Census:
    return census(rules.table_of_play, composition)


def values(rules: Rulebook, composition: Composition) -> dict[Bet, Value]:
    """Every bet of an edition, before a card of the round is seen."""
    found = count(rules, composition)
    return valued(rules, found.outcomes, found.total)


def valued(rules: Rulebook, outcomes: dict[Outcome, int], total: int) -> dict[Bet, Value]:
    """Every bet over a distribution of outcomes. What an outcome pays comes from the table that settles."""
    table = pay_table(rules)
    ways: dict[Bet, dict[tuple[str, Fraction | None, str], int]] = {bet: {} for bet in rules.bets}
    for outcome, coups in outcomes.items():
        verdicts = table[outcome]
        for bet, by_way in ways.items():
            verdict = verdicts[bet]
            key = (verdict.result, verdict.odds, verdict.paragraph)
            by_way[key] = by_way.get(key, 0) + coups
    return {bet: Value(bet.value, rules.bets[bet].cite, total, _sorted(by_way)) for bet, by_way in ways.items()}


def _sorted(by_way: dict[tuple[str, Fraction | None, str], int]) -> tuple[Way, ...]:
    """Won by rising odds, then returned, then lost."""
    order = ("won", "returned", "lost")
    ways = [Way(result, odds, coups, paragraph) for (result, odds, paragraph), coups in by_way.items()]
    return tuple(sorted(ways, key=lambda way: (order.index(way.result), way.odds or 0)))


@lru_cache(maxsize=32)
def covariances(rules: Rulebook, composition: Composition) -> dict[tuple[Bet, Bet], Fraction]:
    """How two bets on one round move together, per unit each."""
    found = count(rules, composition)
    table = pay_table(rules)
    bets = tuple(rules.bets)
    net: dict[Bet, list[tuple[int, Fraction]]] = {bet: [] for bet in bets}
    for outcome, coups in found.outcomes.items():
        for bet in bets:
            verdict = table[outcome][bet]
            won = verdict.odds if verdict.odds is not None else Fraction(-1 if verdict.result == "lost" else 0)
            net[bet].append((coups, won))
    means = {bet: value.expectation for bet, value in values(rules, composition).items()}
    result: dict[tuple[Bet, Bet], Fraction] = {}
    for at, one in enumerate(bets):
        for other in bets[at:]:
            products = _sum_of_products(net[one], net[other])
            result[one, other] = result[other, one] = products / found.total - means[one] * means[other]
    return result


def _sum_of_products(one: list[tuple[int, Fraction]], other: list[tuple[int, Fraction]]) -> Fraction:
    """Σ coups × x × y, gathered by value first so that few fractions are multiplied."""
    gathered: dict[tuple[Fraction, Fraction], int] = {}
    for (coups, x), (_, y) in zip(one, other, strict=True):
        if x and y:
            gathered[x, y] = gathered.get((x, y), 0) + coups
    return sum((coups * x * y for (x, y), coups in gathered.items()), Fraction(0))
