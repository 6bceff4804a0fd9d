"""Guests: how many the house takes, what they leave behind, and how their accounts end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from punto.game import commands as c
from punto.game.table import Phase
from punto.house.audit.run import audit
from punto.house.instants import unix_micros
from punto.house.people import departed_guests
from punto.house.people import guests as guests_module
from punto.house.people.absent_patrons import AbsentPatrons
from punto.house.people.accounts import Account, Accounts
from punto.house.people.guests import GUEST_CENTS, Guests, HouseFull
from punto.house.people.sessions import Sessions
from punto.house.store import person as e
from punto.house.store.names import HOUSE_CAGE, Role
from punto.house.store.people_tables import people
from punto.house.store.people_tables import sessions as stored_sessions
from punto.house.store.schema import events, wallets
from punto.house.table.house import House
from punto.money import Cents
from punto.rulebook.model import Rank
from tests.house.table.playing import BET, CLOSE, DRAW, SETTLE, a_house, ask, betting, did, topped, wager

Place = tuple[House, Guests]
NATURAL = topped("9H 7S KD KC")


@asynccontextmanager
async def a_place(url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Place]:
    """A house in which even a guest who has just entered can count as departed."""
    monkeypatch.setattr(guests_module, "_JUST_CAME_US", -1)
    async with a_house(url, new_shoe=NATURAL) as house:
        yield house, Guests(Accounts(house.store))


@pytest.fixture
def place(database_url: str, monkeypatch: pytest.MonkeyPatch) -> AbstractAsyncContextManager[Place]:
    """A house that the audit finds clean when the test is over."""

    @asynccontextmanager
    async def clean() -> AsyncIterator[Place]:
        async with a_place(database_url, monkeypatch) as place:
            yield place
        await asyncio.to_thread(audited, database_url)

    return clean()


async def buys(house: House, guests: Guests, account: Account) -> None:
    """The guest joins the table with all their money in chips and sits down, as the page does."""
    await guests.put_on_record(account.name)
    chips = Cents(GUEST_CENTS)
    assert (await ask(house, c.Join(patron=account.name, chips_cents=chips), actor=account.name)).accepted
    assert (await ask(house, c.Sit(patron=account.name, box=3), actor=account.name)).accepted


async def left(house: House) -> dict[str, Any]:
    """What the database holds of guests."""
    store = house.store
    rows = await store.fetch(sa.select(people.c.name).where(people.c.guest == sa.true()))
    streams = await store.fetch(sa.select(events.c.stream).where(events.c.stream.like("person/guest-%")))
    purses = await store.fetch(sa.select(wallets.c.person).where(wallets.c.person.like("guest-%")))
    return {"rows": len(rows), "events": len(streams), "wallets": len(purses)}


def audited(url: str) -> None:
    assert [finding for finding in audit(url).findings if "guest-" in finding.stream + finding.message] == []


async def test_the_house_takes_so_many_guests_and_no_more(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_place(database_url, monkeypatch) as (house, guests):
        await Accounts(house.store).open("ann", Role.PATRON, None, "chief")
        for _ in range(3):
            await guests.enter(3)
        with pytest.raises(HouseFull):
            await guests.enter(3)
        assert await guests.count() == 3
        await departed_guests.sweep(house, guests)
        await guests.enter(3)


async def test_two_nodes_count_together(database_url: str) -> None:
    async with a_house(database_url) as first, a_house(database_url) as other:
        for house in (first, other):
            await Guests(Accounts(house.store)).enter(2)
        for house in (first, other):
            with pytest.raises(HouseFull):
                await Guests(Accounts(house.store)).enter(2)


async def test_a_guest_who_never_bought_chips_leaves_nothing(place: Place, database_url: str) -> None:
    house, guests = place
    account = await guests.enter(9)
    sessions = Sessions(house.store)
    _, session = await sessions.begin(account)
    assert await guests.wallet(account.name, guest=True) == GUEST_CENTS
    await departed_guests.sweep(house, guests)
    assert (await left(house))["rows"] == 1, "who has a session is there"
    await sessions.end(session)
    await asyncio.to_thread(audited, database_url)
    await departed_guests.sweep(house, guests)
    assert await left(house) == {"rows": 0, "events": 0, "wallets": 0}


async def test_the_account_comes_with_the_first_chips_and_once(place: Place) -> None:
    house, guests = place
    account = await guests.enter(9)
    await asyncio.gather(*(guests.put_on_record(account.name) for _ in range(4)))
    rows = await house.store.read(f"person/{account.name}")
    assert [type(e.read(row.event)) for row in rows] == [e.AccountOpened, e.ChipsGranted]
    assert await house.store.wallet(account.name) == GUEST_CENTS
    stored = await Accounts(house.store).find(account.name)
    assert stored is not None
    assert stored.opened_at == rows[0].at


async def test_a_guest_who_played_is_closed_by_an_event(place: Place) -> None:
    """They are taken off the table, the chips are cashed, and what is left goes to the cage. The books show it all."""
    house, guests = place
    await betting(house, "ann")
    account = await guests.enter(9)
    name = account.name
    await buys(house, guests, account)
    await did(house, wager(name, 10_000, box=3), CLOSE, DRAW, DRAW, DRAW, DRAW, SETTLE)
    await departed_guests.sweep(house, guests)
    assert (await house.table("T1")).patrons[name].present, "a round that is on the table may still pay"
    await did(house, BET)
    await departed_guests.sweep(house, guests)
    patron = (await house.table("T1")).patrons[name]
    assert (patron.present, patron.balance_cents, patron.box) == (False, 0, None)
    *_, closed = [e.read(row.event) for row in await house.store.read(f"person/{name}")]
    assert closed == e.AccountClosed(by="house", chips_cents=Cents(GUEST_CENTS + 10_000))
    (moved,) = await house.store.transfers(f"person/{name}", 2)
    assert (moved.giver, moved.taker, moved.cents) == (f"wallet/{name}", "cage", GUEST_CENTS + 10_000)
    assert await left(house) == {"rows": 0, "events": 3, "wallets": 0}
    assert (await house.store.read("table/T1"))[-1].actor == HOUSE_CAGE


async def test_a_late_ruling_gives_a_departed_guest_no_wallet(place: Place) -> None:
    """The chips stay with the table: a closed account has no wallet, and nobody can come back for it."""
    house, guests = place
    await betting(house, "ann")
    account = await guests.enter(9)
    name, absent = account.name, AbsentPatrons(house, set)
    await buys(house, guests, account)
    await did(house, wager(name, 10_000, bet="banker", box=3), CLOSE, DRAW, DRAW, DRAW, DRAW, SETTLE, BET)
    await departed_guests.sweep(house, guests)
    await did(house, c.StartDuty(name="sue", rank=Rank.SHIFT_MANAGER))
    await did(house, c.ReportIrregularity(by="sue", kind="discretion", round=1, note="the camera was off"))
    await did(house, c.DecideIrregularity(by="sue", action="void", reason="the camera was off"))
    assert (chips := (await house.table("T1")).patrons[name].balance_cents) == 10_000
    await absent.find()
    await absent.look()
    await absent.look()
    assert (await house.table("T1")).patrons[name].balance_cents == chips
    assert await left(house) == {"rows": 0, "events": 3, "wallets": 0}


async def test_a_guest_in_a_round_is_left_alone(place: Place) -> None:
    house, guests = place
    await betting(house, "ann")
    account = await guests.enter(9)
    await buys(house, guests, account)
    await did(house, wager(account.name, 10_000, box=3), CLOSE, DRAW)
    version = (await house.table("T1")).version
    await departed_guests.sweep(house, guests)
    table = await house.table("T1")
    assert (table.version, table.phase) == (version, Phase.DEALING)
    assert (await left(house))["rows"] == 1


async def test_a_guest_of_an_older_house_is_closed(place: Place) -> None:
    """There each guest had an account with two events and their play chips at once."""
    house, guests = place
    name = "guest-abcdefgh"
    opened = e.AccountOpened(by=name, name=name, role=Role.PATRON, guest=True)
    chips = e.ChipsGranted(by=name, chips_cents=Cents(GUEST_CENTS))
    account = Account(name=name, role=Role.PATRON, guest=True, opened_at=unix_micros())
    assert await Accounts(house.store)._opened(account, [opened, chips], name, moved_cents=GUEST_CENTS)
    await departed_guests.sweep(house, guests)
    assert await left(house) == {"rows": 0, "events": 3, "wallets": 0}


async def test_nodes_that_sweep_at_once_close_once(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_place(database_url, monkeypatch) as (house, guests), a_house(database_url) as other:
        await betting(house, "ann")
        for number in range(6):
            account = await guests.enter(9)
            if number % 2:
                await guests.put_on_record(account.name)
                chips = Cents(5_000)
                assert (await ask(house, c.Join(patron=account.name, chips_cents=chips), actor=account.name)).accepted
        rival = Guests(Accounts(other.store))
        for _ in range(2):
            await asyncio.gather(departed_guests.sweep(house, guests), departed_guests.sweep(other, rival))
        assert await left(house) == {"rows": 0, "events": 9, "wallets": 0}
    await asyncio.to_thread(audited, database_url)


async def test_who_buys_chips_while_the_account_is_closed_keeps_it(place: Place) -> None:
    """Their command was under way. The wallet has changed, so the account is not closed and no cent is lost."""
    house, guests = place
    await betting(house, "ann")
    account = await guests.enter(9)
    await guests.put_on_record(account.name)
    await ask(house, c.Join(patron=account.name, chips_cents=Cents(5_000)), actor=account.name)
    assert not await guests.close(account.name, GUEST_CENTS), "more than there is"
    assert not await guests.close(account.name, GUEST_CENTS - 6_000), "less than there is"
    assert (await left(house))["events"] == 2
    assert await house.store.wallet(account.name) == GUEST_CENTS - 5_000


async def test_who_buys_chips_while_they_are_taken_out_is_on_record(place: Place) -> None:
    house, guests = place
    account = await guests.enter(9)
    assert await guests.take_out([account.name]) == 1
    await guests.put_on_record(account.name)
    assert await left(house) == {"rows": 1, "events": 2, "wallets": 1}
    assert await guests.take_out([account.name]) == 0


async def test_nothing_comes_after_the_closing(place: Place) -> None:
    house, guests = place
    account = await guests.enter(9)
    await guests.put_on_record(account.name)
    await departed_guests.sweep(house, guests)
    with pytest.raises(Exception, match=account.name):
        await Accounts(house.store).lock(account.name, "chief", "late")
    assert not await guests.close(account.name, 0)
    assert not await house.store.fetch(sa.select(stored_sessions))
    assert (await left(house))["events"] == 3


FORGED = {
    "a row of a closed account": "'{0}', 'patron', true, false, NULL, 0, 0, 1",
    "an account that no stream opened": "'mallory', 'patron', false, false, 'x', 0, 0, 1",
    "a guest with a password": "'guest-mallory2', 'patron', true, false, 'x', 0, 0, 1",
    "a guest of rank": "'guest-mallory2', 'dealer', true, false, NULL, 0, 0, 1",
}


@pytest.mark.parametrize("values", FORGED.values(), ids=FORGED)
async def test_an_account_put_in_by_hand_is_found(
    database_url: str, monkeypatch: pytest.MonkeyPatch, values: str
) -> None:
    async with a_place(database_url, monkeypatch) as (house, guests):
        account = await guests.enter(9)
        await guests.put_on_record(account.name)
        await departed_guests.sweep(house, guests)
        columns = "name, role, guest, locked, password, failures, waits_until, opened_at"
        await house.store.execute(sa.text(f"INSERT INTO people ({columns}) VALUES ({values.format(account.name)})"))
    assert [finding.code for finding in (await asyncio.to_thread(audit, database_url)).findings] == ["account"]


async def _forged(house: House, said: e.AnyPersonEvent, by: str, name: str, cents: int = 0) -> None:
    await Accounts(house.store).append(name, [said], by, moved_cents=cents)


async def test_a_closing_that_can_not_be_is_found(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closed for somebody who is no guest, by somebody else, with chips left over, or while the guest is at a table."""
    async with a_place(sqlite_url, monkeypatch) as (house, guests):
        await betting(house, "ann")
        account = await guests.enter(9)
        await buys(house, guests, account)
        await house.store.execute(sa.delete(people).where(people.c.name == account.name))
        await _forged(house, e.AccountClosed(by="eve", chips_cents=Cents(0)), "eve", account.name)
        await _forged(house, e.AccountLocked(by="eve"), "eve", account.name)
        bob = await Accounts(house.store).open("bob", Role.PATRON, None, "chief")
        await _forged(house, e.AccountClosed(by="house", chips_cents=Cents(0)), "house", bob.name)
        kept = await guests.enter(9)
        await guests.put_on_record(kept.name)
        await _forged(house, e.AccountClosed(by="house", chips_cents=Cents(1)), "house", kept.name, -1)
    messages = [finding.message for finding in (await asyncio.to_thread(audit, sqlite_url)).findings]
    for words in (
        "the account was closed, but it is not a guest's, or the house did not close it",
        "comes after the account was closed",
        "is at the table, but the account is closed",
        "its wallet holds 999999 cents",
        "the table 'people' has a row for it",
    ):
        assert any(words in message for message in messages), (words, messages)
