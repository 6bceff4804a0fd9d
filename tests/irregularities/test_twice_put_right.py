"""One remedy after another in the same round, and what a remedy must not bring back: options, insurance, notices."""

from __future__ import annotations

import pytest

from punto.game import commands as c
from punto.game.events import InsuranceOffered, RoundSettled
from punto.game.irregularities.reconstruction import reconstruct
from punto.game.table import CarriedCard, Phase
from punto.money import Cents
from punto.rulebook.model import Insurance, Moment
from tests.irregularities.given import (
    BANKER_WINS,
    COMMISSION_2024,
    COMMISSION_2025,
    FOUR,
    LIVE,
    NATURAL,
    another,
    balances,
    carried_out,
    choose,
    decide,
    draw,
    init_round,
    insure,
    number,
    options_given,
    paragraphs,
    refused,
    report,
    settle,
    tags,
)
from tests.irregularities.laws import BOOKS, Ruled
from tests.irregularities.standing import commence, do, load

FIVE_THREE = "KH 2S 3D 3C"
"""Player 3 against Banker 5: the Banker may be insured, and again on 0 against 5 after the Player's third card."""


def offered(table: Ruled) -> list[tuple[Moment, tuple[str, ...]]]:
    return [(event.after, tuple(event.maximum)) for event in table.events if isinstance(event, InsuranceOffered)]


def chips(table: Ruled, patron: str, bet: str, cents: int) -> c.ReportChips:
    box = {"ann": 1, "bob": 2}[patron]
    return c.ReportChips(by="dora", patron=patron, box=box, bet=bet, stake_cents=Cents(cents))


def taken_back() -> Ruled:
    """Player wins, and ann, who had won, has taken the bets back by option after the settlement."""
    table = init_round(COMMISSION_2025, NATURAL)
    settle(table)
    report(table, "wrong-hand")
    assert options_given(decide(table, "sam", reconstruct=False))
    choose(table, ann="returned")
    assert balances(table) == (1000, 900)
    return table


def test_5_16_3_chips_found_later_bring_no_bets_back_that_were_returned() -> None:
    table = taken_back()
    do(table, chips(table, "bob", "tie", 2_000))
    assert balances(table) == (1000, 880)


def test_5_16_3_a_second_error_asks_nobody_who_has_taken_his_bets_back() -> None:
    table = taken_back()
    report(table, "other-dealing-error", player=("KH", "6D"), banker=("2S", "5C"))
    decide(table, "sam")
    assert table.table.irregularity is not None
    assert list(table.table.irregularity.choices) == ["bob"]
    do(table, c.ResumePlay(by="dora"))
    settle(table)
    assert balances(table) == (1000, 1095)
    assert paragraphs(table.table.current, "ann") == {("returned", "5.16.3")}


def test_5_16_3_a_round_settled_anew_later_pays_no_bets_that_were_returned() -> None:
    table = taken_back()
    do(table, c.OpenBetting(by="dora"))
    report(table, "late-table-of-play", round=1, player=("KH", "9D", "2H"), banker=("2S", "3C"))
    decide(table, "mia")
    assert balances(table) == (1000, 900)
    assert paragraphs(table.table.past[1], "ann") == {("returned", "5.16.3")}


def test_5_16_3_insurance_that_was_returned_can_not_be_repositioned() -> None:
    table = init_round(COMMISSION_2025, FOUR)
    insure(table, 5_000, Insurance.BANKER)
    draw(table, "4H")
    settle(table)
    report(table, "wrong-hand")
    decide(table, "sam", reconstruct=False)
    choose(table, ann="returned")
    misplaced = c.ReportIrregularity(by="dora", kind="insurance-misplaced", insurance="i3")
    assert refused(table, misplaced) == ("bad-report", "5.18")
    assert balances(table) == (1000, 1095)


@pytest.mark.parametrize("edition", [COMMISSION_2025, COMMISSION_2024])
def test_5_3_who_said_no_is_not_asked_again_where_the_offer_was_made_anew(edition: str) -> None:
    """O18: ann's chips on Banker are found while the offer to bob is still open, which bob has declined."""
    table = init_round(edition, FIVE_THREE)
    do(table, c.DeclineInsurance(patron="bob"))
    do(table, chips(table, "ann", "banker", 2_000))
    assert offered(table) == [(Moment.FOUR_CARDS, ("bob",)), (Moment.FOUR_CARDS, ("ann",))]
    draw(table, "7S")
    assert offered(table)[2:] == []
    assert table.table.current.forgone == {"ann", "bob"}


