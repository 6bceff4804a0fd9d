"""The compiled closed form: counts many shoes in parallel, by outcome or by any other array indexed by atom.

The kernels count LANES shoes at a time, so that one processor instruction works on several of them: the last index of
every array is the lane. A table of third cards has a row for 11 v + w, v ≤ w, where 10 means no card. Third cards are
counted as if drawn first, so their order does not matter. Nor does the order of the hands, so the points (a, b) and
(b, a) share tables. docs/mathematics.md has the formulas; `analysis` has the bound that keeps every step in 64 bits.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit

from punto.sim.atoms import NO_THIRD, THIRDS

LANES: Final = 64
"""Shoes that the kernels count in parallel. With fewer, the compiler generates code that is twice as slow."""


@njit(cache=True, nogil=True)
def count_outcomes(ranks, points, start, thirds, outcome, insured, by_outcome, by_offer):  # type: ignore[no-untyped-def]
    """Fill a row of `by_outcome` and of `by_offer` for every shoe."""
    kinds, hands, cards = np.empty((4, 10, LANES), np.int64), np.empty((10, LANES), np.int64), np.empty(LANES, np.int64)
    ways = np.empty((5, THIRDS * THIRDS, LANES), np.int64)
    outcomes = np.empty((by_outcome.shape[1], LANES), np.int64)
    offers = np.empty((by_offer.shape[1], LANES), np.int64)
    for block in range(0, len(ranks), LANES):
        _shoes(ranks, block, points, kinds, hands, cards)
        outcomes[:] = 0
        offers[:] = 0
        for a in range(10):
            for b in range(a, 10):
                place, other = 10 * a + b, 10 * b + a
                draws = start[place + 1] - start[place] > 1 or start[other + 1] - start[other] > 1
                _plain(a, b, draws, cards, kinds[0], hands, ways[0])
                if a % 2 == 0:
                    _one_pair(a, b, draws, cards, kinds, hands, ways[1])
                if b % 2 == 0:
                    _one_pair(b, a, draws, cards, kinds, hands, ways[2])
                if a % 2 == 0 and b % 2 == 0:
                    _two_pairs(a, b, draws, cards, kinds, ways[3], ways[4])
                _tally(start[place], start[place + 1], ways, 1, a, b, thirds, outcome, insured, outcomes, offers)
                if a != b:
                    _tally(start[other], start[other + 1], ways, 2, b, a, thirds, outcome, insured, outcomes, offers)
        for lane in range(min(LANES, len(ranks) - block)):
            by_outcome[block + lane] = outcomes[:, lane]
            by_offer[block + lane] = offers[:, lane]


@njit(cache=True, nogil=True)
def count_atoms(ranks, points, start, thirds, columns, counts):  # type: ignore[no-untyped-def]
    """Count without regard to pairs: add every atom of a shoe to the columns of `counts` that `columns` names for it.
    The last column means none."""
    kinds, hands, cards = np.empty((4, 10, LANES), np.int64), np.empty((10, LANES), np.int64), np.empty(LANES, np.int64)
    ways = np.empty((THIRDS * THIRDS, LANES), np.int64)
    sums = np.empty((counts.shape[1], LANES), np.int64)
    for block in range(0, len(ranks), LANES):
        _shoes(ranks, block, points, kinds, hands, cards)
        sums[:] = 0
        for a in range(10):
            for b in range(a, 10):
                place, other = 10 * a + b, 10 * b + a
                draws = start[place + 1] - start[place] > 1 or start[other + 1] - start[other] > 1
                _plain(a, b, draws, cards, kinds[0], hands, ways)
                _add(start[place], start[place + 1], ways, thirds, columns, sums)
                if a != b:
                    _add(start[other], start[other + 1], ways, thirds, columns, sums)
        for lane in range(min(LANES, len(ranks) - block)):
            counts[block + lane] = sums[:, lane]


@njit(cache=True, nogil=True)
def _add(lo, hi, ways, thirds, columns, sums):  # type: ignore[no-untyped-def]
    for atom in range(lo, hi):
        k = thirds[atom]
        for at in range(columns.shape[1]):
            column = columns[atom, at]
            for lane in range(LANES if column < len(sums) - 1 else 0):
                sums[column, lane] += ways[k, lane]


@njit(cache=True, nogil=True)
def expect(outcomes, total, net, worths):  # type: ignore[no-untyped-def]
    """Multiply counts by net winnings. The loop is explicit so that it runs on one core and gives the same result on
    every machine; a library's matrix product does not."""
    for shoe in range(len(outcomes)):
        worths[shoe] = 0.0
        for outcome in range(outcomes.shape[1]):
            coups = float(outcomes[shoe, outcome])
            for bet in range(net.shape[1]):
                worths[shoe, bet] += coups * net[outcome, bet]
        worths[shoe] /= total[shoe]


