"""Faults that random tables or a reader found, each with a test as Given, When, Then, so that none comes back."""

from __future__ import annotations

import pytest

from punto.game import commands as c
from punto.game import events as e
from punto.game.round import HEARD
from punto.game.table import Phase, conserved
from punto.money import Cents
from punto.rulebook.model import Rank
from tests.table import plain_limits
from tests.table.given import (
    CLOSE,
    DEALER,
    DRAW,
    FOUR,
    LIVE,
    OPEN,
    SETTLE,
    TIGER,
    given,
    kinds,
    limits,
    opened,
    refused,
    seated,
    shoe,
    standing,
    wager,
    when,
)

# Player 5 (2 3), Banker 4 (K 4): Player insurance at 3 to 2. Player's third 4 makes 9: the Banker draws.
FIVE_FOUR = "2S KS 3S 4S 4H 5H"
# Player 0, Banker 2: the Banker draws whatever the Player's third card is.
NOUGHT_TWO = "KS KH QS 2S 9S 9H"


def test_a_side_bet_may_have_a_maximum_under_the_main_minimum() -> None:
    """D1: a side bet without a minimum of its own has none; that of the main bets does not apply."""
    table = given(TIGER, opened(TIGER, limits=limits(1000, 100_000, tie=(None, 500))))
    assert table.phase is Phase.NO_SHOE


@pytest.mark.parametrize(
    "figures",
    [limits(1000, 500), limits(0, 500), limits(1000, 5000, 900), limits(100, 5000, player=(6000, None))],
    ids=["minimum over Differential", "no minimum", "minimum over maximum", "own minimum over Differential"],
)
def test_limits_that_no_wager_could_keep_are_refused(figures: object) -> None:
    assert refused(TIGER, given(TIGER), opened(TIGER, limits=figures)) == "bad-limits"


@pytest.mark.parametrize("by", ["", "x" * 65, "ann"])
def test_who_opens_a_table_has_a_name_and_is_no_patron(by: str) -> None:
    table = given(TIGER, opened(TIGER), standing("ann"), c.CloseTable(by="sue"))
    assert refused(TIGER, table, opened(TIGER, by=by)) == "bad-name"


@pytest.mark.parametrize("name", ["", " ", "x" * 41, " Tiger", "Tiger\n1"])
def test_what_people_call_a_table_fits_a_tile(name: str) -> None:
    assert refused(TIGER, given(TIGER), opened(TIGER, name=name)) == "bad-name"
    assert given(TIGER, opened(TIGER, name="虎牛 1")).opened.name == "虎牛 1"
    assert given(TIGER, opened(TIGER)).opened.name is None


def test_a_table_opened_again_offers_insurance_again() -> None:
    """4.2.2: the notice of an earlier opening is no notice of this one."""
    table = given(TIGER, opened(TIGER, private=True, insurance=False, asked_by="ann"), c.CloseTable(by="sue"))
    assert not table.insurance_offered
    assert given(TIGER, opened(TIGER), table=table).insurance_offered


def test_a_closed_table_has_nobody_seated() -> None:
    """P9: the next opening may have fewer positions."""
    table = given(TIGER, opened(TIGER), *seated("ann", 5), c.CloseTable(by="sue"), opened(TIGER, positions=1))
    assert table.patrons["ann"].box is None
    assert kinds(when(TIGER, table, c.Sit(patron="ann", box=1))) == ["SeatTaken"]


@pytest.mark.parametrize("chips", [-5, 10**15 + 1])
def test_chips_come_in_amounts_a_table_can_hold(chips: int) -> None:
    table = given(TIGER, opened(TIGER), standing("ann"))
    assert refused(TIGER, table, c.Join(patron="bob", chips_cents=Cents(chips))) == "bad-amount"
    assert refused(TIGER, table, c.BuyChips(patron="ann", chips_cents=Cents(chips))) == "bad-amount"


def test_a_stake_is_so_small_that_its_winnings_can_be_written() -> None:
    """An amount has thirteen digits before the point: the winnings of a trillion at 50 to 1 could not be stored."""
    betting = (*seated("ann", 1, 9 * 10**14), shoe(TIGER, ""), OPEN)
    table = given(TIGER, opened(TIGER, limits=limits(1000, 9 * 10**14)), *betting)
    assert refused(TIGER, table, wager("ann", 1, "tie", 10**12 + 1)) == "bad-amount"
    table = given(TIGER, wager("ann", 1, "tie", 10**12), table=table)
    more = c.RaiseWager(patron="ann", box=1, bet="tie", stake_cents=Cents(1))
    assert refused(TIGER, table, more) == "bad-amount"


def test_chips_conserve_when_the_shoe_ends_after_a_round() -> None:
    """M4: the settled round is still the current one (I10), but nothing of it lies on the layout."""
    played = (shoe(TIGER, "9S 8S KS KH"), OPEN, wager("ann", 1, "player", 1000), CLOSE, *FOUR, SETTLE)
    table = given(TIGER, opened(TIGER), *seated("ann", 1), *played, c.EndShoe(by="sue"))
    assert table.phase is Phase.NO_SHOE
    assert conserved(table)


