"""One table as a node holds it: its state, the commands that wait for it, and what was read of its stream."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from punto.game.recall import Reading
from punto.game.table import Phase, Table
from punto.house.store import chain, codec, snapshots
from punto.house.store.codec import Moved
from punto.house.store.interface import Store
from punto.house.store.records import MOST_READ, Row, StoreBroken
from punto.house.table import deciding
from punto.house.table.answers import Answer
from punto.house.table.clock import same_stage
from punto.house.table.deciding import Asked, Past, Standing
from punto.house.table.house_clock import HouseClock

log = logging.getLogger("punto.house")


class Halted(RuntimeError):
    """The store is broken or the house is stopping: nothing is decided any more (HTTP 503)."""


Taker = Callable[[Answer | Exception], None]
"""Who asked: called once, with the answer or with why there is none."""


class Waiting(msgspec.Struct, eq=False):
    """An asking and where its answer goes."""

    asked: Asked
    take: Taker
    told: Answer | Exception | None = None

    def give(self, told: Answer | Exception) -> None:
        """Only the first counts. Whoever can't take it is on his own: others wait in the same batch."""
        if self.told is None:
            self.told = told
            try:
                self.take(told)
            except Exception:
                log.exception("an answer was not taken")


class Bell:
    """Wakes all who wait, once each. Most of the time nobody does, and then it costs next to nothing."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []

    async def wait(self) -> None:
        rung: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(rung)
        await rung

    def ring(self) -> None:
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)


class Desk:
    """`standing` is the sum of the stream's events as far as they were read. Only its worker moves it on. `longest` is
    how many microseconds the table may stand at one stage by its clocks."""

    def __init__(self, table: str, store: Store, clock: HouseClock, longest: Callable[[], int]) -> None:
        self.id = table
        self.stream = f"table/{table}"
        self.standing = Standing(chain.start(self.stream))
        self.loaded = False
        self.waiting: deque[Waiting] = deque()
        self.worker: asyncio.Future[Any] | None = None
        """What is under way: a commit, or a task that serves what waits."""
        self.known_version = 0
        """The highest version that the store has told of."""
        self.kept_version = 0
        self.followers = 0
        self.moved = Bell()
        self.turned = Bell()
        """Like `moved`, but only when the table comes to another stage."""
        self._stood: Table | None = None
        """The table as it stood when somebody was last told of a stage."""
        self._store, self._clock, self._longest = store, clock, longest
        self._loading = asyncio.Lock()

    @property
    def version(self) -> int:
        return self.standing.table.version

    @property
    def behind(self) -> bool:
        return self.loaded and self.known_version > self.standing.table.version

    async def load(self) -> None:
        """From the newest snapshot and the rows after it, once."""
        async with self._loading:
            if self.loaded:
                return
            self.standing = await self._kept()
            self.kept_version = self.version
            await self._read_on()
            seen = self._clock.seen(self.standing.since, self._longest())
            self.standing = msgspec.structs.replace(self.standing, seen=seen)
            self.loaded = True

    async def _kept(self) -> Standing:
        """The newest snapshot, where it is of today's shape and of this history. It is only a shortcut."""
        kept = await snapshots.newest(self._store, self.stream)
        if kept is None:
            return self.standing
        table, row = kept
        return Standing(row.hash, table, row.at, await self._since(table, row))

    async def _since(self, table: Table, row: Row) -> int:
        """When a table that was kept had come to where it stood: with that row, or where its betting opened."""
        if table.phase is Phase.BETTING:
            opened = await self._store.round(self.stream, table.current.number)
            if opened is not None:
                return (await self._store.read(self.stream, opened[0] - 1, 1))[0].at
        return row.at

    async def catch_up(self) -> list[Moved]:
        """What others have written since, in order."""
        return await self._read_on()

    async def _read_on(self) -> list[Moved]:
        moved: list[Moved] = []
        told = self.known_version
        while True:
            rows = await self._store.read(self.stream, self.version)
            wrong = chain.broken(self.standing.head, self.version, rows)
            if wrong is not None:
                raise StoreBroken(f"{self.stream}: the chain of hashes is broken at version {wrong}")
            self.standing, events = deciding.caught_up(self.standing, rows, self._clock.monotonic())
            moved += [
                Moved(row.version, row.at, event, codec.raised(row)) for row, event in zip(rows, events, strict=True)
            ]
            if len(rows) < MOST_READ:
                if self.known_version == told:
                    # A version that was told of before this reading and is not there by now was never kept.
                    self.known_version = self.version
                return moved

    async def read_back(self, number: int) -> Past:
        """A round that the table holds no more, from all of its stream."""
        reading, version = Reading(number), 0
        while rows := await self._store.read(self.stream, version):
            for row in rows:
                reading.add(codec.event(row))
            version = rows[-1].version
        assert reading.round is not None, "the table has played it"
        return {number: reading.round}

    def fail(self, waiting: Iterable[Waiting], error: Exception) -> None:
        """No answer comes any more."""
        for one in waiting:
            one.give(error)

    def wake(self) -> None:
        """Whoever waits for the table to move looks again."""
        self.moved.ring()
        stands = self.standing.table
        if self._stood is None or not same_stage(self._stood, stands):
            self.turned.ring()
        self._stood = stands

    def wake_all(self) -> None:
        """The same, whether or not anything has moved."""
        self.wake()
        self.turned.ring()

    def snapshot_due(self) -> bool:
        """When the table has just come to where it stands, so that its clock starts with it; at some point anyway."""
        passed = self.standing.table.version - self.kept_version
        if passed < snapshots.EVERY:
            return False
        return self.standing.since == self.standing.at or passed >= 2 * snapshots.EVERY
