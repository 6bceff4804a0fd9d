"""Simulated and exact figures meet: two parts of the program that know nothing of each other."""

from __future__ import annotations

import pytest

from punto.odds.composition import full
from punto.odds.insurance import cells
from punto.odds.value import count, values
from punto.rulebook.model import Rulebook
from punto.sim import stats
from punto.sim.kernel.tables import Compiled
from punto.sim.shoes import setup
from tests.rulebook.library import every_edition

SHOES = 40_000


@pytest.mark.parametrize("rules", every_edition(), ids=lambda rules: rules.id)
def test_every_bet_and_offer_is_near_its_exact_value(rules: Rulebook) -> None:
    """Three million rounds of each edition, fewest decks: |z| < 4.5 everywhere, and chi-square is not extreme."""
    decks = rules.procedure.decks[0]
    whole = full(rules, decks)
    exact = stats.Exact(
        bets={bet: value.expectation for bet, value in values(rules, whole).items()},
        offers={(cell.after, cell.player_points, cell.banker_points): cell.expectation for cell in cells(rules, whole)},
        outcomes=count(rules, whole).outcome_counts,
    )
    tally = Compiled(setup(rules, decks=decks, seed=2026)).deal_range(0, SHOES)
    bets, offers = (figures(rules, tally.sure, exact) for figures in (stats.bet_figures, stats.offer_figures))
    lines = [*bets.values(), *offers.values()]
    assert len(lines) == len(rules.bets) + len(exact.offers)
    assert all(line.z is not None and abs(line.z) < 4.5 for line in lines)
    chi_square = stats.chi_square(rules, tally.sure, exact)
    assert chi_square is not None
    assert 0.001 < chi_square.p < 0.999
    assert chi_square.rounds == SHOES * setup(rules, decks=decks).sure_rounds