@njit(cache=True, nogil=True)
def _shoes(ranks, block, points, kinds, hands, cards):  # type: ignore[no-untyped-def]
    """Count by point value: cards, pairs, two pairs of one rank, squares of pairs. Also count two-card hands by points,
    and all cards. Lanes past the last shoe repeat it."""
    kinds[:] = 0
    for lane in range(LANES):
        shoe = min(block + lane, len(ranks) - 1)
        cards[lane] = 0
        for rank in range(ranks.shape[1]):
            held, x = ranks[shoe, rank], points[rank]
            pairs = held * (held - 1) // 2
            kinds[0, x, lane] += held
            kinds[1, x, lane] += pairs
            kinds[2, x, lane] += pairs * ((held - 2) * (held - 3) // 2)
            kinds[3, x, lane] += pairs * pairs
            cards[lane] += held
    n = kinds[0]
    for s in range(10):
        hands[s] = 0
        for x in range(10):
            y = (s - x) % 10
            for lane in range(LANES):
                hands[s, lane] += n[x, lane] * (n[y, lane] - (x == y))
        for lane in range(LANES):
            hands[s, lane] //= 2


@njit(cache=True, nogil=True)
def _plain(a, b, draws, cards, n, h, ways):  # type: ignore[no-untyped-def]
    """Counts without regard to pairs: third cards first, then two disjoint hands that use none of them."""
    same = 1 if a == b else 0
    free, uses = np.empty(LANES, np.int64), np.empty((10, LANES), np.int64)
    for lane in range(LANES):
        free[lane] = h[a, lane] * (h[b, lane] - same)
    for x in range(10):
        # Point values of an x-card's partner in a hand of a points, and in a hand of b points.
        xa, xb = (a - x) % 10, (b - x) % 10
        for lane in range(LANES):
            free[lane] -= n[x, lane] * (n[xa, lane] - (xa == x)) * (n[xb, lane] - (xb == x) - same)
    for lane in range(LANES):
        ways[-1, lane] = free[lane] * (cards[lane] - 4) * (cards[lane] - 5)
    if not draws:
        return
    for v in range(10):
        va, vb = (a - v) % 10, (b - v) % 10
        # Point values that the partner of the v-card would need as its own partner in the other hand.
        vab, vba = (b - va) % 10, (a - vb) % 10
        for lane in range(LANES):
            for_a, for_b = n[va, lane] - (va == v), n[vb, lane] - (vb == v)
            uses[v, lane] = for_a * (h[b, lane] - for_b - (n[vab, lane] - (vab == va)) + same)
            uses[v, lane] += for_b * (h[a, lane] - for_a - (n[vba, lane] - (vba == vb)) + same)
            ways[THIRDS * v + NO_THIRD, lane] = n[v, lane] * (free[lane] - uses[v, lane]) * (cards[lane] - 5)
    for v in range(10):
        for w in range(v, 10):
            _plain_two(a, b, v, w, n, h, free, uses, ways[THIRDS * v + w])


@njit(cache=True, nogil=True)
def _plain_two(a, b, v, w, n, h, free, uses, ways):  # type: ignore[no-untyped-def]
    """The same where both third cards are drawn: one v-card and one w-card."""
    va, vb, wa, wb = (a - v) % 10, (b - v) % 10, (a - w) % 10, (b - w) % 10
    same = 1 if a == b else 0
    less_va, less_vb = (va == v) + (va == w), (vb == v) + (vb == w) + (vb == wa)
    less_wa, less_wb = (wa == v) + (wa == w), (wb == v) + (wb == w) + (wb == va)
    # Hands that use both cards: one holds the v-card and the other the w-card, or one holds the two.
    for lane in range(LANES):
        used = (n[va, lane] - less_va) * (n[wb, lane] - less_wb) + (n[wa, lane] - less_wa) * (n[vb, lane] - less_vb)
        ways[lane] = free[lane] - uses[v, lane] - uses[w, lane] + used
    if va == w:
        for lane in range(LANES):
            ways[lane] += h[b, lane] - (n[vb, lane] - (vb == v)) - (n[wb, lane] - (wb == w)) + same
    if vb == w:
        for lane in range(LANES):
            ways[lane] += h[a, lane] - (n[va, lane] - (va == v)) - (n[wa, lane] - (wa == w)) + same
    for lane in range(LANES):
        ways[lane] *= n[v, lane] * (n[w, lane] - (v == w))


@njit(cache=True, nogil=True)
def _one_pair(s, other, draws, cards, kinds, hands, ways):  # type: ignore[no-untyped-def]
    """Counts where the hand of s points is a pair. It is drawn first, then third cards, then the other hand."""
    n, pair = kinds[0], kinds[1]
    h = np.empty((2, LANES), np.int64)
    values = (s // 2, s // 2 + 5)
    ways[-1] = 0
    for at in range(2):
        x, xo = values[at], (other - values[at]) % 10
        for lane in range(LANES):
            h[at, lane] = hands[other, lane] - 2 * (n[xo, lane] - (xo == x)) + (xo == x)
            ways[-1, lane] += pair[x, lane] * h[at, lane] * (cards[lane] - 4) * (cards[lane] - 5)
    x, y = values
    for v in range(10 if draws else 0):
        vo = (other - v) % 10
        vx, vy, vox, voy = 2 * (v == x), 2 * (v == y), (vo == v) + 2 * (vo == x), (vo == v) + 2 * (vo == y)
        for lane in range(LANES):
            with_x = pair[x, lane] * (n[v, lane] - vx) * (h[0, lane] - n[vo, lane] + vox)
            with_y = pair[y, lane] * (n[v, lane] - vy) * (h[1, lane] - n[vo, lane] + voy)
            ways[THIRDS * v + NO_THIRD, lane] = (with_x + with_y) * (cards[lane] - 5)
        for w in range(v, 10):
            wo = (other - w) % 10
            wx, wy, same = 2 * (w == x) + (v == w), 2 * (w == y) + (v == w), (wo == w) + (w == vo)
            free_x, free_y = vox + same + 2 * (wo == x), voy + same + 2 * (wo == y)
            for lane in range(LANES):
                used = n[vo, lane] + n[wo, lane]
                with_x = pair[x, lane] * (n[v, lane] - vx) * (n[w, lane] - wx) * (h[0, lane] - used + free_x)
                with_y = pair[y, lane] * (n[v, lane] - vy) * (n[w, lane] - wy) * (h[1, lane] - used + free_y)
                ways[THIRDS * v + w, lane] = with_x + with_y


@njit(cache=True, nogil=True)
def _two_pairs(a, b, draws, cards, kinds, both, twin):  # type: ignore[no-untyped-def]
    """Counts where both hands are pairs, drawn first; and, among these, where both pairs are of one rank."""
    n, pair = kinds[0], kinds[1]
    pairs, twins = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    both[:] = 0
    twin[:] = 0
    for x in (a // 2, a // 2 + 5):
        for y in (b // 2, b // 2 + 5):
            # Two pairs of one rank have the same point value; otherwise nothing is added to `twin`.
            same = 1 if x == y else 0
            for lane in range(LANES):
                twins[lane] = same * kinds[2, x, lane]
                pairs[lane] = pair[x, lane] * pair[y, lane] + same * (kinds[2, x, lane] - kinds[3, x, lane])
                rest = (cards[lane] - 4) * (cards[lane] - 5)
                both[-1, lane] += pairs[lane] * rest
                twin[-1, lane] += twins[lane] * rest
            for v in range(10 if draws else 0):
                less_v = 2 * (v == x) + 2 * (v == y)
                for lane in range(LANES):
                    drawn = (n[v, lane] - less_v) * (cards[lane] - 5)
                    both[THIRDS * v + NO_THIRD, lane] += pairs[lane] * drawn
                    twin[THIRDS * v + NO_THIRD, lane] += twins[lane] * drawn
                for w in range(v, 10):
                    less_w = 2 * (w == x) + 2 * (w == y) + (v == w)
                    for lane in range(LANES):
                        both[THIRDS * v + w, lane] += pairs[lane] * (n[v, lane] - less_v) * (n[w, lane] - less_w)
                    for lane in range(LANES if same else 0):
                        twin[THIRDS * v + w, lane] += twins[lane] * (n[v, lane] - less_v) * (n[w, lane] - less_w)


@njit(cache=True, nogil=True)
def _tally(lo, hi, ways, player, a, b, thirds, outcome, insured, outcomes, offers):  # type: ignore[no-untyped-def]
    """Add the atoms of two-card points (a, b) to their outcomes, in the order of `Pairs`, and to the insurance offers
    made in them. `player` is the index in `ways` of the table for a pair in the Player's hand."""
    for atom in range(lo, hi):
        k = thirds[atom]
        none, first, second = outcome[atom, 0], insured[atom, 0], insured[atom, 1]
        for lane in range(LANES):
            outcomes[none, lane] += ways[0, k, lane]
        # The last row of offers means no offer.
        for lane in range(LANES if first < len(offers) - 1 else 0):
            offers[first, lane] += ways[0, k, lane]
        for lane in range(LANES if second < len(offers) - 1 else 0):
            offers[second, lane] += ways[0, k, lane]
        if a % 2 == 0:
            in_player = outcome[atom, 1]
            for lane in range(LANES):
                outcomes[none, lane] -= ways[player, k, lane]
                outcomes[in_player, lane] += ways[player, k, lane]
        if b % 2 == 0:
            in_banker = outcome[atom, 2]
            for lane in range(LANES):
                outcomes[none, lane] -= ways[3 - player, k, lane]
                outcomes[in_banker, lane] += ways[3 - player, k, lane]
        if a % 2 == 0 and b % 2 == 0:
            in_player, in_banker, two, twins = outcome[atom, 1], outcome[atom, 2], outcome[atom, 3], outcome[atom, 4]
            for lane in range(LANES):
                both, twin = ways[3, k, lane], ways[4, k, lane]
                outcomes[none, lane] += both
                outcomes[in_player, lane] -= both
                outcomes[in_banker, lane] -= both
                outcomes[two, lane] += both - twin
                outcomes[twins, lane] += twin
