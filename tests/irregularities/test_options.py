"""The options of 5.16 (2024: 5.12), where chips lie, what void means, and discretion. Numbers: 2025's, then 2024's."""

from __future__ import annotations

from punto.game import commands as c
from punto.game import events as e
from punto.game import insurance_offers
from punto.game.table import Phase
from punto.money import Cents
from punto.rulebook.model import Insurance, Moment
from tests.irregularities.given import (
    BANKER_WINS,
    COMMISSION_2025,
    FOUR,
    balances,
    both,
    carried_out,
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
from tests.irregularities.laws import BOOKS, Ruled
from tests.irregularities.standing import do


@both
def test_5_16_the_three_options(edition: str) -> None:
    table = init_round(edition, FOUR)
    report(table, "other-dealing-error")
    assert options_given(decide(table, "sam", reconstruct=False)), "without proviso"
    returned = number(edition, "5.16.3", "5.12.3")
    continues = number(edition, "5.16.1", "5.12.1")
    assert carried_out(table, c.ChooseOption(patron="bob", option="continue"))[0].paragraph == continues
    choose(table, ann="returned")
    assert paragraphs(table.table.current, "ann") == {("returned", returned)}
    draw(table, "4H")
    settle(table)
    assert balances(table) == (1000, 1095)
    assert paragraphs(table.table.current, "ann") == {("returned", returned)}


@both
def test_5_16_who_took_their_bets_back_is_not_asked_for_insurance(edition: str) -> None:
    """P2, O53: an offer is made to patrons who have an Original Bet on that hand."""
    table = init_round(edition, FOUR, ("ann", "player", 10_000), ("bob", "player", 5_000))
    report(table, "other-dealing-error")
    decide(table, "sam")
    choose(table, ann="returned")
    assert (table.table.phase, insurance_offers.unanswered(table.table)) == (Phase.OFFER, ("bob",))


@both
def test_5_16_if_nobody_continues_the_round_has_no_result(edition: str) -> None:
    table = init_round(edition, FOUR)
    report(table, "other-dealing-error")
    decide(table, "sam")
    choose(table, ann="returned", bob="returned")
    assert (table.table.phase, table.table.current.winner) == (Phase.SETTLED, None)
    assert table.table.in_use.results == {}


@both
def test_5_16_bets_returned_are_all_of_them_decided_ones_and_insurance_included(edition: str) -> None:
    table = init_round(
        edition, FOUR, ("ann", "player", 10_000), ("ann", "player_pair", 1_000), ("bob", "banker", 10_000)
    )
    do(table, c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(1_000)))
    report(table, "other-dealing-error")
    decide(table, "sam")
    choose(table, ann="returned")
    assert balances(table) == (1000, 900)


def test_5_19_chips_settle_where_they_lie_until_they_are_moved() -> None:
    table = init_round(COMMISSION_2025, FOUR)
    misplaced = c.TakeInsurance(
        patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(1_000), area=Insurance.BANKER, by="dora"
    )
    do(table, misplaced)
    draw(table, "4H")
    settle(table)
    assert balances(table) == (890, 1095)


@both
def test_5_21_every_line_of_a_void_round_is_a_return(edition: str) -> None:
    table = init_round(edition, BANKER_WINS)
    settle(table)
    report(table, "void", cause="not-reconstructible")
    decide(table, "sam")
    assert balances(table) == (1000, 1000)
    assert {line.paragraph for line in table.table.current.lines} == {number(edition, "5.21", "5.16")}


@both
def test_a_void_round_gives_no_options(edition: str) -> None:
    table = init_round(edition, BANKER_WINS)
    report(table, "void", cause="foreign-card")
    decide(table, "sam")
    report(table, "excess-card", cards=("9C",))
    assert not options_given(decide(table, "sam", reason="seen"))
    assert table.table.phase is Phase.SETTLED


@both
def test_5_23_the_rest_is_the_table_game_shift_managers_in_writing(edition: str) -> None:
    table = init_round(edition, FOUR)
    report(table, "discretion")
    cite = number(edition, "5.23", "5.18")
    assert refused(table, c.DecideIrregularity(by="mia", action="stand", reason="x")) == ("wrong-rank", cite)
    assert refused(table, c.DecideIrregularity(by="tess", action="stand")) == ("reason-needed", cite)
    decide(table, "tess", action="pay", pay_cents={"ann": Cents(5_000)})
    assert balances(table) == (950, 900)


@both
def test_what_nobody_reports_is_said_so(edition: str) -> None:
    table = init_round(edition, "")
    for kind, row in BOOKS[edition].irregularities.items():
        if kind in (
            "limit-passed",
            "under-minimum",
            "late-wagers",
            "chips-lie",
            "void-returns",
            "staff-place",
        ):
            command = c.ReportIrregularity(by="dora", kind=kind)
            assert refused(table, command) == ("applied-in-play", row.cite)


