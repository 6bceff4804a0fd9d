"""Find the missing cards of a set, with the evidence, over several shoes (docs/mathematics.md).

A missing card is among the unseen cards of every shoe. For one card, a shoe multiplies the evidence by the unseen share
of its kind, divided by the unseen share of the whole shoe. The set may have lost cards at any time, so evidence is kept
from several starts, weighted so that all of them together are one fair bet.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Final

import msgspec

MOST_LOST: Final = 5
"""Most cards that are assumed missing at once."""
MOST_STARTS: Final = 8
"""Most starts (shoes from which evidence is counted). The weakest is dropped, which only lowers the total."""
NAMED: Final = 0.5
"""A kind of card is named if one of it is missing with at least this probability."""


class Start(msgspec.Struct):
    """Evidence since one shoe: by kind of card and number lost, and by total number lost."""

    prior: float
    kinds: list[list[float]]
    whole: list[float]


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence from the shoes of a set so far."""

    evidence: float
    """Fewer than one in this many honest sets reach it."""
    shoes: int
    cards: tuple[tuple[int, float, float], ...]
    """Kind of card, probability that one of it is missing given that some cards are, and the evidence for it alone."""


class Lost:
    """The evidence on a set of cards, shoe by shoe. Kinds are cards if suits are on record, otherwise ranks."""

    def __init__(self, symbols: int, cards: int) -> None:
        self.symbols, self.cards, self.copies = symbols, cards, cards // symbols
        self.starts: list[Start] = []
        self.shoes = 0

    def shoe(self, seen: Sequence[int]) -> Missing:
        """Add the cards seen of one shoe, by kind."""
        self.shoes += 1
        fresh = Start(
            prior=1 / (self.shoes * (self.shoes + 1)),
            kinds=[[float(comb(self.copies, lost)) for lost in range(MOST_LOST + 1)] for _ in range(self.symbols)],
            whole=[0.0] + [1 / (MOST_LOST * comb(self.cards, lost)) for lost in range(1, MOST_LOST + 1)],
        )
        self.starts.append(fresh)
        left = self.cards - sum(seen)
        for start in self.starts:
            for kind, count in zip(start.kinds, seen, strict=True):
                for lost in range(1, MOST_LOST + 1):
                    for gone in range(lost):
                        kind[lost] *= max(self.copies - count - gone, 0) / max(self.copies - gone, 1)
            for lost in range(1, MOST_LOST + 1):
                for gone in range(lost):
                    start.whole[lost] *= (self.cards - gone) / (left - gone) if left > gone else 0.0
        worth = [start.prior * _sum(start.kinds, start.whole) for start in self.starts]
        if len(self.starts) > MOST_STARTS:
            weakest = worth.index(min(worth))
            del self.starts[weakest], worth[weakest]
        best = self.starts[worth.index(max(worth))]
        return Missing(evidence=sum(worth), shoes=self.shoes, cards=self._named(best))

    def _named(self, start: Start) -> tuple[tuple[int, float, float], ...]:
        whole = _sum(start.kinds, start.whole)
        if whole <= 1:
            return ()
        named = []
        for at, kind in enumerate(start.kinds):
            without = _sum([*start.kinds[:at], *start.kinds[at + 1 :]], start.whole)
            likely = 1 - without / whole
            if likely >= NAMED:
                alone = kind[1] / self.copies * start.whole[1] * MOST_LOST * self.cards
                named.append((at, likely, alone))
        return tuple(sorted(named, key=lambda pair: -pair[1]))


def _sum(kinds: Sequence[Sequence[float]], whole: Sequence[float]) -> float:
    """Sum over every choice of lost cards: the product over kinds, weighted by `whole` for the total number lost."""
    ways = [1.0] + [0.0] * MOST_LOST
    for kind in kinds:
        for total in range(MOST_LOST, 0, -1):
            ways[total] += sum(kind[lost] * ways[total - lost] for lost in range(1, total + 1))
    return sum(ways_of_rank * factor for ways_of_rank, factor in zip(ways, whole, strict=True))


def shoes_needed(limit: float, *, symbols: int, cards: int, unseen: int, most: int = 1_000) -> int:
    """Most shoes until one missing card of a set is named, if in every shoe it is the only unseen card of its kind: the
    slowest way to find it."""
    copies = cards // symbols
    factor = (1 / copies) / (unseen / cards)
    if factor <= 1:
        return most
    evidence, shoes = 1 / (2 * MOST_LOST * symbols), 0
    while evidence < limit and shoes < most:
        evidence *= factor
        shoes += 1
    return shoes
