"""The watch over all tables: a task of its own beside the hub that follows every stream and raises alarms.

It never holds up a table: what a commit says is put into a bounded queue, or is read from the store later, and the
work is done in a thread. What fails here is logged, and the watch begins again where it last kept its place. One node
watches at a time; what it remembers of a table is kept when a shoe ends.
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
"""Rows read at a time, so that other readers of the store come between."""

Given = TypeVar("Given")
Found = TypeVar("Found")

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


class Watch:
    """One for a node."""

    def __init__(self, house: House, book: WatchBook) -> None:
        self._house, self._store, self._book = house, house.store, book
        self._tables: dict[str, _Followed] = {}
        self._new: set[str] = set()
        """Tables that moved and are not followed yet."""
        self._look_at_all = True
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
                    logs.fail("watch-failed", error=f"{type(error).__name__}: {error}"[:300])
                    self._tables.clear()
                    self._look_at_all, done = True, False
                await asyncio.sleep(LOOK_S if done else AGAIN_S)
        finally:
            self._worker.shutdown(wait=False, cancel_futures=True)

    async def step(self) -> bool:
        """Hear everything that has happened by now. False where another node watches."""
        if not await self._store.claim(CLAIM):
            self._tables.clear()
            self._look_at_all = True
            return False
        await self._book.newest()
        await self._find_tables()
        await self._hear({name: events for name, one in self._tables.items() if (events := one.take())})
        for name in [name for name, one in self._tables.items() if one.newest > one.heard]:
            await self._catch_up(name)
        return True

    # ------------------------------------------------------------------ what has happened

    def moved(self, table: str, state: TableState, moved: Sequence[RecordedEvent]) -> None:
        """Events of a table in memory are on disk. Called in the event loop, so it only keeps them."""
        one = self._tables.get(table)
        if one is None:
            return
        last = moved[-1].version
        one.newest = max(one.newest, last)
        if one.reads or moved[0].version > one.heard + 1 or len(one.queue) >= MOST_QUEUED:
            return
        one.queue += [event for event in moved if event.version > one.heard and type(event.event) in RELEVANT]
        one.heard = max(one.heard, last)

    def _woken(self, moved: Sequence[tuple[str, int]]) -> None:
        self._look_at_all = self._look_at_all or not moved
        for stream, version in moved:
            if stream.startswith("table/"):
                one = self._tables.get(stream.removeprefix("table/"))
                if one is not None:
                    one.newest = max(one.newest, version)
                elif len(self._new) < MOST_QUEUED:
                    self._new.add(stream)

    async def _find_tables(self) -> None:
        new, self._new = self._new, set()
        streams = []
        if self._look_at_all:
            streams = await self._store.streams("table/")
            self._look_at_all = False
        else:
            streams = [(stream, (await self._store.head(stream))[0]) for stream in new]
        for stream, version in streams:
            name = stream.removeprefix("table/")
            if name not in self._tables:
                self._tables[name] = await self._begin(name)
            self._tables[name].newest = max(self._tables[name].newest, version)

    async def _begin(self, table: str) -> _Followed:
        version, start = (await kept.read(self._store, table)).get(table, (0, None))
        return _Followed(TableFold(table, self._settings, self._over, start), version)

    async def _catch_up(self, table: str) -> None:
        """From the store: a table that is not in memory here, or one that went too fast."""
        one = self._tables[table]
        one.reads, queued = True, one.take()
        await self._hear({table: queued})
        while one.newest > one.heard:
            rows = await self._store.read(f"table/{table}", one.heard, PAGE)
            if not rows:
                break
            one.heard = rows[-1].version
            await self._hear({table: await self._in_thread(_decoded, rows)})
        one.reads = False

    # ------------------------------------------------------------------ what follows

    async def _hear(self, heard: dict[str, list[RecordedEvent]]) -> None:
        if not heard:
            return
        folds = {name: self._tables[name].fold for name in heard}
        await self._in_thread(_fold, [(folds[name], events) for name, events in heard.items()])
        for name, fold in folds.items():
            alarms, fold.alarms = fold.alarms, []
            for version, alarm in alarms:
                await self._raise(name, version, alarm)
            if fold.ended is not None:
                await self._keep(name, fold)

    async def _raise(self, table: str, version: int, alarm: Alarm) -> None:
        if await self._book.raise_alarm(version, alarm):
            logs.warn("watch-alarm", table=table, shoe=alarm.shoe, kind=alarm.kind)

    async def _keep(self, table: str, fold: TableFold) -> None:
        """After the alarms are on record. What a table remembers changes only when a shoe ends: whatever was heard of
        the next one comes again after a restart, and so do its alarms, which are on record by then."""
        version, fold.ended = fold.ended, None
        assert version is not None, "asked for once a shoe has ended"
        await kept.write(self._store, table, version, fold.state)

    async def _in_thread(self, work: Callable[[Given], Found], facts: Given) -> Found:
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


def _fold(work: list[tuple[TableFold, list[RecordedEvent]]]) -> None:
    for fold, events in work:
        for event in events:
            fold.add(event)


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
