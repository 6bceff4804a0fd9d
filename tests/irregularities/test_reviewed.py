"""Cases of a review: insurance partly in play, insurance forgone, a shoe that has ended, cards that were due."""

from __future__ import annotations

from typing import Any

import pytest

from punto.game import commands as c
from punto.game.events import InsuranceOffered
from punto.game.table import Phase
from punto.money import Cents
from punto.rulebook.model import Bet, Insurance, Moment
from tests.irregularities.given import (
    COMMISSION_2025,
    LIVE,
    NATURAL,
    another,
    balances,
    carried_out,
    choose,
    decide,
    draw,
    init_round,
    options_given,
    refused,
    report,
    settle,
)
from tests.irregularities.laws import Ruled
from tests.irregularities.standing import commence, do, opened

FOUR_REAL = "KH 2S AD 2C"
"""Player 1 against Banker 4: the Banker may be insured, and again on 3 against 4 after the Player's third card."""
PAIRED: tuple[tuple[str, str, int], ...] = (("ann", "banker", 10_000), ("bob", "player", 10_000))


def offered(ruled: Ruled) -> list[tuple[Moment, tuple[str, ...]]]:
    return [(event.after, tuple(event.maximum)) for event in ruled.events if isinstance(event, InsuranceOffered)]


def half_insured() -> Ruled:
    """ann has 100.00 on Player and 100.00 of insurance on the wrong side. bob's chips are found: half is in play."""
    table = init_round(COMMISSION_2025, "KH 2S 7D 3C", ("ann", "player", 10_000), differential=Cents(10_000))
    take = c.TakeInsurance(
        patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(10_000), area=Insurance.BANKER, by="dora"
    )
    do(table, take)
    do(table, c.ReportChips(by="dora", patron="bob", box=1, bet="player", stake_cents=Cents(10_000)))
    assert [taken.in_play_cents for taken in table.table.current.insurance] == [5_000]
    draw(table, "4H")
    settle(table)
    return table


def insurance_of(table: Ruled, number: int) -> list[tuple[str, int, int]]:
    lines = table.table.current.lines if table.table.current.number == number else table.table.past[number].lines
    return [(line.result, line.stake_cents, line.winnings_cents) for line in lines if line.bet == Insurance.PLAYER]


def test_5_18_insurance_partly_out_of_play_is_repositioned_as_far_as_it_was_in_play() -> None:
    table = half_insured()
    report(table, "insurance-misplaced", insurance="i2")
    decide(table, "dora")
    assert insurance_of(table, 1) == [("won", 5_000, 20_000), ("returned", 5_000, 0)]


def test_5_15_2_insurance_partly_out_of_play_is_settled_anew_as_far_as_it_was_in_play() -> None:
    table = half_insured()
    do(table, c.OpenBetting(by="dora"))
    report(table, "insurance-misplaced", insurance="i2", round=1)
    decide(table, "dora")
    report(table, "late-table-of-play", round=1, player=("KH", "7D"), banker=("2S", "3C", "4H", "9H"))
    decide(table, "mia")
    assert insurance_of(table, 1) == [("won", 5_000, 20_000), ("returned", 5_000, 0)]


@pytest.mark.parametrize("how", ["hands", "card", "settled"])
def test_5_3_a_third_card_put_right_gives_nobody_insurance_back_that_he_declined(how: str) -> None:
    table = init_round(COMMISSION_2025, FOUR_REAL, PAIRED[0])
    do(table, c.DeclineInsurance(patron="ann"))
    draw(table, "5H")
    if how == "settled":
        draw(table, "KD")
        settle(table)
    if how == "card":
        report(table, "damaged-card", place="P3")
        decide(table, "sam", card="2H")
    else:
        report(table, "other-dealing-error", player=("KH", "AD", "2H"), banker=("2S", "2C"))
        decide(table, "sam")
        choose(table)
    assert table.table.phase is Phase.DEALING
    assert offered(table) == [(Moment.FOUR_CARDS, ("ann",))]


def test_5_3_who_let_only_an_offer_on_a_wrong_third_card_pass_is_offered_the_right_one() -> None:
    table = init_round(COMMISSION_2025, FOUR_REAL, *PAIRED)
    do(table, c.TakeInsurance(patron="ann", bet=Insurance.BANKER, stake_cents=Cents(1_000)))
    draw(table, "2D")
    do(table, c.DeclineInsurance(patron="ann"))
    report(table, "other-dealing-error", player=("KH", "AD", "AH"), banker=("2S", "2C"))
    decide(table, "sam")
    choose(table)
    assert offered(table)[-1] == (Moment.PLAYER_THIRD, ("ann",))
    do(table, c.ReportChips(by="dora", patron="bob", box=1, bet="banker", stake_cents=Cents(10_000)))


