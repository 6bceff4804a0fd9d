"""The rows of sessions: insert one if its account is unchanged, read one, list those of one person, see whether any
changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import sqlalchemy as sa

from punto.house.people.accounts import Account
from punto.house.store.interface import Store
from punto.house.store.people_tables import people, sessions

if TYPE_CHECKING:
    from sqlalchemy.sql import Executable

T = TypeVar("T")

_AT_ONCE: Final = 500
MOST: Final = 100
"""Sessions of one person that are listed."""

_WITH_PERSON: Final = sessions.join(people, people.c.name == sessions.c.person)


def hash_of(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).digest()


async def figures(store: Store) -> list[tuple[object, ...]]:
    """Figures that hardly stay the same when a session begins or ends, an account is locked or a role changes."""
    total = sa.func.sum(sessions.c.began_at % 1_000_003)
    query = sa.select(people.c.role, people.c.locked, sa.func.count().label("count"), total.label("sum"))
    rows = await store.fetch(query.select_from(_WITH_PERSON).group_by(people.c.role, people.c.locked))
    return sorted(tuple(row.values()) for row in rows)


def insert_if_unchanged(account: Account, row: dict[str, Any]) -> Executable:
    """Insert the row of a session, if the account is unchanged since it was read. This waits for a change under way,
    which ends the sessions it finds: the session comes before it or not at all."""
    same = (
        people.c.name == account.name,
        people.c.password == account.password,
        people.c.role == account.role.value,
        people.c.locked == sa.false(),
    )
    values = [sa.literal(value, sessions.c[name].type) for name, value in row.items()]
    source = sa.select(*values).where(*same).with_for_update(read=True)
    return sa.insert(sessions).from_select(list(row), source)


async def row_with_person(store: Store, token_hash: bytes) -> Mapping[str, Any] | None:
    """A session with its person's role and flags, unless the person is locked."""
    columns = (people.c.role, people.c.guest, people.c.locked, people.c.password_by)
    query = sa.select(sessions, *columns).select_from(_WITH_PERSON)
    rows = await store.fetch(query.where(sessions.c.token_hash == token_hash))
    return rows[0] if rows and not rows[0]["locked"] else None


async def valid_roles(store: Store, token_hashes: Sequence[bytes]) -> dict[bytes, str]:
    """The roles of those of these sessions that are stored and whose person is not locked."""
    query = sa.select(sessions.c.token_hash, people.c.role, people.c.locked).select_from(_WITH_PERSON)
    rows = await store.fetch(query.where(sessions.c.token_hash.in_(token_hashes)))
    return {bytes(row["token_hash"]): row["role"] for row in rows if not row["locked"]}


async def rows_of(store: Store, name: str) -> list[tuple[bytes, int, int]]:
    """The sessions of a person, newest first: the hash of the token, when it began and when it was last seen, as stored
    (unix microseconds)."""
    query = sa.select(sessions).where(sessions.c.person == name).order_by(sessions.c.began_at.desc()).limit(MOST)
    return [(bytes(row["token_hash"]), row["began_at"], row["seen_at"]) for row in await store.fetch(query)]


def parts(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """In parts that one statement takes."""
    return (rows[start : start + _AT_ONCE] for start in range(0, len(rows), _AT_ONCE))
