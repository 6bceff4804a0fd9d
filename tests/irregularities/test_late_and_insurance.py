"""5.15 (I6), 5.17 (I7), 5.18 (I11), and what I10 asks of a settled round."""

from __future__ import annotations

import pytest

from punto.game import commands as c
from punto.game import events as e
from punto.game.audience import Audience, view
from punto.game.table import Phase
from punto.money import Cents
from punto.rulebook.model import Insurance, Moment
from tests.irregularities.given import (
    BANKER_WINS,
    COMMISSION_2024,
    COMMISSION_2025,
    FOUR,
    NATURAL,
    another,
    balances,
    both,
    carried_out,
    choose,
    decide,
    draw,
    init_round,
    insure,
    paragraphs,
    refused,
    report,
    settle,
    tags,
)
from tests.irregularities.laws import BOOKS
from tests.irregularities.standing import commence, do, opened

PAIR = "3H 2S 3D 3C 4H"
"""Player 6 with a pair stands, Banker 5 draws to 9."""


def test_5_15_1_and_4_a_missing_third_card_voids_the_round_and_side_bets_keep_their_result() -> None:
    table = init_round(
        COMMISSION_2025, PAIR, ("ann", "player", 10_000), ("ann", "player_pair", 1_000), ("bob", "banker", 10_000)
    )
    settle(table)
    another(table, "KD 2H")
    report(table, "late-table-of-play", round=1, player=("3H", "3D"), banker=("2S", "3C"))
    events = decide(table, "mia")
    assert (tags(events)[1], events[1].paragraph) == ("past-round-corrected", "5.15.1")
    assert paragraphs(table.table.past[1], "ann") == {("returned", "5.21"), ("won", "4.1.4")}
    assert balances(table) == (1110 - 100, 1000 - 100), "and 100.00 of each lie in round 2"
    assert 1 not in table.table.in_use.results


def test_5_15_2_cards_too_many_are_played_again_in_their_order() -> None:
    table = init_round(COMMISSION_2025, "KH 2S 6D 3C")
    insure(table, 2_000)
    draw(table, "4H")
    settle(table)
    assert balances(table) == (950, 1095)
    do(table, c.CashChips(patron="bob", chips_cents=Cents(109_500)), c.OpenBetting(by="dora"))
    report(table, "late-table-of-play", round=1, player=("KH", "6D", "9H"), banker=("2S", "3C", "4H"))
    assert decide(table, "mia")[1].paragraph == "5.15.2"
    assert balances(table) == (1080, 0), "Player wins 6 to 4: the Banker's third card is 9H"
    assert table.table.owed_cents == {"bob": 19_500}
    assert table.table.in_use.carried == (), "never carried over"
    assert table.table.in_use.results == {1: "P"}


def test_5_15_2_insurance_at_an_offer_that_should_not_have_existed_is_returned() -> None:
    table = init_round(COMMISSION_2025, "KH 2S 6D 3C")
    insure(table, 2_000)
    draw(table, "4H")
    settle(table)
    do(table, c.OpenBetting(by="dora"))
    report(table, "late-table-of-play", round=1, player=("KH", "9D", "9H"), banker=("2S", "3C", "4H"))
    decide(table, "mia")
    assert balances(table) == (1100, 900)
    assert ("returned", "5.15.2") in paragraphs(table.table.past[1], "ann")


def test_5_15_2_insurance_at_other_odds_than_the_true_points_had_is_returned_too() -> None:
    table = init_round(COMMISSION_2025, "KH 2S 6D 3C")
    insure(table, 2_000)
    draw(table, "4H")
    settle(table)
    do(table, c.OpenBetting(by="dora"))
    report(table, "late-table-of-play", round=1, player=("KH", "7D", "9H"), banker=("2S", "3C", "4H"))
    decide(table, "mia")
    assert balances(table) == (1100, 900), "7 against 5 was worth 4 to 1, not 5 to 2"


def test_5_15_3_where_it_cannot_be_rectified_the_round_is_void() -> None:
    table = init_round(COMMISSION_2025, "KH 2S 6D 3C 4H")
    settle(table)
    do(table, c.OpenBetting(by="dora"))
    report(table, "late-table-of-play", round=1, player=("KH", "6D", "9H"), banker=("2S", "3C", "4H"))
    assert decide(table, "mia", reconstruct=False)[1].paragraph == "5.15.3"
    assert balances(table) == (1000, 1000)


def test_a_round_that_was_dealt_rightly_is_not_reported() -> None:
    table = init_round(COMMISSION_2025, NATURAL)
    settle(table)
    do(table, c.OpenBetting(by="dora"))
    right = c.ReportIrregularity(
        by="dora", kind="late-table-of-play", round=1, player=("KH", "9D"), banker=("2S", "3C")
    )
    assert refused(table, right) == ("bad-report", "5.15")


