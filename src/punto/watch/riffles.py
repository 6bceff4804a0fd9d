"""How well cards are shuffled: the number of riffles, exact for distinct cards, measured by simulation for whole shoes.

The model is that of Gilbert, Shannon and Reeds. Bayer and Diaconis (1992): after m riffles an order of n cards with r
rising sequences has the probability C(2^m + n − r, n) / 2^(mn).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb, factorial, log
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    import numpy as np

MOST_RIFFLES: Final = 12
SAMPLES: Final = 60
"""Simulated shoes for each number of riffles."""


def rising_sequences(order: Sequence[int]) -> int:
    """How often one must read through the cards 0 to n − 1 in this order to collect all of them by rising number."""
    place = {card: at for at, card in enumerate(order)}
    return 1 + sum(place[card] < place[card - 1] for card in range(1, len(order)))


@cache
def eulerian(cards: int) -> tuple[int, ...]:
    """The number of orders of n cards with 1 to n rising sequences."""
    row = [1]
    for n in range(2, cards + 1):
        row = [(k + 1) * (row[k] if k < len(row) else 0) + (n - k) * (row[k - 1] if k else 0) for k in range(n)]
    return tuple(row)


def distance(cards: int, riffles: int) -> Fraction:
    """Total variation distance between an order after `riffles` riffles and a uniform one."""
    packets, fair = 2**riffles, Fraction(1, factorial(cards))
    total = Fraction(0)
    for rising, orders in enumerate(eulerian(cards), 1):
        chance = Fraction(comb(packets + cards - rising, cards), packets**cards)
        total += orders * abs(chance - fair)
    return total / 2


def log_likelihood(cards: int, rising: int, riffles: int) -> float:
    """Log-likelihood of `riffles` riffles for an order with `rising` rising sequences; minus infinity if impossible."""
    ways = comb(2**riffles + cards - rising, cards)
    return log(ways) - riffles * cards * log(2) if ways else float("-inf")


def riffles_that_fit(cards: int, rising: Sequence[int]) -> int:
    """The number of riffles, 1 to MOST_RIFFLES, under which these orders are most likely."""
    worth = {m: sum(log_likelihood(cards, count, m) for count in rising) for m in range(1, MOST_RIFFLES + 1)}
    return max(worth, key=lambda m: (worth[m], -m))


# Whole shoes. Eight cards of a kind can't be told apart, so rising sequences can't be counted; neighbours are counted.


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """How much of the last order is kept in one shoe."""

    pairs: int
    """Neighbours that were neighbours in the reference, in the same order."""
    expected: float
    """Expected number of such pairs in an honest shoe."""
    share: float
    """Share of neighbours kept, beyond chance: 1 for the same order, about 0 for an honest one."""


def kept(reference: Sequence[int], shoe: Sequence[int], copies: int, cards: int) -> Kept:
    """Count the neighbours kept. In an honest shoe two places hold two given cards of different kinds with the
    probability copies² / (cards (cards − 1))."""
    known = set(pairwise(reference))
    pairs = sum(pair in known for pair in pairwise(shoe))
    ways = sum(copies * (copies - (a == b)) for a, b in known)
    chance = ways / (cards * (cards - 1))
    expected = chance * max(len(shoe) - 1, 0)
    room = max(len(shoe) - 1, 0) - expected
    return Kept(pairs=pairs, expected=expected, share=(pairs - expected) / room if room > 0 else 0.0)


def riffled(chance: np.random.Generator, reference: np.ndarray, riffles: int) -> np.ndarray:
    """Do m riffles in one step: a riffle with 2^m packets equals m riffles with two."""
    import numpy as np

    packets = chance.integers(0, 2**riffles, size=len(reference))
    shoe = np.empty_like(reference)
    shoe[np.argsort(packets, kind="stable")] = reference
    return shoe


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """How well a set was shuffled, over its recorded shoes."""

    shoes: int
    kept_share: float
    """Average share of neighbours kept, beyond chance."""
    riffles: int | None
    """Number of riffles that fits best; None if the shoes can't be told from honest ones."""
    by_riffles: tuple[float, ...]
    """Average share kept after 1, 2 … riffles."""


def fit(share: float, shoes: int, by_riffles: Sequence[tuple[float, float]], fair: tuple[float, float]) -> Fit:
    """The number of riffles whose mean share is nearest to `share`, in deviations; none if honest shoes have it too."""
    misfit = [abs(share - mean) / max(deviation, 1e-9) for mean, deviation in by_riffles]
    apart = (share - fair[0]) / (max(fair[1], 1e-9) / shoes**0.5)
    best = misfit.index(min(misfit))
    return Fit(
        shoes=shoes,
        kept_share=share,
        riffles=best + 1 if apart > FAIR_DEVIATIONS else None,
        by_riffles=tuple(mean for mean, _ in by_riffles),
    )


FAIR_DEVIATIONS: Final = 4.0
"""Standard errors above honest shoes from which a number of riffles is named."""


def measured(
    chance: np.random.Generator, decks: int, *, suits: bool
) -> tuple[list[tuple[float, float]], tuple[float, float]]:
    """Mean and deviation of the share kept after 1, 2 … riffles, and in honest shoes."""
    import numpy as np

    whole = np.tile(np.arange(52) if suits else np.arange(52) // 4, decks)
    copies, cards = (decks if suits else 4 * decks), len(whole)
    rows = []
    for riffles in range(1, MOST_RIFFLES + 2):
        shares = []
        for _ in range(SAMPLES):
            reference = chance.permutation(whole)
            shoe = riffled(chance, reference, riffles) if riffles <= MOST_RIFFLES else chance.permutation(whole)
            shares.append(kept(reference.tolist(), shoe.tolist(), copies, cards).share)
        rows.append((float(np.mean(shares)), float(np.std(shares, ddof=1))))
    return rows[:-1], rows[-1]
