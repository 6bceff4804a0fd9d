"""Count every way a coup can go, by the closed form in Python integers. All other engines are tested against this one.

A coup's *atom* is (a, b, v, w): the two-card points of Player and Banker, and the points of their third cards, None
where no card is drawn. Cards are exchangeable, so third cards and pairs may be counted as if they were drawn first;
docs/mathematics.md derives the formulas. Counts are of ordered sequences of six cards, so all atoms share one total.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb
from operator import itemgetter
from typing import Final

import msgspec

from punto.game.outcome import Outcome, Pairs, all_outcomes
from punto.odds.composition import ZEROS, Composition
from punto.rulebook.model import TableOfPlay

Atom = tuple[int, int, int | None, int | None]
Third = int | None

ORDERED: Final = 4
"""Each two-card hand is counted once for its two orders, so each counted coup stands for four."""

THIRDS: Final = tuple(range(10))
BOTH_THIRDS: Final = tuple((v, w) for v in THIRDS for w in range(v, 10))
"""Two third cards, the lower one first. They are counted as if drawn first, so their order does not matter."""

KEYS: Final[dict[tuple[Third, Third], int]] = {
    key: at
    for at, drawn in enumerate([(None, None), *((v, None) for v in THIRDS), *BOTH_THIRDS])
    for key in (drawn, drawn[::-1])
}
"""Third cards → their index in a table: no third card first, then one, then two."""

SIZES: Final = (1, 1 + len(THIRDS), 1 + len(THIRDS) + len(BOTH_THIRDS))
"""Length of a table for at most no, one or two third cards."""

MATES: Final = tuple([KEYS[pair] for pair in BOTH_THIRDS if sum(pair) % 10 == s] for s in range(10))
"""s → table indices of the two third cards that would make a hand of s points."""


class Census(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of six-card sequences: the total, by atom in the order of `every_atom`, and by settlement class in the
    order of `all_outcomes`."""

    play: TableOfPlay
    composition: Composition
    total: int
    atom_counts: tuple[int, ...]
    outcome_counts: tuple[int, ...]

    @property
    def atoms(self) -> dict[Atom, int]:
        """The atoms that can happen in this shoe, with their counts."""
        return {atom: coups for atom, coups in zip(every_atom(self.play), self.atom_counts, strict=True) if coups}

    @property
    def outcomes(self) -> dict[Outcome, int]:
        """The outcomes that can happen in this shoe, with their counts."""
        return {
            outcome: coups for outcome, coups in zip(all_outcomes(self.play), self.outcome_counts, strict=True) if coups
        }


@lru_cache(maxsize=64)
def census(play: TableOfPlay, composition: Composition) -> Census:
    """Count every atom and every outcome of a shoe."""
    shoe = _Shoe(composition)
    atoms: list[int] = []
    cells: dict[Pairs, list[int]] = {flag: [0] * 400 for flag in Pairs}
    either, in_player, in_banker, in_both, in_twin = cells.values()
    for group in _plan(play):
        a, b = group.points
        plain = shoe.plain(a, b, group.size)
        pair = {points: shoe.one_pair(points, other, group.size) for points, other in ((a, b), (b, a))}
        both, twin = shoe.two_pairs(a, b, group.size)
        for player, banker, keys, ends in group.orders:
            atoms += [plain[key] for key in keys]
            _add(either, ends, keys, plain)
            _add(in_player, ends, keys, pair[player])
            _add(in_banker, ends, keys, pair[banker])
            _add(in_both, ends, keys, both)
            _add(in_twin, ends, keys, twin)
    cells[Pairs.NONE] = [e - p - b + t for e, p, b, t in zip(either, in_player, in_banker, in_both, strict=True)]
    cells[Pairs.PLAYER] = [p - t for p, t in zip(in_player, in_both, strict=True)]
    cells[Pairs.BANKER] = [b - t for b, t in zip(in_banker, in_both, strict=True)]
    cells[Pairs.BOTH] = [t - w for t, w in zip(in_both, in_twin, strict=True)]
    counts = _in_order(play)([coups for cell in cells.values() for coups in cell])
    return Census(
        play=play,
        composition=composition,
        total=sequences(composition.cards),
        atom_counts=tuple([coups * ORDERED for coups in atoms]),
        outcome_counts=tuple([coups * ORDERED for coups in counts]),
    )


