"""Where in a table's stream a shoe was loaded, and an earlier round may have been put right.

A stream only grows, so it is searched once, and then from where the last search ended: else anybody who asks for the
first round of an old table would have the whole of it read.
"""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_right
from typing import Final
from weakref import WeakKeyDictionary

import msgspec
import sqlalchemy as sa

from punto.house.store.interface import Store
from punto.house.store.schema import events

PAGE: Final = 5_000
"""Marks that are read at a time."""
SHOE: Final = "shoe-loaded"
CORRECTIONS: Final = (
    *("past-round-corrected", "original-returned", "insurance-repositioned"),
    *("irregularity-reported", "ruling-paid"),
)
"""Events that put right a round that may be over. They name it; a payment is of the round that its report names."""
_STARTS: Final = {tag: f'{{"event":"{tag}"'.encode() for tag in (SHOE, *CORRECTIONS)}
"""An event's JSON starts with its tag, so the database picks them out."""


class Marked(msgspec.Struct):
    """Versions of one table, in order, of all that was searched."""

    until: int = 0
    shoes: array[int] = msgspec.field(default_factory=lambda: array("q"))
    corrections: array[int] = msgspec.field(default_factory=lambda: array("q"))

    def shoe_at(self, version: int) -> int:
        """Which shoe was in use at a version: they are numbered from 1. 0 before the first."""
        return bisect_right(self.shoes, version)

    def corrected_after(self, version: int) -> list[int]:
        return self.corrections[bisect_right(self.corrections, version) :].tolist()


class _Kept:
    """Of one store. One search at a time: whoever asks for many old tables takes one reader, not all."""

    def __init__(self) -> None:
        self.tables: dict[str, Marked] = {}
        self.turn = asyncio.Lock()


_kept: Final[WeakKeyDictionary[Store, _Kept]] = WeakKeyDictionary()


async def marked(store: Store, table: str) -> Marked:
    """The marks of a table as it stands in the store."""
    kept = _kept.setdefault(store, _Kept())
    found = kept.tables.setdefault(table, Marked())
    head, _ = await store.head(f"table/{table}")
    if head > found.until:
        async with kept.turn:
            while head > found.until:
                await _search(store, table, found, head)
    return found


async def _search(store: Store, table: str, found: Marked, head: int) -> None:
    picked = sa.or_(*(sa.func.substr(events.c.event, 1, len(start)) == start for start in _STARTS.values()))
    where = (events.c.stream == f"table/{table}", events.c.version > found.until, events.c.version <= head, picked)
    shoe = sa.func.substr(events.c.event, 1, len(_STARTS[SHOE])) == _STARTS[SHOE]
    asked = sa.select(events.c.version, sa.case((shoe, 1), else_=0).label("shoe")).where(*where)
    rows = await store.fetch(asked.order_by(events.c.version).limit(PAGE))
    for row in rows:
        (found.shoes if row["shoe"] else found.corrections).append(row["version"])
    found.until = head if len(rows) < PAGE else rows[-1]["version"]
