"""The differences between two editions, as a floor manager sees them."""

from __future__ import annotations

import itertools

import msgspec
import pytest

from punto.rulebook import load
from punto.rulebook.diff import Difference, diff, pays
from punto.rulebook.model import Bet, Rulebook
from tests.rulebook.library import DATES, LIVE, TIGER, every_edition

by_tiger = pytest.mark.parametrize("game", TIGER)

NEW_BETS = [
    *("banker_big_7", "banker_small_7", "player_big_7", "player_small_7"),
    *("tiger_pair", "tiger_tie", "tiger"),
]
NEW_RULES = {
    *("cut-card", "reset", "damaged-card", "late-table-of-play", "insurance-misplaced"),
}


def from_2024_to_2025(game: str) -> Difference:
    return diff(*(load.edition(game, edition) for edition in DATES))


def topics_of(rules: Rulebook, paragraphs: tuple[str, ...]) -> set[str]:
    return {topic for number in paragraphs for topic in rules.paragraphs[number].topics}


@by_tiger
def test_2025_adds_seven_bets(game: str) -> None:
    difference = from_2024_to_2025(game)
    assert [str(bet) for bet in difference.bets_added] == NEW_BETS
    assert difference.bets_removed == ()


@by_tiger
def test_2025_adds_layouts_l_to_q_and_leaves_the_others(game: str) -> None:
    difference = from_2024_to_2025(game)
    assert difference.layouts_added == tuple("LMNOPQ")
    assert (difference.layouts_removed, difference.layouts_changed) == ((), ())


@by_tiger
def test_2025_changes_no_odds(game: str) -> None:
    difference = from_2024_to_2025(game)
    assert difference.odds_changed == difference.insurance_changed == ()


@by_tiger
def test_2025_lets_any_patron_squeeze_and_withdraw_at_the_cut_card(game: str) -> None:
    changes = {change.what: (change.old, change.new) for change in from_2024_to_2025(game).procedure_changed}
    assert changes["squeeze_by"] == ("seated", "any")
    assert changes["cut_card_withdraw"] == ("False", "True")


@by_tiger
def test_2025_rules_on_five_irregularities_of_its_own(game: str) -> None:
    changed = {change.what for change in from_2024_to_2025(game).irregularities_changed}
    assert changed == {*NEW_RULES, "excess-card"}


@by_tiger
def test_paragraphs_added_are_those_of_new_bets_layouts_and_irregularities(game: str) -> None:
    difference, new = from_2024_to_2025(game), load.edition(game, DATES[1])
    topics = topics_of(new, difference.paragraphs_added)
    for word in NEW_BETS:
        assert f"define.{word}" in topics
    assert {f"Appendix {letter}" for letter in "LMNOPQ"} <= set(difference.paragraphs_added)
    assert {"5.7", "5.12", "5.13", "5.15", "5.18"} <= set(difference.paragraphs_added)
    assert all(number[0] in "145A" for number in difference.paragraphs_added)


@by_tiger
def test_the_one_pay_table_removed_is_the_one_that_was_cut_in_two(game: str) -> None:
    difference, old = from_2024_to_2025(game), load.edition(game, DATES[0])
    assert [old.bets[Bet.BIG_TIGER].cite] == list(difference.paragraphs_removed)


@by_tiger
def test_paragraphs_reworded(game: str) -> None:
    difference = from_2024_to_2025(game)
    assert {change.what for change in difference.paragraphs_reworded} == {
        *("layout.which", "bets.which", "squeeze.who", "squeeze.banker-first", "deal.four-cards"),
        *("pay.wu-dalang", "pay.char-siu", "excess-card", "wrong-hand"),
    }
    which = next(change for change in difference.paragraphs_reworded if change.what == "layout.which")
    assert ("A to K" in which.old, "A to Q" in which.new, which.old_paragraph) == (True, True, "2.1.1")


@by_tiger
def test_void_moved_from_5_16_to_5_21(game: str) -> None:
    moved = {change.old: change.new for change in from_2024_to_2025(game).paragraphs_renumbered}
    assert (moved["5.16"], moved["5.12"], moved["5.13"]) == ("5.21", "5.16", "5.17")
    assert all(old != new for old, new in moved.items())


# Laws.

EDITIONS = every_edition()
LISTS = [name for name in Difference.__struct_fields__ if name not in ("old", "new")]


@pytest.mark.parametrize("rules", EDITIONS, ids=lambda rules: rules.id)
def test_an_edition_does_not_differ_from_itself(rules: Rulebook) -> None:
    difference = msgspec.structs.asdict(diff(rules, rules))
    assert {name: difference[name] for name in LISTS} == dict.fromkeys(LISTS, ())