def test_5_3_who_said_no_has_forgone_it_though_the_next_card_came_too_soon() -> None:
    """O29 excuses silence: the card was not due yet. bob did not stay silent."""
    table = init_round(COMMISSION_2025, FIVE_THREE)
    do(table, c.DeclineInsurance(patron="bob"))
    report(table, "excess-card", cards=("7S",))
    decide(table, "sam")
    if table.table.phase is Phase.OPTIONS:
        do(table, c.ResumePlay(by="dora"))
    assert offered(table)[1:] == []
    assert table.table.current.forgone == {"bob"}


def face_down(last: str) -> Ruled:
    """Four cards face down; three are turned, and the fourth is reported as face up. The report is unfounded."""
    table = init_round(COMMISSION_2025, "? ? ? ?", facing="down")
    first, second, third = {"3C": ("KH", "2S", "7D"), "5C": ("KH", "2S", "9D")}[last]
    for place, face in (("P1", first), ("B1", second), ("P2", third)):
        do(table, c.ExposeCard(by="dora", place=place, card=face))
    report(table, "face-up", place="B2", card=last)
    decide(table, "dora", action="unfounded")
    return table


def test_3_12_a_card_that_a_withdrawn_report_turned_opens_the_offer_it_calls_for() -> None:
    table = face_down("3C")
    assert table.table.phase is Phase.OFFER
    assert offered(table) == [(Moment.FOUR_CARDS, ("ann",))]


def test_3_16_a_card_that_a_withdrawn_report_turned_ends_the_coup_it_completes() -> None:
    table = face_down("5C")
    settle(table)
    assert balances(table) == (1100, 900)


@pytest.mark.parametrize("notice", [True, False])
def test_4_2_2_the_notice_of_the_next_round_changes_nothing_in_a_reopened_one(notice: bool) -> None:
    """The notice goes up (or down) after the settlement; the round keeps to what held when its betting opened."""
    table = init_round(COMMISSION_2025, NATURAL, private=True)
    settle(table)
    if not notice:
        do(table, c.SetInsurance(by="sam", offered=False, asked_by="ann"))
        another(table, NATURAL)
        settle(table)
    do(table, c.SetInsurance(by="sam", offered=not notice, asked_by="ann"))
    report(table, "other-dealing-error", player=("KH", "7D"), banker=("2S", "3C"))
    decide(table, "sam")
    do(table, c.ResumePlay(by="dora"))
    assert offered(table) == ([(Moment.FOUR_CARDS, ("ann",))] if notice else [])
    assert table.table.phase is (Phase.OFFER if notice else Phase.DEALING)


def test_i6_insurance_that_went_back_for_want_of_an_offer_stays_back_when_it_is_repositioned() -> None:
    table = init_round(COMMISSION_2025, FOUR)
    insure(table, 5_000, Insurance.BANKER)
    draw(table, "4H")
    settle(table)
    do(table, c.OpenBetting(by="dora"))
    report(table, "late-table-of-play", round=1, player=("KH", "8D", "5C"), banker=("2S", "3C", "4H"))
    decide(table, "mia")
    before = balances(table)
    report(table, "insurance-misplaced", insurance="i3", round=1)
    decide(table, "dora")
    assert balances(table) == before
    assert ("returned", "5.15.2") in paragraphs(table.table.past[1], "ann")


def test_5_17_2_a_tie_on_the_true_cards_returns_the_bet_by_itself() -> None:
    """ann got the lost 100.00 back because insurance was missed. In truth the Banker's third card was a two: 7 to 7."""
    table = init_round(COMMISSION_2025, BANKER_WINS, ("ann", "player", 10_000))
    settle(table)
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    decide(table, "mia", patrons=("ann",))
    assert paragraphs(table.table.current, "ann") == {("returned", "5.17.2")}
    report(table, "other-dealing-error", player=("KH", "7D"), banker=("2S", "3C", "2H"))
    decide(table, "sam")
    do(table, c.ResumePlay(by="dora"))
    settle(table)
    assert paragraphs(table.table.current, "ann") == {("returned", "3.17")}


@pytest.mark.parametrize("late", [True, False])
def test_5_17_2_a_return_lapses_where_the_true_cards_never_made_the_offer(late: bool) -> None:
    """On the true cards the Banker has a natural 8: there was nothing to insure, and ann has lost."""
    table = init_round(COMMISSION_2025, BANKER_WINS)
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    decide(table, "mia", patrons=("ann",))
    settle(table)
    assert paragraphs(table.table.current, "ann") == {("returned", "5.17.2")}
    if late:
        do(table, c.OpenBetting(by="dora"))
        report(table, "late-table-of-play", round=1, player=("KH", "7D"), banker=("2S", "6C", "4H"))
        decide(table, "mia")
        played = table.table.past[1]
    else:
        report(table, "other-dealing-error", player=("KH", "7D"), banker=("2S", "6C"))
        decide(table, "sam")
        do(table, c.ResumePlay(by="dora"))
        settle(table)
        played = table.table.current
    assert paragraphs(played, "ann") == {("lost", "4.1.2")}
    assert balances(table) == (900, 1095)


