"""Chips found, debts and insurance, where one remedy follows another; what a virtual shoe can not have given."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from punto.game import commands as c
from punto.game import events as e
from punto.game.audience import Audience, view
from punto.game.irregularities.lines import collected, reversal
from punto.game.table import Phase
from punto.money import Cents
from punto.rulebook.model import Insurance, Moment
from tests.irregularities.given import (
    BANKER_WINS,
    COMMISSION_2025,
    LIVE,
    NATURAL,
    another,
    balances,
    choose,
    decide,
    draw,
    init_round,
    insure,
    options_given,
    paragraphs,
    refused,
    report,
    settle,
)
from tests.irregularities.laws import BOOKS, Ruled
from tests.irregularities.standing import do
from tests.irregularities.trouble import FACES


def chips(patron: str, bet: str, cents: int) -> c.ReportChips:
    box = {"ann": 1, "bob": 2}[patron]
    return c.ReportChips(by="dora", patron=patron, box=box, bet=bet, stake_cents=Cents(cents))


def put_right(table: Ruled, player: str, banker: str) -> None:
    """Report the hands as they truly lay; everybody goes on, and the round is settled anew."""
    report(table, "other-dealing-error", player=tuple(player.split()), banker=tuple(banker.split()))
    decide(table, "sam")
    do(table, c.ResumePlay(by="dora"))
    settle(table)


def cashed() -> Ruled:
    """ann has won and cashed everything; then it turns out that ann lost and owes what was paid."""
    table = init_round(COMMISSION_2025, NATURAL)
    settle(table)
    do(table, c.CashChips(patron="ann", chips_cents=Cents(110_000)))
    put_right(table, "KH 6D", "2S 5C")
    assert (balances(table)[0], table.table.owed_cents) == (0, {"ann": 20_000})
    return table


def test_o82_of_somebody_whom_the_table_has_forgotten_nothing_is_taken() -> None:
    """All that ann was paid is owed, to the cent."""
    ruled = init_round(COMMISSION_2025, NATURAL)
    settle(ruled)
    table = replace(ruled.table, patrons={"bob": ruled.table.patrons["bob"]})
    (entry,) = reversal(table)
    assert (entry.patron, entry.taken_cents, entry.owed_cents) == ("ann", 0, 20_000)


def test_i10_who_owes_sees_how_much_and_nobody_else_s() -> None:
    table, rules = cashed().table, BOOKS[COMMISSION_2025]
    assert view(rules, table, Audience.PATRON, "ann").owed_cents == 20_000
    assert view(rules, table, Audience.PATRON, "bob").owed_cents is None
    assert view(rules, table, Audience.PIT).owed_by == {"ann": 20_000}


def test_i6_a_void_collects_no_debt_that_it_has_cleared() -> None:
    table = cashed()
    report(table, "void", cause="not-reconstructible")
    decide(table, "sam")
    assert (balances(table)[0], table.table.owed_cents) == (0, {"ann": 10_000})


def test_i10_a_second_reopening_remembers_what_is_owed_for_the_round() -> None:
    table = cashed()
    put_right(table, "KH 9D", "2S 5C")
    assert (balances(table)[0], table.table.owed_cents, table.table.current.owed_cents) == (0, {}, {})


@pytest.mark.parametrize(
    ("of_the_round", "in_all", "handed_back", "kept"),
    [(200, 900, 500, 200), (200, 150, 500, 150), (200, 900, 50, 50), (200, 0, 500, 0)],
)
def test_i10_no_more_is_collected_than_is_owed(of_the_round: int, in_all: int, handed_back: int, kept: int) -> None:
    """Not what is owed from another round, not what has been paid since, and not more than is handed back."""
    ruled = init_round(COMMISSION_2025, NATURAL)
    settle(ruled)
    line = replace(ruled.table.current.lines[0], patron="ann", handed_back_cents=Cents(handed_back))
    current = replace(ruled.table.current, owed_cents={"ann": Cents(of_the_round)})
    table = replace(ruled.table, round=current, owed_cents={"ann": Cents(in_all)})
    entries = [entry for event in collected(BOOKS[COMMISSION_2025], table, (line,)) for entry in event.entries]
    assert [(entry.taken_cents, entry.cleared_cents) for entry in entries] == ([(kept, kept)] if kept else [])


@pytest.mark.parametrize("settled", [True, False])
def test_5_16_3_no_chips_are_found_of_who_has_taken_his_bets_back(settled: bool) -> None:
    table = init_round(COMMISSION_2025, NATURAL if settled else "KH 2S")
    if settled:
        settle(table)
    report(table, "wrong-hand")
    assert options_given(decide(table, "sam", reconstruct=False))
    choose(table, ann="returned")
    assert refused(table, chips("ann", "player", 5_000)) == ("not-now", "5.16.3")
    do(table, chips("bob", "tie", 5_000))


def test_5_17_1_late_insurance_wins_no_more_than_the_original_bet_that_is_in_play() -> None:
    """O17: 400.00 on Player at 4 to 1 allow 100.00 of late insurance; then only 250.00 of the 400.00 are in play."""
    bets = (("ann", "player", 40_000),)
    table = init_round(COMMISSION_2025, "? ? ? ?", *bets, facing="down", differential=Cents(50_000))
    for place, face in (("P1", "KH"), ("B1", "2S"), ("P2", "7D"), ("B2", "3C")):
        do(table, c.ExposeCard(by="dora", place=place, card=face))
    draw(table, "?")
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    decide(table, "mia")
    late = c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(10_000), after=Moment.FOUR_CARDS)
    do(table, late)
    do(table, c.ReportChips(by="dora", patron="bob", box=1, bet="player", stake_cents=Cents(40_000)))
    (taken,) = table.table.current.insurance
    assert (table.table.current.wagers["w1"].in_play_cents, taken.in_play_cents) == (25_000, 6_250)
    do(table, c.ExposeCard(by="dora", place="B3", card="4H"))
    settle(table)
    won = [line for line in table.table.current.lines if line.result == "won"]
    assert [(line.bet, line.winnings_cents) for line in won] == [(Insurance.PLAYER, 25_000)]


def test_i10_chips_are_found_in_a_box_that_was_left_since() -> None:
    table = init_round(COMMISSION_2025, NATURAL)
    settle(table)
    do(table, c.StandUp(patron="ann"), chips("ann", "player", 5_000))
    assert balances(table) == (1150, 900)


def test_i10_chips_that_lie_on_the_layout_are_not_taken_for_a_debt() -> None:
    """ann has cashed all but 50.00, which lay on Player without having been entered."""
    table = init_round(COMMISSION_2025, NATURAL)
    settle(table)
    do(table, c.CashChips(patron="ann", chips_cents=Cents(105_000)), chips("ann", "player", 5_000))
    assert (balances(table)[0], table.table.owed_cents) == (100, {})
    assert refused(table, chips("ann", "player", 10_100))[0] == "not-enough-chips"


def test_5_7_1_the_cut_card_does_not_come_first_where_cards_wait() -> None:
    table = init_round(COMMISSION_2025, NATURAL, high_limit=True)
    report(table, "excess-card", cards=("9S",))
    decide(table, "sam")
    if table.table.phase is Phase.OPTIONS:
        do(table, c.ResumePlay(by="dora"))
    settle(table)
    another(table, "")
    assert [card.face for card in table.table.in_use.carried] == ["9S"]
    do(table, c.DrawCutCard(by="dora"))
    assert table.table.phase is Phase.DEALING


def test_5_7_1_wagers_that_were_withdrawn_share_no_capacity_later() -> None:
    bets = (("ann", "player", 40_000), ("bob", "player", 40_000))
    table = init_round(COMMISSION_2025, "", *bets, high_limit=True, differential=Cents(50_000))
    do(table, c.DrawCutCard(by="dora"), c.WithdrawWager(patron="bob", box=2, bet="player"))
    do(table, c.ReportChips(by="dora", patron="ann", box=2, bet="player", stake_cents=Cents(50_000)))
    assert {wager.in_play_cents for wager in table.table.current.wagers.values()} == {40_000, 50_000}


def test_p6_live_a_no_at_either_moment_is_remembered() -> None:
    on_banker = (("ann", "banker", 10_000), ("bob", "banker", 10_000))
    table = init_round(LIVE, "KH 2S 3D 3C", *on_banker)
    do(table, c.DeclineInsurance(patron="ann"), c.Leave(patron="bob"))
    draw(table, "7S")
    do(table, c.DeclineInsurance(patron="ann"), c.Join(patron="bob"))
    assert table.table.current.offer is not None
    assert table.table.current.offer.patrons == ("bob",)


def test_p6_live_who_comes_back_before_the_next_card_has_the_offer_though_nobody_else_had_it() -> None:
    table = init_round(LIVE, "KH 2S 7D")
    do(table, c.Leave(patron="ann"))
    draw(table, "3C")
    assert table.table.current.offer is None
    do(table, c.Join(patron="ann"))
    assert table.table.phase is Phase.OFFER


def test_5_17_2_a_return_that_lapsed_bars_no_other() -> None:
    """On the true cards there was no offer after four cards; the one after the Player's third card was missed too."""
    table = init_round(COMMISSION_2025, BANKER_WINS)
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    decide(table, "mia", patrons=("ann",))
    settle(table)
    put_right(table, "KH 2D 5H", "2S JC 6H")
    assert paragraphs(table.table.current, "ann") == {("lost", "4.1.2")}
    report(table, "insurance-missed", after=Moment.PLAYER_THIRD)
    decide(table, "mia", patrons=("ann",))
    assert paragraphs(table.table.current, "ann") == {("returned", "5.17.2")}


