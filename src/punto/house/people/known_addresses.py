"""Known addresses of a person: where they logged in from before, on any node and before any restart.

Wrong passwords from many addresses lock an account, but not at these: whoever knows a name can't keep its owner out. An
address is kept as a hash keyed by the account's password hash, so that a new password ends them all. Each person has
few of them, and old ones are deleted.
"""

from __future__ import annotations

import hmac
from contextlib import suppress
from typing import Final

import sqlalchemy as sa

from punto.house.instants import unix_micros
from punto.house.store.interface import Store
from punto.house.store.people_tables import known_addresses
from punto.house.store.records import Clash

_DAY_US: Final = 24 * 3600 * 1_000_000
MOST_ADDRESSES: Final = 8
"""Addresses kept of one person, those used last: home, work, a telephone or two."""
LONGEST_US: Final = 90 * _DAY_US
"""An address from which nobody logged in for this long is unknown again."""
FRESH_US: Final = _DAY_US
"""A login from an address that was seen this recently writes nothing."""
_HASH_BYTES: Final = 16


async def is_known(store: Store, name: str, password: str | None, address: str) -> bool:
    """Whether the person has logged in from there. `password` is the hash."""
    return await _seen_at(store, name, password, address) is not None


async def remember(store: Store, name: str, password: str | None, address: str) -> None:
    """Store that the person has just logged in from there."""
    seen_at = await _seen_at(store, name, password, address)
    if not address or password is None or (seen_at is not None and unix_micros() - seen_at < FRESH_US):
        return
    with suppress(Clash):  # another login from there has just stored it
        await store.execute(*statements(name, password, address))


def statements(name: str, password: str, address: str) -> tuple[sa.Executable, ...]:
    """Statements that store an address, and delete the oldest beyond `MOST_ADDRESSES`."""
    digest, mine = _hash(password, address), known_addresses.c.person == name
    newest = sa.select(known_addresses.c.address_hash).where(mine)
    newest = newest.order_by(known_addresses.c.seen_at.desc(), known_addresses.c.address_hash).limit(MOST_ADDRESSES)
    return (
        sa.delete(known_addresses).where(mine, known_addresses.c.address_hash == digest),
        sa.insert(known_addresses).values(person=name, address_hash=digest, seen_at=unix_micros()),
        sa.delete(known_addresses).where(mine, known_addresses.c.address_hash.not_in(newest)),
    )


def forget(name: str) -> sa.Executable:
    """Delete all of a person: the password that keyed them has gone."""
    return sa.delete(known_addresses).where(known_addresses.c.person == name)


async def sweep(store: Store) -> None:
    """Delete addresses that are too old."""
    await store.execute(sa.delete(known_addresses).where(known_addresses.c.seen_at < unix_micros() - LONGEST_US))


async def _seen_at(store: Store, name: str, password: str | None, address: str) -> int | None:
    if not address or password is None:
        return None
    here = (known_addresses.c.person == name, known_addresses.c.address_hash == _hash(password, address))
    rows = await store.fetch(sa.select(known_addresses.c.seen_at).where(*here))
    return rows[0]["seen_at"] if rows and rows[0]["seen_at"] >= unix_micros() - LONGEST_US else None


def _hash(password: str, address: str) -> bytes:
    """Keyed by the hash of the password, which differs for every account."""
    return hmac.digest(password.encode(), address.encode(), "sha256")[:_HASH_BYTES]
