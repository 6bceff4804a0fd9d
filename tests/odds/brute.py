"""Brute force, for tests and the bench only: every sequence of ranks, and every sequence of real cards in tiny shoes.

The compiled walk knows nothing of the closed form, and its drawing rules are the plain oracle's. A cell is
(a, b, v, w, flag): two-card points, third cards or 10 for none, and the pair flag in the order none, player, banker,
both, twin.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
import numpy.typing as npt
from numba import njit

from punto.cards import Card
from punto.game.coup import Coup, deal
from punto.game.outcome import Outcome, Pairs
from punto.odds.census import Atom
from punto.rulebook.model import Moment, TableOfPlay
from tests.oracle import plain

NONE = 10
SHAPE = (10, 10, 11, 11, 5)


@cache
def drawing_rules() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """By two-card points: whether the Player draws; and by the Player's third, 10 for none, whether the Banker does."""
    player = np.array([[plain.player_draws(a, b) for b in range(10)] for a in range(10)], dtype=np.int64)
    banker = np.array(
        [
            [[plain.banker_draws(b, a, v if v < NONE else None) for v in range(11)] for b in range(10)]
            for a in range(10)
        ],
        dtype=np.int64,
    )
    return player, banker


def walk(ranks: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """Cell → number of six-card sequences: all 13⁶ sequences of ranks, each weighted by the cards that it can have."""
    cells = np.zeros(SHAPE, dtype=np.int64)
    _walk(np.array(ranks, dtype=np.int64), *drawing_rules(), cells.reshape(-1))
    return cells


@njit(cache=True)
def _walk(left, player_draws, banker_draws, cells):  # type: ignore[no-untyped-def]
    points = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0])
    for first in range(13):
        ways_1 = left[first]
        if ways_1 == 0:
            continue
        left[first] -= 1
        for second in range(13):
            ways_2 = ways_1 * left[second]
            if ways_2 == 0:
                continue
            left[second] -= 1
            for third in range(13):
                ways_3 = ways_2 * left[third]
                if ways_3 == 0:
                    continue
                left[third] -= 1
                for fourth in range(13):
                    ways_4 = ways_3 * left[fourth]
                    if ways_4 == 0:
                        continue
                    left[fourth] -= 1
                    in_player, in_banker = first == third, second == fourth
                    flag = 1 * in_player + 2 * in_banker + (in_player and in_banker and first == second)
                    a, b = (points[first] + points[third]) % 10, (points[second] + points[fourth]) % 10
                    draws = player_draws[a, b]
                    for fifth in range(13):
                        ways_5 = ways_4 * left[fifth]
                        if ways_5 == 0:
                            continue
                        left[fifth] -= 1
                        v = points[fifth] if draws else 10
                        banker = banker_draws[a, b, v]
                        at = (((a * 10 + b) * 11 + v) * 11) * 5 + flag
                        if banker and draws:
                            for sixth in range(13):
                                cells[at + 5 * points[sixth]] += ways_5 * left[sixth]
                        else:
                            ways_6 = 0
                            for sixth in range(13):
                                ways_6 += ways_5 * left[sixth]
                            cells[at + 5 * (points[fifth] if banker else 10)] += ways_6
                        left[fifth] += 1
                    left[fourth] += 1
                left[third] += 1
            left[second] += 1
        left[first] += 1


def atoms(cells: npt.NDArray[np.int64]) -> dict[Atom, int]:
    """The counts by points and third cards, without regard to pairs."""
    by_atom = cells.sum(axis=4)
    return {
        (int(a), int(b), _third(v), _third(w)): int(by_atom[a, b, v, w]) for a, b, v, w in np.argwhere(by_atom).tolist()
    }


def outcomes(cells: npt.NDArray[np.int64]) -> dict[Outcome, int]:
    """The counts by outcome."""
    flags = list(Pairs)
    counted: Counter[Outcome] = Counter()
    for a, b, v, w, flag in np.argwhere(cells).tolist():
        end = Outcome(
            (a + v) % 10 if v < NONE else a,
            (b + w) % 10 if w < NONE else b,
            3 if v < NONE else 2,
            3 if w < NONE else 2,
            flags[flag],
        )
        counted[end] += int(cells[a, b, v, w, flag])
    return dict(counted)


def _third(x: int) -> int | None:
    return x if x < NONE else None


# Real cards, dealt one by one.


def dealt(play: TableOfPlay, cards: tuple[Card, ...]) -> Counter[Coup]:
    """Every sequence of six of these cards, dealt by the reference deal. Suits, which no bet sees, are forgotten."""
    ranks = Counter(tuple(card.rank for card in six) for six in permutations(cards, 6))
    coups: Counter[Coup] = Counter()
    for six, times in ranks.items():
        coups[deal(play, tuple(Card(rank, "S") for rank in six))[0]] += times
    return coups


def insurance(game: str, edition: str, coups: Counter[Coup]) -> dict[tuple[str, str, int, int], Counter[str]]:
    """(bet, moment, points then) → how often insurance on it is won, returned, lost by the oracle."""
    results: dict[tuple[str, str, int, int], Counter[str]] = {}
    for coup, times in coups.items():
        player, banker = [str(card) for card in coup.player], [str(card) for card in coup.banker]
        for bet in ("player_insurance", "banker_insurance"):
            for moment in Moment:
                line = plain.settle_insurance(game, edition, bet, moment.value, player, banker)
                if line is not None:
                    seen = player[:2] if moment is Moment.FOUR_CARDS else player[:3]
                    key = (bet, moment.value, plain.points(seen), plain.points(banker[:2]))
                    results.setdefault(key, Counter())[line[0]] += times
    return results


def covariance(nets: list[tuple[Fraction, Fraction, int]]) -> Fraction:
    """Covariance of two bets from (net of one, net of the other, coups), by its definition."""
    total = sum(coups for _, _, coups in nets)
    x = sum((a * coups for a, _, coups in nets), Fraction(0)) / total
    y = sum((b * coups for _, b, coups in nets), Fraction(0)) / total
    return sum((coups * (a - x) * (b - y) for a, b, coups in nets), Fraction(0)) / total
