"""Settlement classes: all that a bet can depend on, 779 in number, and the cases of the pay tables over them."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import Final

import msgspec

from punto.cards import Card, points
from punto.game.coup import Coup
from punto.rulebook.model import Case, TableOfPlay


class Pairs(StrEnum):
    """W2: which hands started with a pair, and whether both pairs are of one rank."""

    NONE = "none"
    PLAYER = "player"
    BANKER = "banker"
    BOTH = "both"
    TWIN = "twin"


class Outcome(msgspec.Struct, frozen=True):
    """What a finished coup comes to, for every bet of every edition."""

    player_points: int
    banker_points: int
    player_cards: int
    banker_cards: int
    pairs: Pairs

    @property
    def lead(self) -> int:
        """Player's points less Banker's: 0 is a tie."""
        return self.player_points - self.banker_points

    def __str__(self) -> str:
        """Points, cards and pairs: `7:6 2:3 none` is Player 7 with two cards, Banker 6 with three."""
        points, cards = f"{self.player_points}:{self.banker_points}", f"{self.player_cards}:{self.banker_cards}"
        return f"{points} {cards} {self.pairs}"


def is_pair(first: Card, second: Card) -> bool:
    """1.18/1.22: two cards of one rank, of whatever suits; a ten and a king are no pair."""
    return first.rank == second.rank


def pairs_of(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Pairs:
    """1.18/1.22, 1.34: judged on the first two cards of each hand."""
    in_player, in_banker = is_pair(player[0], player[1]), is_pair(banker[0], banker[1])
    if in_player and in_banker:
        return Pairs.TWIN if player[0].rank == banker[0].rank else Pairs.BOTH
    return Pairs.PLAYER if in_player else Pairs.BANKER if in_banker else Pairs.NONE


def outcome_of(coup: Coup) -> Outcome:
    return Outcome(
        points(coup.player),
        points(coup.banker),
        len(coup.player),
        len(coup.banker),
        pairs_of(coup.player, coup.banker),
    )


def _wins(o: Outcome, side: int, points: int | None = None, cards: int | None = None) -> bool:
    """The hand wins (Player 1, Banker -1), with these points and with this many cards where they are named."""
    own, number = (o.player_points, o.player_cards) if side > 0 else (o.banker_points, o.banker_cards)
    return o.lead * side > 0 and points in (None, own) and cards in (None, number)


def _by_one(o: Outcome, side: int, cards: int) -> bool:
    """The hand wins by one point on 7, 8 or 9, with this many cards in both hands together."""
    return o.lead == side and max(o.player_points, o.banker_points) >= 7 and o.player_cards + o.banker_cards == cards


PLAYER, BANKER = 1, -1

MEANINGS: Final[dict[Case, Callable[[Outcome], bool]]] = {
    Case.PLAYER_WINS: lambda o: _wins(o, PLAYER),
    Case.BANKER_WINS: lambda o: _wins(o, BANKER),
    Case.BANKER_WINS_ON_6: lambda o: _wins(o, BANKER, 6),
    Case.BANKER_WINS_ON_OTHER: lambda o: o.lead < 0 and o.banker_points != 6,
    Case.TIE: lambda o: o.lead == 0,
    Case.TIE_ON_6: lambda o: o.lead == 0 and o.player_points == 6,
    Case.PLAYER_PAIR: lambda o: o.pairs in (Pairs.PLAYER, Pairs.BOTH, Pairs.TWIN),
    Case.BANKER_PAIR: lambda o: o.pairs in (Pairs.BANKER, Pairs.BOTH, Pairs.TWIN),
    Case.ONE_PAIR: lambda o: o.pairs in (Pairs.PLAYER, Pairs.BANKER),
    Case.TWO_PAIRS: lambda o: o.pairs is Pairs.BOTH,
    Case.TWIN_PAIRS: lambda o: o.pairs is Pairs.TWIN,
    Case.BANKER_6_THREE: lambda o: _wins(o, BANKER, 6, 3),
    Case.BANKER_6_TWO: lambda o: _wins(o, BANKER, 6, 2),
    Case.PLAYER_6_THREE: lambda o: _wins(o, PLAYER, 6, 3),
    Case.PLAYER_6_TWO: lambda o: _wins(o, PLAYER, 6, 2),
    Case.BANKER_7_THREE: lambda o: _wins(o, BANKER, 7, 3),
    Case.BANKER_7_TWO: lambda o: _wins(o, BANKER, 7, 2),
    Case.PLAYER_7_THREE: lambda o: _wins(o, PLAYER, 7, 3),
    Case.PLAYER_7_TWO: lambda o: _wins(o, PLAYER, 7, 2),
    Case.EITHER_6: lambda o: o.lead != 0 and max(o.player_points, o.banker_points) == 6,
    Case.PLAYER_WINS_ON_1: lambda o: _wins(o, PLAYER, 1),
    Case.BANKER_BY_ONE_4: lambda o: _by_one(o, BANKER, 4),
    Case.BANKER_BY_ONE_5: lambda o: _by_one(o, BANKER, 5),
    Case.BANKER_BY_ONE_6: lambda o: _by_one(o, BANKER, 6),
    Case.PLAYER_BY_ONE_4: lambda o: _by_one(o, PLAYER, 4),
    Case.PLAYER_BY_ONE_5: lambda o: _by_one(o, PLAYER, 5),
    Case.PLAYER_BY_ONE_6: lambda o: _by_one(o, PLAYER, 6),
    Case.FIVE_OR_SIX_CARDS: lambda o: o.player_cards + o.banker_cards > 4,
    Case.FOUR_CARDS: lambda o: o.player_cards + o.banker_cards == 4,
    Case.PLAYER_NATURAL_8: lambda o: _wins(o, PLAYER, 8, 2),
    Case.PLAYER_NATURAL_9: lambda o: _wins(o, PLAYER, 9, 2),
    Case.BANKER_NATURAL_8: lambda o: _wins(o, BANKER, 8, 2),
    Case.BANKER_NATURAL_9: lambda o: _wins(o, BANKER, 9, 2),
}
"""What each row of a pay table pays for."""


def holds(case: Case, outcome: Outcome) -> bool:
    """Whether a coup that came to this outcome is the case that a pay row pays for."""
    return MEANINGS[case](outcome)


@cache
def pairs_possible(player_points: int, banker_points: int) -> tuple[Pairs, ...]:
    """The pair flags that two-card hands of these points can have: a pair's points are even."""
    flags = [Pairs.NONE]
    if player_points % 2 == 0:
        flags.append(Pairs.PLAYER)
    if banker_points % 2 == 0:
        flags.append(Pairs.BANKER)
    if player_points % 2 == banker_points % 2 == 0:
        flags.append(Pairs.BOTH)
        if player_points == banker_points:
            flags.append(Pairs.TWIN)
    return tuple(flags)


