"""The rows of sessions: insert one if its account is unchanged, and list those of one person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from punto.house.people.accounts import Account
from punto.house.store.interface import Store
from punto.house.store.people_tables import people, sessions

if TYPE_CHECKING:
    from sqlalchemy.sql import Executable

MOST: Final = 100
"""Sessions of one person that are listed."""


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
