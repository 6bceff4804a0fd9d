"""Accounts. The stream `person/<name>` records what happened; a login reads the row in `people`.

Both change in one commit, and the stream's versions serialise changes that come at once: the row always agrees with the
stream's last event. Repeating an act completes what an older version of the house left half done.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from punto.house.people import known_addresses, passwords
from punto.house.people.lockout import Lockout, Turns
from punto.house.people.passwords import Still
from punto.house.store import codec
from punto.house.store import person as e
from punto.house.store.interface import Store
from punto.house.store.names import MANAGER, Role
from punto.house.store.people_tables import people, sessions
from punto.house.store.person import LOCKED_MICROSECONDS, MOST_FAILURES
from punto.house.store.records import MOST_READ, Outcome, Row, Transfer, Unit
from punto.house.table import ledger
from punto.house.table.node_clock import NodeClock

TRIES: Final = 20
"""How often a change is tried again when the person changes meanwhile."""


class NameTaken(Exception):
    """There is an account of this name."""


class Contended(Exception):
    """Others keep changing this person: nothing was changed."""


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """An account as it stands."""

    name: str
    role: Role
    guest: bool
    locked: bool = False
    waits_until: int = 0
    """After wrong passwords: no login before this instant."""
    failures: int = 0
    opened_at: int = 0
    password: str | None = None
    """Its hash. A session begins only while it is still the one that a login was checked against."""
    password_by: str | None = None
    """Who set it: the person, or whoever opened the account or gave a new password."""

    @property
    def own(self) -> bool:
        """Whether the person has set the password themselves. A guest has none."""
        return self.guest or self.password_by == self.name


class Accounts:
    """All accounts, over one store."""

    def __init__(self, store: Store, clock: NodeClock | None = None) -> None:
        self.store, self.clock = store, clock or NodeClock(store)
        self._lockout = Lockout()
        self._turns = Turns()

    async def find(self, name: str) -> Account | None:
        row = await self._row(name)
        return account_of(row) if row is not None else None

    async def on_record(self, name: str) -> e.Person | None:
        """What the events of a person add up to."""
        person: e.Person | None = None
        async for row, event in self.events(name):
            person = e.evolve(person, event, row.at)
        return person

    async def events(self, name: str) -> AsyncIterator[tuple[Row, e.AnyPersonEvent]]:
        """A person's stream."""
        version = 0
        while True:
            rows = await self.store.read(f"person/{name}", version)
            for row in rows:
                yield row, e.read(codec.raised(row))
            if len(rows) < MOST_READ:
                return
            version = rows[-1].version

    async def open(self, name: str, role: Role, password: str | None, by: str, still: Still | None = None) -> Account:
        """Without a password nobody can log in until one is set."""
        hashed = await passwords.hashed(password, still) if password is not None else None
        events: list[e.AnyPersonEvent] = [e.AccountOpened(by=by, name=name, role=role)]
        account = Account(name=name, role=role, guest=False, opened_at=self.clock.now())
        if hashed is not None:
            events.append(e.PasswordSet(by=by))
            account = msgspec.structs.replace(account, password=hashed, password_by=by)
        if await self._opened(account, events, by):
            return account
        return await self._completed(account, events[1:], by)

    async def _opened(
        self, account: Account, events: list[e.AnyPersonEvent], by: str, *, moved_cents: int = 0, expected: int = 0
    ) -> bool:
        """Write events and row in one commit. False where the name is taken."""
        also = (sa.insert(people).values(**msgspec.to_builtins(account)),)
        at = account.opened_at if not expected else None
        done = await self.append(account.name, events, by, moved_cents=moved_cents, expected=expected, at=at, also=also)
        return done is Outcome.DONE

    async def _completed(self, account: Account, events: list[e.AnyPersonEvent], by: str) -> Account:
        """Write the row of an account that an older version opened only in its stream, if `by` opened it."""
        name = account.name
        person = await self.on_record(name)
        mine = person is not None and not person.guest and await self.opened_by(name) == by
        if person is None or not mine or await self.find(name) is not None:
            raise NameTaken(name)
        if person.role is not account.role or not events:
            events = [e.RoleChanged(by=by, role=account.role), *events]
        made = msgspec.structs.replace(account, locked=person.locked, opened_at=person.opened_at)
        if not await self._opened(made, events, by, expected=person.version):
            raise NameTaken(name)
        return made

    async def append(
        self,
        name: str,
        events: list[e.AnyPersonEvent],
        by: str,
        *,
        moved_cents: int = 0,
        expected: int | None = None,
        key: str | None = None,
        body: bytes | None = None,
        at: int | None = None,
        also: Sequence[sa.Executable] = (),
    ) -> Outcome:
        """Add events to a person's stream, and move `moved_cents` from the cage to the wallet (back, if negative) with
        the last of them. `expected` is the version that they must follow, if any. `also` is done in the same commit."""
        stream = f"person/{name}"
        for _ in range(TRIES):
            version, before = await self.store.head(stream)
            if expected is not None and version != expected:
                return Outcome.CONFLICT
            if version:
                (newest,) = await self.store.read(stream, version - 1, 1)
                await self.clock.explain(newest.at)
            command = codec.CommandEvents(tuple(events), by, key=key, body=body)
            rows = codec.rows(stream, version, before, at or self.clock.now(), [command])
            moved: tuple[Transfer, ...] = ()
            if moved_cents:
                pair = (ledger.CAGE, ledger.wallet(name))
                giver, taker = pair if moved_cents > 0 else (pair[1], pair[0])
                moved = (Transfer(stream, rows[-1].version, 1, giver, taker, abs(moved_cents)),)
            unit = Unit(stream, version, rows, moved, ledger.wallets(moved))
            outcome = await self.store.append(unit, *also)
            if outcome is not Outcome.CONFLICT or expected is not None:
                return outcome
            if key is not None and await self.store.answered(stream, key) is not None:
                return Outcome.CONFLICT
        return Outcome.CONFLICT

    async def opened_by(self, name: str) -> str:
        """Who opened an account, and so knew its first password."""
        rows = await self.store.read(f"person/{name}", 0, 1)
        return e.read(rows[0].event).by if rows else ""

    async def set_role(
        self, name: str, role: Role, by: str, *, expected: int, key: str | None = None, body: bytes | None = None
    ) -> bool:
        """The new role takes effect everywhere within a second: the sessions of the old one end. `expected` is the
        version at which the person was read. False: they have changed since, and are read again."""
        event, also = e.RoleChanged(by=by, role=role), (_row(name, role=role.value), _no_sessions(name))
        done = await self.append(name, [event], by, expected=expected, key=key, body=body, also=also)
        return done is Outcome.DONE

    async def lock(self, name: str, by: str, reason: str) -> None:
        await self._changed(name, e.AccountLocked(by=by, reason=reason), _row(name, locked=True), _no_sessions(name))

    async def unlock(self, name: str, by: str) -> None:
        self._lockout.forget(name)
        row = _row(name, locked=False, waits_until=0, failures=0)
        await self._changed(name, e.AccountUnlocked(by=by), row)

    async def set_password(self, name: str, password: str, by: str) -> None:
        """Without a check of the old one."""
        hashed = await passwords.hashed(password)
        await self._changed(name, e.PasswordSet(by=by), *_password(name, hashed, by))

    async def replace_password(self, checked: Account, hashed: str, address: str) -> bool:
        """The owner's new password, set from `address`, in place of the one that `check` saw. False where somebody has
        set another since, or locked the account."""
        name = checked.name
        also = (*_password(name, hashed, name), *known_addresses.statements(name, hashed, address))
        return await self._changed(name, e.PasswordSet(by=name), *also, checked=checked)

    async def reset_password(self, name: str, password: str, by: str, still: Still | None = None) -> bool:
        """A new password for somebody who forgot theirs. False for a manager: that rank takes two persons."""
        hashed = await passwords.hashed(password, still)
        for _ in range(TRIES):
            person = await self.on_record(name)
            if person is None or person.role in MANAGER:
                return False
            self._lockout.forget(name)
            also = _password(name, hashed, by, waits_until=0)
            done = await self.append(name, [e.PasswordReset(by=by)], by, expected=person.version, also=also)
            if done is Outcome.DONE:
                return True
        raise Contended(name)

    async def _changed(
        self, name: str, event: e.AnyPersonEvent, *also: sa.Executable, checked: Account | None = None
    ) -> bool:
        """Append an event. Nothing comes after the closing of an account. False where the account is locked or has
        another password than `checked`."""
        for _ in range(TRIES):
            person = await self.on_record(name)
            if person is None or person.closed:
                break
            account = await self.find(name) if checked is not None else None
            if checked is not None and (account is None or account.locked or account.password != checked.password):
                return False
            if await self.append(name, [event], event.by, expected=person.version, also=also) is Outcome.DONE:
                return True
        raise Contended(name)

    async def check(self, name: str, password: str, address: str = "") -> Account | float | None:
        """The account if the password is right, seconds to wait where it is locked out, else None.

        An unknown name takes as long as a known one. This node counts failures for each address, the database all of
        them together. So guesses from many addresses are stopped too, and keep out nobody who asks from where they
        logged in before (`known_addresses.py`).
        """
        async with self._turns.turn(name, address):
            return await self._tried(name, password, address)

    async def _tried(self, name: str, password: str, address: str) -> Account | float | None:
        if wait := self._lockout.waits(name, address):
            return wait
        row = await self._row(name)
        known = row["password"] if row is not None else None
        good = await passwords.matches(known, password)
        row = await self._row(name)  # read again: a change meanwhile ends this attempt
        if not good:
            self._lockout.failed(name, address)
        if row is None:
            return None
        account, at = account_of(row), self.clock.cautious()
        if account.locked or (good and account.password != known):
            return None
        this_person = people.c.name == name
        if account.waits_until > at and not await known_addresses.is_known(self.store, name, account.password, address):
            longest = at + LOCKED_MICROSECONDS
            if account.waits_until > longest:  # it was written by a clock that ran ahead
                await self.store.execute(sa.update(people).where(this_person).values(waits_until=longest))
            return (min(account.waits_until, longest) - at) / 1e6
        if good:
            self._lockout.succeeded(name, address)
            await known_addresses.remember(self.store, name, account.password, address)
            if account.failures or account.waits_until:
                await self.store.execute(sa.update(people).where(this_person).values(failures=0, waits_until=0))
            return account
        await self._failed(this_person, at)
        return None

    async def _row(self, name: str) -> Mapping[str, Any] | None:
        rows = await self.store.fetch(sa.select(people).where(people.c.name == name))
        return rows[0] if rows else None

    async def _failed(self, this_person: Any, at: int) -> None:
        count = sa.update(people).where(this_person).values(failures=people.c.failures + 1)
        many = sa.and_(this_person, people.c.failures >= MOST_FAILURES)
        lock = sa.update(people).where(many).values(failures=0, waits_until=at + LOCKED_MICROSECONDS)
        await self.store.execute(count, lock)


def _row(name: str, **values: Any) -> sa.Executable:
    return sa.update(people).where(people.c.name == name).values(**values)


def _password(name: str, hashed: str, by: str, **values: Any) -> tuple[sa.Executable, ...]:
    """A new password ends every session that the old one opened, and the addresses that were kept under it."""
    row = _row(name, password=hashed, password_by=by, failures=0, **values)
    return row, _no_sessions(name), known_addresses.forget(name)


def _no_sessions(name: str) -> sa.Executable:
    return sa.delete(sessions).where(sessions.c.person == name)


def account_of(row: Mapping[str, Any]) -> Account:
    return msgspec.convert(dict(row), Account, strict=False)
