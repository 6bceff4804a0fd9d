"""What the watch remembers of the tables, in the database. Any node reads it; the node that watches writes it."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import sqlalchemy as sa

from punto.house.store.interface import Store
from punto.house.store.schema import watched
from punto.house.watch.cards_and_stakes import Checkpoint
from punto.watch.live import Kept

SCHEMA: Final = 1
"""Schema of the stored state. Rows with another one are ignored: the table is followed from its first event."""

_decoder: Final = msgspec.msgpack.Decoder(Checkpoint)


async def read(store: Store, table: str | None = None) -> dict[str, tuple[int, Checkpoint]]:
    """Version and state, by table."""
    query = sa.select(watched).where(watched.c.schema == SCHEMA)
    rows = await store.fetch(query if table is None else query.where(watched.c.table == table))
    return {str(row["table"]): (int(row["version"]), _decoder.decode(row["state"])) for row in rows}


async def kept_states(store: Store, table: str | None = None) -> dict[str, Kept]:
    return {name: state.kept for name, (_, state) in (await read(store, table)).items()}


async def write(store: Store, table: str, version: int, state: Checkpoint) -> None:
    await put(store, table, {"version": version, "schema": SCHEMA, "state": msgspec.msgpack.encode(state)})


async def put(store: Store, table: str, row: dict[str, Any]) -> None:
    (changed,) = await store.execute(sa.update(watched).where(watched.c.table == table).values(**row))
    if not changed:
        await store.execute(sa.insert(watched).values(table=table, **row))