def test_5_3_who_kept_silent_at_an_offer_on_a_wrong_third_card_has_forgone_nothing() -> None:
    """2 against 2: no offer. With a six, 8 against 2: ann lets the offer pass. The card was a five: 7 against 2."""
    table = init_round(COMMISSION_2025, "KH 2S 2D KC 6H 3H")
    assert table.table.current.forgone == {"ann"}
    assert table.table.in_use.drawn == 6
    report(table, "other-dealing-error", player=("KH", "2D", "5H"), banker=("2S", "KC"))
    decide(table, "sam")
    choose(table)
    assert offered(table)[-1] == (Moment.PLAYER_THIRD, ("ann",))
    assert table.table.current.forgone == frozenset()
    assert isinstance(table.table.current.forgone, frozenset)
    assert table.table.in_use.drawn == 5, "the sixth card was never drawn"


@pytest.mark.parametrize("declines", [False, True])
def test_an_offer_is_open_still_where_the_card_that_ended_it_was_never_drawn(declines: bool) -> None:
    table = init_round(COMMISSION_2025, FOUR_REAL, *PAIRED)
    if declines:
        do(table, c.DeclineInsurance(patron="ann"))
    draw(table, "5H")
    report(table, "other-dealing-error", player=("KH", "AD"), banker=("2S", "2C"))
    decide(table, "sam")
    choose(table)
    take = c.TakeInsurance(patron="ann", bet=Insurance.BANKER, stake_cents=Cents(1_000))
    if declines:
        assert refused(table, take) == ("insurance-forgone", "5.3")
    else:
        do(table, take)


def ended(edition: str, *, loaded: bool, cards: str = NATURAL) -> Ruled:
    table = init_round(edition, cards)
    settle(table)
    do(table, c.EndShoe(by="dora"))
    if loaded:
        commence(table)
    return table


TRUE: dict[str, Any] = {"player": ("KH", "6D"), "banker": ("2S", "3C")}


@pytest.mark.parametrize("loaded", [False, True])
def test_i10_an_error_is_heard_until_the_next_betting_opens_also_after_the_shoe(loaded: bool) -> None:
    table = ended(COMMISSION_2025, loaded=loaded)
    phase = table.table.phase
    report(table, "other-dealing-error", **TRUE)
    assert refused(table, c.DecideIrregularity(by="sam", reason="late")) == ("bad-ruling", "5.16")
    assert options_given(decide(table, "sam", reconstruct=False))
    choose(table, bob="returned")
    assert (table.table.phase, balances(table)) == (phase, (1100, 1000)), "for ann the result stands"
    report(table, "wrong-hand")
    assert options_given(decide(table, "sam", reconstruct=False))
    choose(table)
    report(table, "wrong-hand")
    decide(table, "sam")
    report(table, "damaged-card", place="P2")
    assert refused(table, c.DecideIrregularity(by="sam", card="6D", reason="late"))[0] == "bad-ruling"
    decide(table, "sam", card="9D")
    report(table, "damaged-card", place="P2")
    decide(table, "sam")
    assert (table.table.phase, balances(table), table.table.current.void) == (phase, (1000, 1000), True)


@pytest.mark.parametrize("loaded", [False, True])
def test_l8_a_wrongly_dealt_hand_is_void_also_after_the_shoe(loaded: bool) -> None:
    table = ended(LIVE, loaded=loaded)
    report(table, "wrong-dealing", **TRUE)
    assert refused(table, c.DecideIrregularity(by="mia"))[0] == "bad-ruling"
    decide(table, "mia", reconstruct=False)
    assert balances(table) == (1000, 1000)


@pytest.mark.parametrize("kind", ["wrong-hand", "damaged-card", "other-dealing-error"])
def test_before_the_first_round_there_is_nothing_to_put_right(kind: str) -> None:
    table = opened(COMMISSION_2025)
    facts = {"place": "P1"} if kind == "damaged-card" else TRUE
    command = c.ReportIrregularity(by="dora", kind=kind, **facts)
    assert refused(table, command)[0] == "bad-report"
    commence(table)
    assert refused(table, command)[0] == "bad-report"


def test_l6_a_card_that_is_due_is_not_unneeded() -> None:
    table = init_round(LIVE, "KH 2S", ("ann", "player", 10_000))
    command = c.ReportIrregularity(by="dora", kind="unneeded-card", cards=("9D",))
    assert refused(table, command)[0] == "bad-report"
    draw(table, "9D 3C")
    carried_out(table, command)


