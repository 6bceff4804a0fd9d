"""Whether stakes follow the cards: compares a patron's stakes on the dealt shoe with the same stakes on other shoes.

A patron's stakes in a shoe have a true worth on its cards: stakes times edges, beyond the shoe's average edge. The same
stakes, in the same rounds, have a worth on other honest shoes too. To a patron who does not know the cards all shoes
are alike: the dealt shoe is the best of K + 1 as often as any other. A shoe multiplies the evidence by its share of
exp(z) over all K + 1, times K + 1. That is 1 on average, whatever was staked, so the evidence over shoes stays a fair
bet however often one looks (docs/mathematics.md). The edge is estimated by the best linear count and by how likely
pairs are: any function of the cards is allowed, and this one is fast. The part that follows from results alone is
subtracted, so that patrons who bet on streaks are not suspected.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
from numba import njit

from punto.cards import RANKS
from punto.rulebook.model import Rulebook
from punto.sim.analysis import expectations
from punto.sim.atoms import compiled
from punto.watch import deal
from punto.watch.rows import MOST_ROUNDS, Int64, Shoes

OTHERS: Final = 16
"""K: the number of other honest shoes that a dealt shoe is compared with."""
POOL: Final = 2_048
"""Honest shoes to choose from, so that two shoes of a patron hardly ever share one."""
KINDS: Final = ("main", "side")
"""Main and side bets are weighed separately, because small edges on large stakes would hide the others. Evidence is the
average of both."""
MOST_PATRONS_A_SHOE: Final = 2_048
FITTED, LATE = 256, 60
"""Number of shoes, and the round, for which the worth of pairs is fitted. If shoes of few decks have fewer rounds, an
earlier round is used."""
ALIKE: Final = 1e-6
"""Worths that differ by less than this per unit staked count as equal."""

Float64 = npt.NDArray[np.float64]


class Counts(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Linear counts of an edition, and the pool of honest shoes."""

    bets: tuple[str, ...]
    start: Float64
    """Bet → edge of the whole shoe."""
    worth: Float64
    """Rank × bet → what a card left in the shoe adds to the edge, times the cards left."""
    paired: Float64
    """Bet → what more likely pairs add to the edge, which a linear count can't see."""
    usual: Float64
    """Result × bet → what the cards of a round with this result add on average, which the result alone reveals."""
    main: npt.NDArray[np.bool_]
    pool: npt.NDArray[np.float32]
    """Choice of K shoes, round, bet, shoe of the choice → edge beyond what results reveal."""
    so_far: npt.NDArray[np.float32]
    """The same, summed over the rounds before."""
    cards: int


def counts(rules: Rulebook, decks: int, *, seed: int = 0, pool: int = POOL) -> Counts:
    """Compute the linear counts of an edition and deal the pool. Takes about a second."""
    bets = compiled(rules).bets
    start, worth = _linear(rules, decks)
    dealt = deal.deal(rules, deal.shoes(np.random.Generator(np.random.Philox(seed)), decks, pool), 6)
    gone = np.zeros((pool, dealt.left.shape[1], len(bets)))
    left = dealt.left.astype(np.float64)
    gone[:, :-1] = (left[:, :-1] - left[:, 1:]) @ worth
    inside = np.arange(dealt.left.shape[1] - 1)[None, :] < dealt.rounds[:, None] - 1
    usual = np.array([gone[:, :-1][inside & (dealt.result[:, :-1] == result)].mean(axis=0) for result in range(3)])
    edges = np.zeros((pool, MOST_ROUNDS, len(bets)), np.float32)
    paired = _paired(rules, dealt, start, worth)
    _edges(dealt.left, dealt.result, dealt.rounds, worth, usual, paired, edges)
    main = np.array([rules.bets[bet].main for bet in bets])
    names = tuple(bet.value for bet in bets)
    return Counts(
        bets=names,
        start=start,
        worth=worth,
        paired=paired,
        usual=usual,
        main=main,
        pool=_by_choice(edges),
        so_far=_by_choice(np.cumsum(edges, axis=1) - edges),
        cards=decks * 4 * len(RANKS),
    )


