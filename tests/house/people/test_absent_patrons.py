"""Absent patrons: when their seat is freed, where their chips go, and what keeps them at the table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from punto.game import commands as c
from punto.game.audience import Audience
from punto.house.audit.run import audit
from punto.house.people.absent_patrons import AbsentPatrons
from punto.house.people.accounts import Accounts
from punto.house.people.guests import GUEST_CENTS, Guests
from punto.house.people.sessions import Session, Sessions
from punto.house.store.names import HOUSE_CAGE
from punto.house.store.schema import presence
from punto.house.table.house import House
from punto.money import Cents
from tests.house.table.playing import (
    BET,
    CLOSE,
    DRAW,
    LOAD,
    SETTLE,
    Time,
    a_house,
    ask,
    did,
    hubs,
    opening,
    topped,
    wager,
)

CHIPS = 50_000
NATURAL = topped("9H 7S KD KC")
LONG_AGO = 1_780_000_000_000_000
"""In May 2026: the audit accepts no row that is later than itself."""


class Floor:
    """A house whose clock is moved by hand, its absent patrons, and guests who sit at table T1."""

    def __init__(self, house: House, time: Time) -> None:
        self.house, self.time = house, time
        self.guests, self.sessions = (
            Guests(Accounts(house.store, house.clock)),
            Sessions(house.store, clock=house.clock),
        )
        self.absent = AbsentPatrons(house, hubs[house].watching)

    async def open(self) -> None:
        await did(self.house, opening(), LOAD, BET)

    async def sits(self, box: int) -> tuple[str, Session]:
        account = await self.guests.enter(100)
        _, session = await self.sessions.begin(account)
        await self.guests.put_on_record(account.name)
        come = (c.Join(patron=account.name, chips_cents=Cents(CHIPS)), c.Sit(patron=account.name, box=box))
        assert (await ask(self.house, *come, actor=account.name)).accepted
        return account.name, session

    async def after(self, minutes: float) -> None:
        self.time.pass_by(minutes * 60)
        await self.absent.look()

    async def seats(self) -> list[str]:
        table = (await self.house.newest("T1")).table
        return [patron.name for patron in table.patrons.values() if patron.box is not None]

    async def round(self) -> None:
        await did(self.house, CLOSE, DRAW, DRAW, DRAW, DRAW, SETTLE)


@asynccontextmanager
async def a_floor(url: str, time: Time | None = None) -> AsyncIterator[Floor]:
    time = time or Time(LONG_AGO)
    async with a_house(url, now=time, new_shoe=NATURAL) as house:
        yield Floor(house, time)


def clean(url: str) -> None:
    """The audit finds nothing about guests. Findings about sue and the shoes of these tests do not count."""
    findings = [
        finding
        for finding in audit(url).findings
        if "guest-" in finding.stream + finding.message or finding.code in ("actor", "object")
    ]
    assert not [finding for finding in findings if "sue" not in finding.message], findings


async def test_six_guests_who_closed_their_tabs_leave_six_free_seats(database_url: str) -> None:
    async with a_floor(database_url) as floor:
        await floor.open()
        names = [(await floor.sits(box))[0] for box in range(1, 7)]
        tabs = [await hubs[floor.house].subscribe("T1", Audience.PATRON, name) for name in names]
        await floor.after(20)
        assert await floor.seats() == names, "who watches is there"
        for tab in tabs:
            tab.close()
        await floor.after(14)
        assert await floor.seats() == names, "the time counts from the last look at the tab"
        await floor.after(2)
        assert len(await floor.seats()) == 6, "the tabs were seen to be closed two minutes ago"
        await floor.after(14)
        assert await floor.seats() == []
        assert [await floor.house.store.wallet(name) for name in names] == [GUEST_CENTS] * 6
        rows = (await floor.house.store.read("table/T1"))[-18:]
        assert {row.actor for row in rows} == {HOUSE_CAGE}
        assert await floor.house.store.fetch(sa.select(presence)) == []
        # Whoever comes back within the session joins as anybody does.
        come = (c.Join(patron=names[0], chips_cents=Cents(CHIPS)), c.Sit(patron=names[0], box=1))
        assert (await ask(floor.house, *come, actor=names[0])).accepted
    await asyncio.to_thread(clean, database_url)


async def test_who_comes_back_during_the_check_keeps_the_seat(database_url: str) -> None:
    async with a_floor(database_url) as floor:
        before = [set[tuple[str, str]]()]
        """What is watched when the check begins. Ann's tab is open from the next look on."""
        floor.absent = AbsentPatrons(floor.house, lambda: before.pop() if before else {("T1", ann)})
        await floor.open()
        ann, _ = await floor.sits(1)
        await floor.after(20)
        assert not before
        assert await floor.seats() == [ann]


