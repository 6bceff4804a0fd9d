"""The house: tables over one store. Everything that changes a table goes through `House.command`.

A table has no owner: the database decides who writes its next event. A node keeps one worker for each table, and one
commit of it in flight; what waits meanwhile goes into the next commit.
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
from punto.house.store.interface import Store
from punto.house.store.pace import PACE, Pace
from punto.house.store.records import StoreBroken
from punto.house.table import shoes
from punto.house.table.decide import TableState
from punto.house.table.loaded import Halted, LoadedTable, Pending
from punto.house.table.node_clock import NodeClock
from punto.house.table.request import Request
from punto.house.table.stage import Stage, stage
from punto.house.table.worker import Workers

log = logging.getLogger("punto.house")

MOST_WAITING: Final = 4_096
"""Requests that may wait at one table."""
MOST_TABLES: Final = 256
"""Tables that are kept in memory although nobody asks for them."""

Listener = Callable[[str, TableState, Sequence[RecordedEvent]], None]
"""Takes a table's id, its state, and the events that led to it."""


class NoSuchTable(LookupError):
    """No event was ever recorded under this id (HTTP 404, close code 4404)."""


class Busy(RuntimeError):
    """Too many requests wait at this table (HTTP 429)."""


class Unsure(RuntimeError):
    """This node can't prove its place, and takes no round to the deal (HTTP 503)."""


class House:
    """Any number of these, in any number of processes, may serve one database.

    `broken` is set when the store can't be written any more: the server exits on it, with status 1.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: NodeClock | None = None,
        pace_of: Callable[[str], Pace | None] = lambda table: PACE,
        new_shoe: shoes.Shuffle = shoes.new_shoe,
    ) -> None:
        """`clock`: the machine's unless another is given. `pace_of`: the pace of a virtual table by its id; None: no
        clock. `new_shoe`: the order of so many decks."""
        self.store = store
        self.clock = clock or NodeClock(store)
        self.pace_of = pace_of
        self.new_shoe = new_shoe
        self.broken = asyncio.Event()
        self.halted: str | None = None
        """Why nothing is decided any more, if so."""
        self.recovered_at: int | None = None
        """When this node put right what a restart interrupted, by the monotonic clock: clocks that run since before
        start anew from here."""
        self.listeners: list[Listener] = []
        """Called with every commit of a table in memory, here or at another node, in order."""
        self._workers = Workers(self, self._break)
        self._tables: dict[str, LoadedTable] = {}
        store.on_wake(self._woken)

    async def command(self, table: str, request: Request) -> Answer:
        """Decide the commands of a request, all or nothing, and answer after the commit.

        The house's own facts are filled in on the way, and nobody else's are taken: a virtual shoe's order, salt and
        commitment (load-shoe comes without them), and `on` of open-table and open-betting, which is now.
        Raises NoSuchTable, Busy, Unsure and Halted; whoever stops waiting has not stopped the command.
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
            raise Unsure(f"this node can't prove its place, and takes no round at table {table} to the deal")
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        loaded.queue.append(Pending(request, answer))
        self._workers.start(loaded)
        return await answer

    async def table(self, table: str) -> Table:
        """The table as its events add up to. Raises NoSuchTable, Halted."""
        return (await self.state(table)).table

    async def state(self, table: str) -> TableState:
        """The same, with when it came to its stage: what clocks count from."""
        self._check()
        loaded = await self._loaded(table)
        if not loaded.version:
            self._forget(loaded)
            raise NoSuchTable(f"there is no table {table!r}")
        return loaded.state

    async def newest(self, table: str) -> TableState:
        """The same with all that other nodes have committed by now."""
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
        """What the clock of a table counts from, by the monotonic clock: a restart gives what was open a fresh time
        (I9)."""
        return state.seen if self.recovered_at is None else max(state.seen, self.recovered_at)

    def shown_since(self, state: TableState) -> int:
        """The same as people are shown it: unix microseconds."""
        return self.clock.unix(self.since(state))

    async def follow(self, table: str) -> TableState:
        """Somebody watches this table: keep it in memory, and up to date with other nodes."""
        await self.state(table)
        loaded = self._tables[table]
        loaded.followers += 1
        return loaded.state

    def unfollow(self, table: str) -> None:
        self._tables[table].followers -= 1

    async def wait_past(self, table: str, version: int) -> TableState:
        """The table as soon as it is past a version. Only for a table that is followed."""
        loaded = self._tables[table]
        while loaded.version <= version:
            self._check()
            await loaded.moved.wait()
        return loaded.state

    async def wait_stage(self, table: str, before: Stage) -> TableState:
        """The table as soon as it is at another stage, however often it moves before. Only for one followed."""
        loaded = self._tables[table]
        while stage(loaded.state.table) == before:
            self._check()
            await loaded.stage_changed.wait()
        return loaded.state

    def look(self, table: str, version: int) -> None:
        """A table has come to this version, somewhere."""
        self._woken([(f"table/{table}", version)])

    async def close(self) -> None:
        """Take no more commands and finish those that wait."""
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
        """The one copy of a table here. It may have been dropped while it was read: then the next one."""
        while True:
            loaded = self._in_memory(table)
            try:
                await loaded.load()
            except StoreBroken as error:
                self._break(error)
                raise Halted(str(error)) from error
            if self._tables.get(table) is loaded:
                if loaded.behind:
                    # It moved elsewhere while it was read here.
                    self._workers.start(loaded)
                return loaded

    def _in_memory(self, table: str) -> LoadedTable:
        """A table, loaded or about to be; the one asked for last is the last in the dictionary."""
        loaded = self._tables.pop(table, None)
        if loaded is None:
            loaded = LoadedTable(table, self.store, self.clock, partial(self._longest, table))
            if len(self._tables) >= MOST_TABLES:
                self._make_room()
        self._tables[table] = loaded
        return loaded

    def _make_room(self) -> None:
        """Tables that nobody follows and nothing waits at are read again when they are asked for."""
        spare = len(self._tables) - MOST_TABLES + 1
        for loaded in [loaded for loaded in self._tables.values() if loaded.loaded and loaded.idle][:spare]:
            self._forget(loaded)

    def _forget(self, loaded: LoadedTable) -> None:
        if loaded.idle:
            self._tables.pop(loaded.id, None)

    # ------------------------------------------------------------------ news from the store

    def _woken(self, moved: Sequence[tuple[str, int]]) -> None:
        """Streams moved, here or at another node. Only what is in memory is looked at."""
        if self.halted is not None:
            return
        if not moved:
            self._workers.errand(self._look_at_all())
        for stream, version in moved:
            loaded = self._tables.get(stream.removeprefix("table/")) if stream.startswith("table/") else None
            if loaded is None:
                continue
            loaded.known_version = max(loaded.known_version, version)
            # A worker is told of its own commit here before it goes on, and looks whether there is more by itself.
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
        """Whether the last write is on disk is not known. Nothing is decided here any more."""
        self.halted = str(error)
        self.broken.set()
        for loaded in self._tables.values():
            loaded.wake_all()
            loaded.fail_queue(Halted(self.halted))
