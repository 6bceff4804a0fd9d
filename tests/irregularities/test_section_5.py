"""Section 5, a test for every paragraph that a report and a ruling carry out. Numbers are 2025's, then 2024's."""

from __future__ import annotations

import pytest

from punto.game import commands as c
from punto.game.irregularities.records import Cause
from punto.game.table import Phase
from punto.money import Cents
from tests.irregularities.given import (
    COMMISSION_2024,
    COMMISSION_2025,
    FOUR,
    NATURAL,
    another,
    balances,
    both,
    choose,
    decide,
    draw,
    init_round,
    number,
    options_given,
    paragraphs,
    refused,
    report,
    settle,
    tags,
)
from tests.irregularities.standing import do


@both
def test_5_4_1_an_interruption_after_an_outcome_concludes_the_round(edition: str) -> None:
    table = init_round(edition, FOUR)
    events = report(table, "interruption")
    assert events[-1].paragraph == "5.4.1"
    draw(table, "4H")
    settle(table)
    assert balances(table) == (900, 1095)


@both
def test_5_4_1_an_interruption_of_a_complete_coup_leaves_it_complete(edition: str) -> None:
    table = init_round(edition, NATURAL)
    events = report(table, "interruption")
    assert (tags(events)[1:], events[1].paragraph) == (["play-resumed", "coup-completed"], "5.4.1")
    settle(table)
    assert balances(table) == (1100, 900)


@both
def test_5_4_2_an_interruption_before_an_outcome_voids_it(edition: str) -> None:
    table = init_round(edition, "KH 2S")
    events = report(table, "interruption")
    assert (tags(events)[-1], events[-1].paragraph) == ("round-voided", "5.4.2")
    assert balances(table) == (1000, 1000)


@both
@pytest.mark.parametrize("cause", Cause)
def test_5_5_five_causes_void_the_round_each_under_its_paragraph(edition: str, cause: str) -> None:
    table = init_round(edition, FOUR, ("ann", "player_pair", 1_000), ("bob", "banker", 10_000))
    report(table, "void", cause=cause)
    events = decide(table, "sam")
    assert events[1].paragraph == f"5.5.{list(Cause).index(Cause(cause)) + 1}"
    assert paragraphs(table.table.current, "ann") == {("returned", number(edition, "5.21", "5.16"))}
    assert balances(table) == (1000, 1000)


@both
def test_5_5_earlier_rounds_stand(edition: str) -> None:
    table = init_round(edition, NATURAL)
    settle(table)
    another(table, "KD 2H")
    report(table, "void", cause="foreign-card")
    decide(table, "sam")
    assert balances(table) == (1100, 900)
    assert table.table.in_use.results == {1: "P"}


@both
def test_5_6_after_no_more_bets_a_wager_is_refused(edition: str) -> None:
    table = init_round(edition, "KH")
    late = c.PlaceWager(patron="ann", box=1, bet="tie", stake_cents=Cents(1_000))
    assert refused(table, late) == ("no-more-bets", "5.6")


def test_5_7_3_withdrawal_not_offered_gives_the_options_while_no_outcome_is_established() -> None:
    table = init_round(COMMISSION_2025, "KH", high_limit=True)
    report(table, "cut-card")
    events = decide(table, "dora")
    assert options_given(events)
    assert table.table.in_use.last_round
    choose(table, ann="returned")
    draw(table, "2S 7D 3C 4H")
    settle(table)
    assert balances(table) == (1000, 1095)


def test_5_7_3_not_once_an_outcome_is_established() -> None:
    table = init_round(COMMISSION_2025, FOUR, high_limit=True)
    report(table, "cut-card")
    assert not options_given(decide(table, "dora"))


def test_5_7_outside_a_high_limit_area_there_is_nothing_to_offer() -> None:
    table = init_round(COMMISSION_2025, "KH")
    assert refused(table, c.ReportIrregularity(by="dora", kind="cut-card")) == ("bad-report", "5.7")


@both
def test_5_8_cards_drawn_in_excess_are_laid_where_they_belong_and_the_rest_opens_the_next_round(edition: str) -> None:
    table = init_round(edition, "KH 2S")
    report(table, "excess-card", cards=("9D", "3C", "4H"))
    events = decide(table, "sam")
    assert events[1].paragraph == number(edition, "5.8", "5.7")
    assert [card.place for card in table.table.current.cards] == ["P1", "B1", "P2", "B2"]
    assert not options_given(events)
    settle(table)
    another(table, "4H")
    assert table.table.current.cards[0].face == "4H"


@both
def test_5_8_a_card_drawn_too_soon_is_the_third_card_and_ends_the_open_offer_without_a_forfeit(edition: str) -> None:
    table = init_round(edition, FOUR)
    assert table.table.phase is Phase.OFFER
    report(table, "excess-card", cards=("4H",))
    decide(table, "sam")
    assert table.table.current.cards[-1].place == "B3"
    assert (table.table.phase, table.table.current.forgone) == (Phase.COMPLETE, frozenset())


@both
def test_5_8_1_options_while_no_outcome_is_established(edition: str) -> None:
    table = init_round(edition, "KH")
    report(table, "excess-card", cards=("2S",))
    events = decide(table, "sam")
    assert options_given(events)
    assert events[-1].paragraph == number(edition, "5.8.1", "5.7.1")


