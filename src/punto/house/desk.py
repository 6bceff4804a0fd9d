"""One table as a node holds it: its state, the commands that wait for it, and what was read of its stream."""

from __future__ import annotations

import asyncio
from collections import deque

import msgspec

from punto.game import events as e
from punto.house import chain, deciding, snapshots
from punto.house.answers import Answer
from punto.house.deciding import Asked, Standing
from punto.house.store import Store
from punto.house.stored import MOST_READ, StoreBroken


class Waiting(msgspec.Struct, frozen=True, eq=False):
    """An asking and where its answer goes."""

    asked: Asked
    answer: asyncio.Future[Answer]


class Moved(msgspec.Struct, frozen=True):
    """An event as it was recorded."""

    version: int
    at: int
    event: e.AnyEvent


class Desk:
    """`standing` is the sum of the stream's events as far as they were read. Only its worker moves it on."""

    def __init__(self, table: str, store: Store) -> None:
        self.id = table
        self.stream = f"table/{table}"
        self.standing = Standing(chain.start(self.stream))
        self.loaded = False
        self.waiting: deque[Waiting] = deque()
        self.worker: asyncio.Task[None] | None = None
        self.known_version = 0
        """The highest version that the store has told of."""
        self.kept_version = 0
        self.followers = 0
        self.moved = asyncio.Event()
        self._store = store
        self._loading = asyncio.Lock()

    @property
    def version(self) -> int:
        return self.standing.table.version

    @property
    def behind(self) -> bool:
        return self.loaded and self.known_version > self.version

    async def load(self) -> None:
        """From the newest snapshot and the rows after it, once."""
        async with self._loading:
            if self.loaded:
                return
            self.standing = await self._kept()
            self.kept_version = self.version
            await self._read_on()
            self.loaded = True

    async def _kept(self) -> Standing:
        """The newest snapshot, where it is of today's shape and of this history. It is only a shortcut."""
        kept = await self._store.snapshot(self.stream)
        if kept is None or kept.schema != snapshots.shape():
            return self.standing
        rows = await self._store.read(self.stream, kept.version - 1, 1)
        if not rows or rows[0].hash != kept.hash:
            return self.standing
        return Standing(kept.hash, snapshots.decode(kept.state), rows[0].at, rows[0].at)

    async def catch_up(self) -> list[Moved]:
        """What others have written since, in order."""
        return await self._read_on()

    async def _read_on(self) -> list[Moved]:
        moved: list[Moved] = []
        while True:
            rows = await self._store.read(self.stream, self.version)
            wrong = chain.broken(self.standing.head, self.version, rows)
            if wrong is not None:
                raise StoreBroken(f"{self.stream}: the chain of hashes is broken at version {wrong}")
            self.standing, events = deciding.caught_up(self.standing, rows)
            moved += [Moved(row.version, row.at, event) for row, event in zip(rows, events, strict=True)]
            if len(rows) < MOST_READ:
                self.known_version = max(self.known_version, self.version)
                return moved

    def wake(self) -> None:
        """Whoever waits for the table to move looks again."""
        moved, self.moved = self.moved, asyncio.Event()
        moved.set()

    def snapshot_due(self) -> bool:
        """Between rounds, so that no clock runs that would have to be kept with the state; at some point anyway."""
        passed = self.version - self.kept_version
        quiet = self.standing.table.round is None or self.standing.table.round.ended
        return passed >= snapshots.EVERY and (quiet or passed >= 2 * snapshots.EVERY)
