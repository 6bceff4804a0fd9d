"""One table as a node holds it in memory: its state, its queue of requests, and how it reads its stream."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec

from punto.game.recall import Reading
from punto.game.table import Phase, Table
from punto.house.store import chain, codec, snapshots
from punto.house.store.answers import Answer
from punto.house.store.codec import RecordedEvent
from punto.house.store.interface import Store
from punto.house.store.records import MOST_READ, Row, StoreBroken
from punto.house.table import decide
from punto.house.table.decide import PastRounds, TableState
from punto.house.table.node_clock import NodeClock
from punto.house.table.request import Request
from punto.house.table.stage import same_stage


class Halted(RuntimeError):
    """The store is broken or the house is stopping: nothing is decided any more (HTTP 503)."""


class Pending(msgspec.Struct, eq=False):
    """A request in a table's queue, and the answer that its actor waits for."""

    request: Request
    answer: asyncio.Future[Answer]

    def give(self, answer: Answer) -> None:
        """Answer, unless the caller has stopped waiting."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


def pulse(event: asyncio.Event) -> None:
    """Wake all tasks that wait now, and none that waits later."""
    event.set()
    event.clear()


class LoadedTable:
    """`state` is what the events add up to, as far as they were read. Only the worker moves it on. `longest` is how
    many microseconds the table may stay at one stage by its clocks."""

    def __init__(self, table: str, store: Store, clock: NodeClock, longest: Callable[[], int]) -> None:
        self.id = table
        self.stream = f"table/{table}"
        self.state = TableState(chain.start(self.stream))
        self.loaded = False
        self.queue: deque[Pending] = deque()
        self.worker: asyncio.Task[None] | None = None
        """The task that carries out the queue; None while there is nothing to do."""
        self.known_version = 0
        """The highest version that the store has reported."""
        self.kept_version = 0
        self.followers = 0
        self.moved = asyncio.Event()
        self.stage_changed = asyncio.Event()
        self._stage_of: Table | None = None
        """The table at the last `wake`, to compare stages."""
        self._store, self._clock, self._longest = store, clock, longest
        self._loading = asyncio.Lock()

    @property
    def version(self) -> int:
        return self.state.table.version

    @property
    def behind(self) -> bool:
        return self.loaded and self.known_version > self.state.table.version

    @property
    def idle(self) -> bool:
        return not self.followers and not self.queue and self.worker is None

    async def load(self) -> None:
        """Load the newest snapshot and the rows after it, once."""
        async with self._loading:
            if self.loaded:
                return
            self.state = await self._kept()
            self.kept_version = self.version
            await self.catch_up()
            seen = self._clock.seen(self.state.since, self._longest())
            self.state = msgspec.structs.replace(self.state, seen=seen)
            self.loaded = True

    async def _kept(self) -> TableState:
        """The newest snapshot, if it has today's schema and belongs to this history. It only saves time."""
        kept = await snapshots.newest(self._store, self.stream)
        if kept is None:
            return self.state
        table, row = kept
        return TableState(row.hash, table, row.at, await self._since(table, row))

    async def _since(self, table: Table, row: Row) -> int:
        """When the table of a snapshot came to its stage: at the snapshot's row, or where its betting opened."""
        if table.phase is Phase.BETTING:
            opened = await self._store.round(self.stream, table.current.number)
            if opened is not None:
                return (await self._store.read(self.stream, opened[0] - 1, 1))[0].at
        return row.at

    async def catch_up(self) -> list[RecordedEvent]:
        """Read what others have written since; the events, in order."""
        recorded: list[RecordedEvent] = []
        reported = self.known_version
        while True:
            rows = await self._store.read(self.stream, self.version)
            wrong = chain.broken(self.state.head, self.version, rows)
            if wrong is not None:
                raise StoreBroken(f"{self.stream}: the chain of hashes is broken at version {wrong}")
            self.state, events = decide.read_on(self.state, rows, self._clock.monotonic())
            recorded += [
                RecordedEvent(row.version, row.at, event, codec.raised(row))
                for row, event in zip(rows, events, strict=True)
            ]
            if len(rows) < MOST_READ:
                if self.known_version == reported:
                    # A version that was reported before this read and is still missing was never stored.
                    self.known_version = self.version
                return recorded

    async def read_back(self, number: int) -> PastRounds:
        """Read a round that the table holds no more from the whole stream."""
        reading, version = Reading(number), 0
        while rows := await self._store.read(self.stream, version):
            for row in rows:
                reading.add(codec.event(row))
            version = rows[-1].version
        assert reading.round is not None, "the table has played it"
        return {number: reading.round}

    def fail_queue(self, error: Exception) -> None:
        """Fail every queued request with this error."""
        while self.queue:
            self.queue.popleft().fail(error)

    def wake(self) -> None:
        """Wake tasks that wait for a move, or for a new stage if there is one."""
        pulse(self.moved)
        table = self.state.table
        if self._stage_of is None or not same_stage(self._stage_of, table):
            pulse(self.stage_changed)
        self._stage_of = table

    def wake_all(self) -> None:
        """Wake all of them, whether or not anything has changed."""
        self.wake()
        pulse(self.stage_changed)

    def snapshot_due(self) -> bool:
        """Due when the table has just come to its stage, so that its clock starts at that row; later in any case."""
        passed = self.version - self.kept_version
        if passed < snapshots.EVERY:
            return False
        return self.state.since == self.state.at or passed >= 2 * snapshots.EVERY
