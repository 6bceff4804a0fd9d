"""How well cards are shuffled: riffles by rising sequences, exactly for single cards, by measure for whole shoes.

The model is that of Gilbert, Shannon and Reeds. Bayer and Diaconis (1992): after m riffles an order of n cards with r
rising sequences has the chance C(2^m + n − r, n) / 2^(mn).
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
"""Riffled shoes that a measure is compared with, for each number of riffles."""


def rising_sequences(order: Sequence[int]) -> int:
    """Of the cards 0 to n − 1 as they lie: how often one reads through them to collect all in turn."""
    place = {card: at for at, card in enumerate(order)}
    return 1 + sum(place[card] < place[card - 1] for card in range(1, len(order)))


@cache
def eulerian(cards: int) -> tuple[int, ...]:
    """Orders of n cards by their rising sequences, 1 to n."""
    row = [1]
    for n in range(2, cards + 1):
        row = [(k + 1) * (row[k] if k < len(row) else 0) + (n - k) * (row[k - 1] if k else 0) for k in range(n)]
    return tuple(row)


def distance(cards: int, riffles: int) -> Fraction:
    """Total variation between an order after so many riffles and a fair one."""
    packets, fair = 2**riffles, Fraction(1, factorial(cards))
    total = Fraction(0)
    for rising, orders in enumerate(eulerian(cards), 1):
        chance = Fraction(comb(packets + cards - rising, cards), packets**cards)
        total += orders * abs(chance - fair)
    return total / 2


def log_likelihood(cards: int, rising: int, riffles: int) -> float:
    """Of so many riffles, for one order with so many rising sequences; minus infinity where it can't come about."""
    ways = comb(2**riffles + cards - rising, cards)
    return log(ways) - riffles * cards * log(2) if ways else float("-inf")


def riffles_that_fit(cards: int, rising: Sequence[int]) -> int:
    """The number of riffles, 1 to MOST_RIFFLES, under which these orders are most likely."""
    worth = {m: sum(log_likelihood(cards, count, m) for count in rising) for m in range(1, MOST_RIFFLES + 1)}
    return max(worth, key=lambda m: (worth[m], -m))


# Whole shoes. Eight cards of a kind can't be told apart, so rising sequences can't be counted: neighbours are.


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What is left of the last order in one shoe."""

    pairs: int
    """Neighbours that were neighbours in the reference, in the same order."""
    expected: float
    """Of an honest shoe."""
    share: float
    """Of the neighbours, beyond chance: 1 for the same order, about 0 for an honest one."""


def kept(reference: Sequence[int], shoe: Sequence[int], copies: int, cards: int) -> Kept:
    """Neighbours kept. In an honest shoe two places hold two given cards of different kinds with the chance
    copies² / (cards (cards − 1))."""
    known = set(pairwise(reference))
    pairs = sum(pair in known for pair in pairwise(shoe))
    ways = sum(copies * (copies - (a == b)) for a, b in known)
    chance = ways / (cards * (cards - 1))
    expected = chance * max(len(shoe) - 1, 0)
    room = max(len(shoe) - 1, 0) - expected
    return Kept(pairs=pairs, expected=expected, share=(pairs - expected) / room if room > 0 else 0.0)


def riffled(chance: np.random.Generator, reference: np.ndarray, riffles: int) -> np.ndarray:
    """So many riffles in one move: a riffle with 2^m packets is m riffles with two."""
    import numpy as np

    packets = chance.integers(0, 2**riffles, size=len(reference))
    shoe = np.empty_like(reference)
    shoe[np.argsort(packets, kind="stable")] = reference
    return shoe


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """How a set was shuffled, over the shoes of it that are on record."""

    shoes: int
    kept_share: float
    """Of the neighbours, beyond chance, on average."""
    riffles: int | None
    """That fit best; None where the shoes can't be told from honest ones."""
    by_riffles: tuple[float, ...]
    """What 1, 2 … riffles would leave, on average."""


def fit(share: float, shoes: int, by_riffles: Sequence[tuple[float, float]], fair: tuple[float, float]) -> Fit:
    """The riffles whose mean share is nearest to that of the shoes on average; none where honest shoes have it too."""
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
"""Standard errors beyond honest shoes from which on riffles are named."""


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
