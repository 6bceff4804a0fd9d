"""Accounts. The stream `person/<name>` is what happened; the row in `people` is what a login looks at.

What restricts (a lock, a role lost) reaches the row before the stream, what gives reaches the stream first: a node
that dies in between leaves a person with less, never with more, and doing it again completes it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from punto.house import codec, ledger
from punto.house.people import events as e
from punto.house.people import passwords
from punto.house.people.buckets import Lockout
from punto.house.people.names import Role, guest_name
from punto.house.people.tables import people, sessions
from punto.house.schema import wallets
from punto.house.store import Store
from punto.house.stored import Clash, Outcome, Transfer, Unit
from punto.money import Cents

GUEST_CENTS: Final = 1_000_000
"""10,000.00 in play chips."""
MOST_FAILURES: Final = 100
"""From all addresses together, before an account waits wherever its owner has not logged in before. From one address
it is five (`buckets.Lockout`)."""
LOCKED_MICROSECONDS: Final = 15 * 60 * 1_000_000
_TRIES: Final = 20


def now() -> int:
    return time.time_ns() // 1000


class NameTaken(Exception):
    """There is an account of this name."""


class NoFunds(Exception):
    """The wallet would go below nothing."""


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


class Accounts:
    """Everybody, over one store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lockout = Lockout()

    async def find(self, name: str) -> Account | None:
        found = await self.store.fetch(sa.select(people).where(people.c.name == name))
        return _account(found[0]) if found else None

    async def page(self, after: str = "", limit: int = 100, *, guests: bool = False) -> list[tuple[Account, int]]:
        """Accounts by name with their wallets."""
        joined = people.outerjoin(wallets, wallets.c.person == people.c.name)
        asked = sa.select(people, sa.func.coalesce(wallets.c.cents, 0).label("cents")).select_from(joined)
        asked = asked.where(people.c.name > after)
        if not guests:
            asked = asked.where(people.c.guest == sa.false())
        rows = await self.store.fetch(asked.order_by(people.c.name).limit(limit))
        return [(_account(row), int(row["cents"])) for row in rows]

    async def open(self, name: str, role: Role, password: str, by: str) -> Account:
        hashed = await passwords.hashed(password)
        return await self._opened(name, role, hashed, by, guest=False, grant_cents=0)

    async def open_guest(self) -> Account:
        """A guest with play chips: account, chips and wallet in one commit."""
        while True:
            try:
                name = guest_name()
                return await self._opened(name, Role.PATRON, None, name, guest=True, grant_cents=GUEST_CENTS)
            except NameTaken:
                continue

    async def _opened(
        self, name: str, role: Role, hashed: str | None, by: str, *, guest: bool, grant_cents: int
    ) -> Account:
        said: list[e.AnyPersonEvent] = [e.AccountOpened(by=by, name=name, role=role, guest=guest)]
        if hashed is not None:
            said.append(e.PasswordSet(by=by))
        if grant_cents:
            said.append(e.ChipsGranted(by=by, chips_cents=Cents(grant_cents)))
        at = now()
        if await self.append(name, said, by, moved_cents=grant_cents, expected=0, at=at) is Outcome.CONFLICT:
            raise NameTaken(name)
        row = {"name": name, "password": hashed, "role": role.value, "guest": guest, "locked": False, "opened_at": at}
        try:
            await self.store.execute(sa.insert(people).values(**row, failures=0, waits_until=0))
        except Clash as clash:
            raise NameTaken(name) from clash
        return Account(name=name, role=role, guest=guest, opened_at=at)

    async def append(
        self,
        name: str,
        said: list[e.AnyPersonEvent],
        by: str,
        *,
        moved_cents: int = 0,
        expected: int | None = None,
        key: str | None = None,
        body: bytes | None = None,
        at: int | None = None,
    ) -> Outcome:
        """Add events to a person's stream, and move `moved_cents` from the cage to the wallet (back, if negative) with
        the last of them. Without `expected` it comes after whatever is there."""
        stream = f"person/{name}"
        for _ in range(_TRIES):
            version, before = await self.store.head(stream)
            if expected is not None and version != expected:
                return Outcome.CONFLICT
            lines = tuple(e.encode(one) for one in said)
            rows = codec.rows(stream, version, before, at or now(), [codec.Said(lines, by, "", key, body)])
            moved: tuple[Transfer, ...] = ()
            if moved_cents:
                pair = (ledger.CAGE, ledger.wallet(name))
                giver, taker = pair if moved_cents > 0 else (pair[1], pair[0])
                moved = (Transfer(stream, rows[-1].version, 1, giver, taker, abs(moved_cents)),)
            unit = Unit(stream, version, rows, moved, ledger.wallets(moved))
            outcome = await self.store.append(unit)
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
        self, account: Account, role: Role, by: str, *, key: str | None = None, body: bytes | None = None
    ) -> None:
        """Another role takes effect everywhere within a second: the sessions of the old one end."""
        row = sa.update(people).where(people.c.name == account.name).values(role=role.value)
        ended = sa.delete(sessions).where(sessions.c.person == account.name)
        said: list[e.AnyPersonEvent] = [e.RoleChanged(by=by, role=role)]
        if role.rank is None:
            await self.store.execute(row, ended)
            await self.append(account.name, said, by, key=key, body=body)
        else:
            await self.append(account.name, said, by, key=key, body=body)
            await self.store.execute(row, ended)

    async def lock(self, account: Account, by: str, reason: str) -> None:
        row = sa.update(people).where(people.c.name == account.name).values(locked=True)
        await self.store.execute(row, sa.delete(sessions).where(sessions.c.person == account.name))
        await self.append(account.name, [e.AccountLocked(by=by, reason=reason)], by)

    async def unlock(self, account: Account, by: str) -> None:
        self._lockout.forget(account.name)
        await self.append(account.name, [e.AccountUnlocked(by=by)], by)
        row = sa.update(people).where(people.c.name == account.name).values(locked=False, waits_until=0, failures=0)
        await self.store.execute(row)

    async def set_password(self, name: str, password: str, by: str) -> None:
        """The old one ends with every session that it opened."""
        hashed = await passwords.hashed(password)
        row = sa.update(people).where(people.c.name == name).values(password=hashed, failures=0)
        await self.store.execute(row, sa.delete(sessions).where(sessions.c.person == name))
        await self.append(name, [e.PasswordSet(by=by)], by)

    async def check(self, name: str, password: str, address: str = "") -> Account | float | None:
        """The account if the password is right, seconds to wait where it is locked out, else None.

        An unknown name takes as long as a known one. Failures are counted for each address on this node, and all of
        them together in the database: guesses from many addresses come to an end too, and keep out nobody who asks
        from where he logged in before.
        """
        wait = self._lockout.waits(name, address)
        if wait:
            return wait
        found = await self.store.fetch(sa.select(people).where(people.c.name == name))
        row = found[0] if found else None
        good = await passwords.matches(row["password"] if row is not None else None, password)
        if not good:
            self._lockout.failed(name, address)
        if row is None:
            return None
        account, at = _account(row), now()
        if account.locked:
            return None
        if account.waits_until > at and not self._lockout.is_own(name, address):
            return (account.waits_until - at) / 1e6
        here = people.c.name == name
        if good:
            self._lockout.succeeded(name, address)
            if account.failures or account.waits_until:
                await self.store.execute(sa.update(people).where(here).values(failures=0, waits_until=0))
            return account
        await self._failed(here, at)
        return None

    async def _failed(self, here: Any, at: int) -> None:
        count = sa.update(people).where(here).values(failures=people.c.failures + 1)
        many = sa.and_(here, people.c.failures >= MOST_FAILURES)
        lock = sa.update(people).where(many).values(failures=0, waits_until=at + LOCKED_MICROSECONDS)
        await self.store.execute(count, lock)


def _account(row: Mapping[str, Any]) -> Account:
    return Account(
        name=row["name"],
        role=Role(row["role"]),
        guest=bool(row["guest"]),
        locked=bool(row["locked"]),
        waits_until=row["waits_until"],
        failures=row["failures"],
        opened_at=row["opened_at"],
    )
