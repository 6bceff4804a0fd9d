"""The figures of a day: sums match the ledger to the cent, and expected figures are worked out here from the odds."""

from __future__ import annotations

from math import sqrt

import pytest
import sqlalchemy as sa

from punto.game import commands as c
from punto.house.history.day_rounds import result_cents, version_at
from punto.house.history.day_sheet import DaySheet, day_sheet
from punto.house.history.export import Span
from punto.house.store.schema import events, transfers
from punto.house.table.house import House
from punto.money import Cents
from punto.odds.composition import full
from punto.odds.insurance import cells
from punto.odds.value import covariances, values
from punto.rulebook.load import edition
from punto.rulebook.model import Bet, Insurance, Moment, Rank
from tests.house.history.test_past_rounds import cards
from tests.house.table.playing import (
    BET,
    CLOSE,
    LOAD,
    SETTLE,
    START,
    Time,
    a_house,
    did,
    joins,
    opening,
    rich,
    wager,
)

COMMISSION = "tiger-buffalo-commission/2025-11-21"
LIVE = "live-baccarat-insurance-no-commission/undated"
HOUR = 3_600


async def played(house: House, now: Time) -> None:
    """Three hours at two tables. T1: a natural for the Player, insurance that wins, and a round that was settled by a
    misread card, reopened and settled again. T2: one round of another game, and a ruling that pays for it."""
    await rich(house.store, "ann", "bob")
    sit = (joins("ann"), c.Sit(patron="ann", box=1), joins("bob"), c.Sit(patron="bob", box=2))
    await did(house, opening(source="live", edition=COMMISSION, layout="A"), LOAD, *sit)
    on_banker = wager("bob", 8_000, bet="banker", box=2)
    await did(house, BET, wager("ann", 10_000), on_banker, CLOSE, *cards("KH 2S 9D 3C"), SETTLE)
    now.pass_by(HOUR)
    insured = c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, after=Moment.FOUR_CARDS, stake_cents=Cents(4_000))
    await did(house, BET, wager("ann", 10_000), on_banker, CLOSE, *cards("KS 2H 7D 3D"), insured, *cards("4H"), SETTLE)
    now.pass_by(HOUR)
    await did(house, BET, wager("ann", 10_000), CLOSE, *cards("KD 2C 9C 3S"), SETTLE)
    player, banker = ("KD", "6C"), ("2C", "3S")
    await did(house, c.ReportIrregularity(by="sue", kind="other-dealing-error", player=player, banker=banker))
    await did(house, c.DecideIrregularity(by="sue"), c.ResumePlay(by="sue"), *cards("4S"), SETTLE)
    await did(house, opening("T2", source="live", edition=LIVE, layout="live", positions=7), LOAD, table="T2")
    await did(house, c.Burn(by="sue", card="AS"), joins("ann"), c.Sit(patron="ann", box=1), BET, table="T2")
    await did(house, wager("ann", 5_000, bet="tie"), CLOSE, *cards("KH 2S 9D 3C"), SETTLE, table="T2")
    report = c.ReportIrregularity(by="sue", kind="discretion")
    ruling = c.DecideIrregularity(by="sue", action="pay", reason="as was said", pay_cents={"ann": Cents(1_234)})
    await did(house, report, ruling, table="T2")


async def sheet(house: House, since: int, until: int) -> DaySheet:
    return await day_sheet(house.store, Span(("T1", "T2"), since, until))


async def by_ledger(house: House, table: str, since: int, until: int) -> int:
    """The house's result by the ledger, transfer by transfer."""
    at = {
        row["version"]: row["at"]
        for row in await house.store.fetch(sa.select(events).where(events.c.stream == f"table/{table}"))
    }
    moved = await house.store.fetch(sa.select(transfers).where(transfers.c.stream == f"table/{table}"))
    inside = [transfer for transfer in moved if since <= at[transfer["version"]] < until]
    account = f"house/{table}"
    return sum(
        transfer["cents"] * ((transfer["taker"] == account) - (transfer["giver"] == account)) for transfer in inside
    )