def virtual(cut_at: int | None = None) -> Ruled:
    """A virtual shoe that gives Player KH 7D against Banker 2S 3C and 4H."""
    table = init_round(COMMISSION_2025)
    settings = table.table.opened
    fresh = Ruled(table.opened_under, closely=True)
    do(
        fresh,
        c.OpenTable(
            by="sam",
            table="T1",
            edition=COMMISSION_2025,
            layout=settings.layout,
            positions=settings.positions,
            limits=settings.limits,
            source="virtual",
        ),
    )
    for name, rank in table.table.staff.items():
        if name != "sam":
            do(fresh, c.StartDuty(name=name, rank=rank))
    for box, name in enumerate(("ann", "bob"), 1):
        do(fresh, c.Join(patron=name, chips_cents=Cents(100_000)), c.Sit(patron=name, box=box))
    first = ["KH", "2S", "7D", "3C", "4H", "5H", "6H", "8H"]
    rest = list(FACES * settings.decks)
    for face in first:
        rest.remove(face)
    do(fresh, c.LoadShoe(by="dora", count=52 * settings.decks, shuffled=True, order=(*first, *rest)))
    if cut_at is not None:
        do(fresh, c.PlaceCutCard(by="dora", after=cut_at))
    another(fresh, "? ? ? ?")
    return fresh


