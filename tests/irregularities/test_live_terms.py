"""The terms of the Live page, a test for each (L2, L3, L6 to L8), and where it is silent (L9)."""

from __future__ import annotations

import msgspec
import pytest

from punto.game import commands as c
from punto.game.irregularities.live import after_the_last
from punto.game.irregularities.records import Words
from punto.game.refusals import Refusal
from punto.game.table import Phase
from punto.rulebook.model import Remedy
from tests.irregularities.given import (
    BANKER_WINS,
    LIVE,
    NATURAL,
    another,
    balances,
    carried_out,
    decide,
    draw,
    init_round,
    insure,
    refused,
    report,
    settle,
    tags,
)
from tests.irregularities.laws import BOOKS
from tests.irregularities.standing import commence, do, load, opened

FOUR = "KH 2S 7D 3C"


def test_11_1_1_a_new_shoe_opens_its_first_card_and_skips_as_many() -> None:
    table = opened(LIVE)
    load(table)
    do(table, c.Burn(by="dora", card="QD"))
    assert table.table.in_use.drawn == 11


def test_11_1_2_a_failure_is_put_right_before_the_first_hand() -> None:
    table = opened(LIVE)
    commence(table)
    report(table, "commencement")
    stray = c.DecideIrregularity(by="dora", void_rounds=(1,))
    assert refused(table, stray) == ("wrong-field", "11.1.2")
    decide(table, "dora", skip=3)
    assert (table.table.in_use.drawn, table.table.phase) == (5, Phase.READY)


def test_11_1_2_the_skip_that_is_made_up_for_leaves_a_card_in_the_shoe() -> None:
    table = opened(LIVE)
    commence(table)
    left = table.table.in_use.left
    report(table, "commencement")
    for skip in (-1, left, left + 1):
        assert refused(table, c.DecideIrregularity(by="mia", skip=skip)) == ("bad-ruling", "11.1.2")
    decide(table, "mia", skip=left - 1)
    assert table.table.in_use.left == 1


def test_11_1_2_and_3_later_the_shoe_is_invalid_and_management_may_void_its_rounds() -> None:
    table = init_round(LIVE, NATURAL)
    settle(table)
    another(table, "KD")
    report(table, "commencement")
    events = decide(table, "mia", void_rounds=(1,))
    assert tags(events)[1:] == ["round-voided", "past-round-corrected", "shoe-ended"]
    assert {event.paragraph for event in events} == {"11.1.2", "11.1.3"}
    assert balances(table) == (1000, 1000)
    assert table.table.phase is Phase.NO_SHOE


def test_11_2_2_drawn_during_a_hand_the_blue_card_makes_it_the_last() -> None:
    table = init_round(LIVE, "KH")
    do(table, c.DrawCutCard(by="dora"))
    draw(table, "2S 9D 3C")
    settle(table)
    assert refused(table, c.OpenBetting(by="dora"))[0] == "last-round"


def test_11_2_3_drawn_between_hands_no_further_hand_starts() -> None:
    table = init_round(LIVE, NATURAL)
    settle(table)
    do(table, c.DrawCutCard(by="dora"))
    assert refused(table, c.OpenBetting(by="dora"))[0] == "last-round"


def test_11_1_2_a_mistaken_report_is_withdrawn_by_whoever_may_decide_it() -> None:
    """O28: by the Dealer before the first hand (L2), by a Pit Manager later."""
    mistaken = c.DecideIrregularity(by="dora", action="unfounded", reason="the skip was right")
    table = opened(LIVE, high_limit=False)
    commence(table)
    report(table, "commencement")
    assert tags(carried_out(table, mistaken)) == ["irregularity-decided", "report-withdrawn", "play-resumed"]
    another(table, "KH")
    report(table, "commencement")
    assert refused(table, mistaken) == ("wrong-rank", "11.1.2")
    decide(table, "mia", action="unfounded")


def test_11_2_4_hands_dealt_after_the_last_are_void() -> None:
    table = init_round(LIVE, NATURAL)
    settle(table)
    for cards in ("KD 2H 9H 3D", "KC 2C 9C 3H"):
        another(table, cards)
        settle(table)
    another(table, "KS")
    report(table, "blue-card", round=2)
    events = decide(table, "dora")
    assert {event.paragraph for event in events[1:]} == {
        "11.2.4",
    }
    assert balances(table) == (1100, 900), "hand 1 stands"
    assert table.table.in_use.results == {1: "P"}
    assert refused(table, c.OpenBetting(by="dora"))[0] == "last-round"


def test_11_2_4_a_paragraph_of_the_remedy_s_own_comes_before_the_row_s() -> None:
    table = init_round(LIVE, NATURAL)
    settle(table)
    another(table, "KD 2H 9H 3D")
    settle(table)
    another(table, "KS")
    report(table, "blue-card", round=2)
    row = BOOKS[LIVE].irregularities["blue-card"]
    own = msgspec.structs.replace(row, remedies={"void": Remedy(cite="11.1.3")})
    events = after_the_last(BOOKS[LIVE], table.table, own, Words(by="dora"))
    assert not isinstance(events, Refusal)
    assert {(tag, event.paragraph) for tag, event in zip(tags(events), events, strict=True)} == {
        ("past-round-corrected", "11.1.3"),
        ("round-voided", "11.1.3"),
        ("cut-card-drawn", "11.1.3"),
    }


@pytest.mark.parametrize("cards", ["", FOUR])
def test_11_3_1_a_card_exposed_while_bets_are_on_offer_voids_the_hand(cards: str) -> None:
    table = init_round(LIVE, cards) if cards else opened(LIVE)
    if cards:
        insure(table, 1_000)
    else:
        commence(table)
        do(table, c.OpenBetting(by="dora"))
    events = report(table, "exposed-while-betting", cards=("9C",))
    assert (tags(events)[-1], events[-1].paragraph) == ("round-voided", "11.3.1")
    assert balances(table) == (1000, 1000)


