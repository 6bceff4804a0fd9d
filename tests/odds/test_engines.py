"""Three engines, one answer: the reference, the compiled closed form and brute force agree on every number."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from types import MappingProxyType

import msgspec
import numpy as np
import pytest

from punto.cards import Card
from punto.game.outcome import all_outcomes, outcome_of
from punto.odds.census import Census, census, every_atom
from punto.odds.composition import Composition
from punto.odds.insurance import cells
from punto.odds.value import values
from punto.rulebook import load
from punto.rulebook.model import Bet, Rulebook
from punto.sim import analysis
from punto.sim.atoms import FLAGS, compiled, separate
from punto.sim.closed_form import LANES
from tests.odds import brute, shoes
from tests.odds.shoes import PLAY, RULES
from tests.oracle import plain
from tests.rulebook.library import every_edition

EVERY = shoes.every()
each_edition = pytest.mark.parametrize("rules", every_edition(), ids=lambda rules: rules.id)


def test_the_numbers_of_the_design() -> None:
    assert len(every_atom(PLAY)) == 3394
    assert len(all_outcomes(PLAY)) == 779


def test_the_reference_agrees_with_every_sequence_of_ranks() -> None:
    """Exhaustive over 13⁶ sequences, on every kind of shoe."""
    for shoe in (*shoes.FULL, *shoes.ONE_RANK[::3], *shoes.six_cards(20), *shoes.odd(40), *shoes.depleted(20)):
        walked, counted = brute.walk(shoe.ranks), census(PLAY, shoe)
        assert brute.atoms(walked) == counted.atoms, shoe
        assert brute.outcomes(walked) == counted.outcomes, shoe
        assert int(walked.sum()) == counted.total == sum(counted.atom_counts) == sum(counted.outcome_counts)


def test_the_compiled_engine_agrees_with_every_sequence_of_ranks() -> None:
    counts = analysis.count(RULES, [shoe.ranks for shoe in EVERY])
    for at, shoe in enumerate(EVERY[::3]):
        by_outcome = brute.outcomes(brute.walk(shoe.ranks))
        expected = [by_outcome.get(outcome, 0) for outcome in counts.compiled.outcomes]
        assert (counts.outcomes[3 * at] * 4).tolist() == expected, shoe


def test_the_compiled_engine_agrees_with_the_reference_on_every_shoe() -> None:
    """Outcomes, totals, insurance and exact expectations: integers and fractions, no tolerance."""
    counts = analysis.count(RULES, [shoe.ranks for shoe in EVERY])
    for at, shoe in enumerate(EVERY):
        counted = census(PLAY, shoe)
        assert tuple((counts.outcomes[at] * 4).tolist()) == counted.outcome_counts
        assert int(counts.total[at]) * 4 == counted.total
        assert counts.expectation(at) == {bet: value.expectation for bet, value in values(RULES, shoe).items()}
        assert offers(counts, at) == reference_offers(RULES, shoe)


def offers(shoe_counts: analysis.Counts, at: int) -> dict[tuple[str, str, int, int], tuple[int, ...]]:
    """Counts of won, returned and lost by bet, moment and points; only for offers that can be made."""
    return {
        (offer.bet.value, offer.after.value, offer.player_points, offer.banker_points): tuple(counts)
        for offer, counts in zip(shoe_counts.compiled.offers, (shoe_counts.offers[at] * 4).tolist(), strict=True)
        if any(counts)
    }


def reference_offers(rules: Rulebook, shoe: Composition) -> dict[tuple[str, str, int, int], tuple[int, ...]]:
    return {
        (cell.bet.value, cell.after.value, cell.player_points, cell.banker_points): (
            cell.won_coups,
            cell.returned_coups,
            cell.lost_coups,
        )
        for cell in cells(rules, shoe)
    }


@each_edition
def test_every_edition_full_shoes(rules: Rulebook) -> None:
    full = [Composition((4 * decks,) * 13) for decks in rules.procedure.decks]
    counts = analysis.count(rules, [shoe.ranks for shoe in full])
    quick = analysis.expectations(rules, [shoe.ranks for shoe in full])
    insured = analysis.offer_expectations(rules, [shoe.ranks for shoe in full])
    for at, shoe in enumerate(full):
        exact = {bet: value.expectation for bet, value in values(rules, shoe).items()}
        assert counts.expectation(at) == exact
        assert offers(counts, at) == reference_offers(rules, shoe)
        assert quick[at] == pytest.approx([float(worth) for worth in exact.values()], rel=1e-11, abs=1e-13)
        assert insured[at] == pytest.approx([float(cell.expectation) for cell in cells(rules, shoe)], rel=1e-11)
        assert counts.offer_expectation(at) == [cell.expectation for cell in cells(rules, shoe)]


def test_the_quick_expectations_are_right_to_eleven_digits() -> None:
    quick = analysis.expectations(RULES, [shoe.ranks for shoe in EVERY])
    for at, shoe in enumerate(EVERY):
        exact = [float(value.expectation) for value in values(RULES, shoe).values()]
        assert quick[at] == pytest.approx(exact, rel=1e-11, abs=1e-12)


@each_edition
def test_ends_and_pairs_apart_are_enough_for_every_bet(rules: Rulebook) -> None:
    """Integers, no tolerance: the counts behind the quick expectations give exactly the reference's values."""
    apart, counts = separate(rules), analysis.count_ends_and_pairs(rules, np.array([shoe.ranks for shoe in EVERY]))[0]
    assert apart is not None
    scale = compiled(rules).scale
    for at, shoe in enumerate(EVERY[::9]):
        row, total = counts[9 * at].astype(object), shoe.cards * (shoe.cards - 1) * (shoe.cards - 2) * (shoe.cards - 3)
        coups = total * (shoe.cards - 4) * (shoe.cards - 5) // 4
        assert sum(row[: -len(FLAGS)]) == sum(row[-len(FLAGS) :]) == coups
        worths = [Fraction(won, coups * by) for won, by in zip(row @ apart.pays.astype(object), scale, strict=True)]
        assert worths == [value.expectation for value in values(rules, shoe).values()], shoe