async def test_sums_are_the_ledger_s_and_theory_is_the_odds(database_url: str) -> None:
    now = Time()
    rules = edition(*COMMISSION.split("/"))
    shoe = full(rules, 8)
    worth, moved = values(rules, shoe), covariances(rules, shoe)
    (cell,) = [
        candidate
        for candidate in cells(rules, shoe)
        if (candidate.bet, candidate.after, candidate.player_points, candidate.banker_points)
        == (Insurance.PLAYER, Moment.FOUR_CARDS, 7, 5)
    ]

    async with a_house(database_url, now=now) as house:
        await played(house, now)
        end = now.at + 1
        spans = [(0, end), (START, START + 1), (START, START + HOUR * 10**6 + 1), (START + 10**6, end), (end, end + 9)]
        for since, until in spans:
            made = await sheet(house, since, until)
            for table in made.tables:
                assert table.figures.result_cents == await by_ledger(house, table.name, since, until)
            whole = sum([await by_ledger(house, name, since, until) for name in ("T1", "T2")])
            assert made.house.result_cents == whole
            assert sum(game.figures.result_cents for game in made.games) == whole
            parts = made.house
            assert parts.bets.result_cents + parts.insurance.result_cents + parts.put_right_cents == whole
        sums = (await sheet(house, START, START + HOUR * 10**6 + 1)).tables[0].figures
        # ann -10,000 +10,000; bob -8,000 and +7,600; ann -10,000; insurance 4,000 at 4 to 1.
        assert (sums.rounds, sums.bets.wagered_cents, sums.bets.handed_back_cents) == (2, 36_000, 20_000 + 15_600)
        assert (sums.insurance.wagered_cents, sums.insurance.result_cents, sums.put_right_cents) == (4_000, -16_000, 0)
        assert sums.commission_cents == 400
        edge = -20_000 * worth[Bet.PLAYER].expectation - 16_000 * worth[Bet.BANKER].expectation
        assert sums.bets.theoretical_cents == round(edge)
        pair = {Bet.PLAYER: 10_000, Bet.BANKER: 8_000}
        square = 2 * sum(pair[a] * pair[b] * moved[a, b] for a in pair for b in pair)
        assert sums.bets.deviation_cents == round(sqrt(square))
        assert sums.bets.off_by == pytest.approx(float(400 - edge) / sqrt(square))
        assert sums.insurance.theoretical_cents == round(-4_000 * cell.expectation)
        spread = cell.won * cell.odds**2 + cell.lost - cell.expectation**2
        assert sums.insurance.deviation_cents == round(4_000 * sqrt(spread))
        every = await sheet(house, 0, end)
        assert [(table.name, table.figures.rounds) for table in every.tables] == [("T1", 3), ("T2", 1)]
        # The round that was reopened counts once, as it ended: Banker 9 wins.
        assert every.tables[0].figures.bets.wagered_cents == 46_000
        assert every.tables[0].figures.put_right_cents == 0
        assert every.tables[1].figures.put_right_cents == -1_234
        assert {(irregularity.paragraph, irregularity.kind) for irregularity in every.irregularities} == {
            ("5.16", "other-dealing-error"),
            ("L9", "discretion"),
        }
        assert sum(step.rounds for step in every.course) == 4
        assert {(row.edition, row.bet) for row in every.bets} == {
            *((COMMISSION, bet) for bet in ("player", "banker", "player_insurance")),
            (LIVE, "tie"),
        }
        assert (
            sum(row.part.result_cents for row in every.bets) + every.house.put_right_cents == every.house.result_cents
        )


async def test_an_instant_is_found_by_halves(house: House) -> None:
    await did(house, opening(source="live"), LOAD)
    at = [row.at for row in await house.store.read("table/T1")]
    for instant in (0, *at, at[-1] + 1):
        version = await version_at(house.store, "T1", instant)
        assert version == 1 + sum(moment < instant for moment in at)
    assert await result_cents(house.store, "T1", 1, 9) == 0


@pytest.mark.parametrize("steps", [(2 * HOUR, -2 * HOUR), (-2 * HOUR, HOUR, -HOUR)])
async def test_a_clock_that_is_set_back_moves_no_boundary(steps: tuple[int, ...], sqlite_url: str) -> None:
    """An instant is where the table first came to it, however often it comes again. So the figures of a span that is
    over stay as they were, and every event is in one day."""
    time = Time()
    async with a_house(sqlite_url, now=time) as house:
        await did(house, opening(source="live"))
        versions: dict[int, int] = {}
        at: list[int] = []
        for step in (0, *steps):
            time.step(step)
            await house.clock.look()
            for number in range(6):
                time.pass_by(HOUR / 4)
                await did(house, c.StartDuty(name=f"dealer-{step}-{number}", rank=Rank.DEALER))
                await did(house, c.EndDuty(name=f"dealer-{step}-{number}"))
            at = [row.at for row in await house.store.read("table/T1")]
            for instant in (0, *at, *(moment + 1 for moment in at)):
                version = await version_at(house.store, "T1", instant)
                assert version == 1 + next((place for place, moment in enumerate(at) if moment >= instant), len(at))
                if version <= len(at):
                    assert versions.setdefault(instant, version) == version
        assert at != sorted(at)


async def test_o107_every_round_after_a_boundary_is_in_the_course_of_its_day(sqlite_url: str) -> None:
    """The clock ran two hours ahead and is set back: the second round is of a time before its day."""
    now = Time()
    async with a_house(sqlite_url, now=now) as house:
        await rich(house.store, "ann")
        await did(house, opening(source="live", edition=COMMISSION, layout="A"), LOAD, joins("ann"))
        await did(house, c.Sit(patron="ann", box=1))
        boundary = now.at + HOUR * 10**6
        for step in (2 * HOUR, -2 * HOUR):
            now.step(step)
            await house.clock.look()
            await did(house, BET, wager("ann", 10_000), CLOSE, *cards("KH 2S 9D 3C"), SETTLE)
        day = await day_sheet(house.store, Span(("T1",), boundary, boundary + 24 * HOUR * 10**6))
        assert day.tables[0].figures.rounds == 2
        assert sum(step.rounds for step in day.course) == 2
        assert all(day.since <= step.since < step.at <= day.until for step in day.course)
