"""The compiled loop against the readable engine: equal counts in every cell, for every edition."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from punto.game.insurance import result
from punto.game.outcome import outcome_of
from punto.rulebook.model import Rulebook
from punto.sim.atoms import compiled
from punto.sim.kernel import loop as kernel
from punto.sim.kernel.tables import Compiled
from punto.sim.shoes import Tally, deal_range, deal_shoe, setup
from punto.sim.stats import bet_figures, by_outcome, offer_figures
from tests.rulebook.library import every_edition

EDITIONS = every_edition()
by_edition = pytest.mark.parametrize("rules", EDITIONS, ids=lambda rules: rules.id)


def same(tally: Tally, other: Tally) -> bool:
    return tally.shoes == other.shoes and bool((tally.cells == other.cells).all() and (tally.sure == other.sure).all())


@by_edition
def test_equal_tallies_bit_for_bit(rules: Rulebook) -> None:
    """Every number of decks, odd cuts, a range that is no multiple of four, across 2³², the largest seed."""
    for at, decks in enumerate(rules.procedure.decks):
        of = setup(rules, decks=decks, cut=(16, 6, 77, 120)[at % 4], seed=(1 << 64) - 1 - at)
        first, count = (1 << 32) - 5 + at, 10 + at
        assert same(Compiled(of).deal_range(first, count), deal_range(of, first, count))


@by_edition
def test_the_shallowest_and_the_deepest_cut(rules: Rulebook) -> None:
    for cut in (6, 416 - 6 - (11 if rules.procedure.burn != "none" else 0)):
        of = setup(rules, cut=cut, seed=8)
        assert same(Compiled(of).deal_range(0, 7), deal_range(of, 0, 7))


@by_edition
def test_cells_add_up_to_what_the_game_says_of_each_coup(rules: Rulebook) -> None:
    """The counts at the end against the functions that settle, round by round."""
    of = setup(rules, seed=9)
    cells = Compiled(of).deal_range(0, 12).cells
    rounds = [dealt for number in range(12) for dealt in deal_shoe(of, number).rounds]
    outcomes = Counter(outcome_of(dealt.coup) for dealt in rounds)
    assert by_outcome(compiled(rules), cells).tolist() == [outcomes[outcome] for outcome in compiled(rules).outcomes]
    insured = Counter(
        (offered, result(rules, offered, dealt.coup.winner)[0]) for dealt in rounds for offered in dealt.offers
    )
    for offer, line in offer_figures(rules, cells).items():
        assert [times for _, times in line.ends] == [insured[offer, end] for end in ("won", "returned", "lost")]
    assert all(line.times == len(rounds) for line in bet_figures(rules, cells).values())


def test_the_burn_only_where_there_is_one_changes_the_tally() -> None:
    tallies = {rules.id: Compiled(setup(rules, seed=1)).deal_range(0, 400) for rules in EDITIONS}
    dealt = {(rules.procedure.burn, int(tallies[rules.id].rounds)) for rules in EDITIONS}
    assert len(dealt) == 2


def test_more_shoes_than_one_call_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    of = setup(EDITIONS[0], seed=2)
    whole = Compiled(of).deal_range(3, 50)
    monkeypatch.setattr(kernel, "MOST_SHOES", 7)
    assert same(whole, Compiled(of).deal_range(3, 50))


def test_no_shoes_are_no_rounds() -> None:
    engine = Compiled(setup(EDITIONS[0]))
    engine.compile()
    assert engine.deal_range(0, 0).rounds == 0


def test_every_card_comes_as_often_in_every_place() -> None:
    """All ranks are equally likely, seen through pairs: the Player has one in 31 of 415 rounds."""
    of = setup(EDITIONS[0], seed=11)
    tally = Compiled(of).deal_range(0, 20_000)
    flags = tally.sure.sum(axis=0)
    rounds, player_pairs = int(flags.sum()), int(flags[[1, 3, 4]].sum())
    expected = 31 / 415
    assert abs(player_pairs / rounds - expected) < 5 * np.sqrt(expected * (1 - expected) / rounds)
