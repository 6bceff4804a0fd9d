"""The watch over all tables: a task of its own beside the hub that follows every stream and raises alarms.

It never holds up a table: what a commit says is put into a bounded queue, or is read from the store later, and the
work is done in a thread. What fails here is logged: a table that can't be followed is left alone for a while and begins
again where its place was kept, the others go on. One node watches at a time; what it remembers of a table is kept when
a shoe ends.
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
from punto.house.table.edition import named
from punto.house.table.house import House
from punto.house.watch import kept
from punto.house.watch.book import WatchBook
from punto.house.watch.fold import RELEVANT, TableFold
from punto.house.watch.state import WatchState
from punto.house.watch.state import write as write_state
from punto.watch.alarms import Alarm
from punto.watch.live import Kept, LiveShoe
from punto.watch.settings import Settings

CLAIM: Final = "watch"
LOOK_S: Final = 1.0
"""Between two looks: an alarm is raised within this and a moment."""
AGAIN_S: Final = 10.0
"""After a failure, and where another node watches."""
MOST_QUEUED: Final = 2_000
"""Events of one table that wait. More are read from the store."""
PAGE: Final = 1_000
"""Rows read of one table at a time, so that other tables and other readers of the store come between."""
MOST_LOOKS: Final = 512
"""Looks until a table that failed is tried again: one at first, twice as many each time, and never more."""

Facts = TypeVar("Facts")
Result = TypeVar("Result")

TAGS: Final = frozenset(str(msgspec.inspect.type_info(kind).tag).encode() for kind in RELEVANT)  # type: ignore[attr-defined]  # every event is a Struct


class _Followed:
    """A table, and how far it was heard."""

    def __init__(self, fold: TableFold, version: int) -> None:
        self.fold = fold
        self.heard = self.newest = version
        self.queue: list[RecordedEvent] = []
        self.reads = False
        """It is being read from the store: nothing is put into the queue meanwhile."""

    def take(self) -> list[RecordedEvent]:
        queue, self.queue = self.queue, []
        return queue


class _Failed(msgspec.Struct):
    """A table that could not be followed."""

    looks: int
    """Until it is tried again."""
    times: int


class Watch:
    """One for a node."""

    def __init__(self, house: House, book: WatchBook) -> None:
        self._house, self._store, self._book = house, house.store, book
        self._tables: dict[str, _Followed] = {}
        self._new: set[str] = set()
        """Tables that moved and are not followed yet."""
        self._failed: dict[str, _Failed] = {}
        self._look_at_all = True
        self._state = WatchState()
        """As it was written last."""
        self._failure = ("", 0)
        self._worker = ThreadPoolExecutor(1, "watch")
        self._weighs = True
        self._store.on_wake(self._woken)
        house.listeners.append(self.moved)

    async def run(self) -> None:
        """Until cancelled."""
        try:
            while True:
                try:
                    done = await self.step()
                except Exception as error:  # the tables go on; the watch begins again where it kept its place
                    logs.fail("watch-failed", error=_named(error))
                    self._tables.clear()
                    self._look_at_all, done = True, False
                    self._failure = (_named(error), self._house.clock.now())
                await asyncio.sleep(LOOK_S if done else AGAIN_S)
        finally:
            self._worker.shutdown(wait=False, cancel_futures=True)

    async def step(self) -> bool:
        """Hear everything that has happened by now, a page of every table in turn. False where another node watches."""
        for failed in self._failed.values():
            failed.looks -= 1
        while True:
            if not await self._store.claim(CLAIM):
                self._tables.clear()
                self._look_at_all = True
                return False
            await self._book.newest()
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

    # ------------------------------------------------------------------ what has happened

    def moved(self, table: str, state: TableState, moved: Sequence[RecordedEvent]) -> None:
        """Events of a table in memory are on disk. Called in the event loop, so it only keeps them."""
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
            streams = await self._store.streams("table/")
            self._look_at_all = False
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
        version, start = (await kept.read(self._store, table)).get(table, (0, None))
        return _Followed(TableFold(table, self._settings, self._over, start), version)

    async def _read_page(self, table: str) -> bool:
        """From the store: of a table that is not in memory here, or one that went too fast. Whether there is more."""
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

    # ------------------------------------------------------------------ what follows

    async def _hear(self, heard: dict[str, list[RecordedEvent]]) -> None:
        if not heard:
            return
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
        """This table alone is left, and nothing of it is kept: it begins again where its place was kept before."""
        shoe = self._tables.pop(table).fold.shoe
        logs.fail("watch-table-failed", table=table, shoe=shoe and shoe.number, error=_named(error))
        times = self._failed[table].times + 1 if table in self._failed else 1
        self._failed[table] = _Failed(min(2 ** (times - 1), MOST_LOOKS), times)
        self._failure = (f"{table}: {_named(error)}", self._house.clock.now())

    async def _raise(self, table: str, version: int, alarm: Alarm) -> None:
        if await self._book.raise_alarm(version, alarm):
            logs.warn("watch-alarm", table=table, shoe=alarm.shoe, kind=alarm.kind)

    async def _keep(self, table: str, fold: TableFold) -> None:
        """After the alarms are on record. What a table remembers changes only when a shoe ends: whatever was heard of
        the next one comes again after a restart, and so do its alarms, which are on record by then."""
        version, fold.ended = fold.ended, None
        assert version is not None, "asked for once a shoe has ended"
        await kept.write(self._store, table, version, fold.state)

    async def _in_thread(self, work: Callable[[Facts], Result], facts: Facts) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work, facts)

    def _settings(self, at: int, decks: int) -> Settings:
        return self._book.known.at(at).settings(decks)

    def _over(self, edition: str, shoe: LiveShoe, memory: Kept) -> None:
        """In the thread: what was staked in a shoe that ended. Without compiled code stakes are not weighed."""
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
    """The tables that failed, each with its error. What such a fold says since then is not to be kept."""
    failed = {}
    for fold, events in work:
        try:
            for event in events:
                fold.add(event)
        except Exception as error:  # whatever it is, it concerns this table alone
            failed[fold.table] = error
    return failed


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]


def _decoded(rows: list[Row]) -> list[RecordedEvent]:
    """The rows that the watch hears. An event begins with its tag."""
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
