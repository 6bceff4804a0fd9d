"""A rulebook compiled to arrays: the possible atoms of a coup, the outcome of each, and what each outcome pays.

The functions that deal, offer and settle compute every entry; no rule is written a second time here.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from punto.cards import Card
from punto.game.coup import Coup, next_side
from punto.game.insurance import Offer, offer, result
from punto.game.outcome import Outcome, Pairs, all_outcomes
from punto.game.settlement import Verdict, pay_table
from punto.rulebook.model import Bet, Moment, Rulebook, Side

Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]

RESULTS: Final = ("won", "returned", "lost")
FLAGS: Final = tuple(Pairs)

NO_THIRD: Final = 10
THIRDS: Final = 11

_OF_POINTS: Final = tuple(Card(rank, "S") for rank in "KA23456789")
"""A card of each point value, 0 to 9. Every two-card hand below has a king, which adds no points."""


class Compiled(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One edition. An atom is (a, b, v, w): two-card points, and points of the third cards or none."""

    outcomes: tuple[Outcome, ...]
    """The settlement classes, in the order of `all_outcomes`."""
    start: npt.NDArray[np.int32]
    """Atoms are sorted by 10 a + b. Index of the first atom of each (a, b), and the number of all atoms."""
    thirds: npt.NDArray[np.uint16]
    """Atom → 11 v + w with the lower of the two as v; 10 means no third card."""
    outcome: npt.NDArray[np.uint16]
    """Atom, pair flag → index in `outcomes`; 0 where there is no such outcome, because it is never counted."""
    offers: tuple[Offer, ...]
    """Every insurance offer that can be made, in the order of the pay table."""
    insured: npt.NDArray[np.uint16]
    """Atom, moment → 3 × offer + result in the order of RESULTS; 3 × offers where nothing is offered."""
    bets: tuple[Bet, ...]
    pays: Int64
    """Outcome, bet → net winnings of one unit, times the bet's scale."""
    scale: tuple[int, ...]
    """Bet → the smallest integer that makes all its odds integers."""

    @property
    def net(self) -> Float64:
        """Outcome, bet → net winnings of one unit."""
        return self.pays / np.array(self.scale, dtype=np.float64)

    @property
    def offer_odds(self) -> Float64:
        """Offer → its odds."""
        return np.array([float(offer.odds) for offer in self.offers])