def test_5_8_reasonable_discretion_is_recorded_with_its_reason_absolute_needs_none() -> None:
    for edition, answer in ((COMMISSION_2025, ("reason-needed", "5.8")), (COMMISSION_2024, None)):
        table = init_round(edition, "KH")
        report(table, "excess-card", cards=("2S",))
        if answer is not None:
            assert refused(table, c.DecideIrregularity(by="sam")) == answer
        else:
            decide(table, "sam", reason="")


@both
@pytest.mark.parametrize(
    ("cards", "reconstruct", "options"), [("KH", True, True), (FOUR, True, False), (FOUR, False, True)]
)
def test_5_9_options_unless_reconstructed_and_established(
    edition: str, cards: str, reconstruct: bool, options: bool
) -> None:
    table = init_round(edition, cards)
    report(table, "wrong-hand")
    events = decide(table, "sam", reconstruct=reconstruct)
    assert options_given(events) == options
    assert events[-1].paragraph == number(edition, "5.9", "5.8")


@both
def test_5_10_a_card_dealt_face_up_counts_and_gives_options(edition: str) -> None:
    table = init_round(edition, "?", facing="down")
    report(table, "face-up", place="P1", card="KH")
    assert table.table.current.cards[0].exposed
    assert options_given(decide(table, "dora"))


@both
def test_5_10_the_card_that_was_seen_counts_when_an_outcome_is_judged(edition: str) -> None:
    table = init_round(edition, "? ? ?", facing="down")
    do(table, c.ExposeCard(by="dora", place="P1", card="KH"))
    report(table, "face-up", place="P2", card="7D")
    assert not options_given(decide(table, "dora")), "both first cards of the Player lie open"


@both
def test_5_11_the_pit_supervisor_says_which_came_first_with_exactly_those_cards(edition: str) -> None:
    table = init_round(edition, "KH 2S")
    report(table, "simultaneous", cards=("3C", "7D"))
    for wrong in ((), ("7D",), ("7D", "7D"), ("7D", "4H")):
        assert refused(table, c.DecideIrregularity(by="sam", order=wrong))[0] == "bad-ruling"
    events = decide(table, "sam", order=("7d", "3C"))
    assert [card.face for card in table.table.current.cards] == ["KH", "2S", "7D", "3C"]
    assert events[-1].paragraph == number(edition, "5.11.1", "5.10.1")
    assert options_given(events), "always, also after an outcome"


@both
def test_5_11_2_new_cards_come_in_from_the_next_round(edition: str) -> None:
    table = init_round(edition, "KH 2S")
    report(table, "simultaneous", cards=("9D", "3C"))
    decide(table, "sam", order=("1", "2"), replace_cards=True)
    choose(table)
    settle(table)
    assert refused(table, c.OpenBetting(by="dora")) == ("replacement-due", number(edition, "5.11.2", "5.10.2"))


@pytest.mark.parametrize(("cards", "options"), [("KH 2S", True), (FOUR, False)])
def test_5_12_a_reset_gives_options_while_no_outcome_is_established(cards: str, options: bool) -> None:
    table = init_round(COMMISSION_2025, cards)
    report(table, "reset")
    assert options_given(decide(table, "sam")) == options


@pytest.mark.parametrize(("cards", "paragraph"), [("KH 2S", "5.4.2"), (FOUR, "5.4.1")])
def test_in_2024_a_reset_is_a_technical_interruption(cards: str, paragraph: str) -> None:
    assert report(init_round(COMMISSION_2024, cards), "reset")[-1].paragraph == paragraph


def test_5_13_1_the_value_of_a_damaged_card_is_determined() -> None:
    table = init_round(COMMISSION_2025, "? ? ? ?", facing="down")
    for place, face in (("P1", "KH"), ("B1", "2S"), ("B2", "3C")):
        do(table, c.ExposeCard(by="dora", place=place, card=face))
    report(table, "damaged-card", place="P2")
    events = decide(table, "sam", card="9D")
    assert (tags(events)[1], events[1].paragraph) == ("card-determined", "5.13.1")
    assert table.table.phase is Phase.COMPLETE


def test_5_13_1_another_value_than_the_record_had_lays_the_cards_anew() -> None:
    """Player 3 drew 4H; the picture proves to be a four: Player 7 stands, and 4H is the Banker's."""
    table = init_round(COMMISSION_2025, "KH 2S 3D 3C 4H")
    report(table, "damaged-card", place="P1")
    decide(table, "sam", card="4C")
    assert [card.place for card in table.table.current.cards] == ["P1", "B1", "P2", "B2", "B3"]
    settle(table)
    assert balances(table) == (900, 1095)


def test_5_13_2_else_the_round_is_void() -> None:
    table = init_round(COMMISSION_2025, FOUR)
    report(table, "damaged-card", count=1)
    events = decide(table, "sam")
    assert (tags(events)[1], events[1].paragraph) == ("round-voided", "5.13.2")


@both
def test_5_14_a_later_round_is_never_touched(edition: str) -> None:
    table = init_round(edition, NATURAL)
    settle(table)
    another(table, "KD 2H")
    before = table.table.current
    assert report(table, "late-discovery", round=1)[-1].paragraph == number(edition, "5.14", "5.11")
    assert table.table.current == before