def test_burning_past_the_cut_card_does_not_lose_it() -> None:
    """L2, L3: the burn skipped ten cards, and the cut card was among them, so no hand starts."""
    cut = c.PlaceCutCard(by="sue", after=5)
    table = given(LIVE, opened(LIVE), shoe(LIVE, "KS"), cut, c.Burn(by="sue"))
    assert kinds(when(LIVE, table, OPEN)) == ["CutCardDrawn"]


def test_a_cut_card_that_has_come_out_is_not_placed_again() -> None:
    loaded = c.LoadShoe(by="sue", count=416, shuffled=True)
    table = given(LIVE, opened(LIVE, source="live"), loaded, c.Burn(by="sue", card="2S"), c.DrawCutCard(by="sue"))
    assert refused(LIVE, table, c.PlaceCutCard(by="sue", after=300)) == "cut-card-placed"


def test_cutting_a_standing_wager_whole_leaves_no_excess_on_the_other_side() -> None:
    """D3: bob's rest of 50 on Banker is under the minimum and goes back whole; ann's Player is then too far ahead."""
    figures = limits(60, 100, banker=(None, 100))
    betting = (*seated("ann", 1), standing("bob"), shoe(TIGER, ""), OPEN)
    wagers = (wager("bob", 1, "banker", 100), wager("ann", 1, "player", 200))
    table = given(TIGER, opened(TIGER, limits=figures), *betting, *wagers)
    events = when(TIGER, table, wager("ann", 1, "banker", 50))
    assert kinds(events) == ["WagerCut", "WagerPlaced", "MinimumNoticed", "WagerCut"]
    assert [event.stake_cents for event in events if isinstance(event, e.WagerCut)] == [100, 50]


def test_a_cut_for_the_table_leaves_no_excess_in_another_box() -> None:
    """D3 with the table's Differential: cutting Banker in box 2 leaves Player too far ahead there."""
    figures = limits(10, 100, scope="box-and-table")
    people = (*seated("ann", 1), *seated("bob", 2), *seated("dee", 3), *seated("eve", 4), standing("cyd"))
    wagers = (
        wager("ann", 1, "banker", 100),
        wager("bob", 2, "player", 100),
        wager("cyd", 2, "banker", 50),
        c.RaiseWager(patron="bob", box=2, bet="player", stake_cents=Cents(50)),
        wager("ann", 1, "player", 100),
        wager("dee", 3, "banker", 100),
        wager("eve", 4, "banker", 100),
    )
    table = given(TIGER, opened(TIGER, limits=figures), *people, shoe(TIGER, ""), OPEN, *wagers)
    assert len(table.current.wagers) == 6
    events = when(TIGER, table, c.WithdrawWager(patron="ann", box=1, bet="player"))
    assert {event.patron for event in events if isinstance(event, e.WagerCut)} >= {"cyd", "bob"}
    table = given(TIGER, c.WithdrawWager(patron="ann", box=1, bet="player"), table=table)
    assert plain_limits.fault(figures, list(table.current.wagers.values())) is None


def test_wagers_returned_at_the_close_are_judged_together() -> None:
    """D5, D3: both small wagers go back; cyd's standing wager is not cut for an excess that is gone with them."""
    people = (*seated("ann", 1), standing("cyd"))
    wagers = (wager("ann", 1, "player", 5), wager("cyd", 1, "banker", 100), wager("ann", 1, "banker", 5))
    table = given(TIGER, opened(TIGER, limits=limits(10, 100)), *people, shoe(TIGER, ""), OPEN, *wagers)
    assert kinds(when(TIGER, table, CLOSE)) == ["WagerReturned", "WagerReturned", "BettingClosed"]


@pytest.mark.parametrize(
    "command",
    [
        c.WithdrawWager(patron="ann", box=1, bet="player"),
        c.LowerWager(patron="ann", box=1, bet="player", stake_cents=Cents(1)),
    ],
)
def test_the_wagers_of_one_who_walked_away_stay(command: c.AnyCommand) -> None:
    """5.3.1: the wagers are settled; a patron who is away can't lower or withdraw them."""
    placed = (shoe(TIGER, ""), OPEN, wager("ann", 1, "player", 1000), c.Leave(patron="ann"))
    table = given(TIGER, opened(TIGER), *seated("ann", 1), *placed)
    assert refused(TIGER, table, command) == "unknown-patron"


