"""The figures of the day: what the tables won in a span, beside the expected result.

This module is pure: settled rounds are added one by one, sums stay whole cents, and the exact odds are applied once at
the end. `day_rounds.py` reads the rounds from the store.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from typing import Final

import msgspec

from punto.game.table import SettledLine
from punto.house.history.past_round import is_excess
from punto.money import Cents
from punto.odds.composition import full
from punto.odds.insurance import Cell, cells
from punto.odds.value import covariances, values
from punto.rulebook.model import Bet, Insurance, Moment, Rulebook

CellKey = tuple[Insurance, Moment, int, int]
"""An offer of insurance: the bet, the moment, and the points of Player and Banker."""
EVEN: Final = Fraction(1)


class DayRound(msgspec.Struct, frozen=True, kw_only=True):
    """A settled round. `offers`: for each insurance among the lines, the offer at which it was taken."""

    table: str
    round: int
    at: int
    edition: str
    decks: int
    lines: tuple[SettledLine, ...]
    offers: dict[str, CellKey] = {}

    @property
    def won_cents(self) -> int:
        """What the house won in this round."""
        return sum(line.stake_cents - line.handed_back_cents for line in self.lines)


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Wagers of one kind. `theoretical` is the house's expected win by the exact odds of a full shoe, `deviation` one
    standard deviation around it, `off_by` how many deviations the result is away from it."""

    wagers: int = 0
    wagered_cents: Cents = msgspec.field(name="wagered", default=Cents(0))
    handed_back_cents: Cents = msgspec.field(name="handed_back", default=Cents(0))
    result_cents: Cents = msgspec.field(name="result", default=Cents(0))
    theoretical_cents: Cents = msgspec.field(name="theoretical", default=Cents(0))
    deviation_cents: Cents = msgspec.field(name="deviation", default=Cents(0))
    off_by: float | None = None


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """A table, a game or the house in the span. `result` is the ledger's to the cent: the sum of bets, insurance and
    `put_right`, which is all that rulings and later corrections moved."""

    rounds: int
    result_cents: Cents = msgspec.field(name="result")
    put_right_cents: Cents = msgspec.field(name="put_right")
    theoretical_cents: Cents = msgspec.field(name="theoretical")
    bets: Part
    insurance: Part
    commission_cents: Cents = msgspec.field(name="commission")
    """What the house kept of even money. The result of the bets includes it."""


class BetFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One bet of one edition."""

    edition: str
    bet: str
    edge: float | None
    part: Part


class Tally:
    """The rounds of a table, a game or the house, added up."""

    def __init__(self) -> None:
        self.rounds = 0
        self.commission_cents = 0
        self._sums: dict[tuple[str, int, str], list[int]] = {}
        """(edition, decks, bet) → number of wagers, stakes, amount handed back."""
        self._together: Counter[tuple[str, int, Bet, Bet]] = Counter()
        """Products of the stakes on two bets of the same round."""
        self._cells: dict[tuple[str, int, CellKey], list[int]] = {}
        """(edition, decks, offer) → stakes, and squares of the stake in each round."""

    def add(self, rules: Rulebook, played: DayRound) -> None:
        where = (played.edition, played.decks)
        staked: Counter[Bet] = Counter()
        insured: Counter[CellKey] = Counter()
        self.rounds += 1
        for line in played.lines:
            if is_excess(line, played.lines):
                continue
            sums = self._sums.setdefault((*where, line.bet), [0, 0, 0])
            for at, value in enumerate((1, line.stake_cents, line.handed_back_cents)):
                sums[at] += value
            if line.wager in played.offers:
                insured[played.offers[line.wager]] += line.stake_cents
            elif line.bet in rules.bets:
                bet = Bet(line.bet)
                staked[bet] += line.stake_cents
                self.commission_cents += _commission(rules, bet, line)
        for bet, other in itertools.product(staked, repeat=2):
            self._together[(*where, bet, other)] += staked[bet] * staked[other]
        for offer, cents in insured.items():
            kept = self._cells.setdefault((*where, offer), [0, 0])
            kept[0] += cents
            kept[1] += cents * cents

    def figures(self, books: dict[str, Rulebook], result_cents: int) -> Figures:
        """The figures by the exact odds. `result_cents` is the ledger's."""
        bets, insurance = self._bets(books), self._insurance(books)
        settled = bets.result_cents + insurance.result_cents
        return Figures(
            rounds=self.rounds,
            result_cents=Cents(result_cents),
            put_right_cents=Cents(result_cents - settled),
            theoretical_cents=Cents(bets.theoretical_cents + insurance.theoretical_cents),
            bets=bets,
            insurance=insurance,
            commission_cents=Cents(self.commission_cents),
        )

    def by_bet(self, books: dict[str, Rulebook]) -> list[BetFigures]:
        """Figures of each bet, over all numbers of decks."""
        named = dict.fromkeys((edition, bet) for edition, _, bet in self._sums)
        return [self._one_bet(books, edition, bet) for edition, bet in named]

    def _one_bet(self, books: dict[str, Rulebook], edition: str, bet: str) -> BetFigures:
        insured = bet in set(Insurance)
        sums = [kept for (known, _, name), kept in self._sums.items() if (known, name) == (edition, bet)]
        expected, variance = self._expected_insurance(books, edition, bet) if insured else (Fraction(0), Fraction(0))
        for (known, decks, name), (_, stake, _) in self._sums.items():
            if (known, name) == (edition, bet) and not insured:
                rules = books[edition]
                expected -= stake * values(rules, full(rules, decks))[Bet(bet)].expectation
                variance += self._together[known, decks, Bet(bet), Bet(bet)] * _covariance(rules, decks, bet, bet)
        part = _part(sums, expected, variance)
        stake = part.wagered_cents
        return BetFigures(edition=edition, bet=bet, edge=float(expected / stake) if stake else None, part=part)

    def _bets(self, books: dict[str, Rulebook]) -> Part:
        sums, expected, variance = [], Fraction(0), Fraction(0)
        for (edition, decks, bet), kept in self._sums.items():
            if bet not in set(Insurance):
                rules = books[edition]
                sums.append(kept)
                expected -= kept[1] * values(rules, full(rules, decks))[Bet(bet)].expectation
        for (edition, decks, bet, other), product in self._together.items():
            variance += product * _covariance(books[edition], decks, bet, other)
        return _part(sums, expected, variance)

    def _insurance(self, books: dict[str, Rulebook]) -> Part:
        sums = [kept for (_, _, bet), kept in self._sums.items() if bet in set(Insurance)]
        return _part(sums, *self._expected_insurance(books))

    def _expected_insurance(
        self, books: dict[str, Rulebook], edition: str | None = None, bet: str | None = None
    ) -> tuple[Fraction, Fraction]:
        """The house's expected win by the price of each offer, and the variance; of one bet, if it is given."""
        expected, variance = Fraction(0), Fraction(0)
        for (known, decks, offer), (stake, squares) in self._cells.items():
            if edition is not None and (known, offer[0]) != (edition, bet):
                continue
            cell = _cell(books[known], decks, offer)
            if cell is not None:
                expected -= stake * cell.expectation
                variance += squares * (cell.won * cell.odds**2 + cell.lost - cell.expectation**2)
        return expected, variance


def _part(sums: Iterable[list[int]], expected: Fraction, variance: Fraction) -> Part:
    wagers, stake, back = (sum(column) for column in zip(*sums, (0, 0, 0), strict=True))
    deviation = sqrt(variance)
    return Part(
        wagers=wagers,
        wagered_cents=Cents(stake),
        handed_back_cents=Cents(back),
        result_cents=Cents(stake - back),
        theoretical_cents=Cents(round(expected)),
        deviation_cents=Cents(round(deviation)),
        off_by=float(stake - back - expected) / deviation if deviation else None,
    )


def _covariance(rules: Rulebook, decks: int, bet: str, other: str) -> Fraction:
    return covariances(rules, full(rules, decks))[Bet(bet), Bet(other)]


def _cell(rules: Rulebook, decks: int, offer: CellKey) -> Cell | None:
    every = cells(rules, full(rules, decks))
    return next((cell for cell in every if _key(cell) == offer), None)


def _key(cell: Cell) -> CellKey:
    return (cell.bet, cell.after, cell.player_points, cell.banker_points)


def _commission(rules: Rulebook, bet: Bet, line: SettledLine) -> int:
    """O107: a main bet that never pays even money has commission: the stake less the winnings."""
    rule = rules.bets[bet]
    kept = rule.main and all(row.odds < EVEN for row in rule.pays)
    return line.stake_cents - line.winnings_cents if kept and line.result == "won" else 0
