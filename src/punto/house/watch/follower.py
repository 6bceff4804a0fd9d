"""The watch over all tables: a separate task beside the hub that follows every stream and raises alarms.

It never blocks a table: committed events go into a bounded queue, or are read from the store later, and a thread does
the work. Failures are logged. A table that can't be followed is dropped for a while and then starts again at its last
checkpoint; the others go on. One node watches at a time. It stores what it remembers of a table when a shoe ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Final, TypeVar

import msgspec

from punto.house import logs
from punto.house.store import codec
from punto.house.store.codec import RecordedEvent
from punto.house.store.records import Row
from punto.house.table.decide import TableState
from punto.house.table.governing_edition import named
from punto.house.table.house import House
from punto.house.watch import checkpoints
from punto.house.watch.cards_and_stakes import RELEVANT, TableFold
from punto.house.watch.health import WatchState
from punto.house.watch.health import write as write_state
from punto.house.watch.recorded_alarms import WatchBook
from punto.watch.alarms import Alarm
from punto.watch.live import Kept, LiveShoe
from punto.watch.settings import Settings

CLAIM: Final = "watch"
LOOK_S: Final = 1.0
"""Seconds between two steps. An alarm is raised within about this time."""
AGAIN_S: Final = 10.0
"""Seconds to wait after a failure, or while another node watches."""
MOST_QUEUED: Final = 2_000
"""The most events in a table's queue. More are read from the store."""
PAGE: Final = 1_000
"""Rows read of one table at a time, so that other tables and other readers of the store get their turn."""
MOST_LOOKS: Final = 512
"""The most steps until a failed table is tried again. The wait is one step at first and doubles each time."""

Facts = TypeVar("Facts")
Result = TypeVar("Result")

TAGS: Final = frozenset(str(msgspec.inspect.type_info(kind).tag).encode() for kind in RELEVANT)  # type: ignore[attr-defined]  # every event is a Struct


class _Followed:
    """A table. `heard` is the last version queued or read, `newest` the last one known."""

    def __init__(self, fold: TableFold, version: int) -> None:
        self.fold = fold
        self.heard = self.newest = version
        self.queue: list[RecordedEvent] = []
        self.reads = False
        """The table is being read from the store. Nothing is queued meanwhile."""

    def take(self) -> list[RecordedEvent]:
        queue, self.queue = self.queue, []
        return queue


class _Failed(msgspec.Struct):
    """A table that could not be followed."""

    looks: int
    """Steps until it is tried again."""
    times: int