@pytest.mark.parametrize(("count", "drawn"), [(3, True), (2, False)])
def test_5_7_a_cut_card_among_reported_cards_of_a_virtual_shoe_has_come_out(count: int, drawn: bool) -> None:
    """The cut card lies behind six cards, of which four are dealt: the third reported card came after it."""
    table = virtual(cut_at=6)
    report(table, "excess-card", count=count)
    assert table.table.in_use.cut_drawn is drawn
    assert isinstance(table.events[-1], e.CutCardDrawn) is drawn


@pytest.mark.parametrize("hands", [(("KH", "7D", "4H"), ("2S", "3C")), (("9H", "7D"), ("2S", "3C"))])
def test_o60_a_virtual_shoe_has_given_no_other_cards(hands: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    table = virtual()
    report_ = c.ReportIrregularity(by="dora", kind="other-dealing-error", player=hands[0], banker=hands[1])
    assert refused(table, report_) == ("bad-report", "5.16")
    draw(table, "?")
    settle(table)
    do(table, c.OpenBetting(by="dora"))
    player, banker = ("KH", "7D"), ("9S", "3C", "4H", "5C")
    late = c.ReportIrregularity(by="dora", kind="late-table-of-play", round=1, player=player, banker=banker)
    assert refused(table, late) == ("bad-report", "5.15")


@pytest.mark.parametrize("took", [True, False])
def test_o19_chips_found_after_the_first_moment_forgo_nothing_for_one_who_insured_at_it(took: bool) -> None:
    """ann has a bet on Player in box 1, and chips on Player in bob's box that nobody had entered. 5 v 4, then 9 v 4."""
    table = init_round(COMMISSION_2025, "2S KS 3S 4S", ("ann", "player", 10_000), ("bob", "banker", 10_000))
    if took:
        insure(table, 1_000)
    draw(table, "4H")
    do(table, c.ReportChips(by="dora", patron="ann", box=2, bet="player", stake_cents=Cents(5_000)))
    command = c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(15_000))
    if took:
        do(table, command)
    else:
        assert refused(table, command) == ("insurance-forgone", "5.3")


def test_live_who_turns_out_to_be_on_both_hands_sees_no_offer() -> None:
    """O17: what a view says may be staked is what the table would take."""
    table = init_round(LIVE, "KH 2S 7D 3C")
    rules = BOOKS[LIVE]
    assert view(rules, table.table, Audience.PATRON, "ann").may_insure_cents == {"ann": 2_500}
    do(table, chips("ann", "banker", 5_000))
    assert refused(table, c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(1)))[1] == "5.2"
    assert view(rules, table.table, Audience.PATRON, "ann").may_insure_cents == {}
    assert view(rules, table.table, Audience.DEALER).may_insure_cents == {}


def test_o28_cards_that_have_left_a_virtual_shoe_are_ruled_on() -> None:
    table = virtual()
    report(table, "excess-card", count=1)
    mistaken = c.DecideIrregularity(by="sam", action="unfounded", reason="nobody saw it")
    assert refused(table, mistaken) == ("bad-ruling", "5.8")
