"""The list of accounts, page by page."""

from __future__ import annotations

import sqlalchemy as sa

from punto.house.people.accounts import Account, account_of
from punto.house.people.guests import GUEST_CENTS
from punto.house.store.interface import Store
from punto.house.store.people_tables import people
from punto.house.store.schema import events, wallets


async def page(store: Store, after: str = "", limit: int = 100, *, guests: bool = False) -> list[tuple[Account, int]]:
    """Accounts by name with their wallets, as `Guests.wallet` has them."""
    joined = people.outerjoin(wallets, wallets.c.person == people.c.name)
    on_record = sa.exists().where(events.c.stream == sa.literal("person/") + people.c.name)
    not_yet = sa.and_(people.c.guest == sa.true(), ~on_record)
    cents = sa.case((not_yet, GUEST_CENTS), else_=sa.func.coalesce(wallets.c.cents, 0))
    query = sa.select(people, cents.label("cents")).select_from(joined)
    query = query.where(people.c.name > after)
    if not guests:
        query = query.where(people.c.guest == sa.false())
    rows = await store.fetch(query.order_by(people.c.name).limit(limit))
    return [(account_of(row), int(row["cents"])) for row in rows]
