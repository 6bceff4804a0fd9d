"""The rows of sessions: insert one if its account is unchanged, list those of one person, see whether any changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

WITH_PERSON: Final = sessions.join(people, people.c.name == sessions.c.person)


async def figures(store: Store) -> list[tuple[object, ...]]:
    """Figures that hardly stay the same when a session begins or ends, an account is locked or a role changes."""
    total = sa.func.sum(sessions.c.began_at % 1_000_003)
    query = sa.select(people.c.role, people.c.locked, sa.func.count().label("count"), total.label("sum"))
    rows = await store.fetch(query.select_from(WITH_PERSON).group_by(people.c.role, people.c.locked))
    return sorted(tuple(row.values()) for row in rows)


def where_it_stands(account: Account, row: dict[str, Any]) -> Executable:
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


async def rows_of(store: Store, name: str) -> list[tuple[bytes, int, int]]:
    """The sessions of a person, newest first: the hash of the token, when it began and when it was last seen, as stored
    (unix microseconds)."""
    query = sa.select(sessions).where(sessions.c.person == name).order_by(sessions.c.began_at.desc()).limit(MOST)
    return [(bytes(row["token_hash"]), row["began_at"], row["seen_at"]) for row in await store.fetch(query)]


def parts(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """In parts that one statement takes."""
    return (rows[start : start + _AT_ONCE] for start in range(0, len(rows), _AT_ONCE))
