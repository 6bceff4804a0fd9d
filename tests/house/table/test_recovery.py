"""I9: what a restart does to a table in every phase."""

from __future__ import annotations

from typing import Any

import pytest

from punto.game import commands as c
from punto.game import events as e
from punto.game.table import Phase
from punto.house.store import codec
from punto.house.store.names import HOUSE_RECOVERY
from punto.house.store.records import StoreBroken
from punto.house.table.house import House
from punto.house.table.recovery import recover
from punto.money import Cents
from tests.house.table.playing import (
    BET,
    CLOSE,
    DRAW,
    LOAD,
    SETTLE,
    Time,
    a_house,
    did,
    joins,
    opening,
    rich,
    sound,
    topped,
    wager,
)
from tests.rulebook.library import every_edition

UP_TO_BETTING = (joins("ann"), c.Sit(patron="ann", box=1), LOAD, BET, wager("ann", 5_000))
FOUR = (CLOSE, DRAW, DRAW, DRAW, DRAW)
INSURE = c.TakeInsurance(patron="ann", bet="player_insurance", stake_cents=Cents(1_000))
OFFER, NATURAL, THIRD = "2S KS 3S 4S 4H 5H", "9H 7S KD KC", "2S KS KD 6S 4H 5H"
TWO = c.ReportIrregularity(by="sue", kind="simultaneous", count=2)
RULED = c.DecideIrregularity(by="sue", reason="they stuck together", order=("1", "2"))

CASES: dict[str, tuple[str, tuple[c.AnyCommand, ...], Phase, Phase, dict[str, Any]]] = {
    "closed": (OFFER, (c.CloseTable(by="sue"),), Phase.CLOSED, Phase.CLOSED, {}),
    "no shoe": (OFFER, (), Phase.NO_SHOE, Phase.NO_SHOE, {}),
    "ready": (OFFER, (LOAD,), Phase.READY, Phase.READY, {}),
    "betting": (OFFER, UP_TO_BETTING, Phase.BETTING, Phase.BETTING, {}),
    "no card yet": (OFFER, (*UP_TO_BETTING, CLOSE), Phase.DEALING, Phase.SETTLED, {}),
    "two cards": (OFFER, (*UP_TO_BETTING, *FOUR[:-2]), Phase.DEALING, Phase.SETTLED, {}),
    # W5: the first two cards of a hand decide some side bet of this layout, so the round is concluded.
    "three cards": (OFFER, (*UP_TO_BETTING, *FOUR[:-1]), Phase.DEALING, Phase.DEALING, {}),
    "offer": (OFFER, (*UP_TO_BETTING, *FOUR), Phase.OFFER, Phase.OFFER, {}),
    "insured": (OFFER, (*UP_TO_BETTING, *FOUR, INSURE), Phase.OFFER, Phase.OFFER, {}),
    "complete": (NATURAL, (*UP_TO_BETTING, *FOUR), Phase.COMPLETE, Phase.COMPLETE, {}),
    "settled": (NATURAL, (*UP_TO_BETTING, *FOUR, SETTLE), Phase.SETTLED, Phase.SETTLED, {}),
    "face down": (NATURAL, (*UP_TO_BETTING, *FOUR), Phase.DEALING, Phase.SETTLED, {"facing": "down"}),
    "irregularity": (OFFER, (*UP_TO_BETTING, *FOUR[:2], TWO), Phase.IRREGULARITY, Phase.IRREGULARITY, {}),
    "options": (OFFER, (*UP_TO_BETTING, *FOUR[:2], TWO, RULED), Phase.OPTIONS, Phase.OPTIONS, {}),
}


async def stopped(url: str, top: str, commands: tuple[c.AnyCommand, ...], settings: dict[str, Any]) -> None:
    """A house that stops after these commands."""
    async with a_house(url, new_shoe=topped(top)) as house:
        await rich(house.store, "ann")
        await did(house, opening(**settings), *commands)


async def events_of(house: House) -> list[e.AnyEvent]:
    return [codec.event(row) for row in await house.store.read("table/T1")]


