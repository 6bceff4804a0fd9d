"""Cases of a review: who chooses the insurance area, how limits are judged, debts, and a line that is too long."""

from __future__ import annotations

import io
import json

from punto.cli import replay
from punto.cli.lines import batches
from punto.game import commands as c
from punto.game import insurance_offers
from punto.game.audience import Audience, view
from punto.game.moves import replace
from punto.game.settlement import Limits
from punto.game.table import BetLimits
from punto.money import Cents
from punto.rulebook.model import Bet, Insurance, Side
from tests.irregularities.given import (
    BANKER_WINS,
    COMMISSION_2025,
    NATURAL,
    choose,
    decide,
    init_round,
    refused,
    report,
    settle,
)
from tests.irregularities.laws import BOOKS
from tests.irregularities.standing import do


def test_5_18_a_patron_cannot_choose_the_wrong_area_himself() -> None:
    table = init_round(COMMISSION_2025, "KH 2S 7D 3C")
    take = c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(1_000), area=Insurance.BANKER)
    assert refused(table, take) == ("no-such-offer", "3.11")


def test_i3_limits_are_judged_as_the_wagers_lay_at_the_close() -> None:
    """In box 1 ann's 1000 on Player was within 500 of bob's 500 on Banker. bob taking the 500 back changes nothing."""
    table = init_round(COMMISSION_2025, "", ("bob", "tie", 1_000), differential=Cents(50_000))
    do(table, c.ReportChips(by="dora", patron="bob", box=1, bet="banker", stake_cents=Cents(50_000)))
    do(table, c.ReportChips(by="dora", patron="ann", box=1, bet="player", stake_cents=Cents(100_000)))
    do(table, c.DrawCard(by="dora", card="KH"))
    report(table, "excess-card", cards=("2S",))
    decide(table, "sam")
    choose(table, bob="returned")
    do(table, c.BuyChips(patron="ann", chips_cents=Cents(2_000)))
    do(table, c.ReportChips(by="dora", patron="ann", box=1, bet="tie", stake_cents=Cents(2_000)))
    assert [wager.in_play_cents for wager in table.table.current.wagers.values() if wager.patron == "ann"] == [
        100_000,
        2_000,
    ]


def test_3_12_2_a_quarter_of_the_maximum_of_that_hand() -> None:
    table = init_round(COMMISSION_2025, NATURAL).table
    assert insurance_offers.table_maximum_cents(table, Side.PLAYER) == table.opened.limits.maximum_differential_cents
    own = replace(table.opened.limits, bets={Bet.PLAYER: BetLimits(maximum_cents=Cents(10_000))})
    table = replace(table, settings=replace(table.opened, limits=own))
    assert insurance_offers.table_maximum_cents(table, Side.PLAYER) == 10_000
    limits = Limits(maximum_cents=50_000, player_maximum_cents=10_000)
    assert [limits.table_maximum_cents(side) for side in Side] == [10_000, 50_000]


def test_i6_the_pit_sees_what_is_owed() -> None:
    table = init_round(COMMISSION_2025, BANKER_WINS)
    settle(table)
    do(table, c.CashChips(patron="bob", chips_cents=Cents(table.table.patrons["bob"].balance_cents)))
    report(table, "void", cause="not-reconstructible")
    decide(table, "sam")
    assert view(BOOKS[COMMISSION_2025], table.table, Audience.PIT).owed_by == {"bob": 9_500}


def test_the_tail_of_an_overlong_line_is_no_command() -> None:
    tail = json.dumps({"do": "start-duty", "name": "evil", "rank": "shift-manager"}).encode()
    script = io.BytesIO(b"y" * (2 * replay.LONGEST_LINE) + tail + b"\n")
    lines = [line for batch in batches(script, replay.LONGEST_LINE) for line in batch]
    assert lines == [None]
    answers, refused_ = replay.run(lines)
    assert (len(answers), refused_) == (2, 1)
    assert b"evil" not in b"".join(answers)