def squeezing(cards: str) -> Ruled:
    """Cards lie face down: ann was granted the squeeze of the first four, and these cards have been drawn."""
    table = init_round(COMMISSION_2025, "", ("ann", "player", 20_000), ("bob", "banker", 10_000), facing="down")
    do(table, c.AskSqueeze(patron="ann", places=("P1", "B1", "P2", "B2")), c.GrantSqueeze(by="dora"))
    draw(table, cards)
    return table


def test_o129_a_card_that_one_patron_has_seen_is_turned_before_anybody_chooses() -> None:
    table = squeezing("KH")
    report(table, "reset")
    turned, opened = decide(table, "sam")[1:]
    assert isinstance(turned, e.CardExposed)
    assert (turned.place, turned.card, turned.by) == ("P1", "KH", "ann")
    assert isinstance(opened, e.OptionsOpened)
    choose(table, ann="returned")
    draw(table, "2S")
    report(table, "reset")
    assert tags(decide(table, "sam"))[1:] == ["card-exposed", "options-opened"], "the squeeze has passed to bob"


def test_o129_an_outcome_that_one_patron_has_seen_is_established() -> None:
    """Four cards show whether a pair was dealt. ann has seen them, so there are no options, and ann squeezes on."""
    table = squeezing(FOUR)
    report(table, "reset")
    assert tags(decide(table, "sam"))[1:] == ["play-resumed"]
    assert not any(card.exposed for card in table.table.current.cards)
    do(table, c.ExposeCard(by="ann", place="P1"))


def test_o129_where_the_options_have_no_proviso_all_choose_on_the_same_cards() -> None:
    table = squeezing(FOUR)
    report(table, "other-dealing-error")
    events = decide(table, "sam", reconstruct=False)
    assert tags(events)[1:] == ["card-exposed"] * 4 + ["options-opened"]
    assert table.table.current.all_open
    do(table, c.ResumePlay(by="dora"))
    assert table.table.phase is Phase.OFFER, "what the open cards call for comes after the choice"


def late_offer_beside_a_squeeze() -> Ruled:
    """ann has seen P3; the insurance that bob was not offered is offered late, while P3 lies face down."""
    table = init_round(COMMISSION_2025, "", ("ann", "player", 50_000), ("bob", "banker", 40_000), facing="down")
    do(table, c.AskSqueeze(patron="ann", places=("P3",)), c.GrantSqueeze(by="dora"))
    draw(table, "3S 6S KS KD")
    for place in ("P1", "B1", "P2", "B2"):
        do(table, c.ExposeCard(by="dora", place=place))
    draw(table, "5H")
    report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    decide(table, "mia")
    assert table.table.phase is Phase.OFFER
    return table


def test_o129_a_late_offer_ends_when_its_card_is_turned_for_all() -> None:
    """I7: nobody insures a hand whose last card lies open, and the round goes on to its end."""
    table = late_offer_beside_a_squeeze()
    report(table, "other-dealing-error")
    assert tags(decide(table, "sam", reconstruct=False))[1:] == ["insurance-closed", "card-exposed", "options-opened"]
    do(table, c.ResumePlay(by="dora"))
    taken = c.TakeInsurance(patron="bob", bet=Insurance.BANKER, stake_cents=Cents(2_500))
    assert refused(table, taken)[0] == "no-such-offer"
    assert table.table.phase is Phase.COMPLETE
    settle(table)


def test_5_13_a_late_offer_ends_when_its_card_is_determined() -> None:
    table = late_offer_beside_a_squeeze()
    report(table, "damaged-card", place="P3")
    assert tags(decide(table, "mia", card="5H"))[1:3] == ["insurance-closed", "card-determined"]
    assert table.table.phase is Phase.COMPLETE
    settle(table)


def test_o129_a_card_that_nobody_has_seen_stays_down_and_proves_nothing() -> None:
    """W4: the 9S that was drawn too soon comes to a place that ann squeezes, and nobody has seen it."""
    table = init_round(COMMISSION_2025, "", ("ann", "player", 20_000), ("bob", "banker", 10_000), facing="down")
    do(table, c.AskSqueeze(patron="ann", places=("P1", "P2")), c.GrantSqueeze(by="dora"))
    draw(table, "9H 6S")
    report(table, "excess-card", cards=("9S",), exposed=False)
    assert tags(decide(table, "sam", reconstruct=True))[1:] == ["cards-reconstructed", "card-exposed", "options-opened"]
    assert {card.place: card.exposed for card in table.table.current.cards} == {"P1": True, "B1": False, "P2": False}


def test_o129_a_card_that_is_opened_after_the_bankers_has_been_seen_by_nobody() -> None:
    """3.14: ann may turn the Player's third card, but not before the Banker's is open."""
    table = init_round(COMMISSION_2025, "", ("ann", "player", 50_000), ("bob", "banker", 40_000), facing="down")
    draw(table, "3S 2S KS KD")
    for place in ("P1", "B1", "P2", "B2"):
        do(table, c.ExposeCard(by="dora", place=place))
    do(table, c.AskBankerFirst(patron="ann", way="expose"), c.GrantBankerFirst(by="sam"))
    draw(table, "6H")
    report(table, "other-dealing-error")
    assert tags(decide(table, "sam", reconstruct=False))[1:] == ["options-opened"]