def test_a_bet_on_points_and_pairs_together_is_counted_by_outcome() -> None:
    """No edition has one: here the stake on the Player's pair goes back after a tie."""
    pair = msgspec.structs.replace(RULES.bets[Bet.PLAYER_PAIR], returned_on_tie="tie")
    bets = MappingProxyType({**RULES.bets, Bet.PLAYER_PAIR: pair})
    rules = msgspec.structs.replace(RULES, bets=bets, data_sha256="another")
    assert separate(rules) is None
    quick = analysis.expectations(rules, [shoe.ranks for shoe in EVERY[::9]])
    for at, shoe in enumerate(EVERY[::9]):
        exact = [float(value.expectation) for value in values(rules, shoe).values()]
        assert quick[at] == pytest.approx(exact, rel=1e-11, abs=1e-12)


def test_quick_offers_are_those_of_the_whole_count() -> None:
    rows = [shoe.ranks for shoe in EVERY]
    exact = analysis.count(RULES, rows)
    quick = analysis.offer_expectations(RULES, rows)
    for at in range(0, len(rows), 9):
        expected = [float("nan") if worth is None else float(worth) for worth in exact.offer_expectation(at)]
        assert quick[at] == pytest.approx(expected, rel=1e-11, abs=1e-12, nan_ok=True)


def test_an_offer_that_cannot_be_made_is_no_number() -> None:
    kings = [[0] * 12 + [6]]
    assert np.isnan(analysis.offer_expectations(RULES, kings)).all() == (
        not cells(RULES, Composition((0,) * 12 + (6,)))
    )
    assert analysis.count(RULES, kings).offer_expectation(0)[0] is None


def test_batches_of_any_length_agree() -> None:
    """The kernel counts shoes side by side; that fewer are left for the last turn changes nothing."""
    rows = [shoe.ranks for shoe in shoes.depleted(LANES + 3)]
    whole = analysis.count(RULES, rows)
    for length in (1, LANES - 1, LANES, LANES + 1):
        assert (analysis.count(RULES, rows[:length]).outcomes == whole.outcomes[:length]).all()
    assert analysis.count(RULES, np.empty((0, 13), dtype=np.int64)).outcomes.shape == (0, 779)


def test_counts_stay_exact_up_to_the_most_cards() -> None:
    """int64 holds every step up to MOST_CARDS; float64 holds every count up to eleven decks."""
    for each in (44, 60, 76):
        shoe = Composition((each,) * 13)
        counts = analysis.count(RULES, [shoe.ranks]).outcomes[0]
        assert tuple((counts.astype(object) * 4).tolist()) == census(PLAY, shoe).outcome_counts
    assert (11 * 52) ** 6 // 4 < 2**53 < (12 * 52) ** 6 // 4
    assert analysis.MOST_CARDS**6 < 2**63


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ([32] * 13, "13 ranks for every shoe"),
        ([[32] * 12], "13 ranks for every shoe"),
        ([[32.0] * 13], "expected integers"),
        ([[32] * 13, [33, -1] + [0] * 11], r"shoe 1: .* is not a valid shoe"),
        ([[5] + [0] * 12], "6 to 1000 cards"),
        ([[100] * 13], "6 to 1000 cards"),
    ],
)
def test_what_is_no_shoe_is_refused(wrong: list[object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        analysis.count(RULES, wrong)  # type: ignore[arg-type]


# Real cards


@pytest.mark.parametrize("held", shoes.TINY.values(), ids=shoes.TINY)
def test_tiny_shoes_dealt_card_by_card(held: tuple[Card, ...]) -> None:
    """Exhaustive: every order of six to nine real cards through the reference deal, settled by the oracle."""
    coups, shoe = brute.dealt(PLAY, held), shoes.of_cards(held)
    counted = census(PLAY, shoe)
    by_outcome: Counter[object] = Counter()
    for coup, times in coups.items():
        by_outcome[outcome_of(coup)] += times
    assert by_outcome == counted.outcomes
    assert counted.total == coups.total()
    game, edition = RULES.source.game, RULES.source.edition
    for bet, value in values(RULES, shoe).items():
        ways: Counter[tuple[str, Fraction | None]] = Counter()
        for coup, times in coups.items():
            hands = [str(card) for card in coup.player], [str(card) for card in coup.banker]
            ways[plain.settle_bet(game, edition, bet, *hands)[:2]] += times
        assert ways == {(way.result, way.odds): way.coups for way in value.ways if way.coups}, bet
    assert {
        key: (by["won"], by["returned"], by["lost"]) for key, by in brute.insurance(game, edition, coups).items()
    } == reference_offers(RULES, shoe)


def test_the_brute_force_can_disagree() -> None:
    """One card of another rank makes the counts differ."""
    right, wrong = brute.walk((4,) * 13), census(PLAY, Composition((5, 3) + (4,) * 11))
    assert brute.atoms(right) != wrong.atoms
    assert isinstance(wrong, Census)


def test_every_table_of_play_is_the_one_that_is_counted() -> None:
    """All six editions draw alike, so the counts of one hold for all."""
    assert {load.edition(*name).table_of_play.banker for name in plain.EDITIONS} == {PLAY.banker}
