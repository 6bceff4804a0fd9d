"""The value of insurance: every cell of the pay tables at both moments, alone and together with the Original Bet."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Final

import msgspec

from punto.cards import Card
from punto.game.coup import Coup
from punto.game.insurance import Offer, offer, result
from punto.game.outcome import Outcome, Pairs
from punto.game.settlement import pay_table
from punto.odds.census import Atom, every_atom
from punto.odds.composition import Composition
from punto.odds.value import count, net
from punto.rulebook.model import Bet, Insurance, Moment, Rulebook


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
    ends: tuple[tuple[Fraction, str, int], ...]
    """Net result of one unit of the Original Bet, result of the insurance, and in how many coups."""

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
    counted = count(rules, composition)
    counts = counted.atom_counts
    every = (
        _cell(offer, counted.total, [sum(map(counts.__getitem__, at)) for at in ends.values()], list(ends))
        for offer, ends in offers(rules).items()
    )
    return tuple(cell for cell in every if cell.made)


def ranked(every: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Offers from the best for the patron to the worst."""
    return tuple(sorted(every, key=lambda cell: -cell.expectation))


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """The Original Bet and insurance as one play, once the offer is made. `stake` is insurance per unit insured."""

    cell: Cell
    stake: Fraction
    expectation_alone: Fraction
    expectation_together: Fraction
    deviation_alone: float
    deviation_together: float


def together(rules: Rulebook, cell: Cell, stake: Fraction | None = None) -> Play:
    """How taking an offer changes expectation and risk of the bet it insures. Without a stake it is taken in full."""
    assert rules.bets[Bet(cell.bet.side.value)].main, "insurance covers a main bet"
    if stake is None:  # P4: the Original Bet limits either the stake itself, or what the stake could win
        stake = 1 / cell.odds if rules.insurance.limit.binds == "winnings" else Fraction(1)
    insured = {"won": cell.odds * stake, "returned": Fraction(0), "lost": -stake}
    alone = spread([(own, coups) for own, _, coups in cell.ends])
    both = spread([(own + insured[end], coups) for own, end, coups in cell.ends])
    return Play(
        cell=cell,
        stake=stake,
        expectation_alone=alone[0],
        expectation_together=both[0],
        deviation_alone=alone[1],
        deviation_together=both[1],
    )


def spread(ends: list[tuple[Fraction, int]]) -> tuple[Fraction, float]:
    """Mean and standard deviation of net results, each with its coups."""
    coups = sum(each for _, each in ends)
    mean = sum((each * won for won, each in ends), Fraction(0)) / coups
    square = sum((each * won**2 for won, each in ends), Fraction(0)) / coups
    return mean, sqrt(square - mean**2)


# Tables that depend on the edition alone, computed once with the functions that offer and settle.

End = tuple[Fraction, str, str]
"""Net result of the Original Bet, result of the insurance, and the winner."""

_OF_POINTS: Final = tuple(Card(rank, "S") for rank in "KA23456789")
"""A card of each point value, 0 to 9. Every two-card hand below has a king, which adds no points."""


@lru_cache(maxsize=64)
def offers(rules: Rulebook) -> dict[Offer, dict[End, tuple[int, ...]]]:
    """Every offer that can be made, in the order of the pay table → how the round can end → atoms, by their index in
    `every_atom`."""
    ends_by_offer: dict[Offer, dict[End, list[int]]] = {}
    for at, atom in enumerate(every_atom(rules.table_of_play)):
        coup = dealt(atom)
        for moment in Moment:
            made = offer(rules, moment, coup)
            if made is not None:
                end = (original(rules, made.bet, coup), result(rules, made, coup.winner)[0], coup.winner)
                ends_by_offer.setdefault(made, {}).setdefault(end, []).append(at)
    rows = {
        (row.after, player, banker): (at, player, banker)
        for at, row in enumerate(rules.insurance.rows)
        for player in row.player_points
        for banker in row.banker_points
    }
    ordered = sorted(ends_by_offer, key=lambda offer: rows[offer.after, offer.player_points, offer.banker_points])
    return {offer: {end: tuple(places) for end, places in ends_by_offer[offer].items()} for offer in ordered}


def dealt(atom: Atom) -> Coup:
    """An example coup of this atom. Its pairs do not matter to insurance."""
    hands = [
        (_OF_POINTS[0], _OF_POINTS[two], *(() if third is None else (_OF_POINTS[third],)))
        for two, third in (atom[::2], atom[1::2])
    ]
    return Coup(*hands)


def original(rules: Rulebook, bet: Insurance, coup: Coup) -> Fraction:
    """What one unit of the Original Bet wins or loses. Main bets do not depend on pairs."""
    end = Outcome(coup.player_points, coup.banker_points, len(coup.player), len(coup.banker), Pairs.NONE)
    return net(pay_table(rules)[end][bet.side.value])


def _cell(offer: Offer, total: int, counts: list[int], ends: list[End]) -> Cell:
    by_result = dict.fromkeys(("won", "returned", "lost"), 0)
    by_winner = dict.fromkeys(("player", "banker", "tie"), 0)
    for (_, end, winner), coups in zip(ends, counts, strict=True):
        by_result[end] += coups
        by_winner[winner] += coups
    return Cell(
        bet=offer.bet,
        after=offer.after,
        player_points=offer.player_points,
        banker_points=offer.banker_points,
        odds=offer.odds,
        paragraph=offer.paragraph,
        total=total,
        made=sum(counts),
        won_coups=by_result["won"],
        returned_coups=by_result["returned"],
        lost_coups=by_result["lost"],
        player_wins=by_winner["player"],
        banker_wins=by_winner["banker"],
        ends=tuple((own, end, coups) for (own, end, _), coups in zip(ends, counts, strict=True) if coups),
    )
