"""The compiled comparator, for many recorded shoes. It must find the same signs as `comparator`."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from numba import njit

from punto.watch.bounds import chance_of_window
from punto.watch.comparator import LARGEST, MOST_SIGNS, STAYS, WINDOW
from punto.watch.settings import RUNS, Settings

RUN, THIN, MANY = 0, 1, 2
KINDS: Final = ("run", "thinned", "too-many")

SHOE, KIND, FIRST, AT, LENGTH, PLACE = range(6)
"""Columns of a sign. Its evidence is in a separate array."""

MOST_RUN: Final = 64
_LARGEST, _SIGNS, _WINDOW, _NEVER = LARGEST, MOST_SIGNS, WINDOW, -(1 << 20)


def most_places(settings: Settings, symbols: int) -> npt.NDArray[np.int64]:
    """Run length → the most reference cards for which a run of this length is long enough to report."""
    cards, places = settings.procedure.cards, [0]
    for length in range(1, min(MOST_RUN, cards) + 1):
        a_place = (cards - length + 1) * chance_of_window(length, symbols=symbols, cards=cards)
        places.append(min(int(settings.chance_a_shoe * RUNS / a_place), 1 << 60))
    return np.array(places, np.int64)


def decays() -> npt.NDArray[np.float64]:
    """STAYS × number of other cards since → the share of evidence left."""
    return np.array([[stays**gone for gone in range(WINDOW + 1)] for stays in STAYS])


@njit(nogil=True, cache=True)
def _end_to_end(flat, new_size, pasts, past_begin, past_size, shift, laid, begins):  # type: ignore[no-untyped-def]
    """Concatenate the references in `laid`: new decks, which come first in `flat`, then earlier shoes, each forwards
    and backwards. `shift` turns a card into its rank if suits are not on record."""
    total, begin = 0, 0
    for size in new_size:
        total = _both_ways(flat, begin, size, shift, laid, begins, total)
        begin += size
    for past in pasts:
        for way in range(past_begin.shape[1] if past >= 0 else 0):
            total = _both_ways(flat, past_begin[past, way], past_size[past], shift, laid, begins, total)
    return total


@njit(nogil=True, cache=True)
def _both_ways(flat, begin, size, shift, laid, begins, total):  # type: ignore[no-untyped-def]
    for at in range(size):
        laid[total + at] = flat[begin + at] >> shift
        laid[total + 2 * size - 1 - at] = flat[begin + at] >> shift
        begins[total + at] = begins[total + size + at] = at == 0
    return total + 2 * size


@njit(nogil=True, cache=True)
def _index(laid, begins, total, heads, places, before):  # type: ignore[no-untyped-def]
    """Symbol → its places, from the end; and for each place the symbol before it, 52 if there is none."""
    heads[:] = 0
    for place in range(total):
        heads[laid[place] + 1] += 1
    for symbol in range(1, len(heads)):
        heads[symbol] += heads[symbol - 1]
    used = np.zeros(len(heads), np.int64)
    for back in range(total):
        place = total - 1 - back
        symbol = laid[place]
        at = heads[symbol] + used[symbol]
        places[at] = place
        before[at] = 52 if begins[place] else laid[place - 1]
        used[symbol] += 1


@njit(nogil=True, cache=True)
def _lately(places, before, lo, hi, last, time, hits, prior):  # type: ignore[no-untyped-def]
    """Collect the places of this card whose preceding card came within the window. The other places need no update."""
    count, least = 0, time - _WINDOW
    for at in range(lo, hi):
        hits[count], prior[count] = places[at], before[at]
        count += last[before[at]] >= least
    return count


@njit(nogil=True, cache=True)
def _thin(  # type: ignore[no-untyped-def]
    symbol, number, hits, prior, count, time, rarity, entry, stays, decay, last, single, weight, since, trail, evidence
):
    """Update the evidence of slugs with other cards between theirs. Returns the total evidence."""
    total = 0.0
    for k in range(len(stays)):
        evidence[k] = evidence[k] * stays[k] + number * entry * rarity
    for at in range(count):
        place, came = hits[at], last[prior[at]]
        old, here = time - 1 - since[place - 1], time - since[place]
        for k in range(len(stays)):
            moved = single[k, prior[at]] * decay[k, time - 1 - came]
            path = (came << 16) + 2
            if old <= _WINDOW:
                along = weight[place - 1, k] * decay[k, old]
                if along > moved:
                    path = trail[place - 1, k] + 1
                moved += along
            moved *= (1 - stays[k]) * rarity
            evidence[k] += moved
            if here <= _WINDOW:
                kept = weight[place, k] * decay[k, here]
                if kept > moved:
                    path = trail[place, k]
                moved += kept
            weight[place, k], trail[place, k] = min(moved, _LARGEST), path
        since[place] = time
    for k in range(len(stays)):
        gone = time - last[symbol]
        single[k, symbol] = (single[k, symbol] * decay[k, gone] if gone <= _WINDOW else 0.0) + entry * rarity
        evidence[k] = min(evidence[k], _LARGEST)
        total += evidence[k]
    return total


@njit(nogil=True, cache=True)
def _best(hits, count, weight, trail):  # type: ignore[no-untyped-def]
    """The place with the most evidence, where its slug began, and how many cards the slug has."""
    best, where, begun, cards = 0.0, -1, 0, 0
    for k in range(weight.shape[1]):
        for at in range(count):
            place = hits[at]
            if weight[place, k] >= best:
                best, where, begun, cards = weight[place, k], place, trail[place, k] >> 16, trail[place, k] & 0xFFFF
    return where, begun, cards


@njit(nogil=True, cache=True)
def compare(  # type: ignore[no-untyped-def]
    cards,
    gap,
    starts,
    shifts,
    decks,
    flat,
    new_size,
    pasts,
    past_begin,
    past_size,
    most,
    limit,
    stays,
    decay,
    rows,
    weights,
):
    """Find the signs of every shoe. Fills `rows` and `weights`, and returns the number of signs."""
    longest_past = 0
    for size in past_size:
        longest_past = max(longest_past, size)
    widest = 2 * new_size.sum() + 2 * pasts.shape[1] * past_begin.shape[1] * longest_past
    laid, begins = np.empty(widest, np.uint8), np.empty(widest, np.bool_)
    places, heads, before = np.empty(widest, np.int64), np.empty(53, np.int64), np.empty(widest, np.uint8)
    runs = np.zeros(widest, np.int16), np.empty(widest, np.int16)
    hits = np.empty(widest + 1, np.int64), np.empty(widest + 1, np.uint8)
    # The last array holds the first card of the slug in its high half, and the number of its cards in the low half.
    slugs = np.zeros((widest, len(stays))), np.empty(widest, np.int16), np.zeros((widest, len(stays)), np.int32)
    hits_so_far = np.int64(0)  # a literal 0 has another type, and Numba would compile `_shoe` for it too
    for shoe in range(len(starts) - 1):
        shift = shifts[shoe]
        total = _end_to_end(flat, new_size, pasts[shoe], past_begin, past_size, shift, laid, begins)
        _index(laid, begins, total, heads, places, before)
        enough = 2
        while enough < most.shape[1] - 1 and most[shift // 2, enough] < max(total, 1):
            enough += 1
        runs[1][:total], slugs[1][:total] = -2, -1024
        mine = slice(starts[shoe], starts[shoe + 1])
        hits_so_far = _shoe(
            shoe,
            cards[mine],
            gap[mine],
            shift,
            decks,
            total,
            (places, heads, before),
            runs,
            hits,
            slugs,
            enough,
            limit,
            stays,
            decay,
            rows,
            weights,
            hits_so_far,
        )
    return hits_so_far


@njit(nogil=True, cache=True)
def _shoe(  # type: ignore[no-untyped-def]
    shoe,
    cards,
    gap,
    shift,
    decks,
    total,
    index,
    runs,
    near,
    slugs,
    enough,
    limit,
    stays,
    decay,
    rows,
    weights,
    hits_so_far,
):
    """Find the signs of one shoe, card by card. Returns the number of all signs so far."""
    (places, heads, before), (run, stamp), (hits, prior), (weight, since, trail) = index, runs, near, slugs
    evidence, single = np.zeros(len(stays)), np.zeros((len(stays), 52))
    seen, last = np.zeros(52, np.int64), np.full(53, _NEVER, np.int64)
    in_shoe, copies, known = 52 * decks, decks << shift, hits_so_far
    entry = 1 / (len(stays) * in_shoe * max(total, 1))
    growing, reported = -1, False
    for time in range(len(cards)):
        symbol, broken = cards[time] >> shift, gap[time] != 0
        lo, hi = heads[symbol], heads[symbol + 1]
        if broken:
            growing = -1
        count = _lately(places, before, lo, hi, last, time, hits, prior)
        longest, where = _runs(hits, prior, count, last, time, broken, run, stamp)
        if growing >= 0 and longest > rows[growing, LENGTH]:
            rows[growing, LENGTH], rows[growing, PLACE] = longest, where
        else:
            growing = -1
            if longest >= enough:
                reported = True
                if hits_so_far - known < _SIGNS:
                    _write(rows, weights, hits_so_far, shoe, RUN, time - longest + 1, time, longest, where, 0.0)
                    growing = hits_so_far
                    hits_so_far += 1
        left = copies - seen[symbol]
        if left > 0:
            rarity = max(in_shoe - time, 1) / left
            gathered = _thin(
                symbol,
                hi - lo,
                hits,
                prior,
                count,
                time,
                rarity,
                entry,
                stays,
                decay,
                last,
                single,
                weight,
                since,
                trail,
                evidence,
            )
            if gathered >= limit and not reported and hits_so_far - known < _SIGNS:
                where, begun, length = _best(hits, count, weight, trail)
                if where >= 0:
                    reported = True
                    _write(rows, weights, hits_so_far, shoe, THIN, begun, time, length, where, min(gathered, _LARGEST))
                    hits_so_far += 1
        elif hits_so_far - known < _SIGNS:
            _write(rows, weights, hits_so_far, shoe, MANY, time, time, seen[symbol] + 1, -1, 0.0)
            hits_so_far += 1
        seen[symbol] += 1
        last[symbol] = time
    return hits_so_far


@njit(nogil=True, cache=True)
def _runs(hits, prior, count, last, time, broken, run, stamp):  # type: ignore[no-untyped-def]
    """The longest run of two or more cards that ends at this card, and its place. Among equal runs the first place
    wins; places come from the end."""
    longest, where = 0, -1
    for at in range(count):
        if last[prior[at]] == time - 1 and not broken:
            place = hits[at]
            cards = run[place - 1] + 1 if stamp[place - 1] == time - 1 else 2
            run[place], stamp[place] = cards, time
            if cards >= longest:
                longest, where = cards, place
    return longest, where


@njit(nogil=True, cache=True)
def _write(rows, weights, at, shoe, kind, first, time, length, place, weight):  # type: ignore[no-untyped-def]
    rows[at, 0], rows[at, 1], rows[at, 2] = shoe, kind, first
    rows[at, 3], rows[at, 4], rows[at, 5] = time, length, place
    weights[at] = weight
