"""Whether the watch is running: when it last looked at the tables, and what it could not follow. One database row holds
this, so that a desk at any node can tell "no alarm" from "nobody watches"."""

from __future__ import annotations

from typing import Final

import msgspec
import sqlalchemy as sa

from punto.house.store.interface import Store
from punto.house.store.schema import watched
from punto.house.watch import checkpoints

SCHEMA: Final = -1
"""Schema of this row, which is not a table's. Its name is empty; no table has that name."""
WRITE_EVERY: Final = 10_000_000
"""Microseconds between two writes if nothing else has changed."""
STALE: Final = 60_000_000
"""Microseconds without a write until the watch counts as stopped."""


class WatchState(msgspec.Struct, frozen=True, kw_only=True):
    looked_at: int = 0
    behind: int = 0
    """Tables whose stream is not read to its end yet."""
    failing: tuple[str, ...] = ()
    """Tables that can't be followed for now."""
    failure: str = ""
    """The last failure."""
    failed_at: int = 0

    def watches(self, now: int) -> bool:
        """Whether "no alarm" means that there is none."""
        return now - self.looked_at < STALE and not self.behind and not self.failing

    def is_news(self, before: WatchState) -> bool:
        """Whether to write it: a failure changed, `behind` went to or from 0, or `WRITE_EVERY` has passed."""
        same = msgspec.structs.replace(before, looked_at=self.looked_at, behind=self.behind) == self
        return not same or bool(self.behind) != bool(before.behind) or self.looked_at - before.looked_at >= WRITE_EVERY


async def read(store: Store) -> WatchState:
    rows = await store.fetch(sa.select(watched).where(watched.c.table == "", watched.c.schema == SCHEMA))
    return msgspec.msgpack.decode(rows[0]["state"], type=WatchState) if rows else WatchState()


async def write(store: Store, state: WatchState) -> None:
    await checkpoints.put(store, "", {"version": 0, "schema": SCHEMA, "state": msgspec.msgpack.encode(state)})