def test_5_15_4_a_rightly_dealt_third_card_of_the_banker_decides_side_bets() -> None:
    sides = (("ann", "tie", 1_000), ("ann", "player_char_siu", 1_000))
    table = init_round(COMMISSION_2025, "KH 2S 2D 3C 6H KC", ("ann", "player", 10_000), *sides)
    settle(table)
    another(table, "")
    report(table, "late-table-of-play", round=1, player=("KH", "2D", "6H"), banker=("2S", "3C", "KC", "4D"))
    decide(table, "mia", reconstruct=False)
    results = {line.bet: line.result for line in table.table.past[1].lines}
    assert results == {Bet.PLAYER: "returned", Bet.TIE: "lost", "player_char_siu": "lost"}


def test_5_15_4_a_third_card_of_the_banker_after_one_too_many_decides_nothing() -> None:
    """Player 6 was wrongly dealt 9H, which was the Banker's: the 4H after it decides nothing about a tie."""
    table = init_round(COMMISSION_2025, "KH 2S 6D 3C 4H", ("ann", "tie", 1_000), ("ann", "player_pair", 1_000))
    settle(table)
    do(table, c.OpenBetting(by="dora"))
    report(table, "late-table-of-play", round=1, player=("KH", "6D", "9H"), banker=("2S", "3C", "4H"))
    decide(table, "mia", reconstruct=False)
    lines = {line.bet: (line.result, line.paragraph) for line in table.table.past[1].lines}
    assert lines == {Bet.TIE: ("returned", "5.21"), Bet.PLAYER_PAIR: ("lost", "4.1.4")}


def test_5_7_3_is_not_reported_against_the_record() -> None:
    table = init_round(COMMISSION_2025, "KH", high_limit=True)
    do(table, c.DrawCutCard(by="dora"))
    draw(table, "2S")
    assert refused(table, c.ReportIrregularity(by="dora", kind="cut-card"))[0] == "bad-report"


def test_3_14_ends_where_a_card_found_out_lets_the_banker_stand() -> None:
    """P7: consent holds only while the Banker draws whatever the Player's third card is."""
    table = init_round(COMMISSION_2025, "? ? ? ?", ("ann", "banker", 20_000), facing="down")
    for place, face in zip(("P1", "B1", "P2", "B2"), ("KH", "TS", "2D", "QC"), strict=True):
        do(table, c.ExposeCard(by="dora", place=place, card=face))
    do(table, c.AskBankerFirst(patron="ann", way="expose"))
    do(table, c.GrantBankerFirst(by="sam"))
    draw(table, "?")
    report(table, "damaged-card", place="B2")
    decide(table, "sam", card="6C")
    assert [card.place for card in table.table.current.cards] == ["P1", "B1", "P2", "B2", "P3"]
    assert refused(table, c.DrawCard(by="dora")) == ("cards-face-down", "3.15")
    do(table, c.ExposeCard(by="ann", place="P3", card="2H"))
    assert table.table.phase is Phase.COMPLETE, "the Banker stands on 6 against a 2"


def test_5_2_who_said_no_to_the_first_live_offer_is_told_why_the_second_is_not_his() -> None:
    """P6: to decline forgoes no later offer. bob is refused for another reason: bob has no wager on Player."""
    table = init_round(LIVE, "KH 2S 3D 2C")
    do(table, c.DeclineInsurance(patron="bob"))
    draw(table, "4H")
    command = c.TakeInsurance(patron="bob", bet=Insurance.PLAYER, stake_cents=Cents(100))
    assert refused(table, command) == ("no-original-bet", "5.2")


def test_2_2_1_a_shuffler_has_back_all_but_the_cards_that_wait() -> None:
    """O23: a card that waits for the next round is still one of the four that four decks hold."""
    table = init_round(COMMISSION_2025, NATURAL, device="shuffler", decks=4)
    settle(table)
    report(table, "excess-card", cards=("KS",))
    decide(table, "sam")
    another(table, "KS KS KS KS")
    assert refused(table, c.DrawCard(by="dora", card="KS"))[0] == "too-many-of-a-card"


def test_o28_a_report_is_withdrawn_with_a_reason() -> None:
    table = init_round(COMMISSION_2025, "KH")
    report(table, "void", cause="foreign-card")
    assert refused(table, c.DecideIrregularity(by="sam", action="unfounded")) == ("reason-needed", "5.5")
    decide(table, "sam", action="unfounded")
    assert table.table.phase is Phase.DEALING


def test_i1_wagers_wait_while_something_is_put_right_in_betting() -> None:
    """Betting has been called open: wagers wait because of the open irregularity, and its paragraph is cited."""
    table = init_round(COMMISSION_2025, NATURAL)
    settle(table)
    do(table, c.OpenBetting(by="dora"))
    report(table, "excess-card", cards=("5C",))
    wager = c.PlaceWager(patron="ann", box=1, bet="player", stake_cents=Cents(5_000))
    assert refused(table, wager) == ("betting-not-open", "5.8")
    decide(table, "sam")
    do(table, wager)
