"""People while the clock steps: nobody is logged out by it or kept out for long, and no session lasts longer."""

from __future__ import annotations

import asyncio
import time as machine
from typing import Any

import pytest
import sqlalchemy as sa

from punto.house import delete_expired
from punto.house.audit.run import audit
from punto.house.people.absent_patrons import AbsentPatrons
from punto.house.people.accounts import Accounts
from punto.house.people.approvals import Approvals
from punto.house.people.approved_acts import Acts
from punto.house.people.guests import Guests
from punto.house.people.older_approvals import carry_over
from punto.house.people.sessions import Sessions
from punto.house.store.approval import Approval
from punto.house.store.names import Role
from punto.house.store.people_tables import people
from punto.house.store.people_tables import sessions as stored
from punto.house.store.person import LOCKED_MICROSECONDS
from punto.house.table.house import House
from punto.house.table.node_clock import NodeClock
from tests.house.store.units import opened
from tests.house.table.playing import Time

DAY = 86_400
STEPS = (3, -3, 3_600, -3_600, DAY, -DAY)
MICRO = 1_000_000


def some_days_ago() -> Time:
    return Time(machine.time_ns() // 1_000 - 5 * DAY * MICRO)


@pytest.mark.parametrize("step", STEPS)
async def test_a_session_lasts_as_long_as_ever(step: int, database_url: str) -> None:
    """The session of an open page: it stays in memory."""
    time = some_days_ago()

    async with opened(database_url) as store:
        clock = NodeClock(store, time, time.monotonic)
        held = Sessions(store, idle_seconds=1_800, longest_seconds=7_200, clock=clock)
        token, session = await held.begin(await Guests(Accounts(store, clock)).enter(9))
        session.watch(lambda: None)
        for at in range(4):
            time.step(step if at % 2 == 0 else -step)
            await clock.look()
            time.pass_by(1_500)
            await held.check()
            await held.sweep()
            assert await held.find(token) is session
        time.pass_by(1_199)
        assert await held.find(token) is session
        time.pass_by(1)
        assert await held.find(token) is None, "two hours, whatever the wall's clock says"


async def test_a_session_that_is_not_in_memory_outlives_a_day_ahead(database_url: str) -> None:
    """By the wall clock it would be over for three seconds."""
    time = some_days_ago()

    async with opened(database_url) as store:
        clock = NodeClock(store, time, time.monotonic)
        held = Sessions(store, clock=clock)
        token, _ = await held.begin(await Guests(Accounts(store, clock)).enter(9))
        time.pass_by(300)
        await held.check()
        for step in (DAY, -DAY):
            time.step(step)
            await clock.look()
            time.pass_by(3)
            assert await held.find(token) is not None
            time.pass_by(300)
            await held.check()


@pytest.mark.parametrize("step", [3_600, DAY])
async def test_a_sweep_by_a_clock_that_has_just_stepped_ends_nobody(step: int, database_url: str) -> None:
    time = some_days_ago()

    async with opened(database_url) as store:
        clock = NodeClock(store, time, time.monotonic)
        held = Sessions(store, clock=clock)
        await held.begin(await Guests(Accounts(store, clock)).enter(9))
        time.step(step)
        await clock.look()
        await held.sweep()
        assert len(await store.fetch(sa.select(stored))) == 1
        time.pass_by(3)
        time.step(-step)
        await clock.look()
        time.pass_by(900)
        await held.sweep()
        assert len(await store.fetch(sa.select(stored))) == 1
        time.pass_by(2 * DAY)
        await held.sweep()
        assert not await store.fetch(sa.select(stored))


async def test_a_session_that_was_stored_by_a_clock_ahead_lasts_no_longer_once_it_is_loaded(database_url: str) -> None:
    """After a restart on the right clock its idle time begins again, and the node that loads it counts by itself."""
    time = some_days_ago()

    async with opened(database_url) as store:
        time.step(DAY)
        before = NodeClock(store, time, time.monotonic)
        token, _ = await Sessions(store, clock=before).begin(await Guests(Accounts(store, before)).enter(9))
        time.step(-DAY)
        held = Sessions(store, idle_seconds=1_800, clock=NodeClock(store, time, time.monotonic))
        assert await held.find(token) is not None
        time.pass_by(1_801)
        assert await held.find(token) is None


async def test_nobody_waits_longer_than_the_wait(database_url: str) -> None:
    """After a hundred wrong passwords while the clock stood a day ahead."""
    time = some_days_ago()

    async with opened(database_url) as store:
        clock = NodeClock(store, time, time.monotonic)
        accounts = Accounts(store, clock)
        await accounts.open("ann", Role.DEALER, "a-password-for-tests", "house")
        ahead = clock.now() + DAY * MICRO + LOCKED_MICROSECONDS
        await store.execute(sa.update(people).values(waits_until=ahead))
        wait = await accounts.check("ann", "a-password-for-tests", "192.0.2.1")
        assert wait == LOCKED_MICROSECONDS / MICRO
        time.pass_by(900)
        account = await accounts.check("ann", "a-password-for-tests", "192.0.2.1")
        assert account is not None
        assert not isinstance(account, float)


@pytest.mark.parametrize("step", STEPS)
async def test_a_wait_lasts_as_long_as_ever(step: int, database_url: str) -> None:
    """A hundred wrong passwords, and then the clock is set."""
    time = some_days_ago()

    async with opened(database_url) as store:
        clock = NodeClock(store, time, time.monotonic)
        accounts = Accounts(store, clock)
        await accounts.open("ann", Role.DEALER, "a-password-for-tests", "house")
        await store.execute(sa.update(people).values(waits_until=clock.now() + LOCKED_MICROSECONDS))
        time.step(step)
        await clock.look()
        time.pass_by(890)
        wait = await accounts.check("ann", "a-password-for-tests", "192.0.2.1")
        assert isinstance(wait, float)
        time.pass_by(wait)
        assert not isinstance(await accounts.check("ann", "a-password-for-tests", "192.0.2.1"), float | None)


@pytest.mark.parametrize("step", STEPS)
async def test_a_person_who_changes_before_and_after_a_step_is_audited_clean(step: int, database_url: str) -> None:
    """A clock that is wrong until a restart, and right after it: roles, locks and times still fit together."""
    time = some_days_ago()
    async with opened(database_url) as store:
        time.step(step)
        accounts = Accounts(store, NodeClock(store, time, time.monotonic))
        await accounts.open("shift-manager", Role.SHIFT_MANAGER, None, "house")
        await accounts.open("ann", Role.DEALER, None, "shift-manager")
        await accounts.lock("ann", "shift-manager", "for now")
        time.pass_by(120)
        time.step(-step)
        accounts = Accounts(store, NodeClock(store, time, time.monotonic))
        await accounts.unlock("ann", "shift-manager")
        await accounts.lock("ann", "shift-manager", "again")
    report = await asyncio.to_thread(audit, database_url)
    assert report.findings == []
    assert bool(report.notes) is (step > 180)


async def test_an_approval_that_was_asked_for_by_a_clock_ahead_is_audited_clean(database_url: str) -> None:
    """The clock is right again after a restart, and nothing else was written while it was wrong."""
    time = some_days_ago()
    async with opened(database_url) as store:
        accounts = Accounts(store, NodeClock(store, time, time.monotonic))
        for role in (Role.SHIFT_MANAGER, Role.PIT_MANAGER):
            await accounts.open(role.value, role, "a-password-for-tests", "house")
            await accounts.set_password(role.value, "another-for-tests", role.value)
        await carry_over(store)
        time.step(DAY)
        before = Approvals(store, _undone, NodeClock(store, time, time.monotonic))
        what = {"person": "pit-manager", "role": "shift-manager", "was": "pit-manager"}
        approval = await before.ask("rank", what, "shift-manager")
        time.step(-DAY)
        after = Approvals(store, _undone, NodeClock(store, time, time.monotonic))
        assert isinstance(await after.reject(approval, "shift-manager"), Approval)
    report = await asyncio.to_thread(audit, database_url)
    assert report.findings == []
    assert report.notes


async def _undone(approval: Approval) -> tuple[bool, dict[str, Any]]:
    raise AssertionError("nobody has approved it")


class Wall:
    """The machine's own clock, which a test can set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.off, real = 0, machine.time_ns
        monkeypatch.setattr(machine, "time_ns", lambda: real() + self.off * 1_000_000_000)


async def test_a_refusal_outlives_a_day_ahead(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal that is older than a day is forgotten by the same sweep."""
    wall = Wall(monkeypatch)
    monkeypatch.setattr(delete_expired, "EVERY_SECONDS", 0.01)

    async with opened(database_url) as store:
        wall.off = -2 * DAY
        await store.refuse("table/T1", "old", b"0" * 32, b"{}")
        wall.off = 0
        house = House(store, clock=NodeClock(store))
        guests, sessions = Guests(Accounts(store, house.clock)), Sessions(store, clock=house.clock)
        await store.refuse("table/T1", "new", b"0" * 32, b"{}")
        wall.off = DAY + 60
        await house.clock.look()
        sweeps = asyncio.ensure_future(delete_expired.run(house, sessions, guests, AbsentPatrons(house, set)))
        while await store.answered("table/T1", "old") is not None:
            await asyncio.sleep(0.01)
        sweeps.cancel()
        assert await store.answered("table/T1", "new") is not None
        await house.close()


async def test_who_gave_a_password_is_no_second_person_by_a_clock_ahead(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall = Wall(monkeypatch)

    async with opened(database_url) as store:
        house = House(store, clock=NodeClock(store))
        accounts = Accounts(store, house.clock)
        acts = Acts(house, accounts, Guests(accounts), Sessions(store, clock=house.clock))
        for role in (Role.SHIFT_MANAGER, Role.PIT_SUPERVISOR):
            await accounts.open(role.value, role, "a-password-for-tests", "house")
        await accounts.reset_password("pit-supervisor", "another-for-tests", "shift-manager")
        approval = await Approvals(store, _undone, house.clock).ask("balance-adjustment", {}, "pit-supervisor")
        for days in (0, 31):
            wall.off = days * DAY
            await house.clock.look()
            refused = await acts.second_person(approval, "shift-manager")
            assert refused is not None
            assert refused.code == "same-person"
        await house.close()


@pytest.mark.parametrize("steps", [(DAY, 3), (DAY, -3_600), (DAY, -DAY), (3, DAY), (-DAY, DAY)], ids=str)
async def test_what_is_left_out_of_account_is_all_of_the_last_quarter(steps: tuple[int, ...], sqlite_url: str) -> None:
    """A second step does not make the first one count."""
    time = some_days_ago()

    async with opened(sqlite_url) as store:
        clock = NodeClock(store, time, time.monotonic)
        before = clock.now()
        for step in steps:
            time.step(step)
            await clock.look()
        assert clock.cautious() == before
        time.pass_by(900)
        assert clock.cautious() == time()