class Watch:
    """One per node."""

    def __init__(self, house: House, book: WatchBook) -> None:
        self._house, self._store, self._book = house, house.store, book
        self._tables: dict[str, _Followed] = {}
        self._new: set[str] = set()
        """Streams of tables that changed and are not followed yet."""
        self._failed: dict[str, _Failed] = {}
        self._look_at_all = True
        self._state = WatchState()
        """The state as it was last written."""
        self._failure = ("", 0)
        self._worker = ThreadPoolExecutor(1, "watch")
        self._weighs = True
        self._store.on_wake(self._woken)
        house.listeners.append(self.moved)

    async def run(self) -> None:
        """Run until cancelled."""
        try:
            while True:
                try:
                    done = await self.step()
                except Exception as error:  # the tables go on; the watch starts again at its checkpoints
                    logs.fail("watch-failed", error=_named(error))
                    self._tables.clear()
                    self._look_at_all, done = True, False
                    self._failure = (_named(error), self._house.clock.now())
                await asyncio.sleep(LOOK_S if done else AGAIN_S)
        finally:
            self._worker.shutdown(wait=False, cancel_futures=True)

    async def step(self) -> bool:
        """Process all events so far, a page of every table in turn. Returns False if another node watches."""
        for failed in self._failed.values():
            failed.looks -= 1
        while True:
            if not await self._store.claim(CLAIM):
                self._tables.clear()
                self._look_at_all = True
                return False
            await self._find_tables()
            await self._hear({name: events for name, watched in self._tables.items() if (events := watched.take())})
            late = [name for name, watched in self._tables.items() if watched.newest > watched.heard]
            behind = [name for name in late if await self._read_page(name)]
            self._failed = {name: failed for name, failed in self._failed.items() if not self._heard_all(name)}
            await self._say_state(len(behind))
            if not behind:
                return True

    def _heard_all(self, table: str) -> bool:
        return table in self._tables and self._tables[table].newest <= self._tables[table].heard

    async def _say_state(self, behind: int) -> None:
        failure, at = self._failure
        failing = tuple(sorted(self._failed))
        now = self._house.clock.now()
        state = WatchState(looked_at=now, behind=behind, failing=failing, failure=failure, failed_at=at)
        if state.is_news(self._state):
            await write_state(self._store, state)
            self._state = state

    # ------------------------------------------------------------------ incoming events

    def moved(self, table: str, state: TableState, moved: Sequence[RecordedEvent]) -> None:
        """Queue committed events of a table in memory. Called in the event loop, so it does no more."""
        watched = self._tables.get(table)
        if watched is None:
            return
        last = moved[-1].version
        watched.newest = max(watched.newest, last)
        if watched.reads or moved[0].version > watched.heard + 1 or len(watched.queue) >= MOST_QUEUED:
            return
        watched.queue += [event for event in moved if event.version > watched.heard and type(event.event) in RELEVANT]
        watched.heard = max(watched.heard, last)

    def _woken(self, moved: Sequence[tuple[str, int]]) -> None:
        self._look_at_all = self._look_at_all or not moved
        for stream, version in moved:
            if stream.startswith("table/"):
                watched = self._tables.get(stream.removeprefix("table/"))
                if watched is not None:
                    watched.newest = max(watched.newest, version)
                elif len(self._new) < MOST_QUEUED:
                    self._new.add(stream)
                else:
                    self._look_at_all = True

    async def _find_tables(self) -> None:
        again = {f"table/{name}" for name, failed in self._failed.items() if failed.looks <= 0}
        new, self._new = self._new | again, set()
        streams = []
        if self._look_at_all:
            self._look_at_all = False  # before the read: a wake meanwhile sets it again
            streams = await self._store.streams("table/")
        else:
            streams = [(stream, (await self._store.head(stream))[0]) for stream in new]
        for stream, version in streams:
            name = stream.removeprefix("table/")
            failed = self._failed.get(name)
            if name not in self._tables:
                if failed is not None and failed.looks > 0:
                    continue
                self._tables[name] = await self._begin(name)
            self._tables[name].newest = max(self._tables[name].newest, version)

    async def _begin(self, table: str) -> _Followed:
        version, start = (await checkpoints.read(self._store, table)).get(table, (0, None))
        return _Followed(TableFold(table, self._settings, self._over, start), version)

    async def _read_page(self, table: str) -> bool:
        """Read a page of a table that is not in memory here, or whose queue was full. Whether there is more."""
        watched = self._tables[table]
        watched.reads, queued = True, watched.take()
        rows = await self._store.read(f"table/{table}", watched.heard, PAGE)
        try:
            events = await self._in_thread(_decoded, rows)
        except Exception as error:  # an event that can't be read
            self._drop(table, error)
            return False
        watched.heard = rows[-1].version if rows else watched.heard
        await self._hear({table: queued + events})
        watched.reads = False
        return len(rows) == PAGE and table in self._tables

    # ------------------------------------------------------------------ alarms and checkpoints

    async def _hear(self, heard: dict[str, list[RecordedEvent]]) -> None:
        if not heard:
            return
        # Thresholds that were set before one of these events are on record by now.
        await self._book.newest()
        folds = {name: self._tables[name].fold for name in heard}
        failed = await self._in_thread(_fold, [(folds[name], events) for name, events in heard.items()])
        for name, fold in folds.items():
            alarms, fold.alarms = fold.alarms, []
            for version, alarm in alarms:
                await self._raise(name, version, alarm)
            if name in failed:
                self._drop(name, failed[name])
            elif fold.ended is not None:
                await self._keep(name, fold)

    def _drop(self, table: str, error: Exception) -> None:
        """Stop following this table and store nothing of it. It starts again later at its last checkpoint."""
        shoe = self._tables.pop(table).fold.shoe
        logs.fail("watch-table-failed", table=table, shoe=shoe and shoe.number, error=_named(error))
        times = self._failed[table].times + 1 if table in self._failed else 1
        self._failed[table] = _Failed(min(2 ** (times - 1), MOST_LOOKS), times)
        self._failure = (f"{table}: {_named(error)}", self._house.clock.now())

    async def _raise(self, table: str, version: int, alarm: Alarm) -> None:
        if await self._book.raise_alarm(version, alarm):
            logs.warn("watch-alarm", table=table, shoe=alarm.shoe, kind=alarm.kind)

    async def _keep(self, table: str, fold: TableFold) -> None:
        """Store the checkpoint, after the alarms are on record. It changes only when a shoe ends: after a restart the
        events of the next shoe are read again and raise the same alarms, which are on record by then."""
        version, fold.ended = fold.ended, None
        assert version is not None, "asked for once a shoe has ended"
        await checkpoints.write(self._store, table, version, fold.state)

    async def _in_thread(self, work: Callable[[Facts], Result], facts: Facts) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work, facts)

    def _settings(self, at: int, decks: int) -> Settings:
        return self._book.known.at(at).settings(decks)

    def _over(self, edition: str, shoe: LiveShoe, memory: Kept) -> None:
        """Weigh the stakes of a shoe that ended, in the thread. Without compiled code they are not weighed."""
        if not self._weighs or not edition:
            return
        try:
            weigh = _weigher()
        except ImportError:
            self._weighs = False
            logs.warn("watch-without-stakes", needs="punto[fast]")
            return
        weigh(edition, shoe, memory)


def _fold(work: list[tuple[TableFold, list[RecordedEvent]]]) -> dict[str, Exception]:
    """The tables that failed, each with its error. Their folds must not be stored."""
    failed = {}
    for fold, events in work:
        try:
            for event in events:
                fold.add(event)
        except Exception as error:  # any error concerns this table alone
            failed[fold.table] = error
    return failed


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]


def _decoded(rows: list[Row]) -> list[RecordedEvent]:
    """The relevant events. An event's JSON begins with its tag."""
    return [codec.recorded(row) for row in rows if row.event[10 : row.event.index(b'"', 10)] in TAGS]


@lru_cache(maxsize=1)
def _weigher() -> Callable[[str, LiveShoe, Kept], None]:
    """Imported when it is needed: compiled code is heavy, and may not be installed."""
    from punto.watch import live_stakes, stakes

    counts = lru_cache(maxsize=16)(lambda edition, decks: stakes.counts(named(edition), decks))

    def weigh(edition: str, shoe: LiveShoe, memory: Kept) -> None:
        known = counts(edition, shoe.settings.procedure.decks)
        live_stakes.weigh_shoe(named(edition), known, shoe, memory)

    return weigh
