"""What a new edition changed, in money."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from punto.odds.composition import OddsError, full
from punto.odds.value import values
from punto.report.compare import compare
from punto.report.pages.document import document
from punto.rulebook.diff import diff
from punto.rulebook.model import Bet, Insurance, Moment
from tests.report.made import COMMISSION, DATE, LIVE, NEW, OLD, VERSION, comparison, rulebook


@pytest.mark.parametrize(("old", "new"), [(OLD, NEW), (COMMISSION, NEW), (LIVE, NEW), (NEW, OLD)])
def test_it_agrees_with_the_rules_diff_and_the_odds(old: str, new: str) -> None:
    changes, rules = comparison(old, new, 8), diff(rulebook(old), rulebook(new))
    by_status = {
        status: {bet.bet for bet in changes.bets if bet.status == status}
        for status in ("added", "removed", "odds changed")
    }
    assert by_status["added"] == set(rules.bets_added)
    assert by_status["removed"] == set(rules.bets_removed)
    assert by_status["odds changed"] == {difference.what for difference in rules.odds_changed}
    assert {layout.layout for layout in changes.layouts} == {
        *rules.layouts_added,
        *rules.layouts_removed,
        *(difference.what for difference in rules.layouts_changed),
    }
    before, after = (values(rulebook(name), full(rulebook(name), 8)) for name in (old, new))
    for line in changes.bets:
        assert line.old_expectation == (before[line.bet].expectation if line.bet in before else None)
        assert line.new_expectation == (after[line.bet].expectation if line.bet in after else None)
        if line.bet in before and line.bet in after:
            assert line.change == before[line.bet].expectation - after[line.bet].expectation


def test_giving_up_commission_costs_the_patron_four_tenths_of_a_percent() -> None:
    (banker,) = [bet for bet in comparison(COMMISSION, NEW).bets if bet.bet is Bet.BANKER]
    assert banker.change is not None
    assert round(float(banker.change), 6) == 0.004002
    assert banker.status == "odds changed"


def test_an_edition_against_itself_changes_nothing() -> None:
    changes = comparison(NEW, NEW)
    assert {bet.status for bet in changes.bets} == {"unchanged"}
    assert {bet.change for bet in changes.bets} == {0}
    assert (changes.offers, changes.layouts) == ((), ())
    assert (changes.offers_alike, changes.layouts_alike) == (83, 17)
    assert [len(page.tables) for page in document(changes).pages] == [1, 0, 0]


def test_a_changed_cell_is_told_with_its_worth() -> None:
    """Made up: the new edition insures a Player 7 at 5 to 1, and no longer a Player 5 against 4."""
    new = rulebook(NEW)
    kept = [row for row in new.insurance.rows if row.player_points != (5,) or row.after is not Moment.FOUR_CARDS]
    raised = [
        msgspec.structs.replace(row, odds=row.odds + 1)
        if row.player_points == (7,) and row.after is Moment.FOUR_CARDS
        else row
        for row in kept
    ]
    changed = msgspec.structs.replace(new, insurance=msgspec.structs.replace(new.insurance, rows=tuple(raised)))
    differences = compare(new, changed, date=DATE, version=VERSION)
    gone = [offer for offer in differences.offers if offer.new_odds is None]
    assert [(offer.bet, offer.player_points, offer.banker_points) for offer in gone] == [(Insurance.PLAYER, 5, 4)]
    assert gone[0].change is None
    raised_cells = [offer for offer in differences.offers if offer.new_odds is not None]
    assert {
        (offer.player_points, offer.old_odds, offer.new_odds) for offer in raised_cells if offer.bet is Insurance.PLAYER
    } == {(7, Fraction(4), Fraction(5))}
    assert all(offer.change is not None and offer.change < 0 for offer in raised_cells)


def test_another_table_of_play_changes_the_edge_at_the_same_odds() -> None:
    new = rulebook(NEW)
    play = msgspec.structs.replace(new.table_of_play, banker_alone=(*(True,) * 7, False, False, False))
    changed = msgspec.structs.replace(new, table_of_play=play)
    (banker,) = [bet for bet in compare(new, changed, date=DATE, version=VERSION).bets if bet.bet is Bet.BANKER]
    assert banker.status == "edge changed"
    assert banker.change


def test_a_layout_that_lost_a_bet() -> None:
    new = rulebook(NEW)
    felt = new.layouts["C"]
    other = msgspec.structs.replace(felt, bets=tuple(bet for bet in felt.bets if bet is not Bet.TIE))
    changed = msgspec.structs.replace(new, layouts={**new.layouts, "C": other})
    (difference,) = compare(new, changed, date=DATE, version=VERSION).layouts
    assert (difference.layout, difference.status, difference.bets_added, difference.bets_removed) == (
        "C",
        "changed",
        (),
        ("Tie",),
    )


def test_decks_must_be_allowed_in_both() -> None:
    with pytest.raises(OddsError, match="7 decks are not allowed"):
        comparison(LIVE, NEW, 7)
