"""The worth of insurance: every cell of the pay tables at both moments, alone and together with the Original Bet."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import msgspec

from punto.game.insurance import Offer, result
from punto.odds.composition import Composition
from punto.odds.value import count
from punto.rulebook.model import Bet, Insurance, InsuranceRow, Moment, Rulebook


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One offer: how often it is made, and what happens then. Counts are coups."""

    bet: Insurance
    after: Moment
    player_points: int
    banker_points: int
    odds: Fraction
    paragraph: str
    total: int
    made: int
    won_coups: int
    returned_coups: int
    lost_coups: int
    player_wins: int
    banker_wins: int
    banker_on_6: int

    @property
    def reached(self) -> Fraction:
        return Fraction(self.made, self.total)

    @property
    def won(self) -> Fraction:
        return Fraction(self.won_coups, self.made)

    @property
    def returned(self) -> Fraction:
        return Fraction(self.returned_coups, self.made)

    @property
    def lost(self) -> Fraction:
        return Fraction(self.lost_coups, self.made)

    @property
    def expectation(self) -> Fraction:
        return self.won * self.odds - self.lost

    @property
    def house_edge(self) -> float:
        return float(-self.expectation)

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.won * self.odds**2 + self.lost - self.expectation**2)

    @property
    def favours_patron(self) -> bool:
        return self.expectation > 0


def cells(rules: Rulebook, composition: Composition) -> tuple[Cell, ...]:
    """Every cell of every row that can be reached in this shoe, in the order of the pay table."""
    reached = _reached(rules, composition)
    total = count(rules, composition).total
    found = []
    for row in rules.insurance.rows:
        for player in row.player_points:
            for banker in row.banker_points:
                ends = reached.get((row.after, player, banker))
                if ends:
                    found.append(_cell(rules, row, player, banker, total, ends))
    return tuple(found)


def _reached(rules: Rulebook, composition: Composition) -> dict[tuple[Moment, int, int], dict[tuple[int, int], int]]:
    """(moment, points then) → (final points) → coups, for coups in which a card was still due at that moment."""
    play = rules.table_of_play
    reached: dict[tuple[Moment, int, int], dict[tuple[int, int], int]] = {}
    for (a, b, v, w), coups in count(rules, composition).atoms.items():
        end = ((a + (v or 0)) % 10, (b + (w or 0)) % 10)
        if v is not None or w is not None:
            ends = reached.setdefault((Moment.FOUR_CARDS, a, b), {})
            ends[end] = ends.get(end, 0) + coups
        if v is not None and play.banker_draws(b, a, v):
            ends = reached.setdefault((Moment.PLAYER_THIRD, end[0], b), {})
            ends[end] = ends.get(end, 0) + coups
    return reached


def _cell(
    rules: Rulebook, row: InsuranceRow, player: int, banker: int, total: int, ends: dict[tuple[int, int], int]
) -> Cell:
    offer = Offer(
        bet=row.bet,
        after=row.after,
        player_points=player,
        banker_points=banker,
        odds=row.odds,
        paragraph=row.cite,
        tie_paragraph=row.tie_cite,
    )
    by_result = {"won": 0, "returned": 0, "lost": 0}
    by_winner = {"player": 0, "banker": 0, "tie": 0}
    on_6 = 0
    for (player_end, banker_end), coups in ends.items():
        winner = "player" if player_end > banker_end else "banker" if banker_end > player_end else "tie"
        by_result[result(rules, offer, winner)[0]] += coups
        by_winner[winner] += coups
        on_6 += coups if winner == "banker" and banker_end == 6 else 0
    return Cell(
        bet=row.bet,
        after=row.after,
        player_points=player,
        banker_points=banker,
        odds=row.odds,
        paragraph=row.cite,
        total=total,
        made=sum(ends.values()),
        won_coups=by_result["won"],
        returned_coups=by_result["returned"],
        lost_coups=by_result["lost"],
        player_wins=by_winner["player"],
        banker_wins=by_winner["banker"],
        banker_on_6=on_6,
    )


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """The Original Bet and insurance as one play, once the offer stands. `stake` is insurance per unit insured."""

    cell: Cell
    stake: Fraction
    expectation_alone: Fraction
    expectation_together: Fraction
    deviation_alone: float
    deviation_together: float


def together(rules: Rulebook, cell: Cell, stake: Fraction = Fraction(1)) -> Play:
    """How taking an offer changes expectation and risk of the bet it insures."""
    original = rules.bets[Bet(cell.bet.side.value)]
    ends = _joint(rules, cell, stake)
    assert original.main, "insurance covers a main bet"
    alone = _moments([(share, own) for share, own, _ in ends])
    both = _moments([(share, own + insured) for share, own, insured in ends])
    return Play(
        cell=cell,
        stake=stake,
        expectation_alone=alone[0],
        expectation_together=both[0],
        deviation_alone=alone[1],
        deviation_together=both[1],
    )


def _joint(rules: Rulebook, cell: Cell, stake: Fraction) -> list[tuple[Fraction, Fraction, Fraction]]:
    """(probability, Original Bet's net, insurance's net) for each way the round can end from here."""
    ties = cell.made - cell.player_wins - cell.banker_wins
    tie_net = cell.odds * stake if cell.returned_coups == 0 and ties else Fraction(0)
    if cell.bet is Insurance.PLAYER:
        groups = [(cell.player_wins, Fraction(1), -stake), (cell.banker_wins, Fraction(-1), cell.odds * stake)]
    else:
        banker = {row.case.value: row.odds for row in rules.bets[Bet.BANKER].pays}
        on_6 = banker.get("Banker wins on 6 points", banker.get("Banker wins", Fraction(0)))
        other = banker.get("Banker wins on other points", banker.get("Banker wins", Fraction(0)))
        groups = [
            (cell.player_wins, Fraction(-1), cell.odds * stake),
            (cell.banker_on_6, on_6, -stake),
            (cell.banker_wins - cell.banker_on_6, other, -stake),
        ]
    groups.append((ties, Fraction(0), tie_net))
    return [(Fraction(coups, cell.made), own, insured) for coups, own, insured in groups]


def _moments(ends: list[tuple[Fraction, Fraction]]) -> tuple[Fraction, float]:
    mean = sum((share * net for share, net in ends), Fraction(0))
    square = sum((share * net**2 for share, net in ends), Fraction(0))
    return mean, sqrt(square - mean**2)
