"""Whole rounds: the Original Bet with insurance taken by a strategy, before a card is seen."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import lcm

import msgspec

from punto.game.insurance import Offer, maximum_stake_cents, offer, result
from punto.odds.census import every_atom
from punto.odds.composition import Composition
from punto.odds.insurance import Cell, cells, dealt, original, spread
from punto.odds.value import count
from punto.rulebook.model import Insurance, Moment, Rulebook


class Strategy(StrEnum):
    """Which offers a patron takes. They stake the most that the edition allows."""

    NEVER = "never"
    ALWAYS = "always full"
    FAVOURABLE = "only favourable"


class Whole(msgspec.Struct, frozen=True, kw_only=True):
    """One strategy, per unit of Original Bet and round."""

    bet: Insurance
    strategy: Strategy
    expectation: Fraction
    standard_deviation: float
    insured: Fraction
    """Insurance staked in an average round, in units."""
    taken: Fraction
    """Share of rounds in which an offer is taken."""


def whole_round(rules: Rulebook, composition: Composition, bet: Insurance, strategy: Strategy) -> Whole:
    """Play one strategy through every atom.

    A full stake is the edition's limit per offer or round. The cap that depends on a table's maximum is ignored, as if
    the Original Bet were small compared with it. An offer is favourable if its cell (its points) favours the patron in
    this shoe. Where the edition says so, a patron who declines an offer gets none later in the round.
    """
    good = {_key(cell) for cell in cells(rules, composition) if cell.favours_patron}
    ends: dict[Fraction, int] = {}
    staked, taken = Fraction(0), 0
    for ways, coups in zip(_ways(rules, bet), count(rules, composition).atom_counts, strict=True):
        own, stood = ways
        won, stakes = _insure(rules, [(offer, end) for offer, end in stood], strategy, good)
        ends[own + won] = ends.get(own + won, 0) + coups
        staked += stakes * coups
        taken += coups if stakes else 0
    total = sum(ends.values())
    mean, deviation = spread(list(ends.items()))
    return Whole(
        bet=bet,
        strategy=strategy,
        expectation=mean,
        standard_deviation=deviation,
        insured=staked / total,
        taken=Fraction(taken, total),
    )


Key = tuple[Moment, int, int]
Stood = tuple[tuple[Offer, str], ...]


def _key(offer: Offer | Cell) -> Key:
    return offer.after, offer.player_points, offer.banker_points


@lru_cache(maxsize=64)
def _ways(rules: Rulebook, bet: Insurance) -> tuple[tuple[Fraction, Stood], ...]:
    """For every atom: net result of the Original Bet, and the offers made with their results."""
    ways = []
    for atom in every_atom(rules.table_of_play):
        coup = dealt(atom)
        made = (offer(rules, moment, coup) for moment in Moment)
        stood = tuple(
            (offer, result(rules, offer, coup.winner)[0]) for offer in made if offer is not None and offer.bet is bet
        )
        ways.append((original(rules, bet, coup), stood))
    return tuple(ways)


def _insure(
    rules: Rulebook, stood: list[tuple[Offer, str]], strategy: Strategy, good: set[Key]
) -> tuple[Fraction, Fraction]:
    """What the insurance of one round wins or loses, and its stakes."""
    won = staked = could_win = Fraction(0)
    for offered, end in stood:
        if strategy is Strategy.NEVER or (strategy is Strategy.FAVOURABLE and _key(offered) not in good):
            if rules.insurance.forgone_scope == "round":
                break
            continue
        stake = _full(rules, offered, could_win)
        could_win += stake * offered.odds
        staked += stake
        won += {"won": stake * offered.odds, "returned": Fraction(0), "lost": -stake}[end]
    return won, staked


@lru_cache(maxsize=1024)
def _full(rules: Rulebook, offer: Offer, could_win: Fraction) -> Fraction:
    """The largest stake for one unit of Original Bet. `maximum_stake_cents` decides it, on a unit of so many cents that
    nothing is rounded."""
    unit = lcm(*(row.odds.numerator * row.odds.denominator for row in rules.insurance.rows)) ** 2
    return Fraction(maximum_stake_cents(rules, offer, unit, could_win=could_win * unit), unit)
