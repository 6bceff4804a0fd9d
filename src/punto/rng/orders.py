"""Tests of orders of numbered cards: the shuffle's choices, the place of each card, and the distance of neighbours."""

from __future__ import annotations

from math import factorial, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from numba import njit

from punto.rng.exact import Figure, chi_square, normal, pearson, poisson
from punto.sim.atoms import Int64

Orders = npt.NDArray[np.uint16]

FIVE: Final = 5
PARTS: Final = 8
LEAST_LEFT: Final = 64
"""Choices among fewer cards than this do not divide into eighths evenly enough."""


@njit(cache=True)
def choices(orders, chosen):  # type: ignore[no-untyped-def]
    """For each place, which of the cards left a shuffle from the front chose: a number from 0 to below their count."""
    cards = orders.shape[1]
    lies, place_of = np.empty(cards, np.int64), np.empty(cards, np.int64)
    for shoe in range(orders.shape[0]):
        for at in range(cards):
            lies[at] = at
            place_of[at] = at
        for at in range(cards):
            card = orders[shoe, at]
            other = place_of[card]
            chosen[shoe, at] = other - at
            moved = lies[at]
            lies[other] = moved
            place_of[moved] = other


def choices_of(orders: Orders) -> Orders:
    chosen = np.empty_like(orders)
    choices(orders, chosen)
    return chosen


def count_choices(chosen: Orders) -> Int64:
    """Counts by place × choice, flattened."""
    cards = chosen.shape[1]
    at = np.arange(cards, dtype=np.int64) * cards
    return np.bincount((chosen + at).reshape(-1), minlength=cards * cards)


def judge_choices(seen: Int64) -> Figure:
    cards = round(sqrt(len(seen)))
    statistic, table = 0.0, seen.reshape(cards, cards)
    shoes = int(table[0].sum())
    for at in range(cards - 1):
        left = cards - at
        statistic += float(((table[at, :left] - shoes / left) ** 2).sum() * left / shoes)
    return chi_square(statistic, cards * (cards - 1) // 2, shoes * (cards - 1))


def judge_mean(seen: Int64) -> Figure:
    """Judge the average choice, from the counts of `count_choices`."""
    cards = round(sqrt(len(seen)))
    table = seen.reshape(cards, cards)
    shoes, left = int(table[0].sum()), cards - np.arange(cards)
    shift = (table @ np.arange(cards) - shoes * (left - 1) / 2) / left
    variance = shoes * ((left.astype(float) ** 2 - 1) / (12 * left.astype(float) ** 2)).sum()
    return normal(float(shift.sum() / sqrt(variance)), shoes * (cards - 1))


def count_serial_choices(chosen: Orders) -> Int64:
    """Disjoint pairs of consecutive choices, each choice in eighths."""
    cards = chosen.shape[1]
    used = (cards - LEAST_LEFT + 1) // 2 * 2
    eighths = PARTS * chosen[:, :used].astype(np.int64) // (cards - np.arange(used))
    pairs = PARTS * eighths[:, ::2] + eighths[:, 1::2]
    return np.bincount(pairs.reshape(-1), minlength=PARTS * PARTS)


def judge_serial_choices(seen: Int64, cards: int) -> Figure:
    used = (cards - LEAST_LEFT + 1) // 2 * 2
    shares = np.zeros((used, PARTS))
    for at in range(used):
        left = cards - at
        shares[at] = np.bincount(PARTS * np.arange(left) // left, minlength=PARTS) / left
    both = shares[::2, :, None] * shares[1::2, None, :]
    return pearson(seen, both.mean(axis=0).reshape(-1))


def count_places(orders: Orders) -> Int64:
    cards = orders.shape[1]
    at = np.arange(cards, dtype=np.int64) * cards
    return np.bincount((orders + at).reshape(-1), minlength=cards * cards)


def judge_places(seen: Int64) -> Figure:
    """Every row and every column adds up to the number of shoes, so the spread is smaller by a share of 1/cards."""
    cards = round(sqrt(len(seen)))
    shoes = int(seen.sum()) // cards
    statistic = float(((seen - shoes / cards) ** 2).sum() * (cards - 1) / shoes)
    return chi_square(statistic, (cards - 1) ** 2, shoes * cards)


def count_distances(orders: Orders) -> Int64:
    cards = orders.shape[1]
    steps = np.diff(orders.astype(np.int64), axis=1) % cards
    return np.bincount(steps.reshape(-1), minlength=cards)


def judge_distances(seen: Int64) -> Figure:
    """Each distance comes once a shoe on average, with variance 1; the correlation of d and -d is -1/(cards - 1) more
    than that of others: docs/rng.md has the proof."""
    cards = len(seen)
    shoes = int(seen.sum()) // (cards - 1)
    off = seen[1:] - float(shoes)
    there, back = off, off[::-1]
    even, odd = (there + back) / 2, (there - back) / 2
    statistic = float((even**2).sum() + (odd**2).sum() / (1 + 2 / (cards - 1))) / shoes
    return chi_square(statistic, cards - 2, shoes * (cards - 1))


def count_fixed(orders: Orders) -> Int64:
    stays = int((orders == np.arange(orders.shape[1], dtype=np.uint16)).sum())
    return np.array([stays, len(orders)])


def judge_fixed(seen: Int64) -> Figure:
    return poisson(int(seen[0]), float(seen[1]), int(seen[1]))


def count_parity(chosen: Orders) -> Int64:
    """Orders made by an even number of swaps, and all orders. A choice of 0 swaps nothing."""
    return np.array([int(((chosen != 0).sum(axis=1) % 2 == 0).sum()), len(chosen)])


def patterns(rows: Orders) -> Int64:
    """The order of the cards of each row, as a number."""
    size = rows.shape[1]
    codes = np.zeros(len(rows), np.int64)
    for at in range(size - 1):
        lower = (rows[:, at + 1 :] < rows[:, at : at + 1]).sum(axis=1)
        codes += factorial(size - 1 - at) * lower
    return codes


def count_fives(orders: Orders) -> Int64:
    rows = orders[:, : orders.shape[1] // FIVE * FIVE].reshape(-1, FIVE)
    return np.bincount(patterns(rows), minlength=factorial(FIVE))


def count_small(orders: Orders) -> Int64:
    return np.bincount(patterns(orders), minlength=factorial(orders.shape[1]))


def count_serial(orders: Orders) -> Int64:
    """The sum of products of every order with the next, and how many pairs. Numbers are doubled and centred, so that
    they stay integers."""
    cards = orders.shape[1]
    centred = 2 * orders.astype(np.int64) - (cards - 1)
    return np.array([int((centred[1:] * centred[:-1]).sum()), len(orders) - 1])


def judge_serial(seen: Int64, cards: int) -> Figure:
    """A rank correlation has mean 0 and variance 1/(cards - 1)."""
    spread = cards * (cards * cards - 1) / 3  # of the doubled numbers
    pairs = int(seen[1])
    return normal(float(seen[0]) / spread * sqrt((cards - 1) / pairs), pairs)