def _by_choice(edges: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    _, rounds, bets = edges.shape
    by_choice: npt.NDArray[np.float32] = edges.reshape(-1, OTHERS, rounds, bets).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(by_choice, dtype=np.float32)


def _linear(rules: Rulebook, decks: int) -> tuple[Float64, Float64]:
    whole = np.full(len(RANKS), 4 * decks, dtype=np.int64)
    start = expectations(rules, whole[None])[0]
    moved = expectations(rules, whole - np.eye(len(RANKS), dtype=np.int64)) - start
    worth = -moved * float(whole.sum() - 1)
    return start, worth - whole @ worth / whole.sum()


def _paired(rules: Rulebook, dealt: deal.Dealt, start: Float64, worth: Float64) -> Float64:
    """The worth of pairs by bet, fitted to what the linear count leaves of exact edges in late rounds."""
    late = min(LATE, int(dealt.rounds[:FITTED].min()) - 1)
    left = dealt.left[:FITTED, late].astype(np.int64)
    pairs = np.array([excess_of_pairs(row) for row in left])
    cards = left.sum(axis=1)[:, None]
    rest = expectations(rules, left) - start - left @ worth / cards
    slope: Float64 = pairs @ (rest - rest.mean(axis=0)) / (pairs @ (pairs - pairs.mean()))
    return slope


@njit(nogil=True, cache=True)
def excess_of_pairs(left):  # type: ignore[no-untyped-def]
    """Probability that two cards are of one rank, less the one in 13 of infinite decks."""
    cards, pairs = 0.0, 0.0
    for count in left:
        cards += count
        pairs += count * (count - 1.0)
    return pairs / (cards * (cards - 1)) - 1 / 13 if cards > 1 else 0.0


def evidence(worths: Sequence[float], staked: float) -> float:
    """The evidence of one shoe; the last worth is that of the dealt shoe. It is 1 if all worths are equal, for example
    with equal stakes in every round, whose worth beyond the shoe's average is only rounding."""
    mean = sum(worths) / len(worths)
    spread = (sum((worth - mean) ** 2 for worth in worths) / len(worths)) ** 0.5
    if spread <= ALIKE * staked:
        return 1.0
    shares = [exp((worth - mean) / spread) for worth in worths]
    return len(worths) * shares[-1] / sum(shares)


def discoveries(values: Sequence[float], share: float) -> list[int]:
    """e-BH: whom to name so that on average at most `share` of those named are honest, however the values depend."""
    ordered = sorted(range(len(values)), key=lambda at: -values[at])
    best = 0
    for number, at in enumerate(ordered, 1):
        if values[at] >= len(values) / (share * number):
            best = number
    return sorted(ordered[:best])


def weigh(known: Counts, shoes: Shoes, first_shoe: int) -> tuple[Int64, Float64]:
    """The evidence on every patron in every shoe: rows of patron and index of the shoe, and evidence by kind."""
    rounds = shoes.rounds
    most = len(rounds.bet) + 1
    who, weights = np.empty((most, 2), np.int64), np.empty((most, len(KINDS)))
    cards = np.ascontiguousarray(rounds.cards)
    used = _weigh(
        cards,
        shoes.order,
        shoes.first,
        rounds.start,
        rounds.bet,
        rounds.stake,
        rounds.patron,
        known.worth,
        known.usual,
        known.paired,
        known.main,
        known.pool,
        known.so_far,
        known.cards,
        deal.POINT_OF_RANK,
        first_shoe,
        who,
        weights,
    )
    return who[:used], weights[:used]


@njit(nogil=True, cache=True)
def _edges(left, result, rounds, worth, usual, paired, edges):  # type: ignore[no-untyped-def]
    """Fill `edges` with the edges beyond what results reveal. Past a shoe's last round its last cards are used."""
    bets = worth.shape[1]
    for shoe in range(len(left)):
        by_results = np.zeros(bets)
        for at in range(edges.shape[1]):
            number = min(at, rounds[shoe] - 1)
            if at < rounds[shoe] and at > 0:
                by_results += usual[result[shoe, at - 1]]
            cards, pairs = 0.0, excess_of_pairs(left[shoe, number])
            for rank in range(13):
                cards += left[shoe, number, rank]
            for bet in range(bets):
                total = 0.0
                for rank in range(13):
                    total += left[shoe, number, rank] * worth[rank, bet]
                edges[shoe, at, bet] = (total + by_results[bet]) / cards + paired[bet] * pairs


@njit(nogil=True, cache=True)
def _paths(cards, order, lo, hi, worth, usual, paired, in_shoe, points, edges):  # type: ignore[no-untyped-def]
    """The same for a recorded shoe."""
    bets = worth.shape[1]
    sums, left, counts = np.zeros(bets), float(in_shoe), np.full(13, in_shoe // 13)
    for at in range(hi - lo):
        if at >= edges.shape[0]:
            break
        pairs = excess_of_pairs(counts)
        for bet in range(bets):
            edges[at, bet] = sums[bet] / left + paired[bet] * pairs
        row = order[lo + at]
        player, banker, readable = 0, 0, True
        for place in range(6):
            card = cards[place, row]
            readable = readable and card <= 52
        if not readable:
            continue
        for place in range(6):
            card = cards[place, row]
            if card < 52:
                rank = card >> 2
                left -= 1
                counts[rank] -= 1
                for bet in range(bets):
                    sums[bet] -= worth[rank, bet]
                if place % 2 == 0:
                    player += points[rank]
                else:
                    banker += points[rank]
        player, banker = player % 10, banker % 10
        result = 2 if player == banker else (1 if player > banker else 0)
        for bet in range(bets):
            sums[bet] += usual[result, bet]
        left = max(left, 1.0)


@njit(nogil=True, cache=True)
def share_of_last(worths, staked):  # type: ignore[no-untyped-def]
    """`evidence`, compiled."""
    count, mean = len(worths), 0.0
    for worth in worths:
        mean += worth
    mean /= count
    spread = 0.0
    for worth in worths:
        spread += (worth - mean) ** 2
    spread = (spread / count) ** 0.5
    if spread <= ALIKE * staked:
        return 1.0
    total = 0.0
    for worth in worths:
        total += np.exp((worth - mean) / spread)
    return count * np.exp((worths[count - 1] - mean) / spread) / total


@njit(nogil=True, cache=True)
def _slot(patron, keys, slots, used):  # type: ignore[no-untyped-def]
    """The patron's entry in this shoe's hash table, existing or new, and the number of entries used."""
    at = (patron * 2654435761) & (len(keys) - 1)
    while keys[at] != patron:
        if keys[at] < 0:
            keys[at], slots[at] = patron, used
            return at, used + 1
        at = (at + 1) & (len(keys) - 1)
    return at, used


@njit(nogil=True, cache=True)
def _centre(edges, pool, so_far, rounds, centre):  # type: ignore[no-untyped-def]
    """Average edge of every shoe over `rounds` rounds. It is subtracted, so only when a patron stakes more matters."""
    others = pool.shape[2]
    for bet in range(len(centre)):
        total = 0.0
        for at in range(rounds):
            total += edges[at, bet]
        centre[bet, others] = total / rounds
        for k in range(others):
            centre[bet, k] = (so_far[rounds - 1, bet, k] + pool[rounds - 1, bet, k]) / rounds


@njit(nogil=True, cache=True)
def _weigh(  # type: ignore[no-untyped-def]
    cards,
    order,
    first,
    start,
    bet,
    stake,
    patron,
    worth,
    usual,
    paired,
    main,
    pool,
    so_far,
    in_shoe,
    points,
    first_shoe,
    who,
    weights,
):
    bets, others = worth.shape[1], OTHERS
    edges = np.zeros((pool.shape[1], bets), np.float32)
    keys, slots = np.full(2 * MOST_PATRONS_A_SHOE, -1, np.int64), np.zeros(2 * MOST_PATRONS_A_SHOE, np.int64)
    worths, gross = np.zeros((MOST_PATRONS_A_SHOE, 2, others + 1)), np.zeros((MOST_PATRONS_A_SHOE, 2))
    touched, centre = np.zeros(MOST_PATRONS_A_SHOE, np.int64), np.zeros((bets, others + 1))
    rows = 0
    for shoe in range(len(first) - 1):
        lo, hi = first[shoe], first[shoe + 1]
        _paths(cards, order, lo, hi, worth, usual, paired, in_shoe, points, edges)
        number, used = (first_shoe + shoe) % len(pool), 0
        _centre(edges, pool[number], so_far[number], min(hi - lo, edges.shape[0]), centre)
        choice = pool[number]
        for at in range(min(hi - lo, edges.shape[0])):
            for i in range(start[order[lo + at]], start[order[lo + at] + 1]):
                if bet[i] >= bets or stake[i] <= 0 or patron[i] < 0 or used == MOST_PATRONS_A_SHOE - 1:
                    continue
                place, now = _slot(patron[i], keys, slots, used)
                if now > used:
                    touched[used] = place
                    worths[used], gross[used] = 0.0, 0.0
                used = now
                kind = 0 if main[bet[i]] else 1
                mine = worths[slots[place], kind]
                gross[slots[place], kind] += stake[i]
                row, middle = choice[at, bet[i]], centre[bet[i]]
                mine[others] += stake[i] * (edges[at, bet[i]] - middle[others])
                for k in range(others):
                    mine[k] += stake[i] * (row[k] - middle[k])
        for slot in range(used):
            who[rows, 0], who[rows, 1] = keys[touched[slot]], shoe
            weights[rows, 0] = share_of_last(worths[slot, 0], gross[slot, 0])
            weights[rows, 1] = share_of_last(worths[slot, 1], gross[slot, 1])
            keys[touched[slot]] = -1
            rows += 1
    return rows
