"""Guests: they enter without a name and play with play chips.

At first a guest is a row and a session. The first purchase of chips, a lock or a balance adjustment puts the account on
record and issues the play chips: a guest who only looks leaves nothing behind. A guest whose sessions are over can't
come back. One who is not on record is deleted. The account of any other is closed by an event, and what is left in the
wallet goes back to the cage. Nothing is deleted from a stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from punto.house.people.accounts import TRIES, Account, Accounts
from punto.house.store import person as e
from punto.house.store.names import HOUSE, Role, guest_name
from punto.house.store.people_tables import people, sessions
from punto.house.store.records import Clash, Outcome
from punto.house.store.schema import events, wallets
from punto.money import Cents

GUEST_CENTS: Final = 1_000_000
"""10,000.00 in play chips."""
_JUST_CAME_US: Final = 60 * 1_000_000
"""A guest who came this recently has not gone: their session may be about to begin."""
_AT_ONCE: Final = 500
_IS_GUEST: Final = people.c.guest == sa.true()


class HouseFull(Exception):
    """The house has as many guests as it takes."""


class Guests:
    """The guests of one database."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts, self.store = accounts, accounts.store

    async def enter(self, most: int) -> Account:
        """A new guest, where the house has fewer than `most`. Raises `HouseFull`.

        The database counts. Guests who enter over several connections to PostgreSQL in the same instant may exceed
        `most` by a few.
        """
        for _ in range(TRIES):
            account = Account(name=guest_name(), role=Role.PATRON, guest=True, opened_at=self.accounts.clock.now())
            fewer = sa.select(sa.func.count()).select_from(people).where(_IS_GUEST).scalar_subquery() < most
            unused = ~sa.exists().where(events.c.stream == f"person/{account.name}")
            try:
                if await self.store.execute(_inserted(account, fewer, unused)) == [1]:
                    return account
            except Clash:
                continue  # there is a guest of this name
            if await self.count() >= most:
                break
        raise HouseFull

    async def count(self) -> int:
        rows = await self.store.fetch(sa.select(sa.func.count().label("count")).select_from(people).where(_IS_GUEST))
        return int(rows[0]["count"])

    async def put_on_record(self, name: str) -> None:
        """Put the account and its play chips on record, in one commit. A second call changes nothing.

        If another node deletes the guest just then, the row is made anew: every stream has its row.
        """
        if await self.on_record(name):
            return
        account = Account(name=name, role=Role.PATRON, guest=True, opened_at=self.accounts.clock.now())
        new_events: list[e.AnyPersonEvent] = [
            e.AccountOpened(by=name, name=name, role=Role.PATRON, guest=True),
            e.ChipsGranted(by=name, chips_cents=Cents(GUEST_CENTS)),
        ]
        also = (
            sa.update(people).where(people.c.name == name).values(opened_at=account.opened_at),
            _inserted(account, ~sa.exists().where(people.c.name == name)),
        )
        await self.accounts.append(
            name, new_events, name, moved_cents=GUEST_CENTS, expected=0, at=account.opened_at, also=also
        )

    async def on_record(self, name: str) -> bool:
        version, _ = await self.store.head(f"person/{name}")
        return version > 0

    async def wallet(self, name: str, *, guest: bool) -> int:
        """Cents in a wallet. A guest who is not on record yet has the play chips of the first purchase."""
        if guest and not await self.on_record(name):
            return GUEST_CENTS
        return await self.store.wallet(name)

    async def wallet_of(self, name: str) -> int:
        """The same, of somebody of whom only the name is known."""
        account = await self.accounts.find(name)
        return await self.wallet(name, guest=account is not None and account.guest)

    async def gone(self) -> list[str]:
        """Guests without a session."""
        query = sa.select(people.c.name).where(*_has_gone(self.accounts.clock.now())).order_by(people.c.opened_at)
        return [row["name"] for row in await self.store.fetch(query)]

    async def wallets(self, names: Sequence[str]) -> dict[str, int]:
        """Cents in the wallets of those who are on record."""
        cents: dict[str, int] = {}
        for part in _parts(names):
            query = sa.select(wallets.c.person, wallets.c.cents).where(wallets.c.person.in_(part))
            cents |= {row["person"]: int(row["cents"]) for row in await self.store.fetch(query)}
        return cents

    async def take_out(self, names: Sequence[str]) -> int:
        """Delete guests who have gone and are not on record; how many."""
        unused = ~sa.exists().where(events.c.stream == sa.literal("person/") + people.c.name)
        done = 0
        for part in _parts(names):
            (count,) = await self.store.execute(
                sa.delete(people).where(people.c.name.in_(part), *_has_gone(self.accounts.clock.now()), unused)
            )
            done += count
        return done

    async def close(self, name: str, cents: int) -> bool:
        """Close the account of a guest who has gone, whose wallet holds exactly `cents` and who has no chips anywhere.
        False where that changed meanwhile: a later sweep tries again."""
        person = await self.accounts.on_record(name)
        if person is None or not person.guest or person.closed:
            return False
        new_events: list[e.AnyPersonEvent] = [e.AccountClosed(by=HOUSE, chips_cents=Cents(cents))]
        mine = wallets.c.person == name
        also: tuple[sa.Executable, ...] = (
            # If the wallet holds more than `cents`, this sets it below zero, and the commit fails.
            sa.update(wallets).where(mine, wallets.c.cents != 0).values(cents=-1),
            sa.delete(wallets).where(mine),
            sa.delete(people).where(people.c.name == name),
            sa.delete(sessions).where(sessions.c.person == name),
        )
        outcome = await self.accounts.append(
            name, new_events, HOUSE, moved_cents=-cents, expected=person.version, also=also
        )
        return outcome is Outcome.DONE


def _has_gone(now: int) -> tuple[Any, ...]:
    session = sa.exists().where(sessions.c.person == people.c.name)
    return _IS_GUEST, people.c.opened_at < now - _JUST_CAME_US, ~session


def _inserted(account: Account, *where: Any) -> sa.Executable:
    """Insert the row of a guest, where the conditions hold."""
    row = msgspec.to_builtins(account)
    values = [sa.literal(value, people.c[name].type) for name, value in row.items()]
    return sa.insert(people).from_select(list(row), sa.select(*values).where(*where))


def _parts(names: Sequence[str]) -> Iterable[Sequence[str]]:
    return (names[start : start + _AT_ONCE] for start in range(0, len(names), _AT_ONCE))
