"""Settlement classes: all that a bet can depend on, 779 in number, and the cases of the pay tables over them."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

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


def pairs_of(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Pairs:
    """1.18/1.22, 1.34: judged on the first two cards of each hand; a ten and a king are no pair."""
    in_player, in_banker = player[0].rank == player[1].rank, banker[0].rank == banker[1].rank
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


def holds(case: Case, o: Outcome) -> bool:
    """Whether a coup that came to this outcome is the case that a pay row pays for."""
    player, banker, lead = o.player_points, o.banker_points, o.lead
    cards = o.player_cards + o.banker_cards
    player_wins, banker_wins = lead > 0, lead < 0
    match case:
        case Case.PLAYER_WINS:
            return player_wins
        case Case.BANKER_WINS:
            return banker_wins
        case Case.BANKER_WINS_ON_6:
            return banker_wins and banker == 6
        case Case.BANKER_WINS_ON_OTHER:
            return banker_wins and banker != 6
        case Case.TIE:
            return lead == 0
        case Case.TIE_ON_6:
            return lead == 0 and player == 6
        case Case.PLAYER_PAIR:
            return o.pairs in (Pairs.PLAYER, Pairs.BOTH, Pairs.TWIN)
        case Case.BANKER_PAIR:
            return o.pairs in (Pairs.BANKER, Pairs.BOTH, Pairs.TWIN)
        case Case.ONE_PAIR:
            return o.pairs in (Pairs.PLAYER, Pairs.BANKER)
        case Case.TWO_PAIRS:
            return o.pairs is Pairs.BOTH
        case Case.TWIN_PAIRS:
            return o.pairs is Pairs.TWIN
        case Case.BANKER_6_THREE | Case.BANKER_7_THREE:
            return banker_wins and o.banker_cards == 3 and banker == (6 if case is Case.BANKER_6_THREE else 7)
        case Case.BANKER_6_TWO | Case.BANKER_7_TWO:
            return banker_wins and o.banker_cards == 2 and banker == (6 if case is Case.BANKER_6_TWO else 7)
        case Case.PLAYER_6_THREE | Case.PLAYER_7_THREE:
            return player_wins and o.player_cards == 3 and player == (6 if case is Case.PLAYER_6_THREE else 7)
        case Case.PLAYER_6_TWO | Case.PLAYER_7_TWO:
            return player_wins and o.player_cards == 2 and player == (6 if case is Case.PLAYER_6_TWO else 7)
        case Case.EITHER_6:
            return lead != 0 and max(player, banker) == 6
        case Case.PLAYER_WINS_ON_1:
            return player_wins and player == 1
        case Case.BANKER_BY_ONE_4 | Case.BANKER_BY_ONE_5 | Case.BANKER_BY_ONE_6:
            return lead == -1 and banker >= 7 and cards == int(case.value[-7])
        case Case.PLAYER_BY_ONE_4 | Case.PLAYER_BY_ONE_5 | Case.PLAYER_BY_ONE_6:
            return lead == 1 and player >= 7 and cards == int(case.value[-7])
        case Case.FOUR_CARDS:
            return cards == 4
        case Case.FIVE_OR_SIX_CARDS:
            return cards in (5, 6)
        case Case.PLAYER_NATURAL_8 | Case.PLAYER_NATURAL_9:
            return player_wins and o.player_cards == 2 and player == (8 if case is Case.PLAYER_NATURAL_8 else 9)
        case Case.BANKER_NATURAL_8 | Case.BANKER_NATURAL_9:
            return banker_wins and o.banker_cards == 2 and banker == (8 if case is Case.BANKER_NATURAL_8 else 9)
    raise AssertionError(f"no meaning for the case {case!r}")


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
    found: set[Outcome] = set()
    for player_two in range(10):
        for banker_two in range(10):
            flags = pairs_possible(player_two, banker_two)
            found |= {Outcome(*end, flag) for end in ends(play, player_two, banker_two) for flag in flags}
    return tuple(sorted(found, key=lambda o: msgspec.structs.astuple(o)))


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
    found: set[tuple[int, int, int, int]] = set()
    thirds: tuple[int | None, ...] = (None,)
    if play.player_draws(player, banker):
        thirds = tuple(range(10)) if player_third is None else (player_third,)
    elif player_third is not None:
        return frozenset()
    for third in thirds:
        total, cards = (player, 2) if third is None else ((player + third) % 10, 3)
        if play.banker_draws(banker, player, third):
            lasts = range(10) if banker_third is None else (banker_third,)
            found |= {(total, (banker + last) % 10, cards, 3) for last in lasts}
        elif banker_third is None:
            found.add((total, banker, cards, 2))
    return frozenset(found)