@pytest.mark.parametrize("rules", [LIVE, TIGER], ids=["Live", "Tiger Buffalo"])
def test_saying_no_costs_the_round_only_where_the_edition_says_so(rules: object) -> None:
    """P6: 5.3 forfeits the rest of the round; the Live page has no such forfeit, there only the offer ends."""
    book = LIVE if rules is LIVE else TIGER
    burnt = (shoe(LIVE, f"AS AH {FIVE_FOUR}"), c.Burn(by="sue")) if book is LIVE else (shoe(TIGER, FIVE_FOUR),)
    staked = (OPEN, wager("ann", 1, "player", 5000), CLOSE, *FOUR)
    table = given(book, opened(book), *seated("ann", 1), *burnt, *staked)
    assert table.phase is Phase.OFFER
    table = given(book, c.DeclineInsurance(patron="ann"), table=table)
    take = c.TakeInsurance(patron="ann", bet="player_insurance", stake_cents=Cents(1))
    assert refused(book, table, take) == "insurance-forgone"
    assert refused(book, table, c.DeclineInsurance(patron="ann")) == "no-such-offer"
    table = given(book, DRAW, table=table)
    assert (table.phase is Phase.OFFER) == (book is LIVE)


def test_a_patron_who_comes_back_brings_the_offer_back() -> None:
    """P2, Live: nobody was there when the fourth card fell; the phase table allows a join to lead to the offer."""
    burnt = (shoe(LIVE, f"AS AH {FIVE_FOUR}"), c.Burn(by="sue"))
    staked = (OPEN, wager("ann", 1, "player", 5000), CLOSE, c.Leave(patron="ann"), *FOUR)
    table = given(LIVE, opened(LIVE), *seated("ann", 1), *burnt, *staked)
    assert table.phase is Phase.DEALING
    table = given(LIVE, standing("ann"), table=table)
    assert table.phase is Phase.OFFER
    assert Phase.OFFER in HEARD[Phase.DEALING][c.Join]


def _face_down(top: str) -> tuple[c.AnyCommand, ...]:
    people = (DEALER, *seated("ann", 1), *seated("bob", 2))
    wagers = (wager("ann", 1, "player", 5000), wager("bob", 2, "player", 4000))
    return (opened(TIGER, facing="down"), *people, shoe(TIGER, top), OPEN, *wagers, CLOSE)


def _turned(*places: str, by: str = "dan") -> tuple[c.ExposeCard, ...]:
    return tuple(c.ExposeCard(by=by, place=place) for place in places)


def test_a_granted_squeeze_is_not_lost_by_asking_again() -> None:
    """P7: what the Dealer granted stands until the cards are turned."""
    commands = (c.AskSqueeze(patron="ann", places=("P1",)), c.GrantSqueeze(by="dan"), DRAW)
    table = given(TIGER, *_face_down(FIVE_FOUR), *commands)
    again = c.AskSqueeze(patron="ann", places=("P2",))
    assert refused(TIGER, table, again) == "squeeze-granted"
    table = given(TIGER, *_turned("P1", by="ann"), table=table)
    assert kinds(when(TIGER, table, again)) == ["SqueezeAsked"]


def test_a_place_is_asked_for_once() -> None:
    table = given(TIGER, *_face_down(FIVE_FOUR))
    assert refused(TIGER, table, c.AskSqueeze(patron="ann", places=("P1", "P1"))) == "too-late-to-squeeze"


def test_one_who_walked_away_turns_no_card_and_is_granted_none() -> None:
    request = c.AskSqueeze(patron="ann", places=("P1",))
    table = given(TIGER, *_face_down(FIVE_FOUR), request)
    gone = given(TIGER, c.Leave(patron="ann"), table=table)
    assert refused(TIGER, gone, c.GrantSqueeze(by="dan")) == "not-highest-bet"
    gone = given(TIGER, c.GrantSqueeze(by="dan"), DRAW, c.Leave(patron="ann"), table=table)
    assert refused(TIGER, gone, c.ExposeCard(by="ann", place="P1")) == "no-squeeze"
    assert kinds(when(TIGER, gone, c.ExposeCard(by="dan", place="P1"))) == ["CardExposed"]


def test_asking_again_does_not_take_back_the_waiver() -> None:
    """3.14: once the House has consented, the second offer is waived for the round."""
    four = (*_face_down(NOUGHT_TWO), *FOUR, *_turned("P1", "P2", "B1", "B2"))
    ask = c.AskBankerFirst(patron="ann", way="squeeze")
    table = given(TIGER, *four, ask, c.GrantBankerFirst(by="sue"))
    assert refused(TIGER, table, ask) == "nothing-to-do"
    assert table.current.waived


def test_consent_to_one_who_walked_away_is_none() -> None:
    four = (*_face_down(NOUGHT_TWO), *FOUR, *_turned("P1", "P2", "B1", "B2"))
    table = given(TIGER, *four, c.AskBankerFirst(patron="ann", way="squeeze"), c.Leave(patron="ann"))
    assert refused(TIGER, table, c.GrantBankerFirst(by="sue")) == "not-highest-bet"


def test_a_dealer_may_not_consent() -> None:
    four = (*_face_down(NOUGHT_TWO), *FOUR, *_turned("P1", "P2", "B1", "B2"))
    table = given(TIGER, *four, c.AskBankerFirst(patron="ann", way="squeeze"))
    assert table.staff["dan"] is Rank.DEALER
    assert refused(TIGER, table, c.GrantBankerFirst(by="dan")) == "wrong-rank"