def test_in_2024_no_side_bet_is_kept_unless_the_ruling_says_so() -> None:
    for keep, ann in ((False, 1000), (True, 1110)):
        table = init_round(
            COMMISSION_2024, PAIR, ("ann", "player", 10_000), ("ann", "player_pair", 1_000), ("bob", "banker", 10_000)
        )
        settle(table)
        do(table, c.OpenBetting(by="dora"))
        report(table, "late-table-of-play", round=1, player=("3H", "3D"), banker=("2S", "3C"))
        events = decide(table, "tess", action="void", keep_side_bets=keep)
        assert events[1].paragraph == "5.18"
        assert balances(table) == (ann, 1000)


LATE = "KH 2S 5D 2C 2H"
"""Player 5 against 4 after four cards (3 to 2), 7 against 4 after the Player's third (4 to 1); the Banker draws."""


@both
def test_5_17_1_the_offer_is_made_late_at_its_row_and_odds_and_an_ordinary_one_stays(edition: str) -> None:
    table = init_round(edition, LATE)
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    events = decide(table, "mia")
    offered = [event for event in events if isinstance(event, e.InsuranceOffered)]
    assert [(offer.late, offer.after, str(offer.odds)) for offer in offered] == [
        (True, Moment.FOUR_CARDS, "3/2"),
        (False, Moment.PLAYER_THIRD, "4"),
    ]
    assert offered[0].maximum == {"ann": 6_666}, "at most the Original Bet in winnings (W6)"
    late = c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, after=Moment.FOUR_CARDS, stake_cents=Cents(6_000))
    do(table, late)
    over = c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, after=Moment.FOUR_CARDS, stake_cents=Cents(667))
    assert refused(table, over)[0] == "insurance-over-limit"
    draw(table, "5C")
    assert table.table.current.late_offer is None
    settle(table)
    assert balances(table) == (990, 1095)


@both
def test_5_17_1_a_late_offer_counts_as_placed_when_it_was_missed(edition: str) -> None:
    """P5: insurance taken after four cards is returned on any tie, also one at 9."""
    table = init_round(edition, "KH 2S 5D 2C 4H")
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    decide(table, "mia")
    do(table, c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, after=Moment.FOUR_CARDS, stake_cents=Cents(2_000)))
    draw(table, "5C")
    settle(table)
    assert table.table.current.winner == "tie"
    assert balances(table) == (1000, 1000)


def test_5_17_1_while_a_card_lies_face_down_the_late_offer_ends_as_it_is_turned() -> None:
    table = init_round(COMMISSION_2025, "? ? ? ?", facing="down")
    for place, face in (("P1", "KH"), ("B1", "2S"), ("P2", "7D"), ("B2", "3C")):
        do(table, c.ExposeCard(by="dora", place=place, card=face))
    draw(table, "?")
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    decide(table, "mia")
    assert table.table.phase is Phase.OFFER
    do(table, c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(2_500)))
    do(table, c.ExposeCard(by="dora", place="B3", card="4H"))
    settle(table)
    assert balances(table) == (1000, 1095)


def test_5_17_1_no_late_offer_is_made_to_who_squeezes_the_card_that_lies_face_down() -> None:
    """O115: ann, who squeezes, may know the card that the offer depends on; the others have the offer as before."""
    table = init_round(COMMISSION_2025, "", ("ann", "player", 10_000), ("bob", "player", 5_000), facing="down")
    do(table, c.AskSqueeze(patron="ann", places=("B3",)), c.GrantSqueeze(by="dora"))
    draw(table, "KH 2S 7D 3C")
    for place in ("P1", "B1", "P2", "B2"):
        do(table, c.ExposeCard(by="dora", place=place))
    draw(table, "4H")
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    (offered,) = (event for event in decide(table, "mia") if isinstance(event, e.InsuranceOffered))
    assert offered.maximum.keys() == {"bob"}


@both
@pytest.mark.parametrize("settled", [False, True])
def test_5_17_2_once_the_result_is_known_the_original_bet_goes_back_once(edition: str, settled: bool) -> None:
    table = init_round(edition, BANKER_WINS)
    if settled:
        settle(table)
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    decide(table, "mia", patrons=("ann", "ann"))
    if not settled:
        settle(table)
    cite = "5.17.2" if edition == COMMISSION_2025 else "5.13.2"
    assert paragraphs(table.table.current, "ann") == {("returned", cite)}
    assert balances(table) == (1000, 1095)


