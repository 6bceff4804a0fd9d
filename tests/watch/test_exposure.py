"""What the cards left are worth: exact on one shoe, and the published figures of a counter."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from punto.watch import exposure
from tests.watch.shoes import RULES

JACOBSON = (0, 0, -1, -1, -1, -2, 1, 2, 2, 0, 0, 0, 0)
"""E. Jacobson, Card Counting the Big Tiger Baccarat Side Bet (2024): tags A to K, and a bet from a true count of 8 on.
Eight decks, cut card at 14: bets in 3.536 % of the hands, average edge 7.227 %, 0.256 units for 100 hands."""


def test_the_whole_shoe_is_worth_what_the_odds_say() -> None:
    by_name = {bet.name: bet for bet in exposure.exposure(RULES, [32] * 13, {"tiger": 10_000, "insurance": 5_000})}
    assert by_name["big_tiger"].edge == pytest.approx(-0.152533, abs=5e-7)
    assert by_name["tiger"].worst_cents == 200_000
    assert by_name["banker"].worst_cents is None
    offers = [offer for name, offer in by_name.items() if name.startswith("insurance")]
    assert offers
    assert all(offer.worst_cents == int(offer.pays * 5_000) for offer in offers)


def test_a_depleted_shoe_can_favour_the_patron() -> None:
    left = [0, 0, 4, 4, 4, 4, 0, 0, 0, 4, 4, 4, 4]
    edges = {bet.name: bet.edge for bet in exposure.exposure(RULES, left)}
    assert edges["big_tiger"] > Fraction(1, 2)


SAMPLE = exposure.sample(RULES, decks=8, cut=14, shoes=300, seed=3)


def test_the_published_counter_comes_back() -> None:
    """300 shoes: within four deviations of the published figures, which 100 million shoes gave."""
    at = SAMPLE.bets.index("big_tiger")
    frequency, edge, units = exposure.by_count(SAMPLE, "big_tiger", JACOBSON, 8)
    running = (32 - SAMPLE.ranks) @ np.array(JACOBSON)
    bets = running / (SAMPLE.left / 52) >= 8
    worth = np.bincount(SAMPLE.shoe, np.where(bets, SAMPLE.edges[:, at], 0), minlength=300)
    error = 100 * worth.std() * 300**0.5 / len(bets)
    assert abs(units - 0.256) <= 4 * error
    share = np.bincount(SAMPLE.shoe, bets, minlength=300)
    assert abs(frequency - 0.03536) <= 4 * share.std() * 300**0.5 / len(bets)
    assert 0.04 < edge < 0.12


def test_a_perfect_counter_does_better_and_a_deeper_cut_worse() -> None:
    rows = {(row.name, row.cut): row for row in exposure.counted(SAMPLE, (14, 52, 104))}
    worth = [rows["big_tiger", cut].per_100_rounds for cut in (14, 52, 104)]
    assert worth[0] > worth[1] >= worth[2]
    assert worth[0] >= exposure.by_count(SAMPLE, "big_tiger", JACOBSON, 8)[2]
    big_tiger = rows["big_tiger", 14]
    assert big_tiger.per_100_rounds == pytest.approx(100 * big_tiger.favourable * big_tiger.average_edge)


def test_edges_are_a_martingale() -> None:
    """On average a round late in the shoe is worth what the first is: only choosing rounds gives an edge."""
    at = SAMPLE.bets.index("banker")
    late = SAMPLE.left < 120
    by_shoe = np.bincount(SAMPLE.shoe[late], SAMPLE.edges[late, at]) / np.bincount(SAMPLE.shoe[late])
    start = float(next(bet.edge for bet in exposure.exposure(RULES, [32] * 13) if bet.name == "banker"))
    assert abs(by_shoe.mean() - start) <= 5 * by_shoe.std() / len(by_shoe) ** 0.5


def test_what_cannot_be_dealt_is_refused() -> None:
    with pytest.raises(ValueError, match="cut card at 3"):
        exposure.sample(RULES, decks=8, cut=3, shoes=10, seed=0)
