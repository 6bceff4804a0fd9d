"""Where in a table's stream a shoe was loaded, and where an earlier round may have been corrected.

A stream only grows. So it is searched once, and later searches go on from there: otherwise a request for the first
round of an old table would read all of it.
"""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from typing import Final, Generic, TypeVar
from weakref import WeakKeyDictionary

import msgspec
import sqlalchemy as sa

from punto.house.store.interface import Store
from punto.house.store.schema import events

T = TypeVar("T")

PAGE: Final = 5_000
"""Rows that are read at a time."""
SHOE: Final = "shoe-loaded"
CORRECTIONS: Final = (
    *("past-round-corrected", "original-returned", "insurance-repositioned"),
    *("irregularity-reported", "ruling-paid"),
)
"""Events that may correct a past round. They name the round; for a payment, its report does."""


class StreamIndex(msgspec.Struct):
    """Versions of one table's events, in order, up to `until`."""

    until: int = 0
    shoes: array[int] = msgspec.field(default_factory=lambda: array("q"))
    corrections: array[int] = msgspec.field(default_factory=lambda: array("q"))

    def shoe_at(self, version: int) -> int:
        """The number of the shoe in use at a version, from 1; 0 before the first."""
        return bisect_right(self.shoes, version)

    def corrected_after(self, version: int) -> list[int]:
        return self.corrections[bisect_right(self.corrections, version) :].tolist()


class KeptByTable(Generic[T]):
    """Caches what was read of each table, by store, with one lock: requests for many old tables occupy one reader, not
    all."""

    def __init__(self) -> None:
        self._stores: WeakKeyDictionary[Store, tuple[dict[str, T], asyncio.Lock]] = WeakKeyDictionary()

    def of(self, store: Store) -> tuple[dict[str, T], asyncio.Lock]:
        return self._stores.setdefault(store, ({}, asyncio.Lock()))


_kept: Final = KeptByTable[StreamIndex]()


async def stream_index(store: Store, table: str) -> StreamIndex:
    """The index of a table's stream as it stands in the store."""
    indexes, turn = _kept.of(store)
    index = indexes.setdefault(table, StreamIndex())
    head, _ = await store.head(f"table/{table}")
    if head > index.until:
        async with turn:
            while head > index.until:
                await _search(store, table, index, head)
    return index


async def _search(store: Store, table: str, index: StreamIndex, head: int) -> None:
    shoe = sa.case((tagged([SHOE]), 1), else_=0).label("shoe")
    where = (events.c.stream == f"table/{table}", events.c.version > index.until, events.c.version <= head)
    query = sa.select(events.c.version, shoe).where(*where, tagged([SHOE, *CORRECTIONS]))
    rows = await store.fetch(query.order_by(events.c.version).limit(PAGE))
    for row in rows:
        (index.shoes if row["shoe"] else index.corrections).append(row["version"])
    index.until = head if len(rows) < PAGE else rows[-1]["version"]


def tagged(tags: Iterable[str]) -> sa.ColumnElement[bool]:
    """The condition for events of these kinds. An event's JSON starts with its tag, so the database picks them out."""
    starts = [f'{{"event":"{tag}"'.encode() for tag in tags]
    return sa.or_(*(sa.func.substr(events.c.event, 1, len(start)) == start for start in starts))
