"""The options of 5.16 (2024: 5.12), where chips lie, what void means, and discretion. Numbers: 2025's, then 2024's."""

from __future__ import annotations

from punto.game import commands as c
from punto.game.table import Phase
from punto.money import Cents
from punto.rulebook.model import Insurance
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
    given,
    number,
    options_given,
    paragraphs,
    refused,
    report,
    settle,
)
from tests.irregularities.laws import BOOKS
from tests.irregularities.standing import do


@both
def test_5_16_the_three_options(edition: str) -> None:
    table = given(edition, FOUR)
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
def test_5_16_if_nobody_continues_the_round_has_no_result(edition: str) -> None:
    table = given(edition, FOUR)
    report(table, "other-dealing-error")
    decide(table, "sam")
    choose(table, ann="returned", bob="returned")
    assert (table.table.phase, table.table.current.winner) == (Phase.SETTLED, None)
    assert table.table.in_use.results == {}


@both
def test_5_16_bets_returned_are_all_of_them_decided_ones_and_insurance_included(edition: str) -> None:
    table = given(edition, FOUR, ("ann", "player", 10_000), ("ann", "player_pair", 1_000), ("bob", "banker", 10_000))
    do(table, c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(1_000)))
    report(table, "other-dealing-error")
    decide(table, "sam")
    choose(table, ann="returned")
    assert balances(table) == (1000, 900)


def test_5_19_chips_settle_where_they_lie_until_they_are_moved() -> None:
    table = given(COMMISSION_2025, FOUR)
    misplaced = c.TakeInsurance(
        patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(1_000), area=Insurance.BANKER, by="dora"
    )
    do(table, misplaced)
    draw(table, "4H")
    settle(table)
    assert balances(table) == (890, 1095)


@both
def test_5_21_every_line_of_a_void_round_is_a_return(edition: str) -> None:
    table = given(edition, BANKER_WINS)
    settle(table)
    report(table, "void", cause="not-reconstructible")
    decide(table, "sam")
    assert balances(table) == (1000, 1000)
    assert {line.paragraph for line in table.table.current.lines} == {number(edition, "5.21", "5.16")}


@both
def test_a_void_round_gives_no_options(edition: str) -> None:
    table = given(edition, BANKER_WINS)
    report(table, "void", cause="foreign-card")
    decide(table, "sam")
    report(table, "excess-card", cards=("9C",))
    assert not options_given(decide(table, "sam", reason="seen"))
    assert table.table.phase is Phase.SETTLED


@both
def test_5_23_the_rest_is_the_table_game_shift_managers_in_writing(edition: str) -> None:
    table = given(edition, FOUR)
    report(table, "discretion")
    cite = number(edition, "5.23", "5.18")
    assert refused(table, c.DecideIrregularity(by="mia", action="stand", reason="x")) == ("wrong-rank", cite)
    assert refused(table, c.DecideIrregularity(by="tess", action="stand")) == ("reason-needed", cite)
    decide(table, "tess", action="pay", pay_cents={"ann": Cents(5_000)})
    assert balances(table) == (950, 900)


@both
def test_what_nobody_reports_is_said_so(edition: str) -> None:
    table = given(edition, "")
    for kind, row in BOOKS[edition].irregularities.items():
        if kind in (
            "limit-passed",
            "under-minimum",
            "late-wagers",
            "chips-lie",
            "void-returns",
            "staff-place",
        ):
            asked = c.ReportIrregularity(by="dora", kind=kind)
            assert refused(table, asked) == ("applied-in-play", row.cite)
