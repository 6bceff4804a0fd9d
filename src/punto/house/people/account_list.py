"""The list of accounts, page by page."""

from __future__ import annotations

import sqlalchemy as sa

from punto.house.people.accounts import Account, account_of
from punto.house.store.interface import Store
from punto.house.store.people_tables import people
from punto.house.store.schema import wallets


async def page(store: Store, after: str = "", limit: int = 100, *, guests: bool = False) -> list[tuple[Account, int]]:
    """Accounts by name with their wallets on record: a guest who has used no money has none yet."""
    joined = people.outerjoin(wallets, wallets.c.person == people.c.name)
    query = sa.select(people, sa.func.coalesce(wallets.c.cents, 0).label("cents")).select_from(joined)
    query = query.where(people.c.name > after)
    if not guests:
        query = query.where(people.c.guest == sa.false())
    rows = await store.fetch(query.order_by(people.c.name).limit(limit))
    return [(account_of(row), int(row["cents"])) for row in rows]
