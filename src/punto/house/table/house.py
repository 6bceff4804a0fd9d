"""The house: tables over one store. Everything that changes a table goes through `House.command`.

A table has no owner: the database decides who writes its next event. A node keeps one worker for each table, and one
commit of it in flight; requests that come meanwhile go into the next commit.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import msgspec

from punto.game.commands import CloseBetting, OpenTable
from punto.game.table import Table
from punto.house.instants import MICRO
from punto.house.store.answers import Answer
from punto.house.store.codec import RecordedEvent
from punto.house.store.dealing_pace import PACE, Pace
from punto.house.store.interface import Store
from punto.house.store.records import StoreBroken
from punto.house.table import virtual_shoes
from punto.house.table.batch_worker import Workers
from punto.house.table.decide import TableState
from punto.house.table.loaded_table import Halted, LoadedTable, Pending
from punto.house.table.node_clock import NodeClock
from punto.house.table.request import Request
from punto.house.table.stage import Stage, stage

log = logging.getLogger("punto.house")

MOST_WAITING: Final = 4_096
"""Requests that may be queued at one table."""
MOST_TABLES: Final = 256
"""Tables kept in memory. Beyond this number idle ones are dropped."""

Listener = Callable[[str, TableState, Sequence[RecordedEvent]], None]
"""Takes a table's id, its state, and the events that led to it."""


class NoSuchTable(LookupError):
    """No event was ever recorded under this id (HTTP 404, close code 4404)."""


class Busy(RuntimeError):
    """Too many requests wait at this table (HTTP 429)."""


class Unsure(RuntimeError):
    """This node could not renew its row (`Store.unsure`): it takes no round to the deal (HTTP 503)."""


