"""The evidence on every patron, shoe after shoe, and who sits with whom. Memory is a few numbers per patron."""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
from numba import njit

from punto.watch.rows import Int64
from punto.watch.stakes import KINDS, Float64, discoveries

LARGEST: Final = 1e250
HASHES: Final = 2
"""How many smallest hashes of a patron's shoes are kept. Patrons who always sit together have the same ones."""
LEAST_SHOES: Final = 6
"""Shoes that patrons must share to be a group. Fewer can't give enough evidence, whatever was staked."""
MOST_IN_A_GROUP: Final = 14
MOST_GROUPS: Final = 10_000


class Suspect(msgspec.Struct, frozen=True, kw_only=True):
    """A patron or a group whose stakes follow the cards."""

    patrons: tuple[str, ...]
    shoes: int
    evidence: float
    """Current evidence: what one unit would have become in a fair bet against their honesty."""
    p: float
    """Upper bound of the probability that an honest patron ever shows as much, however often one looks."""
    rounds: tuple[StakedRound, ...] = ()
    """The wagers with the largest worth."""


class StakedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A wager with its exact edge on the cards left."""

    table: str
    shoe: str
    number: int
    patron: str
    bet: str
    stake_cents: int
    edge: float
    worth_cents: float


class Ledger:
    """The evidence on patrons, by patron number."""

    def __init__(self) -> None:
        self.capital: Float64 = np.ones((0, len(KINDS)))
        self.peak: Float64 = np.ones(0)
        self.shoes: Int64 = np.zeros(0, np.int64)
        self.marks: npt.NDArray[np.uint64] = np.zeros((0, HASHES), np.uint64)

    def add(self, who: Int64, evidence: Float64, first_shoe: int) -> None:
        """Add one batch, in the order of the file. `first_shoe` is the number of its first shoe in the file."""
        if not len(who):
            return
        self._grow(int(who[:, 0].max()) + 1)
        _enter(who, evidence, first_shoe, self.capital, self.peak, self.shoes, self.marks)

    def _grow(self, size: int) -> None:
        have = len(self.peak)
        if size > have:
            more = max(size, 2 * have) - have
            self.capital = np.concatenate([self.capital, np.ones((more, len(KINDS)))])
            self.peak = np.r_[self.peak, np.ones(more)]
            self.shoes = np.r_[self.shoes, np.zeros(more, np.int64)]
            self.marks = np.concatenate([self.marks, np.full((more, HASHES), ~np.uint64(0))])

    @property
    def evidence(self) -> Float64:
        mean: Float64 = self.capital.mean(axis=1)
        return mean

    def suspects(self, share: float) -> list[int]:
        """The patrons to name, by e-BH among all who staked."""
        seen = np.flatnonzero(self.shoes)
        return [int(seen[at]) for at in discoveries(self.evidence[seen].tolist(), share)]

    def groups(self) -> list[tuple[int, ...]]:
        """Groups of patrons who were at the same shoes, whatever they staked."""
        seen = np.flatnonzero(self.shoes >= LEAST_SHOES)
        by_mark: dict[tuple[int, ...], list[int]] = {}
        for patron in seen.tolist():
            by_mark.setdefault(tuple(self.marks[patron].tolist()), []).append(patron)
        grouped = [tuple(group) for group in by_mark.values() if 2 <= len(group) <= MOST_IN_A_GROUP]
        return grouped[:MOST_GROUPS]


@njit(nogil=True, cache=True)
def _hash(value, salt):  # type: ignore[no-untyped-def]
    """The splitmix64 hash."""
    z = np.uint64(value) + np.uint64(salt + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(nogil=True, cache=True)
def _enter(who, evidence, first_shoe, capital, peak, shoes, marks):  # type: ignore[no-untyped-def]
    for row in range(len(who)):
        patron, total = who[row, 0], 0.0
        for kind in range(capital.shape[1]):
            capital[patron, kind] = min(capital[patron, kind] * evidence[row, kind], LARGEST)
            total += capital[patron, kind]
        peak[patron] = max(peak[patron], total / capital.shape[1])
        shoes[patron] += 1
        for salt in range(marks.shape[1]):
            marks[patron, salt] = min(marks[patron, salt], _hash(first_shoe + who[row, 1], salt))