def sequences(cards: int) -> int:
    """How many sequences of six cards a shoe holds."""
    return cards * (cards - 1) * (cards - 2) * (cards - 3) * (cards - 4) * (cards - 5)


def _add(cells: list[int], ends: tuple[int, ...], keys: tuple[int, ...], table: list[int]) -> None:
    if table:
        for end, key in zip(ends, keys, strict=True):
            cells[end] += table[key]


# Tables that depend on the Table of Play alone, computed once.


class _Group(msgspec.Struct, frozen=True):
    """Two-card points (a, b) and (b, a). They share tables: both hands are drawn last, in either order."""

    points: tuple[int, int]
    size: int
    """Length of the table that their third cards need."""
    orders: tuple[tuple[int, int, tuple[int, ...], tuple[int, ...]], ...]
    """Player's and Banker's points; for each atom its index in a table, and the cell of final points and cards."""


@cache
def _plan(play: TableOfPlay) -> tuple[_Group, ...]:
    groups = []
    for a in range(10):
        for b in range(a, 10):
            orders = []
            for player, banker in dict.fromkeys(((a, b), (b, a))):
                thirds = _thirds_due(play, player, banker)
                keys = tuple(KEYS[drawn] for drawn in thirds)
                orders.append((player, banker, keys, tuple(_cell(player, banker, *drawn) for drawn in thirds)))
            longest = max(key for _, _, keys, _ in orders for key in keys)
            groups.append(_Group((a, b), min(size for size in SIZES if size > longest), tuple(orders)))
    return tuple(groups)


@cache
def every_atom(play: TableOfPlay) -> tuple[Atom, ...]:
    """Every atom that the Table of Play allows."""
    orders = [order for group in _plan(play) for order in group.orders]
    return tuple((a, b, *drawn) for a, b, _, _ in orders for drawn in _thirds_due(play, a, b))


def _thirds_due(play: TableOfPlay, a: int, b: int) -> list[tuple[Third, Third]]:
    """The third cards that can follow two-card points."""
    players: tuple[Third, ...] = THIRDS if play.player_draws(a, b) else (None,)
    return [(v, w) for v in players for w in (THIRDS if play.banker_draws(b, a, v) else (None,))]


def _cell(a: int, b: int, v: Third, w: Third) -> int:
    return 200 * (v is not None) + 100 * (w is not None) + 10 * ((a + (v or 0)) % 10) + (b + (w or 0)) % 10


@cache
def _in_order(play: TableOfPlay) -> itemgetter[tuple[int, ...]]:
    """Reorder the cells of all pair flags, concatenated, to the order of `all_outcomes`."""
    flags = list(Pairs)
    return itemgetter(
        *(
            400 * flags.index(outcome.pairs)
            + 200 * (outcome.player_cards - 2)
            + 100 * (outcome.banker_cards - 2)
            + 10 * outcome.player_points
            + outcome.banker_points
            for outcome in all_outcomes(play)
        )
    )


# Counts that depend on the shoe.