@pytest.mark.parametrize("case", CASES)
async def test_every_phase_after_a_restart(case: str, sqlite_url: str) -> None:
    top, commands, stood, stands, settings = CASES[case]

    await stopped(sqlite_url, top, commands, settings)
    async with a_house(sqlite_url) as house:
        before = await house.table("T1")
        assert before.phase is stood
        done = await recover(house)
        table = await house.table("T1")
        assert table.phase is stands
        interrupted = stood in (Phase.DEALING, Phase.OFFER, Phase.COMPLETE)
        assert done == (["T1"] if interrupted else [])
        reports = [event for event in await events_of(house) if isinstance(event, e.IrregularityReported)]
        said = [(event.by, event.note) for event in reports if event.irregularity.kind == "interruption"]
        assert said == [(HOUSE_RECOVERY, "the house was restarted")] * interrupted
        if not interrupted:
            assert table == before
        elif stands is Phase.SETTLED:
            assert table.current.void
            assert table.patrons["ann"].balance_cents == 1_000_000
        assert HOUSE_RECOVERY not in table.staff
        await sound(house)


@pytest.mark.parametrize("case", ["three cards", "offer", "insured", "complete"])
async def test_a_round_whose_outcome_is_established_is_concluded(case: str, sqlite_url: str) -> None:
    """The event that play resumes cites 5.4.1, and play goes on to a result with the committed cards."""
    top, commands, *_ = CASES[case]

    await stopped(sqlite_url, top, commands, {})
    async with a_house(sqlite_url) as house:
        await recover(house)
        (resumed,) = [event for event in await events_of(house) if isinstance(event, e.PlayResumed)]
        assert resumed.paragraph == "5.4.1"
        while (await house.table("T1")).phase is not Phase.COMPLETE:
            await did(house, DRAW)
        await did(house, SETTLE)
        await sound(house)


async def test_the_cut_card_that_came_first(sqlite_url: str) -> None:
    commands = (*UP_TO_BETTING[:3], c.PlaceCutCard(by="sue", after=5), BET, wager("ann", 5_000), CLOSE)
    more = (DRAW, DRAW, DRAW, DRAW, DRAW, SETTLE, BET, wager("ann", 5_000), CLOSE, DRAW)

    await stopped(sqlite_url, THIRD, (*commands, *more), {"high_limit": True})
    async with a_house(sqlite_url) as house:
        assert (await house.table("T1")).phase is Phase.CUT_CARD
        assert await recover(house) == ["T1"]
        table = await house.table("T1")
        assert (table.phase, table.current.void) == (Phase.SETTLED, True)
        await sound(house)


@pytest.mark.parametrize("rules", every_edition(), ids=lambda rules: rules.id)
async def test_an_interruption_is_recorded_under_every_edition(rules: Any, sqlite_url: str) -> None:
    layout = next(iter(rules.layouts.values()))
    decks = rules.procedure.decks_default
    settings = {"edition": rules.id, "layout": layout.id, "positions": layout.positions[0], "decks": decks}
    load = c.LoadShoe(by="sue", count=52 * decks, shuffled=True)
    burn = (c.Burn(by="sue"),) if rules.procedure.burn != "none" else ()
    commands = (joins("ann"), c.Sit(patron="ann", box=1), load, *burn, BET, wager("ann", 5_000), CLOSE, DRAW)

    await stopped(sqlite_url, "AS 2S", commands, settings)
    async with a_house(sqlite_url) as house:
        assert await recover(house) == ["T1"]
        table = await house.table("T1")
        assert table.current.void
        assert table.patrons["ann"].balance_cents == 1_000_000
        assert all(event.paragraph for event in await events_of(house))


async def test_a_node_that_is_not_alone_recovers_nothing(postgres_url: str) -> None:
    """The other node is in the middle of a round."""
    await stopped(postgres_url, OFFER, (*UP_TO_BETTING, CLOSE), {})
    async with a_house(postgres_url) as house:
        assert await recover(house) == ["T1"]
        await did(house, BET, CLOSE)
        async with a_house(postgres_url) as other:
            assert await recover(other) == []
        assert (await house.newest("T1")).table.phase is Phase.DEALING


async def test_a_node_that_lost_its_place_meanwhile_recovers_nothing(database_url: str) -> None:
    """It stood still for long. Another node may have recovered the table and be serving it."""
    await stopped(database_url, OFFER, (*UP_TO_BETTING, CLOSE), {})
    async with a_house(database_url) as house:
        assert await house.store.alone()
        place: Any = house.store._membership
        place._heartbeat.cancel()
        place._renewed_at = float("-inf")
        with pytest.raises(StoreBroken, match="could not renew its row"):
            await recover(house)
    async with a_house(database_url) as other:
        assert await recover(other) == ["T1"]


async def test_open_betting_gets_fresh_seconds(sqlite_url: str) -> None:
    await stopped(sqlite_url, OFFER, UP_TO_BETTING, {})
    time = Time(2_000_000_000_000_000)
    async with a_house(sqlite_url, now=time) as house:
        await recover(house)
        assert house.since(await house.state("T1")) == time.monotonic()
