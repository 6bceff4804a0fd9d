"""People without a server: passwords, names, sessions that run out, and rulings that need two persons."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from punto.game import commands as c
from punto.game import notation
from punto.game.audience import Audience
from punto.game.irregularities.ruling import needs_second_person
from punto.game.table import NEW, Irregular, Phase
from punto.house.people import passwords, sessions
from punto.house.people.accounts import Accounts
from punto.house.people.guests import Guests
from punto.house.people.sessions import Sessions
from punto.house.store import person as e
from punto.house.store.interface import Store
from punto.house.store.names import Role, is_name, may_be_chosen
from punto.house.store.people_tables import sessions as stored_sessions
from punto.house.table import permissions
from punto.house.table.node_clock import NodeClock
from punto.money import Cents
from tests.house import light
from tests.house.store.units import opened
from tests.house.table.playing import Time


async def test_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the house's own parameters, which are those of RFC 9106 for little memory."""
    monkeypatch.setattr(passwords, "_hasher", light.OWN)
    known = await passwords.hashed("the right one")
    assert known.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert "right" not in known
    assert await passwords.matches(known, "the right one")
    assert not await passwords.matches(known, "the wrong one")
    assert not await passwords.matches(None, "anything")
    assert not await passwords.matches("no hash at all", "anything")
    assert len({passwords.random_password() for _ in range(100)}) == 100


@pytest.mark.parametrize("name", ["", "A", "a b", "a/b", "x" * 33, "é", "a\n"])
def test_bad_names(name: str) -> None:
    assert not is_name(name)


def test_the_house_keeps_names_for_itself() -> None:
    assert not any(may_be_chosen(name) for name in ("house-dealer", "guest-1", "cage", "house"))
    assert may_be_chosen("mei.ling-2")


def test_a_person_is_the_sum_of_his_events() -> None:
    said: list[e.AnyPersonEvent] = [
        e.AccountOpened(by="house", name="ann", role=Role.PATRON),
        e.PasswordSet(by="ann"),
        e.ChipsGranted(by="house", chips_cents=Cents(500)),
        e.RoleChanged(by="chief", role=Role.DEALER),
        e.AccountLocked(by="chief", reason="keys lost"),
        e.AccountUnlocked(by="chief"),
        e.BalanceAdjusted(by="two", cents=Cents(-5), reason="", approval="a", asked_by="one"),
    ]
    person = None
    for event in said:
        assert e.read(notation.encode(event)) == event
        person = e.evolve(person, event)
    assert person == e.Person(name="ann", role=Role.DEALER, version=len(said))