class _Shoe:
    """A composition, and tables over the third cards in the order of KEYS. Hands are counted without order."""

    def __init__(self, composition: Composition) -> None:
        self.n = composition.points
        self.cards = composition.cards
        self.h = [sum(self.n[x] * self._partners(x, s) for x in range(10)) // 2 for s in range(10)]
        self.p = [[self._partners(x, s) for x in range(10)] for s in range(10)]
        ranks = [[composition.ranks[at] for at in ZEROS], *([count] for count in composition.ranks[:9])]
        self.pair = [sum(comb(c, 2) for c in ranks[x]) for x in range(10)]
        self.twin = [sum(comb(c, 2) * comb(c - 2, 2) for c in ranks[x] if c > 1) for x in range(10)]
        self.square = [sum(comb(c, 2) ** 2 for c in ranks[x]) for x in range(10)]
        self.drawn = self._draw(())
        self.drawn_without = [self._draw((x,)) if self.pair[x] else [] for x in range(10)]

    def _partners(self, x: int, s: int) -> int:
        """How many cards make s points together with a given x-card."""
        y = (s - x) % 10
        return self.n[y] - (y == x)

    def _draw(self, pairs: tuple[int, ...], size: int = SIZES[2]) -> list[int]:
        """Ways to draw third cards, and any cards for the unused places, once these pairs have left the shoe."""
        m = list(self.n)
        for x in pairs:
            m[x] -= 2
        rest = self.cards - 5
        ways = [(rest + 1) * rest]
        if size > 1:
            ways += [left * rest for left in m]
        if size > SIZES[1]:
            for v in THIRDS:
                first = m[v]
                ways.append(first * (first - 1))
                ways += [first * left for left in m[v + 1 :]]
        return ways

    def plain(self, a: int, b: int, size: int) -> list[int]:
        """Counts without regard to pairs: third cards first, then two disjoint hands that use none of them."""
        n, h = self.n, self.h
        same = a == b
        for_a, for_b = self.p[a], self.p[b]  # by point value; a negative index counts from the end, which is modulo 10
        free = h[a] * (h[b] - same) - sum([n[x] * for_a[x] * (for_b[x] - same) for x in THIRDS])
        if size == 1:
            return [self.drawn[0] * free]
        # How many of these hands use one given v-card.
        uses = [
            for_a[v] * (h[b] - for_b[v] - for_b[a - v] + same) + for_b[v] * (h[a] - for_a[v] - for_a[b - v] + same)
            for v in THIRDS
        ]
        left = [free, *(free - used for used in uses)]
        if size > SIZES[1]:
            for v in THIRDS:
                left += self._plain_two(a, b, v, free - uses[v], uses)
        return [drawn * hands for drawn, hands in zip(self.drawn, left, strict=False)]

    def _plain_two(self, a: int, b: int, v: int, free: int, uses: list[int]) -> list[int]:
        """The hands that use neither a given v-card nor a given w-card, for every w from v up. `free` counts the hands
        without the v-card, `uses` those with a w-card. Hands with both are subtracted twice, so they are added back."""
        m = list(self.n)
        m[v] -= 1
        same = a == b
        va, vb = (a - v) % 10, (b - v) % 10
        left = []
        for w in range(v, 10):
            wa, wb = (a - w) % 10, (b - w) % 10
            m[w] -= 1
            # One hand holds the v-card, the other the w-card, each with a partner that is neither.
            both = m[va] * (m[wb] - (va == wb)) + m[wa] * (m[vb] - (wa == vb))
            m[w] += 1
            # Or one hand holds both.
            if va == w:
                both += self.h[b] - self.p[b][v] - self.p[b][w] + same
            if vb == w:
                both += self.h[a] - self.p[a][v] - self.p[a][w] + same
            left.append(free - uses[w] + both)
        return left

    def one_pair(self, s: int, other: int, size: int) -> list[int]:
        """Counts where the hand of s points is a pair. It is drawn first, then third cards, then the other hand."""
        tables = []
        for x in (s // 2, s // 2 + 5) if s % 2 == 0 else ():
            if not self.pair[x]:
                continue
            pair, drawn = self.pair[x], self.drawn_without[x]
            # Partners and hands once two x-cards have left the shoe.
            p = list(self.p[other])
            p[other - x] -= 2
            mate = (other - x) % 10 == x
            free = self.h[other] - 2 * self.p[other][x] + mate
            left = [free]
            if size > 1:
                left += [free - uses for uses in p]
            if size > SIZES[1]:
                left += [free - p[v] - p[w] for v, w in BOTH_THIRDS]
                for key in MATES[other]:
                    left[key] += 1
            tables.append([pair * ways * hands for ways, hands in zip(drawn, left, strict=False)])
        return _sum(tables)

    def two_pairs(self, a: int, b: int, size: int) -> tuple[list[int], list[int]]:
        """Counts where both hands are pairs, drawn first; and, among these, where both pairs are of one rank."""
        both, twin = [], []
        if a % 2 == 0 and b % 2 == 0:
            for x in (a // 2, a // 2 + 5):
                for y in (b // 2, b // 2 + 5):
                    pairs = self.pair[x] * self.pair[y]
                    if x == y:
                        pairs += self.twin[x] - self.square[x]
                    if not pairs:
                        continue
                    drawn = self._draw((x, y), size)
                    both.append([pairs * ways for ways in drawn])
                    if x == y:
                        twin.append([self.twin[x] * ways for ways in drawn])
        return _sum(both), _sum(twin)


def _sum(tables: list[list[int]]) -> list[int]:
    """Add tables entry by entry. Without any table the sum is an empty one, which counts nothing."""
    return tables[0] if len(tables) == 1 else [sum(entries) for entries in zip(*tables, strict=True)]