class Separate(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Net winnings as a sum of two parts: one for the end of a coup (its points and numbers of cards), one for its
    pairs. Ends that pay the same on every bet are one kind."""

    end: npt.NDArray[np.uint16]
    """Atom → its kind of end, as one column, so that it can be passed in the place of `insured`."""
    pays: Int64
    """Kinds of ends, then pair flags; bet → what each adds to the net winnings of one unit, times the bet's scale."""
    net: Float64
    """The same, not scaled."""


@lru_cache(maxsize=64)
def compiled(rules: Rulebook) -> Compiled:
    """Compile an edition. Takes about 0.1 s; the result is cached."""
    outcomes = all_outcomes(rules.table_of_play)
    place = {outcome: at for at, outcome in enumerate(outcomes)}
    coups = [_coups(rules, a, b) for a in range(10) for b in range(10)]
    everything = [atom for group in coups for atom in group]
    offers = _offers(rules, everything)
    at = {(offer.after, offer.player_points, offer.banker_points): number for number, offer in enumerate(offers)}
    pays, scale = _pays(rules, outcomes)
    return Compiled(
        outcomes=outcomes,
        start=np.cumsum([0, *(len(group) for group in coups)], dtype=np.int32),
        thirds=np.array([_thirds(atom) for atom in everything], dtype=np.uint16),
        outcome=np.array([[place.get(_outcome(atom, flag), 0) for flag in FLAGS] for atom in everything], np.uint16),
        offers=offers,
        insured=np.array([[_insured(rules, at, moment, atom) for moment in Moment] for atom in everything], np.uint16),
        bets=tuple(rules.bets),
        pays=pays,
        scale=scale,
    )


@lru_cache(maxsize=64)
def separate(rules: Rulebook) -> Separate | None:
    """Split net winnings by end and by pairs. None if some bet depends on points and pairs together."""
    known = compiled(rules)
    ends = [msgspec.structs.astuple(outcome)[:-1] for outcome in known.outcomes]
    unpaired = {
        end: at
        for at, (end, outcome) in enumerate(zip(ends, known.outcomes, strict=True))
        if outcome.pairs is Pairs.NONE
    }
    by_pairs = known.pays - known.pays[[unpaired[end] for end in ends]]
    extra = []
    for flag in FLAGS:
        rows = by_pairs[[outcome.pairs is flag for outcome in known.outcomes]]
        if (rows != rows[0]).any():
            return None
        extra.append(rows[0])
    kinds, kind = np.unique(known.pays[list(unpaired.values())], axis=0, return_inverse=True)
    kind_of = np.zeros(len(known.outcomes), np.uint16)
    kind_of[list(unpaired.values())] = kind
    pays = np.concatenate([kinds, extra])
    return Separate(end=kind_of[known.outcome[:, :1]], pays=pays, net=pays / np.array(known.scale, dtype=np.float64))


def _coups(rules: Rulebook, a: int, b: int) -> list[Coup]:
    """One coup for each atom that starts with these points. `next_side` says which hand draws next."""
    open_coups = [Coup((_OF_POINTS[0], _OF_POINTS[a]), (_OF_POINTS[0], _OF_POINTS[b]))]
    finished: list[Coup] = []
    while open_coups:
        coup = open_coups.pop(0)
        match next_side(rules.table_of_play, coup.player, coup.banker):
            case None:
                finished.append(coup)
            case Side.PLAYER:
                open_coups += [Coup((*coup.player, card), coup.banker) for card in _OF_POINTS]
            case Side.BANKER:
                open_coups += [Coup(coup.player, (*coup.banker, card)) for card in _OF_POINTS]
    return finished


def _thirds(coup: Coup) -> int:
    low, high = sorted(hand[2].points if hand[2:] else NO_THIRD for hand in (coup.player, coup.banker))
    return THIRDS * low + high


def _outcome(coup: Coup, flag: Pairs) -> Outcome:
    return Outcome(coup.player_points, coup.banker_points, len(coup.player), len(coup.banker), flag)


def _offers(rules: Rulebook, coups: list[Coup]) -> tuple[Offer, ...]:
    offers = {offer(rules, moment, coup) for coup in coups for moment in Moment}
    rows = [
        (row.after, player, banker)
        for row in rules.insurance.rows
        for player in row.player_points
        for banker in row.banker_points
    ]
    return tuple(
        sorted(
            (offer for offer in offers if offer is not None),
            key=lambda offer: rows.index((offer.after, offer.player_points, offer.banker_points)),
        )
    )


def _insured(rules: Rulebook, at: dict[tuple[Moment, int, int], int], moment: Moment, coup: Coup) -> int:
    made = offer(rules, moment, coup)
    if made is None:
        return len(RESULTS) * len(at)
    number = at[made.after, made.player_points, made.banker_points]
    return len(RESULTS) * number + RESULTS.index(result(rules, made, coup.winner)[0])


def _pays(rules: Rulebook, outcomes: tuple[Outcome, ...]) -> tuple[Int64, tuple[int, ...]]:
    table = pay_table(rules)
    columns: list[list[int]] = []
    scale = []
    for bet in rules.bets:
        nets = [_net(table[outcome][bet]) for outcome in outcomes]
        whole = lcm(*(net.denominator for net in nets))
        columns.append([int(net * whole) for net in nets])
        scale.append(whole)
    return np.array(columns, dtype=np.int64).T.copy(), tuple(scale)


def _net(verdict: Verdict) -> Fraction:
    return verdict.odds if verdict.odds is not None else Fraction(-1 if verdict.result == "lost" else 0)
