"""Every distinct coup as real cards, the six rulebooks and their layouts. The oracle says what a coup comes to.

An *atom* is the points of both first two cards and the values of the third cards; with the pair flag it is a *cell*.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import product
from typing import Final, NamedTuple

import pytest

from punto.cards import SUITS, Card
from punto.game.coup import Coup
from punto.rulebook import load
from punto.rulebook.model import Rulebook
from tests.oracle import plain

EDITIONS: Final = pytest.mark.parametrize("edition", plain.EDITIONS, ids=[f"{g}/{e}" for g, e in plain.EDITIONS])
TIGER_BUFFALO: Final = plain.EDITIONS[:4]
PLACES: Final = ("P1", "B1", "P2", "B2", "P3", "B3")
OF_VALUE: Final = ("TJQK", "A", "2", "3", "4", "5", "6", "7", "8", "9")
"""The ranks that count 0, 1, … 9."""

Edition = tuple[str, str]
Ranks = tuple[str, ...]
Atom = tuple[int, int, int | None, int | None]


class Cell(NamedTuple):
    """One distinct coup: its atom, which first two cards are pairs, and an example."""

    atom: Atom
    flag: str
    player: Ranks
    banker: Ranks
    coup: Coup


def book(edition: Edition) -> Rulebook:
    return load.edition(*edition)


def hand(ranks: Ranks, turn: int = 0) -> tuple[Card, ...]:
    """Real cards of these ranks; `turn` says with which suit to begin."""
    return tuple(Card(rank, SUITS[(at + turn) % 4]) for at, rank in enumerate(ranks))


def coup_of(player: Ranks, banker: Ranks, turn: int = 0) -> Coup:
    return Coup(hand(player, turn), hand(banker, turn + 1))


def flag_of(player: Ranks, banker: Ranks) -> str:
    """W2: none, player, banker, both (pairs of different ranks) or twin."""
    if plain.is_pair(player) and plain.is_pair(banker):
        return "twin" if player[0] == banker[0] else "both"
    return "player" if plain.is_pair(player) else "banker" if plain.is_pair(banker) else "none"


@cache
def starts() -> dict[tuple[int, int, str], list[tuple[Ranks, Ranks]]]:
    """All 13⁴ first four cards, by the points of both hands and the pair flag."""
    ways: dict[tuple[int, int, str], list[tuple[Ranks, Ranks]]] = defaultdict(list)
    for first, second, three, four in product(plain.RANKS, repeat=4):
        player, banker = (first, second), (three, four)
        ways[plain.points(player), plain.points(banker), flag_of(player, banker)].append((player, banker))
    return ways


def thirds(player_points: int, banker_points: int) -> list[tuple[int | None, int | None]]:
    """Values of the third cards that the Table of Play calls for; None where a hand stands."""
    draws: list[tuple[int | None, int | None]] = []
    values: tuple[int | None, ...] = (None,)
    if plain.player_draws(player_points, banker_points):
        values = tuple(range(10))
    for value in values:
        if plain.banker_draws(banker_points, player_points, value):
            draws += [(value, last) for last in range(10)]
        else:
            draws.append((value, None))
    return draws


@cache
def cells() -> tuple[Cell, ...]:
    """One coup of every cell. The first four cards, the ranks that count 0 and the suits vary."""
    examples: list[Cell] = []
    for (player_points, banker_points, flag), ways in starts().items():
        for value, last in thirds(player_points, banker_points):
            turn = len(examples)
            player, banker = ways[turn * 7 % len(ways)]
            if value is not None:
                player = (*player, OF_VALUE[value][turn % len(OF_VALUE[value])])
            if last is not None:
                banker = (*banker, OF_VALUE[last][turn % len(OF_VALUE[last])])
            atom = (player_points, banker_points, value, last)
            examples.append(Cell(atom, flag, player, banker, coup_of(player, banker, turn)))
    return tuple(examples)


@cache
def by_atom() -> tuple[Cell, ...]:
    """One cell of every atom, for what does not depend on pairs."""
    return tuple({cell.atom: cell for cell in cells()}.values())


@cache
def families(edition: Edition) -> dict[tuple[str, ...], str]:
    """The sets of bets that the layouts of an edition have, each with one layout that has it."""
    return {plain.bets_on(*edition, layout): layout for layout in plain.layouts(*edition)}
