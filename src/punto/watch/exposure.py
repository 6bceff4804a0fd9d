"""What the cards left are worth to a patron: now, and over whole shoes for a patron who counts perfectly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import msgspec
import numpy as np

from punto.cards import RANKS
from punto.game.coup import MOST_CARDS as LEAST_CARDS
from punto.rulebook.model import Rulebook
from punto.sim.analysis import count, expectations, offer_expectations
from punto.sim.atoms import compiled
from punto.watch import deal

CUTS: Final = (14, 26, 52, 78, 104, 156)
"""Default numbers of cards behind the cut card in a report."""
BLOCK: Final = 512
"""Shoes valued at a time."""
MOST_SHOES: Final = 200_000


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """One bet or insurance offer on the cards left."""

    name: str
    edge: Fraction
    """The patron's edge per unit; for an offer, given that it is made."""
    pays: Fraction
    """The most that one unit can win."""
    worst_cents: int | None
    """The most that one wager at the limit can win; None if no limit was given."""


def exposure(rules: Rulebook, left: Sequence[int], limits: dict[str, int] | None = None) -> list[Worth]:
    """Exact values of every bet, and of every insurance offer that may come, on these cards (13 counts, A to K).
    `limits` are the table's maxima in cents by bet; the key `insurance` is the maximum for insurance."""
    bound = limits or {}
    counted = count(rules, [list(left)])
    known = counted.compiled
    rows = []
    for at, (bet, edge) in enumerate(counted.expectation(0).items()):
        pays = Fraction(int(known.pays[:, at].max()), known.scale[at])
        rows.append(Worth(name=bet.value, edge=edge, pays=pays, worst_cents=_worst(pays, bound.get(bet.value))))
    for offer, edge_if_made in zip(known.offers, counted.offer_expectation(0), strict=True):
        if edge_if_made is not None:
            name = f"insurance {offer.after} {offer.player_points}:{offer.banker_points}"
            worst = _worst(offer.odds, bound.get("insurance"))
            rows.append(Worth(name=name, edge=edge_if_made, pays=offer.odds, worst_cents=worst))
    return rows


def _worst(pays: Fraction, limit: int | None) -> int | None:
    return None if limit is None else int(pays * limit)


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """A bet at one depth of the cut card, for a patron who knows its true edge before every round."""

    name: str
    cut: int
    rounds: int
    """Number of rounds valued."""
    favourable: float
    """Share of the rounds with a positive edge."""
    average_edge: float
    """Average edge in those rounds."""
    per_100_rounds: float
    """Units won in 100 rounds by betting one unit in those with a positive edge."""
    standard_error: float
    """Of `per_100_rounds`, over shoes."""
    largest_edge: float


class Sample(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Rounds of honest shoes with their true edges."""

    bets: tuple[str, ...]
    shoe: deal.Int64
    left: deal.Int64
    """Cards left before each round, including those burnt unseen."""
    ranks: deal.Int64
    edges: np.ndarray
    """Round × bet, insurance offers after the bets; NaN where an offer can't be made."""


def sample(rules: Rulebook, *, decks: int, cut: int, shoes: int, seed: int, offers: bool = True) -> Sample:
    """Deal honest shoes and compute the exact edges on the cards left before every round."""
    if not LEAST_CARDS <= cut < 52 * decks - 20 or not 1 < shoes <= MOST_SHOES:
        raise ValueError(
            f"a cut card at {cut} and {shoes} shoes: expected {LEAST_CARDS} to {52 * decks - 21} cards, "
            f"2 to {MOST_SHOES} shoes"
        )
    chance = np.random.Generator(np.random.Philox(seed))
    numbers, ranks, edges = [], [], []
    for first in range(0, shoes, BLOCK):
        dealt = deal.deal(rules, deal.shoes(chance, decks, min(BLOCK, shoes - first)), cut)
        inside = np.arange(dealt.left.shape[1])[None, :] < dealt.rounds[:, None]
        cards = dealt.left[inside].astype(np.int64)
        numbers.append(first + np.nonzero(inside)[0])
        ranks.append(cards)
        both = (
            [expectations(rules, cards), offer_expectations(rules, cards)] if offers else [expectations(rules, cards)]
        )
        edges.append(np.concatenate(both, axis=1))
    known = compiled(rules)
    names = [bet.value for bet in known.bets]
    if offers:
        names += [f"insurance {offer.after} {offer.player_points}:{offer.banker_points}" for offer in known.offers]
    every = np.concatenate(ranks)
    return Sample(
        bets=tuple(names),
        shoe=np.concatenate(numbers),
        left=every.sum(axis=1),
        ranks=every,
        edges=np.concatenate(edges),
    )


def counted(sampled: Sample, cuts: Sequence[int]) -> list[Counted]:
    """What each bet is worth to a perfect counter, for each depth of the cut card."""
    answer = []
    for cut in cuts:
        inside = sampled.left > cut
        edges, shoe = sampled.edges[inside], sampled.shoe[inside]
        for at, name in enumerate(sampled.bets):
            edge = np.nan_to_num(edges[:, at], nan=-1.0)
            good = edge > 0
            won = np.bincount(shoe, np.where(good, edge, 0.0), minlength=int(sampled.shoe.max()) + 1)
            rounds = len(edge)
            answer.append(
                Counted(
                    name=name,
                    cut=cut,
                    rounds=rounds,
                    favourable=float(good.mean()) if rounds else 0.0,
                    average_edge=float(edge[good].mean()) if good.any() else 0.0,
                    per_100_rounds=float(100 * won.sum() / max(rounds, 1)),
                    standard_error=float(100 * won.std(ddof=1) * len(won) ** 0.5 / max(rounds, 1)),
                    largest_edge=float(edge.max(initial=-1.0)),
                )
            )
    return answer


def by_count(sampled: Sample, bet: str, tags: Sequence[int], target: float) -> tuple[float, float, float]:
    """A patron who counts by a system, with one tag per rank, A to K. They bet if the count of the cards gone, divided
    by the decks left, is at least `target`. Returns bet frequency, true average edge, and units for 100 rounds."""
    whole = sampled.ranks[0] * 0 + int(sampled.ranks.max())
    running = (whole - sampled.ranks) @ np.array(tags)
    bets = running / (sampled.left / (4 * len(RANKS))) >= target
    edge = sampled.edges[:, sampled.bets.index(bet)]
    average = float(edge[bets].mean()) if bets.any() else 0.0
    return float(bets.mean()), average, 100 * float(bets.mean()) * average