@pytest.mark.parametrize("phase", [Phase.NO_SHOE, Phase.READY])
def test_i10_chips_are_found_until_the_next_betting_also_once_the_shoe_has_ended(phase: Phase) -> None:
    table = init_round(COMMISSION_2025, NATURAL)
    settle(table)
    do(table, c.EndShoe(by="dora"))
    if phase is Phase.READY:
        commence(table)
    shoe = table.table.shoe
    events = carried_out(table, chips(table, "bob", "player", 2_000))
    assert [event.winner for event in events if isinstance(event, RoundSettled)] == ["player"]
    assert balances(table) == (1100, 920)
    assert (table.table.phase, table.table.shoe) == (phase, shoe)
    if phase is Phase.NO_SHOE:
        commence(table)
    another(table, NATURAL)
    settle(table)
    assert balances(table) == (1200, 820)


def test_i10_before_the_first_round_there_are_no_chips_to_be_found() -> None:
    table = init_round(COMMISSION_2025, NATURAL)
    settle(table)
    kept = table.table.opened
    again = c.OpenTable(
        by="sam", table="T1", edition=kept.edition, layout=kept.layout, positions=kept.positions, limits=kept.limits
    )
    do(table, c.CloseTable(by="sam"), again)
    assert refused(table, chips(table, "bob", "player", 2_000))[0] == "not-now"


@pytest.mark.parametrize("edition", [COMMISSION_2025, COMMISSION_2024])
@pytest.mark.parametrize("settled", [False, True])
def test_5_11_cards_drawn_together_and_entered_one_by_one_are_ordered_when_it_is_noticed(
    edition: str, settled: bool
) -> None:
    """KH and 2S came together: with 2S first the Player has 9 of 2S 7D, and nobody draws."""
    table = init_round(edition, BANKER_WINS)
    if settled:
        settle(table)
    report(table, "simultaneous")
    events = decide(table, "sam", order=("2S", "KH", "7D", "3C", "4H"))
    assert options_given(events)
    do(table, c.ResumePlay(by="dora"))
    assert table.table.phase is Phase.COMPLETE
    settle(table)
    assert balances(table) == (1100, 900)
    assert [card.face for card in table.table.in_use.carried] == ["4H"]


def test_5_11_the_order_of_cards_on_the_table_is_one_of_exactly_those_cards() -> None:
    table = init_round(COMMISSION_2025, BANKER_WINS)
    named = c.ReportIrregularity(by="dora", kind="simultaneous", cards=("5H", "6H"))
    assert refused(table, named) == ("bad-report", "5.11")
    report(table, "simultaneous")
    ruling = c.DecideIrregularity(by="sam", reason="x", order=("2S", "KH", "7D", "3C", "5H"))
    assert refused(table, ruling) == ("bad-ruling", "5.11")
    assert options_given(decide(table, "sam"))
    do(table, c.ResumePlay(by="dora"))
    settle(table)
    assert balances(table) == (900, 1095)


@pytest.mark.parametrize("edition", [COMMISSION_2025, COMMISSION_2024])
@pytest.mark.parametrize("loaded", [False, True])
def test_5_11_noticed_once_the_shoe_has_ended_gives_the_options_still(edition: str, loaded: bool) -> None:
    """I10, O55: it can be reported until the next betting. No cards can be dealt on (O39) or replaced."""
    table = init_round(edition, BANKER_WINS)
    settle(table)
    do(table, c.EndShoe(by="dora"))
    if loaded:
        load(table)
    cite = number(edition, "5.11", "5.10")
    named = c.ReportIrregularity(by="dora", kind="simultaneous", cards=("5H", "6H"))
    assert refused(table, named) == ("bad-report", cite)
    report(table, "simultaneous")
    turned = ("2S", "KH", "7D", "3C", "4H")
    assert refused(table, c.DecideIrregularity(by="sam", order=turned)) == ("bad-ruling", cite)
    replaced = c.DecideIrregularity(by="sam", replace_cards=True)
    assert refused(table, replaced) == ("bad-ruling", number(edition, "5.11.2", "5.10.2"))
    assert options_given(decide(table, "sam"))
    choose(table, ann="returned")
    assert table.table.phase is (Phase.READY if loaded else Phase.NO_SHOE)
    assert balances(table) == (1000, 1095)
    if not loaded:
        load(table)
    do(table, c.OpenBetting(by="dora"))
    assert refused(table, c.ReportIrregularity(by="dora", kind="simultaneous"))[0] == "not-then"


def test_5_17_2_who_leaves_after_the_moment_has_not_forgone_what_was_missed_at_it() -> None:
    table = init_round(COMMISSION_2025, BANKER_WINS)
    do(table, c.Leave(patron="ann"))
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    decide(table, "mia", patrons=("ann",))
    settle(table)
    assert paragraphs(table.table.current, "ann") == {("returned", "5.17.2")}