async def test_sessions_run_out(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        time = Time()
        account = await Guests(Accounts(store)).enter(9)
        clock = NodeClock(store, time, time.monotonic)
        held = Sessions(store, idle_seconds=60, longest_seconds=300, clock=clock)
        token, session = await held.begin(account)
        ended: list[str] = []
        session.watch(lambda: ended.append("told"))
        for _ in range(4):
            time.pass_by(59)
            assert await held.find(token) is session
        time.pass_by(61)
        await held.check()
        assert ended == ["told"]
        assert await held.find(token) is None
        token, session = await held.begin(account)
        for _ in range(5):
            time.pass_by(55)
            assert await held.find(token) is session
        time.pass_by(55)
        assert await held.find(token) is None, "it has an end, however much it is used"
        stored = await store.fetch(sa.text("SELECT token_hash FROM sessions"))
        assert all(token.encode() not in bytes(row["token_hash"]) for row in stored)
        assert await held.find("x" * 22) is None
        await held.sweep()
        assert not await store.fetch(sa.select(stored_sessions))


def test_whose_eyes_a_role_has() -> None:
    expected = {None: Audience.PUBLIC, Role.PATRON: Audience.PATRON, Role.DEALER: Audience.DEALER}
    for role in (None, *Role):
        assert permissions.audience(role) is expected.get(role, Audience.PIT)


def test_every_command_has_its_roles() -> None:
    kinds = msgspec.inspect.type_info(c.AnyCommand)
    assert isinstance(kinds, msgspec.inspect.UnionType)
    assert {kind.cls for kind in kinds.types} == set(permissions.MAY)  # type: ignore[attr-defined]
    assert not any(Role.AUDITOR in roles for roles in permissions.MAY.values())


def test_rulings_on_past_money_need_two() -> None:
    current = Irregular(kind="wrong-hand", paragraph="", phase=Phase.DEALING, established=False)
    ruling = c.DecideIrregularity(by="one")
    for table, command, two_persons in (
        (msgspec.structs.replace(NEW, irregularity=current), ruling, False),
        (msgspec.structs.replace(NEW, irregularity=msgspec.structs.replace(current, round=3)), ruling, True),
        (
            msgspec.structs.replace(NEW, irregularity=msgspec.structs.replace(current, kind="late-discovery")),
            ruling,
            True,
        ),
        (NEW, msgspec.structs.replace(ruling, void_rounds=(1,)), True),
        (NEW, msgspec.structs.replace(ruling, pay_cents={"ann": Cents(1)}), True),
    ):
        assert needs_second_person(table, command) is two_persons


async def test_a_check_that_is_woken_as_it_is_stopped_stops(sqlite_url: str) -> None:
    """Somebody enters at the very moment when the house stops. It stops all the same."""
    async with opened(sqlite_url) as store:
        held = Sessions(store)
        checking = asyncio.ensure_future(held.run())
        await asyncio.sleep(0.05)
        held._soon.set()
        await asyncio.sleep(0)
        checking.cancel()
        await asyncio.wait([checking])
        assert checking.done()


async def _ann(store: Store) -> tuple[Sessions, sessions.Session]:
    """ann, with a session on a node that checks."""
    account = await Accounts(store).open("ann", Role.DEALER, "a-password-for-tests", "house")
    held = Sessions(store)
    _, session = await held.begin(account)
    await held.check()
    return held, session


async def test_a_confirmation_that_failed_is_made_again_with_the_next_check(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        held, session = await _ann(store)
        confirm, failed = held._confirm, list[Any]()

        async def fails_once(part: Any) -> None:
            if not failed:
                failed.append(part)
                raise OSError("the database is away for a moment")
            await confirm(part)

        held._confirm = fails_once  # type: ignore[method-assign]
        await store.execute(sa.delete(stored_sessions))
        with pytest.raises(OSError, match="away"):
            await held.check()
        assert not session.ended
        await held.check()
        assert session.ended


async def test_a_session_that_is_used_while_it_is_put_away_is_kept(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        held, session = await _ann(store)
        session.seen_at -= 2 * sessions._FORGET_UNUSED_AFTER
        written, notices = held._write_seen, []

        async def meanwhile(part: Any, at: int) -> None:
            await written(part, at)
            session.watch(lambda: notices.append("ended"))

        held._write_seen = meanwhile  # type: ignore[method-assign]
        await held.check()
        await store.execute(sa.delete(stored_sessions))
        await held.check()
        assert notices == ["ended"]


async def test_a_session_that_is_put_away_during_a_request_ends_with_the_others(store: Store) -> None:
    """A request whose last byte was held back still holds the session. A lock ends it there too."""
    held, session = await _ann(store)
    session.seen_at -= 2 * sessions._FORGET_UNUSED_AFTER
    await held.check()
    assert held.in_use(session.token_hash) is None
    held.end_here("ann")
    assert session.ended


async def test_a_session_that_is_put_away_is_the_same_when_it_is_used_again(store: Store) -> None:
    account = await Accounts(store).open("ann", Role.DEALER, "a-password-for-tests", "house")
    held = Sessions(store)
    token, session = await held.begin(account)
    session.seen_at -= 2 * sessions._FORGET_UNUSED_AFTER
    await held.check()
    assert held.in_use(session.token_hash) is None
    assert await held.find(token) is session
    assert held.in_use(session.token_hash) is session


async def test_a_session_that_is_put_away_ends_when_another_node_ends_it(store: Store) -> None:
    held, session = await _ann(store)
    session.seen_at -= 2 * sessions._FORGET_UNUSED_AFTER
    await held.check()
    await store.execute(sa.delete(stored_sessions))
    await held.check()
    assert session.ended


async def test_another_node_knows_whose_password_a_session_began_with(sqlite_url: str) -> None:
    """Also after a restart. With a password that somebody else gave, one can only set one's own."""
    async with opened(sqlite_url) as store:
        accounts = Accounts(store)
        for by in ("house", "ann"):
            if by == "house":
                await accounts.open("ann", Role.DEALER, "a-password-for-tests", by)
            else:
                await accounts.set_password("ann", "another-for-tests", by)
            account = await accounts.find("ann")
            assert account is not None
            token, _ = await Sessions(store).begin(account)
            loaded = await Sessions(store).find(token)
            assert loaded is not None
            assert loaded.own is (by == "ann")


async def test_a_guest_whose_session_is_about_to_begin_has_not_gone(store: Store) -> None:
    time = Time()
    guests = Guests(Accounts(store, NodeClock(store, time, time.monotonic)))
    guest = await guests.enter(9)
    time.pass_by(59)
    assert await guests.gone() == []
    assert await guests.take_out([guest.name]) == 0
    time.pass_by(2)
    assert await guests.gone() == [guest.name]
