"""Every way a coup can go, counted: the closed form, in Python integers. The reference for all other engines.

A coup's *atom* is (a, b, v, w): the two-card points of Player and Banker, and the points of their third cards, None
where none is drawn. Cards are exchangeable, so third cards and pairs may be counted as if they were drawn first;
docs/mathematics.md derives the formulas. Counts are of ordered sequences of six cards: all atoms share one total.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb

import msgspec

from punto.game.outcome import Outcome, Pairs
from punto.odds.composition import Composition
from punto.rulebook.model import TableOfPlay

Atom = tuple[int, int, int | None, int | None]

ORDERED = 4
"""Each two-card hand counted once stands for two orders, so a coup for four."""


class Census(msgspec.Struct, frozen=True):
    """Six-card sequences: in all, by atom, and by settlement class."""

    composition: Composition
    total: int
    atoms: dict[Atom, int]
    outcomes: dict[Outcome, int]


@lru_cache(maxsize=256)
def census(play: TableOfPlay, composition: Composition) -> Census:
    """Count every atom and every outcome of a shoe."""
    cards = composition.cards
    total = cards * (cards - 1) * (cards - 2) * (cards - 3) * (cards - 4) * (cards - 5)
    shoe = _Shoe(composition)
    found: dict[Atom, int] = {}
    tallies = {flag: [0] * 400 for flag in Pairs}
    none, player_pair, banker_pair, two_pairs, twins = tallies.values()
    for a in range(10):
        for b in range(10):
            thirds = _thirds_due(play, a, b)
            plain = shoe.plain(a, b, thirds)
            in_player = shoe.one_pair(a, b, thirds)
            in_banker = shoe.one_pair(b, a, thirds)
            both, twin = shoe.two_pairs(a, b, thirds)
            for at, (v, w) in enumerate(thirds):
                found[a, b, v, w] = plain[at] * ORDERED
                player, third = (a, 0) if v is None else ((a + v) % 10, 200)
                banker, fourth = (b, 0) if w is None else ((b + w) % 10, 100)
                cell = third + fourth + player * 10 + banker
                none[cell] += plain[at] - in_player[at] - in_banker[at] + both[at]
                player_pair[cell] += in_player[at] - both[at]
                banker_pair[cell] += in_banker[at] - both[at]
                two_pairs[cell] += both[at] - twin[at]
                twins[cell] += twin[at]
    outcomes = {
        _outcome(cell, flag): coups * ORDERED
        for flag, tally in tallies.items()
        for cell, coups in enumerate(tally)
        if coups
    }
    return Census(composition, total, {atom: coups for atom, coups in found.items() if coups}, outcomes)


@cache
def _outcome(cell: int, flag: Pairs) -> Outcome:
    thirds, points = divmod(cell, 100)
    return Outcome(points // 10, points % 10, 2 + thirds // 2, 2 + thirds % 2, flag)


Thirds = tuple[tuple[int | None, int | None], ...]


@cache
def _thirds_due(play: TableOfPlay, a: int, b: int) -> Thirds:
    """The third cards that can follow two-card points."""
    players = tuple(range(10)) if play.player_draws(a, b) else (None,)
    return tuple((v, w) for v in players for w in (tuple(range(10)) if play.banker_draws(b, a, v) else (None,)))


def _partners(n: tuple[int, ...], x: int, s: int) -> int:
    """How many cards bring a given x-card to s points."""
    y = (s - x) % 10
    return n[y] - (y == x)


def _hands(n: tuple[int, ...]) -> list[int]:
    """Two-card hands by points, each counted once."""
    return [sum(n[x] * _partners(n, x, s) for x in range(10)) // 2 for s in range(10)]


def _minus(n: tuple[int, ...], x: int) -> tuple[int, ...]:
    """Two x-cards less."""
    return (*n[:x], n[x] - 2, *n[x + 1 :])


class _Shoe:
    """A composition with everything that the formulas use again and again worked out once."""

    def __init__(self, composition: Composition) -> None:
        self.n = composition.points
        self.cards = composition.cards
        self.p = [[_partners(self.n, x, s) for s in range(10)] for x in range(10)]
        self.h = _hands(self.n)
        ranks = [composition.ranks[9:], *((count,) for count in composition.ranks[:9])]
        self.pair = [sum(comb(c, 2) for c in ranks[x]) for x in range(10)]
        self.twin = [sum(comb(c, 2) * comb(c - 2, 2) for c in ranks[x] if c > 1) for x in range(10)]
        self.square = [sum(comb(c, 2) ** 2 for c in ranks[x]) for x in range(10)]
        self.left = [_minus(self.n, x) for x in range(10)]
        self.hands_left = [_hands(m) for m in self.left]

    def plain(self, a: int, b: int, thirds: Thirds) -> list[int]:
        """Without regard to pairs: third cards first, then two disjoint hands that use neither."""
        n, p, h = self.n, self.p, self.h
        same = a == b
        both = h[a] * h[b] - sum(n[x] * p[x][a] * (p[x][b] - same) for x in range(10)) - same * h[a]
        if thirds == ((None, None),):
            return [both * (self.cards - 4) * (self.cards - 5)]
        uses = [self._uses(v, a, b) + self._uses(v, b, a) for v in range(10)]
        counts = []
        for v, w in thirds:
            if v is None or w is None:
                one = v if v is not None else w
                assert one is not None, "no third card at all was answered above"
                counts.append(n[one] * (both - uses[one]) * (self.cards - 5))
            else:
                free = both - uses[v] - uses[w] + self._uses_both(v, w, a, b)
                counts.append(n[v] * (n[w] - (v == w)) * free)
        return counts

    def _uses(self, v: int, a: int, b: int) -> int:
        """Pairs of hands (a, b) whose first hand holds one given v-card."""
        p = self.p
        return p[v][a] * (self.h[b] - p[v][b] - p[(a - v) % 10][b] + (a == b))

    def _uses_both(self, v: int, w: int, a: int, b: int) -> int:
        """Pairs of hands (a, b) that hold both a given v-card and a given w-card."""
        p, h, n = self.p, self.h, self.n
        found = 0
        if (v + w - a) % 10 == 0:
            found += h[b] - p[v][b] - p[w][b] + (a == b)
        if (v + w - b) % 10 == 0:
            found += h[a] - p[v][a] - p[w][a] + (a == b)
        for first, second in ((v, w), (w, v)):
            # One hand holds the first card, the other the second, each with a partner that is neither.
            x, y = (a - first) % 10, (b - second) % 10
            found += (n[x] - (x == v) - (x == w)) * (n[y] - (y == v) - (y == w) - (x == y))
        return found

    def one_pair(self, s: int, other: int, thirds: Thirds) -> list[int]:
        """A hand of s points that is a pair, drawn first; then third cards, then the other hand."""
        counts = [0] * len(thirds)
        for x in (s // 2, s // 2 + 5) if s % 2 == 0 else ():
            pair, m, hands = self.pair[x], self.left[x], self.hands_left[x][other]
            if not pair:
                continue
            p = [_partners(m, v, other) for v in range(10)]
            rest = self.cards - 5
            for at, (v, w) in enumerate(thirds):
                if v is not None and w is not None:
                    free = hands - p[v] - p[w] + ((v + w - other) % 10 == 0)
                    counts[at] += pair * m[v] * (m[w] - (v == w)) * free
                elif v is None and w is None:
                    counts[at] += pair * hands * (self.cards - 4) * rest
                else:
                    one = v if v is not None else w
                    assert one is not None, "one of them is drawn"
                    counts[at] += pair * m[one] * (hands - p[one]) * rest
        return counts

    def two_pairs(self, a: int, b: int, thirds: Thirds) -> tuple[list[int], list[int]]:
        """Both hands pairs, drawn first, and among these the pairs of one rank."""
        both, twin = [0] * len(thirds), [0] * len(thirds)
        if a % 2 or b % 2:
            return both, twin
        for x in (a // 2, a // 2 + 5):
            for y in (b // 2, b // 2 + 5):
                pairs = self.pair[x] * self.pair[y]
                if x == y:
                    pairs += self.twin[x] - self.square[x]
                m = _minus(self.left[x], y)
                for at, (v, w) in enumerate(thirds):
                    if v is not None and w is not None:
                        ways = m[v] * (m[w] - (v == w))
                    elif v is None and w is None:
                        ways = (self.cards - 4) * (self.cards - 5)
                    else:
                        ways = m[v if v is not None else w or 0] * (self.cards - 5)
                    both[at] += pairs * ways
                    twin[at] += self.twin[x] * ways if x == y else 0
        return both, twin