@both
def test_5_17_2_nothing_goes_back_where_the_insurance_would_have_lost(edition: str) -> None:
    table = init_round(edition, "KH 2S 7D 3C AH")
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    assert tags(decide(table, "mia", patrons=("ann",))) == ["irregularity-decided", "play-resumed"]
    settle(table)
    assert balances(table) == (1100, 900)


def test_5_17_nothing_is_missed_where_it_was_forgone_or_not_offered() -> None:
    command = c.ReportIrregularity(by="dora", kind="insurance-missed", after=Moment.FOUR_CARDS)
    table = init_round(COMMISSION_2025, "KH 2S 7D 3C")
    do(table, c.DeclineInsurance(patron="ann"))
    draw(table, "4H")
    assert refused(table, command) == ("bad-report", "5.17")
    table = init_round(COMMISSION_2025, "KH 2S 7D")
    do(table, c.Leave(patron="ann"))
    draw(table, "3C 4H")
    assert refused(table, command) == ("bad-report", "5.17")
    later = c.ReportIrregularity(by="dora", kind="insurance-missed", after=Moment.PLAYER_THIRD)
    assert refused(init_round(COMMISSION_2025, LATE), later) == ("bad-report", "5.17"), (
        "the offer after four cards passed"
    )


def test_5_17_the_notice_that_counts_is_that_of_the_round() -> None:
    """4.2.2: round 1 was played without insurance, and the notice has been taken down since."""
    table = opened(COMMISSION_2025, private=True)
    commence(table)
    do(table, c.SetInsurance(by="sam", offered=False, asked_by="ann"))
    another(table, BANKER_WINS)
    settle(table)
    do(table, c.SetInsurance(by="sam", offered=True, asked_by="ann"))
    another(table, "KD 2H 7H 3D 4D")
    settle(table)
    command = c.ReportIrregularity(by="dora", kind="insurance-missed", after=Moment.FOUR_CARDS, round=1)
    assert refused(table, command) == ("bad-report", "5.17")
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)


def test_5_18_its_patron_and_staff_see_where_the_chips_of_insurance_lie() -> None:
    """5.19 settles the chips where they lie until they are moved, so these two see the place; other patrons do not."""
    rules, table = BOOKS[COMMISSION_2025], init_round(COMMISSION_2025, FOUR)

    def areas() -> dict[str, list[Insurance | None]]:
        looks = [(Audience.DEALER, "dora"), (Audience.PATRON, "ann"), (Audience.PATRON, "bob"), (Audience.PUBLIC, None)]
        seen = {name or "public": view(rules, table.table, audience, name) for audience, name in looks}
        return {name: [taken.area for taken in sight.insurance] for name, sight in seen.items()}

    insure(table, 2_500, Insurance.BANKER)
    assert areas() == {"dora": [Insurance.BANKER], "ann": [Insurance.BANKER], "bob": [], "public": []}
    report(table, "insurance-misplaced", insurance="i3")
    decide(table, "dora")
    assert areas() == {"dora": [None], "ann": [None], "bob": [], "public": []}


@pytest.mark.parametrize("when", ["before", "after", "later"])
def test_5_18_misplaced_insurance_is_moved_whenever_it_is_seen(when: str) -> None:
    table = init_round(COMMISSION_2025, "KH 2S 7D 3C")
    insure(table, 2_500, area=Insurance.BANKER)
    draw(table, "4H")
    if when != "before":
        settle(table)
        assert balances(table) == (875, 1095)
    if when == "later":
        do(table, c.OpenBetting(by="dora"))
    report(table, "insurance-misplaced", insurance="i3", round=1 if when == "later" else None)
    assert decide(table, "dora")[1].paragraph == "5.18.1"
    if when == "before":
        settle(table)
    assert balances(table) == (1000, 1095)


def test_i10_a_settled_round_is_reopened_and_settled_anew() -> None:
    table = init_round(COMMISSION_2025, NATURAL)
    settle(table)
    do(table, c.CashChips(patron="ann", chips_cents=Cents(110_000)))
    report(table, "other-dealing-error", player=("KH", "6D"), banker=("2S", "3C"))
    decide(table, "sam")
    assert table.table.owed_cents == {"ann": 20_000}
    choose(table)
    draw(table, "AS")
    assert "owed-collected" in tags(carried_out(table, c.Settle(by="dora")))
    assert balances(table) == (0, 1000)
    assert table.table.owed_cents == {"ann": 10_000}


def test_i9_an_offer_outlives_a_restart_and_a_restart_while_betting_changes_nothing() -> None:
    table = init_round(COMMISSION_2025, "KH 2S 7D 3C")
    report(table, "interruption")
    assert table.table.phase is Phase.OFFER
    insure(table, 1_000)
