"""Tests of raw bytes: what each test counts in a batch, and how it judges the counts."""

from __future__ import annotations

from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from punto.rng.exact import Figure, binomial, pearson, poisson
from punto.sim.atoms import Int64

Bytes = npt.NDArray[np.uint8]

MARK: Final = 16
"""Bytes below this are marks; a gap is the number of bytes between two marks."""
LONGEST: Final = 48
BIRTHDAYS: Final = 4096
YEAR: Final = 1 << 32
REPEATED: Final = BIRTHDAYS**3 / (4 * YEAR)
"""Expected number of repeated spacings: four."""


def count_bits(raw: Bytes) -> Int64:
    return np.array([int(np.bitwise_count(raw).sum()), 8 * len(raw)])


def count_runs(raw: Bytes) -> Int64:
    bits = np.unpackbits(raw)
    return np.array([int((bits[1:] != bits[:-1]).sum()), len(bits) - 1])


def judge_coin(seen: Int64) -> Figure:
    return binomial(int(seen[0]), int(seen[1]))


def count_bytes(raw: Bytes) -> Int64:
    return np.bincount(raw, minlength=256)


def count_words(raw: Bytes) -> Int64:
    return np.bincount(raw[: len(raw) // 2 * 2].view(np.uint16), minlength=1 << 16)


def judge_alike(seen: Int64) -> Figure:
    """Judge counts of equally likely classes."""
    return pearson(seen, np.full(len(seen), 1 / len(seen)))


def count_gaps(raw: Bytes) -> Int64:
    between = np.diff(np.flatnonzero(raw < MARK)) - 1
    return np.bincount(np.minimum(between, LONGEST), minlength=LONGEST + 1)


def judge_gaps(seen: Int64) -> Figure:
    mark = MARK / 256
    shares = np.array([mark * (1 - mark) ** gap for gap in range(LONGEST + 1)])
    shares[-1] /= mark
    return pearson(seen, shares)


def count_poker(raw: Bytes) -> Int64:
    digits = np.stack((raw >> 4, raw & 15), axis=1).reshape(-1)
    hands = np.sort(digits[: len(digits) // 5 * 5].reshape(-1, 5), axis=1)
    different = 1 + (hands[:, 1:] != hands[:, :-1]).sum(axis=1)
    return np.bincount(np.maximum(different, 2) - 2, minlength=4)


def judge_poker(seen: Int64) -> Figure:
    hands = [comb(16, kinds) * _onto(5, kinds) / 16**5 for kinds in range(1, 6)]
    return pearson(seen, np.array([hands[0] + hands[1], *hands[2:]]))


def _onto(places: int, kinds: int) -> int:
    """Ways to fill `places` places with `kinds` digits so that each digit is used."""
    return sum((-1) ** left * comb(kinds, left) * (kinds - left) ** places for left in range(kinds + 1))


def count_birthdays(raw: Bytes) -> Int64:
    size = 4 * BIRTHDAYS
    whole = len(raw) // size
    if not whole:
        return np.zeros(2, np.int64)
    days = np.sort(raw[: whole * size].view(np.uint32).reshape(whole, BIRTHDAYS).astype(np.int64), axis=1)
    spacings = np.sort(np.diff(days, axis=1), axis=1)
    return np.array([int((spacings[:, 1:] == spacings[:, :-1]).sum()), whole])


def judge_birthdays(seen: Int64) -> Figure:
    return poisson(int(seen[0]), REPEATED * int(seen[1]), int(seen[1]))
