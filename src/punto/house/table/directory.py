"""The list of tables: ids, games and paces. A table that another node opened is found when its stream first moves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from punto.game.table import Table
from punto.house import metrics
from punto.house.instants import MICRO
from punto.house.store import codec
from punto.house.store.codec import RecordedEvent
from punto.house.store.dealing_pace import PACE, Pace
from punto.house.store.interface import Store
from punto.house.store.records import Clash, StoreBroken
from punto.house.store.schema import tables
from punto.house.table.decide import TableState
from punto.house.table.node_clock import NodeClock

log = logging.getLogger("punto.tables")

LOOK_S: Final = 5.0
"""Seconds after which the list is read again: another node may have changed a row, and no stream says so."""

_AT_IT: Final = 2 * MICRO
"""Microseconds within which the node that opened a table lists it."""


class Listed(msgspec.Struct, frozen=True):
    """A table on the list."""

    id: str
    game: str
    pace: Pace | None
    demo: bool
    opened_at: int


class Directory:
    """Every table of the database, in memory, by id."""

    def __init__(self, store: Store, clock: NodeClock | None = None) -> None:
        self.store, self._clock = store, clock or NodeClock(store)
        self._clock.on_step(self._all_moved)
        self.known: dict[str, Listed] = {}
        """Replaced where a table is added, never changed: others go through it and wait for each table."""
        self.shown: dict[str, tuple[Any, bytes]] = {}
        """Each table as the lobby shows it, with its JSON, until it moves."""
        self.watchers: set[Callable[[str | None], None]] = set()
        """Called with every table that has moved; with None where all may have moved."""
        self.moves: dict[str, int] = {}
        """The version that each table was last reported at."""
        self.virtual: Callable[[str], None] = lambda table: None
        """Called with every new table that has a pace: if it is virtual, it needs a dealer."""
        self._moved = asyncio.Event()
        store.on_wake(self._woken)

    def pace_of(self, table: str) -> Pace | None:
        known = self.known.get(table)
        return known.pace if known is not None else None

    async def load(self) -> None:
        """Read the list, and add tables that were opened by a node that died before it listed them."""
        before = self.known
        rows = await self.store.fetch(sa.select(tables))
        known = {row["id"]: _known(row) for row in rows}
        for stream, _ in await self.store.streams("table/"):
            table = stream.removeprefix("table/")
            if table not in known and (lost := await self._not_listed(table)) is not None:
                known[table] = lost
        new = [listed for table, listed in known.items() if table not in self.known and listed.pace is not None]
        # What was listed during this read stays: it is newer, and no table is ever taken off the list.
        read = {table: listed for table, listed in known.items() if self.known.get(table) is before.get(table)}
        changed = [table for table, listed in read.items() if self.known.get(table, listed) != listed]
        self.known = dict(sorted({**self.known, **read}.items()))
        for table in changed:
            self._tile_changed(table)
        for listed in new:
            self.virtual(listed.id)
        metrics.tables.set(len(self.known))

    async def add(self, table: str, game: str, pace: Pace | None, *, demo: bool = False) -> Listed:
        """List a table that was opened here, perhaps again: its game and pace replace those that were listed."""
        row = self._row(table, game, pace, demo)
        try:
            await self.store.execute(sa.insert(tables).values(**row))
        except Clash:
            right = {"game": game, "pace": row["pace"], "demo": demo}
            await self.store.execute(sa.update(tables).where(tables.c.id == table).values(**right))
        return await self._written(table)

    async def list_as_opened(self, table: str, opened: Table) -> None:
        """Correct the row of a table whose node opened it again and died before it listed it. The pace that was asked
        for is on no record, so a virtual table gets the usual one."""
        listed, settings = self.known.get(table), opened.settings
        if listed is None or settings is None:
            return
        game, virtual = settings.edition.partition("/")[0], settings.source == "virtual"
        if listed.game != game or (virtual and listed.pace is None):
            await self.add(table, game, PACE if virtual else None)

    async def _written(self, table: str) -> Listed:
        rows = await self.store.fetch(sa.select(tables).where(tables.c.id == table))
        listed = _known(rows[0])
        self.known = dict(sorted({**self.known, table: listed}.items()))
        metrics.tables.set(len(self.known))
        if listed.pace is not None:
            self.virtual(table)
        return listed

    async def run(self) -> None:
        """Read the list whenever there may be a new table, and every few seconds, until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._moved.wait()
            self._moved.clear()
            try:
                await self.load()
            except StoreBroken:
                pass
            except Exception:
                log.exception("the list of tables could not be read; it is tried again")
                self._moved.set()
            await asyncio.sleep(0.2)

    async def _not_listed(self, table: str) -> Listed | None:
        """List a table whose node died before it could. None while that node may still do so."""
        first = (await self.store.read(f"table/{table}", 0, 1))[0]
        if 0 <= self._clock.now() - first.at < _AT_IT:
            self._moved.set()
            return None
        settings = getattr(codec.event(first), "settings", None)
        game = settings.edition.partition("/")[0] if settings is not None else ""
        virtual = settings is not None and settings.source == "virtual"
        with suppress(Clash):
            await self.store.execute(sa.insert(tables).values(**self._row(table, game, PACE if virtual else None)))
        return await self._written(table)

    def _row(self, table: str, game: str, pace: Pace | None, demo: bool = False) -> dict[str, Any]:
        written = msgspec.json.encode(pace).decode() if pace is not None else None
        return {"id": table, "game": game, "pace": written, "demo": demo, "opened_at": self._clock.now()}

    def _woken(self, moved: Sequence[tuple[str, int]]) -> None:
        if not moved:
            self._all_moved()
            self._moved.set()
        for stream, version in moved:
            if stream.startswith("table/"):
                table = stream.removeprefix("table/")
                self.moves[table] = max(version, self.moves.get(table, 0))
                self._tile_changed(table)
                if table not in self.known:
                    self._moved.set()

    def moved(self, table: str, state: TableState, events: Sequence[RecordedEvent]) -> None:
        """For the house's listeners: this node's table has moved. Where all may have moved, this says which has."""
        if state.table.version > self.moves.get(table, 0):
            self._woken([(f"table/{table}", state.table.version)])

    def _tile_changed(self, table: str) -> None:
        self.shown.pop(table, None)
        for tell in tuple(self.watchers):
            tell(table)

    def _all_moved(self) -> None:
        self.shown.clear()
        for tell in tuple(self.watchers):
            tell(None)


def _known(row: Any) -> Listed:
    pace = msgspec.json.decode(row["pace"], type=Pace) if row["pace"] else None
    return Listed(row["id"], row["game"], pace, bool(row["demo"]), row["opened_at"])
