"""Deal shoes into rounds, compiled: the cards left before each round, and its result.

The Table of Play is queried once for every case; no rule is written here.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt
from numba import njit

from punto.cards import POINTS, RANKS
from punto.game.coup import MOST_CARDS
from punto.rulebook.model import Rulebook

NONE = 10
"""Points of a third card that was not drawn."""

Int64 = npt.NDArray[np.int64]
Uint8 = npt.NDArray[np.uint8]


class Play(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A Table of Play as arrays."""

    player: npt.NDArray[np.bool_]
    """Two-card points of Player and Banker → whether the Player draws."""
    banker: npt.NDArray[np.bool_]
    """Two-card points and points of the Player's third card → whether the Banker draws."""


class Dealt(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Shoes, round by round. Rows beyond a shoe's last round are zero."""

    left: Uint8
    """Shoe, round, rank → cards left before the round."""
    result: npt.NDArray[np.int8]
    """Shoe, round → 0 Banker, 1 Player, 2 Tie."""
    rounds: Int64
    """Number of rounds of each shoe."""


def play(rules: Rulebook) -> Play:
    table = rules.table_of_play
    player = np.zeros((10, 10), np.bool_)
    banker = np.zeros((10, 10, NONE + 1), np.bool_)
    for a in range(10):
        for b in range(10):
            player[a, b] = table.player_draws(a, b)
            thirds = range(10) if player[a, b] else (None,)
            for v in thirds:
                banker[a, b, NONE if v is None else v] = table.banker_draws(b, a, v)
    return Play(player=player, banker=banker)


def shoes(chance: np.random.Generator, decks: int, count: int) -> Uint8:
    """Honest shoes as ranks, 0 to 12."""
    whole = np.repeat(np.arange(len(RANKS), dtype=np.uint8), 4 * decks)
    dealt: Uint8 = chance.permuted(np.tile(whole, (count, 1)), axis=1)
    return dealt


def deal(rules: Rulebook, ranks: Uint8, cut: int) -> Dealt:
    """Deal shoes of ranks until no more than `cut` cards are left. If the edition burns cards, the first card is burnt
    face up, and then as many as its rank says."""
    known = play(rules)
    count, cards = ranks.shape
    most = (cards - cut) // 4 + 1
    left = np.zeros((count, most, len(RANKS)), np.uint8)
    result = np.zeros((count, most), np.int8)
    rounds = np.zeros(count, np.int64)
    burns = rules.procedure.burn != "none"
    _deal(ranks, POINT_OF_RANK, known.player, known.banker, max(cut, MOST_CARDS), burns, left, result, rounds)
    return Dealt(left=left, result=result, rounds=rounds)


POINT_OF_RANK: Int64 = np.array([POINTS[rank] for rank in RANKS], np.int64)


@njit(nogil=True, cache=True)
def deal_round(ranks, at, points, player, banker):  # type: ignore[no-untyped-def]
    """Deal one round from place `at` on: cards used, and 0 Banker, 1 Player, 2 Tie."""
    a = (points[ranks[at]] + points[ranks[at + 2]]) % 10
    b = (points[ranks[at + 1]] + points[ranks[at + 3]]) % 10
    used, v, player_points, banker_points = 4, 10, a, b
    if player[a, b]:
        v = points[ranks[at + used]]
        player_points = (a + v) % 10
        used += 1
    if banker[a, b, v]:
        banker_points = (b + points[ranks[at + used]]) % 10
        used += 1
    if player_points == banker_points:
        return used, 2
    return used, 1 if player_points > banker_points else 0


@njit(nogil=True, cache=True)
def _deal(ranks, points, player, banker, cut, burns, left, result, rounds):  # type: ignore[no-untyped-def]
    cards = ranks.shape[1]
    for shoe in range(len(ranks)):
        row = ranks[shoe]
        counts = np.zeros(13, np.int64)
        for card in row:
            counts[card] += 1
        at = 0
        if burns:
            counts[row[0]] -= 1  # the first burnt card is shown, those after it are not and count as left
            at = 1 + min(row[0] + 1, 10)
        number = 0
        while cards - at > cut and number < left.shape[1]:
            for rank in range(13):
                left[shoe, number, rank] = counts[rank]
            used, result[shoe, number] = deal_round(row, at, points, player, banker)
            for place in range(at, at + used):
                counts[row[place]] -= 1
            at += used
            number += 1
        rounds[shoe] = number


def rows(rules: Rulebook, packs: Uint8, cut: int) -> tuple[Uint8, Int64, Int64]:
    """Deal packs of cards (indices in the deck) into rounds, without a burn. Returns the cards as place × round in the
    order of the deal, 52 where no card was drawn; the pack of each round; and its number in the pack."""
    known = play(rules)
    most = len(packs) * (packs.shape[1] // 4)
    cards, pack, number = np.full((6, most), 52, np.uint8), np.zeros(most, np.int64), np.zeros(most, np.int64)
    used = _rows(packs, POINT_OF_RANK, known.player, known.banker, max(cut, MOST_CARDS), cards, pack, number)
    return cards[:, :used], pack[:used], number[:used]


@njit(nogil=True, cache=True)
def _rows(packs, points, player, banker, cut, cards, pack, number):  # type: ignore[no-untyped-def]
    at = 0
    for shoe in range(len(packs)):
        ranks, place, count = packs[shoe] // 4, 0, 0
        while packs.shape[1] - place > cut:
            used, _ = deal_round(ranks, place, points, player, banker)
            for card in range(4):
                cards[card, at] = packs[shoe, place + card]
            a = (points[ranks[place]] + points[ranks[place + 2]]) % 10
            b = (points[ranks[place + 1]] + points[ranks[place + 3]]) % 10
            if player[a, b]:
                cards[4, at] = packs[shoe, place + 4]
            if used > 4 + int(player[a, b]):
                cards[5, at] = packs[shoe, place + used - 1]
            count += 1
            pack[at], number[at] = shoe, count
            place += used
            at += 1
    return at