class House:
    """Any number of these, in any number of processes, may serve one database.

    `broken` is set when the store can't be written any more. The server then exits with status 1.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: NodeClock | None = None,
        pace_of: Callable[[str], Pace | None] = lambda table: PACE,
        new_shoe: virtual_shoes.Shuffle = virtual_shoes.new_shoe,
    ) -> None:
        """`clock` is the machine's by default. `pace_of` gives a table's pace by its id; None: no clock. `new_shoe`
        gives the order of this many decks."""
        self.store = store
        self.clock = clock or NodeClock(store)
        self.pace_of = pace_of
        self.new_shoe = new_shoe
        self.broken = asyncio.Event()
        self.halted: str | None = None
        """Why this node decides nothing any more, if so."""
        self.recovered_at: int | None = None
        """When this node finished recovery, by the monotonic clock. Older clocks of tables start anew from here."""
        self.listeners: list[Listener] = []
        """Called in order with every commit of a table in memory, by this node or another."""
        self._workers = Workers(self, self._break)
        self._tables: dict[str, LoadedTable] = {}
        store.on_wake(self._woken)

    async def command(self, table: str, request: Request) -> Answer:
        """Decide the commands of a request, all or nothing, and answer after the commit.

        The house fills in its own facts and takes them from nobody else: a virtual shoe's order, salt and commitment
        (load-shoe comes without them), and `on` of open-table and open-betting, which is now. Raises NoSuchTable, Busy,
        Unsure and Halted. A caller who stops waiting does not stop the command.
        """
        self._check()
        loaded = self._tables.get(table)
        if loaded is None or not loaded.loaded:
            loaded = await self._loaded(table)
            self._check()
        if not loaded.version and not (request.commands and isinstance(request.commands[0], OpenTable)):
            self._forget(loaded)
            raise NoSuchTable(f"there is no table {table!r}")
        if len(loaded.queue) >= MOST_WAITING:
            raise Busy(f"{len(loaded.queue)} requests wait at table {table}")
        if self.store.unsure and any(isinstance(command, CloseBetting) for command in request.commands):
            raise Unsure(f"this node could not renew its row in the database and closes no betting at table {table}")
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        loaded.queue.append(Pending(request, answer))
        self._workers.start(loaded)
        return await answer

    async def table(self, table: str) -> Table:
        """The table that its events add up to. Raises NoSuchTable, Halted."""
        return (await self.state(table)).table

    async def state(self, table: str) -> TableState:
        """The table, and when it came to its stage. Clocks count from that."""
        self._check()
        loaded = await self._loaded(table)
        if not loaded.version:
            self._forget(loaded)
            raise NoSuchTable(f"there is no table {table!r}")
        return loaded.state

    async def newest(self, table: str) -> TableState:
        """The state with all that other nodes have committed by now."""
        state = await self.follow(table)
        try:
            version, _ = await self.store.head(f"table/{table}")
            if version > state.table.version:
                self.look(table, version)
                state = await self.wait_past(table, version - 1)
            return state
        finally:
            self.unfollow(table)

    def since(self, state: TableState) -> int:
        """When a table's clock started, by the monotonic clock. A restart starts it anew (I9)."""
        return state.seen if self.recovered_at is None else max(state.seen, self.recovered_at)

    def shown_since(self, state: TableState) -> int:
        """The same in unix microseconds, as people are shown it."""
        return self.clock.unix(self.since(state))

    async def follow(self, table: str) -> TableState:
        """Keep a table in memory and up to date with other nodes, until `unfollow`."""
        await self.state(table)
        loaded = self._tables[table]
        loaded.followers += 1
        return loaded.state

    def unfollow(self, table: str) -> None:
        self._tables[table].followers -= 1

    async def wait_past(self, table: str, version: int) -> TableState:
        """Wait until the table is past a version. Only for a followed table."""
        loaded = self._tables[table]
        while loaded.version <= version:
            self._check()
            await loaded.moved.wait()
        return loaded.state

    async def wait_stage(self, table: str, before: Stage) -> TableState:
        """Wait until the table is at another stage, however often it moves before. Only for a followed table."""
        loaded = self._tables[table]
        while stage(loaded.state.table) == before:
            self._check()
            await loaded.stage_changed.wait()
        return loaded.state

    def look(self, table: str, version: int) -> None:
        """A table has come to this version at some node: read on."""
        self._woken([(f"table/{table}", version)])

    async def close(self) -> None:
        """Take no more commands and finish those in the queues."""
        self.halted = self.halted or "the house is closing"
        for loaded in self._tables.values():
            loaded.wake_all()
        await self._workers.finish(self._tables.values())

    # ------------------------------------------------------------------ tables in memory

    def _check(self) -> None:
        if self.halted is not None:
            raise Halted(self.halted)

    def _longest(self, table: str) -> int:
        """Microseconds that a table may stay at one stage by its clocks."""
        seconds: tuple[float, ...] = msgspec.structs.astuple(self.pace_of(table) or PACE)
        return round(max(seconds) * MICRO)

    async def _loaded(self, table: str) -> LoadedTable:
        """This node's only copy of a table. If it was dropped while it was read, load the next copy."""
        while True:
            loaded = self._in_memory(table)
            try:
                await loaded.load()
            except StoreBroken as error:
                self._break(error)
                raise Halted(str(error)) from error
            if self._tables.get(table) is loaded:
                if loaded.behind:
                    # Another node moved it while this one read it.
                    self._workers.start(loaded)
                return loaded

    def _in_memory(self, table: str) -> LoadedTable:
        """A table, loaded or about to be. The dictionary is in order of last use."""
        loaded = self._tables.pop(table, None)
        if loaded is None:
            loaded = LoadedTable(table, self.store, self.clock, partial(self._longest, table))
            if len(self._tables) >= MOST_TABLES:
                self._make_room()
        self._tables[table] = loaded
        return loaded

    def _make_room(self) -> None:
        """Drop idle tables. They are read again when somebody asks for them."""
        spare = len(self._tables) - MOST_TABLES + 1
        for loaded in [loaded for loaded in self._tables.values() if loaded.loaded and loaded.idle][:spare]:
            self._forget(loaded)

    def _forget(self, loaded: LoadedTable) -> None:
        if loaded.idle:
            self._tables.pop(loaded.id, None)

    # ------------------------------------------------------------------ news from the store

    def _woken(self, moved: Sequence[tuple[str, int]]) -> None:
        """Streams moved, by this node or another. Only tables in memory read on."""
        if self.halted is not None:
            return
        if not moved:
            self._workers.errand(self._look_at_all())
        for stream, version in moved:
            loaded = self._tables.get(stream.removeprefix("table/")) if stream.startswith("table/") else None
            if loaded is None:
                continue
            loaded.known_version = max(loaded.known_version, version)
            # A worker's own commit is reported here before the worker goes on; then it checks for more by itself.
            if loaded.behind:
                self._workers.start(loaded)

    async def _look_at_all(self) -> None:
        if not self._tables:
            return
        try:
            self._woken(await self.store.streams("table/"))
        except Exception:
            log.exception("the tables could not be looked at; the next wake-up tries again")

    def _break(self, error: StoreBroken) -> None:
        """Decide nothing any more: the store is broken, or the chain of a stream is."""
        self.halted = str(error)
        self.broken.set()
        for loaded in self._tables.values():
            loaded.wake_all()
            loaded.fail_queue(Halted(self.halted))
