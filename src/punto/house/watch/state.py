"""Whether anybody watches: when the watch last looked at the tables, and what it could not follow. On one row of the
database, so that a desk at any node can tell "no alarm" from "nobody looks"."""

from __future__ import annotations

from typing import Final

import msgspec
import sqlalchemy as sa

from punto.house.store.interface import Store
from punto.house.store.schema import watched
from punto.house.watch import kept

SCHEMA: Final = -1
"""Apart from what is kept of tables. The row has the empty name, which no table has."""
WRITE_EVERY: Final = 10_000_000
"""Microseconds, where nothing else is new."""
STALE: Final = 60_000_000
"""A watch that has not said for so long that it looks does not look."""


class WatchState(msgspec.Struct, frozen=True, kw_only=True):
    looked_at: int = 0
    behind: int = 0
    """Tables whose record is not read to its end yet."""
    failing: tuple[str, ...] = ()
    """Tables that can't be followed for now."""
    failure: str = ""
    """The last one."""
    failed_at: int = 0

    def watches(self, now: int) -> bool:
        """Whether "no alarm" means that there is none."""
        return now - self.looked_at < STALE and not self.behind and not self.failing

    def is_news(self, before: WatchState) -> bool:
        """Whether it is worth a row: something else than the time of the look, or a good while."""
        same = msgspec.structs.replace(before, looked_at=self.looked_at, behind=self.behind) == self
        return not same or bool(self.behind) != bool(before.behind) or self.looked_at - before.looked_at >= WRITE_EVERY


async def read(store: Store) -> WatchState:
    rows = await store.fetch(sa.select(watched).where(watched.c.table == "", watched.c.schema == SCHEMA))
    return msgspec.msgpack.decode(rows[0]["state"], type=WatchState) if rows else WatchState()


async def write(store: Store, state: WatchState) -> None:
    await kept.put(store, "", {"version": 0, "schema": SCHEMA, "state": msgspec.msgpack.encode(state)})