@pytest.mark.parametrize(("old", "new"), list(itertools.permutations(EDITIONS, 2)), ids=lambda rules: rules.id)
def test_what_one_way_adds_the_other_way_removes(old: Rulebook, new: Rulebook) -> None:
    there, back = diff(old, new), diff(new, old)
    for kind in ("bets", "layouts", "paragraphs"):
        assert set(getattr(there, f"{kind}_added")) == set(getattr(back, f"{kind}_removed"))
    for kind in ("odds_changed", "insurance_changed", "irregularities_changed", "paragraphs_reworded"):
        ways = [{(change.what, change.old, change.new) for change in getattr(way, kind)} for way in (there, back)]
        assert ways[0] == {(what, after, before) for what, before, after in ways[1]}


@pytest.mark.parametrize(("old", "new"), list(itertools.permutations(EDITIONS, 2)), ids=lambda rules: rules.id)
def test_nothing_is_listed_twice_and_everything_has_a_paragraph(old: Rulebook, new: Rulebook) -> None:
    difference = diff(old, new)
    for name in LISTS:
        listed = [entry if isinstance(entry, str) else entry.what for entry in getattr(difference, name)]
        assert len(listed) == len(set(listed)), name
    assert all(number in new.paragraphs for number in difference.paragraphs_added)
    assert all(number in old.paragraphs for number in difference.paragraphs_removed)


@pytest.mark.parametrize("edition", DATES)
def test_the_games_of_one_day_differ_in_the_odds_of_banker(edition: str) -> None:
    difference = diff(*(load.edition(game, edition) for game in TIGER))
    (banker,) = difference.odds_changed
    assert (banker.what, banker.old_paragraph, banker.new_paragraph) == ("banker", "4.1.2", "4.1.1")
    assert banker.old == "Banker wins 0.95 to 1"
    assert banker.new == "Banker wins on 6 points 1 to 2; Banker wins on other points 1 to 1"
    assert not any(
        (difference.bets_added, difference.bets_removed, difference.layouts_changed, difference.insurance_changed)
    )


@by_tiger
def test_a_paragraph_that_both_have_is_named_as_each_numbers_it(game: str) -> None:
    old, new = (load.edition(game, edition) for edition in DATES)
    difference = diff(old, new)
    assert difference.paragraphs_reworded
    assert difference.paragraphs_renumbered
    for change in difference.paragraphs_reworded:
        assert (change.old, change.new) == (old.gist(change.old_paragraph), new.gist(change.new_paragraph))
    for change in (*difference.paragraphs_reworded, *difference.paragraphs_renumbered):
        assert change.what in old.paragraphs[change.old_paragraph].topics
        assert change.what in new.paragraphs[change.new_paragraph].topics


def test_printed_odds_that_mean_the_same_are_no_change() -> None:
    """The live page prints 0.95:1 where the others print 0.95 to 1; people are shown the latter (O100)."""
    difference = diff(load.edition(LIVE[0], "undated"), load.edition(TIGER[0], DATES[1]))
    assert difference.odds_changed == difference.insurance_changed == ()
    assert pays(load.edition(LIVE[0], "undated").bets[Bet.BANKER]) == "Banker wins 0.95 to 1"


def test_insurance_that_one_edition_does_not_offer_is_told() -> None:
    rules = load.edition(TIGER[0], DATES[1])
    fewer = msgspec.structs.replace(rules.insurance, rows=rules.insurance.rows[1:])
    difference = diff(rules, msgspec.structs.replace(rules, insurance=fewer))
    (change,) = difference.insurance_changed
    assert (change.what, change.old, change.new, change.new_paragraph) == (
        "player_insurance after four-cards, Player 5, Banker 4",
        "3 to 2",
        "not offered",
        "",
    )


def test_a_layout_that_changed_is_told_with_bets_and_positions() -> None:
    rules = load.edition(TIGER[0], DATES[1])
    smaller = msgspec.structs.replace(rules.layouts["A"], positions=(1, 4), bets=rules.layouts["A"].bets[1:])
    difference = diff(rules, msgspec.structs.replace(rules, layouts=type(rules.layouts)({"A": smaller})))
    (change,) = difference.layouts_changed
    assert (change.what, change.old, change.new) == ("A", "1-6 positions; banker", "1-4 positions; ")
    assert difference.layouts_removed == tuple("BCDEFGHIJKLMNOPQ")