@cache
def all_outcomes(play: TableOfPlay) -> tuple[Outcome, ...]:
    """Every outcome that the Table of Play allows, found by dealing every two-card total and third card."""
    outcomes: set[Outcome] = set()
    for player_two in range(10):
        for banker_two in range(10):
            flags = pairs_possible(player_two, banker_two)
            outcomes |= {Outcome(*end, flag) for end in ends(play, player_two, banker_two) for flag in flags}
    return tuple(sorted(outcomes, key=lambda o: msgspec.structs.astuple(o)))


@cache
def ends(
    play: TableOfPlay,
    player: int,
    banker: int,
    player_third: int | None = None,
    banker_third: int | None = None,
) -> frozenset[tuple[int, int, int, int]]:
    """Final points and numbers of cards (Player, Banker each) that two-card points can lead to.

    A third card that is given was drawn: where the Table of Play forbids it there is no end.
    """
    endings: set[tuple[int, int, int, int]] = set()
    thirds: tuple[int | None, ...] = (None,)
    if play.player_draws(player, banker):
        thirds = tuple(range(10)) if player_third is None else (player_third,)
    elif player_third is not None:
        return frozenset()
    for third in thirds:
        total, cards = (player, 2) if third is None else ((player + third) % 10, 3)
        if play.banker_draws(banker, player, third):
            lasts = range(10) if banker_third is None else (banker_third,)
            endings |= {(total, (banker + last) % 10, cards, 3) for last in lasts}
        elif banker_third is None:
            endings.add((total, banker, cards, 2))
    return frozenset(endings)