def test_11_3_2_an_unneeded_card_is_burnt_the_result_stands_and_the_shoe_may_end() -> None:
    table = init_round(LIVE, NATURAL)
    report(table, "unneeded-card", cards=("4H",))
    decide(table, "mia", end_shoe=True)
    assert table.table.in_use.carried == ()
    settle(table)
    assert balances(table) == (1100, 900)
    assert (table.table.in_use.replace_due, table.table.in_use.cut_drawn) == (True, False)


def test_11_3_3_cards_exposed_in_the_shuffle_go_before_a_pit_manager() -> None:
    table = opened(LIVE)
    report(table, "exposed-while-shuffling")
    assert refused(table, c.DecideIrregularity(by="mia")) == ("reason-needed", "11.3.3")
    decide(table, "mia")
    assert table.table.phase is Phase.NO_SHOE


def test_11_3_4_cards_exposed_at_commencement_change_nothing() -> None:
    table = opened(LIVE)
    load(table)
    before = table.table.shoe
    report(table, "exposed-at-commencement")
    assert (table.table.shoe, table.table.phase) == (before, Phase.COMMENCING)


def test_11_4_1_a_wrongly_dealt_hand_is_reconstructed_corrected_or_void() -> None:
    table = init_round(LIVE, "KH 2S 9D")
    report(table, "wrong-dealing", cards=("3C", "4H"))
    decide(table, "mia")
    assert (table.table.phase, table.table.in_use.carried) == (Phase.COMPLETE, ()), "burnt, not carried over (L7)"
    settle(table)
    report(table, "wrong-dealing", player=("KH", "6D"), banker=("2S", "3C"))
    decide(table, "mia")
    draw(table, "4H")
    settle(table)
    assert balances(table) == (900, 1095)
    report(table, "wrong-dealing", player=("KH", "5D"), banker=("2S", "3C"))
    decide(table, "mia", reconstruct=False)
    assert balances(table) == (1000, 1000)


def test_11_4_2_management_may_end_the_shoe() -> None:
    table = init_round(LIVE, "KH 2S 9D")
    report(table, "wrong-dealing", cards=("3C",))
    assert decide(table, "mia", reconstruct=False, end_shoe=True)[-1].paragraph == "11.4.2"
    assert (table.table.in_use.replace_due, table.table.in_use.cut_drawn) == (True, False)


def test_11_5_1_a_card_dropped_outside_the_deal_is_used_again() -> None:
    table = opened(LIVE)
    assert report(table, "dropped-card", exposed=False)[-1].paragraph == "11.5.1"


@pytest.mark.parametrize(("exposed", "then"), [(True, "play-resumed"), (False, "round-voided")])
def test_11_5_2_a_card_dropped_in_the_deal_counts_if_it_was_exposed(exposed: bool, then: str) -> None:
    table = init_round(LIVE, "KH 2S")
    events = report(table, "dropped-card", exposed=exposed)
    assert (tags(events)[-1], events[-1].paragraph) == (then, "11.5.2")
    if not exposed:
        another(table, BANKER_WINS)
        settle(table)
        assert balances(table) == (900, 1095), "the shoe goes on"


def test_l9_where_the_page_is_silent_rulings_are_cited() -> None:
    table = init_round(LIVE, "KH 2S")
    assert report(table, "interruption")[-1].paragraph == "I9"
    assert table.table.current.void
    another(table, NATURAL)
    report(table, "void", cause="foreign-card")
    assert refused(table, c.DecideIrregularity(by="sam")) == ("wrong-rank", "L9")
    assert decide(table, "mia")[1].paragraph == "L9"


@pytest.mark.parametrize(
    ("dealt", "player", "banker", "then"),
    [
        ("KH", ("KD",), (), "2S 7D 3C 4H"),
        ("KH 9S", ("KH",), ("2S",), "7D 3C 4H"),
        ("KH 2S 9D", ("KH", "7D"), ("2S",), "3C 4H"),
    ],
)
def test_o130_a_card_entered_wrongly_is_put_right_before_four_lie(
    dealt: str, player: tuple[str, ...], banker: tuple[str, ...], then: str
) -> None:
    table = init_round(LIVE, dealt)
    report(table, "wrong-dealing", player=player, banker=banker)
    assert tags(decide(table, "mia"))[1:] == ["cards-reconstructed", "play-resumed"]
    assert [str(card) for card in table.table.current.coup.player] == list(player)
    draw(table, then)
    settle(table)
    assert balances(table) == (900, 1095)


def test_o130_hands_of_another_number_of_cards_are_no_wrong_entry() -> None:
    table = init_round(LIVE, "KH 2S")
    for player, banker in ((("KD",), ()), (("KD", "3S"), ("2S",)), (("KH",), ("2S",))):
        command = c.ReportIrregularity(by="dora", kind="wrong-dealing", player=player, banker=banker)
        assert refused(table, command)[0] == "bad-report"


def test_o130_no_card_comes_out_more_often_than_there_are_decks() -> None:
    """Eight decks hold eight 2H: a ninth is refused in a correction, as it is in the deal (2.2.1)."""
    table = init_round(LIVE, "KH 2S")
    left = table.table.in_use
    spent = msgspec.structs.replace(left, seen={**left.seen, "2H": table.table.opened.decks})
    table.table = msgspec.structs.replace(table.table, shoe=spent)
    command = c.ReportIrregularity(by="dora", kind="wrong-dealing", player=("2H",), banker=("2S",))
    assert refused(table, command)[0] == "too-many-of-a-card"