async def test_a_wager_counts_and_a_round_holds_its_chips(database_url: str) -> None:
    async with a_floor(database_url) as floor:
        await floor.open()
        ann, _ = await floor.sits(1)
        await floor.sits(2)
        await floor.after(10)
        await did(floor.house, wager(ann, 10_000))
        await floor.after(8)
        assert await floor.seats() == [ann], "the other has not wagered for a quarter of an hour"
        await floor.after(60)
        assert await floor.seats() == [ann], "the round holds chips"
        await floor.round()
        await floor.after(0)
        assert await floor.seats() == []
        assert await floor.house.store.wallet(ann) == GUEST_CENTS + 10_000
    await asyncio.to_thread(clean, database_url)


async def test_a_session_that_ends_frees_the_seat_at_once(database_url: str) -> None:
    async with a_floor(database_url) as floor:
        await floor.open()
        ann, session = await floor.sits(1)
        await floor.after(0)
        assert await floor.seats() == [ann]
        await floor.sessions.end(session)
        await floor.after(0)
        assert await floor.seats() == []
        assert await floor.house.store.wallet(ann) == GUEST_CENTS
    await asyncio.to_thread(clean, database_url)


async def test_a_wager_that_came_meanwhile_keeps_the_seat(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wager is decided between the look at the table and the command that frees the seat."""
    async with a_floor(sqlite_url) as floor:
        await floor.open()
        ann, _ = await floor.sits(1)
        await floor.after(0)
        newest = floor.house.newest

        async def and_then_a_wager(name: str) -> Any:
            state = await newest(name)
            await did(floor.house, wager(ann, 5_000), c.BuyChips(patron=ann, chips_cents=Cents(5_000)))
            return state

        monkeypatch.setattr(floor.house, "newest", and_then_a_wager)
        await floor.after(16)
        monkeypatch.undo()
        patron = (await floor.house.newest("T1")).table.patrons[ann]
        assert (patron.box, patron.balance_cents, patron.present) == (1, CHIPS, True)


async def test_a_socket_at_another_node_counts_and_one_node_frees(database_url: str) -> None:
    time = Time(LONG_AGO)
    async with a_floor(database_url, time) as first, a_floor(database_url, time) as second:
        await first.open()
        ann, _ = await first.sits(1)
        bob, _ = await first.sits(2)
        tab = await hubs[second.house].subscribe("T1", Audience.PATRON, ann)
        await second.absent.look()
        for _ in range(5):
            time.pass_by(240)
            await asyncio.gather(second.absent.look(), first.absent.look())
        assert await first.seats() == [ann], "her tab is open at the other node"
        tab.close()
        await second.absent.look()
        time.pass_by(960)
        await asyncio.gather(first.absent.look(), second.absent.look())
        assert await first.seats() == await second.seats() == []
        kinds = [row.event for row in await first.house.store.read("table/T1") if row.actor == HOUSE_CAGE]
        assert sum(b'"patron-left"' in kind for kind in kinds) == 2, "each was taken off once"
        assert [await first.house.store.wallet(name) for name in (ann, bob)] == [GUEST_CENTS] * 2
    await asyncio.to_thread(clean, database_url)


async def test_who_is_back_at_another_node_for_a_moment_keeps_the_seat(database_url: str) -> None:
    """That node writes it down at its next look, which comes within twenty seconds."""
    time = Time(LONG_AGO)
    async with a_floor(database_url, time) as first, a_floor(database_url, time) as second:
        await first.open()
        ann, _ = await first.sits(1)
        await asyncio.gather(first.absent.look(), second.absent.look())
        time.pass_by(14 * 60 + 55)
        await hubs[second.house].subscribe("T1", Audience.PATRON, ann)
        time.pass_by(6)
        await first.absent.look()
        assert await first.seats() == [ann]
        time.pass_by(14)
        await second.absent.look()
        await first.absent.look()
        assert await first.seats() == [ann]


async def test_a_restart_gives_a_fresh_time_and_finds_whom_nobody_wrote_down(database_url: str) -> None:
    time = Time(LONG_AGO)
    async with a_floor(database_url, time) as floor:
        await floor.open()
        ann, _ = await floor.sits(1)
        await floor.absent.look()
        bob, _ = await floor.sits(2)
    time.pass_by(20 * 60)
    async with a_floor(database_url, time) as floor:
        await floor.absent.find()
        await floor.after(0)
        assert await floor.seats() == [ann, bob], "nobody could come while the house was closed"
        await floor.after(16)
        assert await floor.seats() == []