def test_5_3_who_left_at_the_moment_or_before_has_forgone_it() -> None:
    table = init_round(COMMISSION_2025, FOUR)
    do(table, c.Leave(patron="ann"))
    draw(table, "4H")
    missed = c.ReportIrregularity(by="dora", kind="insurance-missed", after=Moment.FOUR_CARDS)
    assert refused(table, missed) == ("bad-report", "5.17")


def test_p6_live_a_patron_who_comes_back_while_the_offer_is_open_has_it_too() -> None:
    on_player = (("ann", "player", 10_000), ("bob", "player", 10_000))
    table = init_round(LIVE, "KH 2S 7D", *on_player)
    do(table, c.Leave(patron="ann"))
    draw(table, "3C")
    do(table, c.Join(patron="ann"))
    assert offered(table) == [(Moment.FOUR_CARDS, ("bob",)), (Moment.FOUR_CARDS, ("ann", "bob"))]
    do(table, c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(2_000)))


def test_5_6_no_wager_changes_while_something_is_put_right_either() -> None:
    table = init_round(COMMISSION_2025, "KH 2S")
    report(table, "wrong-hand")
    wager = c.PlaceWager(patron="ann", box=1, bet="tie", stake_cents=Cents(1_000))
    withdrawal = c.WithdrawWager(patron="ann", box=1, bet="player")
    assert refused(table, wager) == refused(table, withdrawal) == ("no-more-bets", "5.6")
    decide(table, "sam", reconstruct=False)
    assert table.table.phase is Phase.OPTIONS
    assert refused(table, wager) == ("no-more-bets", "5.6")


def test_5_7_2_is_cited_only_once_a_card_has_been_dealt() -> None:
    table = init_round(COMMISSION_2025, "", high_limit=True)
    do(table, c.DrawCutCard(by="dora"))
    report(table, "reset")
    assert refused(table, c.WithdrawWager(patron="ann", box=1, bet="player")) == ("no-more-bets", "5.6")


def test_5_7_3_withdrawal_may_have_been_left_out_though_the_cut_card_is_on_record() -> None:
    """The Dealer entered the cut card and dealt on at once."""
    table = init_round(COMMISSION_2025, "", high_limit=True)
    do(table, c.DrawCutCard(by="dora"))
    draw(table, "KH 2S")
    report(table, "cut-card")
    events = decide(table, "dora")
    assert options_given(events)
    assert "cut-card-drawn" not in tags(events)


def test_insurance_asked_for_without_an_offer_is_refused_under_the_paragraph_that_took_it_away() -> None:
    ask = c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(1_000))
    table = init_round(COMMISSION_2025, "KH 2S 7D", private=True)
    assert refused(table, ask) == ("no-such-offer", "3.12")
    draw(table, "3C 4H")
    assert refused(table, ask) == ("insurance-forgone", "5.3")
    settle(table)
    do(table, c.SetInsurance(by="sam", offered=False, asked_by="ann"))
    another(table, FOUR)
    assert refused(table, ask) == ("no-such-offer", "4.2.2")


def test_3_14_insurance_that_the_consent_waived_is_refused_under_it() -> None:
    table = init_round(COMMISSION_2025, "? ? ? ?", facing="down")
    for place, face in (("P1", "KH"), ("B1", "AS"), ("P2", "5D"), ("B2", "KC")):
        do(table, c.ExposeCard(by="dora", place=place, card=face))
    if table.table.phase is Phase.OFFER:
        do(table, c.TakeInsurance(patron="bob", bet=Insurance.BANKER, stake_cents=Cents(1_000)))
    do(table, c.AskBankerFirst(patron="ann", way="expose"), c.GrantBankerFirst(by="sam"))
    draw(table, "?")
    ask = c.TakeInsurance(patron="bob", bet=Insurance.BANKER, stake_cents=Cents(1_000))
    assert refused(table, ask) == ("no-such-offer", "3.14")


def test_3_14_a_bankers_third_card_that_is_opened_first_is_laid_beside_a_closed_one() -> None:
    """5.8: in a reconstruction it need not wait for the Player's third card if the House consented; else it does."""
    play = BOOKS[COMMISSION_2025].table_of_play
    open_ones = tuple(CarriedCard(face, True) for face in ["KH", "KS", "5D", "2C"])
    drawn = (*open_ones, CarriedCard(None, False), CarriedCard("6H", True))
    first, _ = reconstruct(play, drawn, banker_first=True)
    assert [card.place for card in first] == ["P1", "B1", "P2", "B2", "P3", "B3"]
    placed, left = reconstruct(play, drawn)
    assert ([card.place for card in placed][4:], left) == (["P3"], (CarriedCard("6H", True),))
