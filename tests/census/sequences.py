"""Exact counts of card sequences: how often each start and each following card come out of a full shoe.

Nothing here knows a drawing rule. Six cards leave the shoe in any case. Which hand the fifth and the
sixth belong to, or that they stay unused, is for a Table of Play to say.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Protocol

Atom = tuple[int, int, int, int]
"""Points of the Player's first two cards and of the Banker's, value of the fifth card and of the sixth."""


class DrawingRules(Protocol):
    """What a Table of Play answers, punto's and the oracle's alike."""

    def player_draws(self, player_points: int, banker_points: int, /) -> bool: ...

    def banker_draws(self, banker_points: int, player_points: int, player_third: int | None, /) -> bool: ...


def all_sequences(decks: int) -> int:
    """n (n-1) ... (n-5): the six-card sequences of a shoe with n cards."""
    cards, product = 52 * decks, 1
    for drawn in range(6):
        product *= cards - drawn
    return product


@cache
def atoms(decks: int) -> Counter[Atom]:
    """The number of six-card sequences for each atom, by going through all values of all six cards.

    Cards of one value are alike here: 4 a deck for 1 to 9, 16 for 0. The two cards of a hand are taken in
    rising order and counted twice when they differ.
    """
    left = [16 * decks] + [4 * decks] * 9
    counts: Counter[Atom] = Counter()
    for player_points, player_ways in _hands(left):
        for banker_points, banker_ways in _hands(left):
            for fifth in range(10):
                ways = player_ways * banker_ways * left[fifth]
                left[fifth] -= 1
                for sixth in range(10):
                    counts[player_points, banker_points, fifth, sixth] += ways * left[sixth]
                left[fifth] += 1
    return counts


def _hands(left: list[int]) -> Iterator[tuple[int, int]]:
    """Points and number of ways of each pair of values; while a pair is in use, `left` is without its cards."""
    for low in range(10):
        for high in range(low, 10):
            ways = left[low] * (left[high] - (low == high)) * (1 if low == high else 2)
            left[low] -= 1
            left[high] -= 1
            yield (low + high) % 10, ways
            left[low] += 1
            left[high] += 1


def final_points(atom: Atom, rules: DrawingRules) -> tuple[int, int]:
    """The final points of Player and Banker when six cards are played by a Table of Play."""
    player, banker, fifth, sixth = atom
    if rules.player_draws(player, banker):
        banker_third = sixth if rules.banker_draws(banker, player, fifth) else 0
        return (player + fifth) % 10, (banker + banker_third) % 10
    banker_third = fifth if rules.banker_draws(banker, player, None) else 0
    return player, (banker + banker_third) % 10


def census(decks: int, rules: DrawingRules) -> dict[str, int]:
    """All sequences, and how many of them each side wins."""
    counts = {"decks": decks, "coups": 0, "banker": 0, "player": 0, "tie": 0}
    for atom, ways in atoms(decks).items():
        player, banker = final_points(atom, rules)
        counts["coups"] += ways
        counts["player" if player > banker else "banker" if banker > player else "tie"] += ways
    return counts
