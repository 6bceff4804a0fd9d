"""`missing` compiled, for the sets of a file. A set's state is three arrays. Results must equal those of `missing`."""

from __future__ import annotations

from math import comb

import numpy as np
import numpy.typing as npt
from numba import njit

from punto.watch.missing import MOST_LOST, MOST_STARTS

_LOST, _STARTS = MOST_LOST, MOST_STARTS
Float64 = npt.NDArray[np.float64]


class LostArrays:
    """The evidence on one set of cards."""

    def __init__(self, symbols: int, cards: int) -> None:
        self.symbols, self.cards, self.copies = symbols, cards, cards // symbols
        self.kinds = np.zeros((MOST_STARTS + 1, symbols, MOST_LOST + 1))
        self.whole = np.zeros((MOST_STARTS + 1, MOST_LOST + 1))
        self.prior = np.zeros(MOST_STARTS + 1)
        self.used = 0
        self.shoes = 0
        self._kind = np.array([float(comb(self.copies, lost)) for lost in range(MOST_LOST + 1)])
        self._whole = np.array([0.0, *(1 / (MOST_LOST * comb(cards, lost)) for lost in range(1, MOST_LOST + 1))])

    def shoe(self, seen: npt.NDArray[np.int64]) -> float:
        """Add one shoe. Returns the total evidence."""
        self.shoes += 1
        self.used, evidence = _add(
            self.kinds,
            self.whole,
            self.prior,
            self.used,
            self.shoes,
            self.copies,
            self.cards,
            seen,
            self._kind,
            self._whole,
        )
        return float(evidence)


@njit(nogil=True, cache=True)
def _add(kinds, whole, prior, used, shoes, copies, cards, seen, fresh_kind, fresh_whole):  # type: ignore[no-untyped-def]
    kinds[used] = fresh_kind
    whole[used] = fresh_whole
    prior[used] = 1 / (shoes * (shoes + 1))
    used += 1
    left = cards - seen.sum()
    total, least, weakest = 0.0, np.inf, 0
    ways = np.empty(_LOST + 1)
    for start in range(used):
        for symbol in range(len(seen)):
            factor = 1.0
            for lost in range(1, _LOST + 1):
                factor *= max(copies - seen[symbol] - (lost - 1), 0) / max(copies - (lost - 1), 1)
                kinds[start, symbol, lost] *= factor
        factor = 1.0
        for lost in range(1, _LOST + 1):
            factor *= (cards - (lost - 1)) / (left - (lost - 1)) if left > lost - 1 else 0.0
            whole[start, lost] *= factor
        worth = prior[start] * _sum(kinds[start], whole[start], ways)
        total += worth
        if worth < least:
            least, weakest = worth, start
    if used > _STARTS:
        total -= least
        used -= 1
        for start in range(weakest, used):
            kinds[start] = kinds[start + 1]
            whole[start] = whole[start + 1]
            prior[start] = prior[start + 1]
    return used, total


@njit(nogil=True, cache=True)
def _sum(kinds, whole, ways):  # type: ignore[no-untyped-def]
    ways[:] = 0.0
    ways[0] = 1.0
    for symbol in range(kinds.shape[0]):
        for total in range(_LOST, 0, -1):
            for lost in range(1, total + 1):
                ways[total] += kinds[symbol, lost] * ways[total - lost]
    weighed = 0.0
    for lost in range(1, _LOST + 1):
        weighed += ways[lost] * whole[lost]
    return weighed
