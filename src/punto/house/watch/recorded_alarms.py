"""The alarms and thresholds on record, as this node has read them from the stream. Any node can."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from punto.house.store import codec
from punto.house.store import watch_events as w
from punto.house.store.own_stream import append_event
from punto.house.store.records import MOST_READ
from punto.house.table.house import House
from punto.watch.alarms import Alarm
from punto.watch.bounds import SUITED, thresholds
from punto.watch.references import of_new_decks


class AlarmReader:
    """A page. `moved` is set when something is new."""

    def __init__(self) -> None:
        self.moved = asyncio.Event()
        self.ended: int | None = None

    def end(self, code: int) -> None:
        self.ended = code if self.ended is None else self.ended
        self.moved.set()


class WatchBook:
    """One per node."""

    def __init__(self, house: House) -> None:
        self._store, self._clock = house.store, house.clock
        self._book = w.Book()
        self._lock = asyncio.Lock()
        self.readers: set[AlarmReader] = set()
        self._store.on_wake(self._woken)

    @property
    def known(self) -> w.Book:
        """The book as it was last read."""
        return self._book

    def run_cards(self) -> int:
        """The length of a run that raises an alarm at eight decks with the last shoe on record, by `known`."""
        settings = self._book.thresholds.settings(w.DECKS)
        last = (2 + 2 * len(settings.procedure.pick_up)) * settings.procedure.cards
        new = sum(len(reference.cards) for reference in of_new_decks(settings.procedure))
        return thresholds(settings, last + new, SUITED).run

    async def newest(self) -> w.Book:
        """The book, up to date with the stream."""
        async with self._lock:
            while rows := await self._store.read(w.STREAM, self._book.version):
                self._book.add((row.version, row.at, w.read(codec.raised(row))) for row in rows)
                if len(rows) < MOST_READ:
                    break
        return self._book

    async def raise_alarm(self, version: int, alarm: Alarm) -> bool:
        """Record an alarm once, or that it grew. Returns whether this is new. Raises Crowded."""
        id = w.alarm_id(alarm)
        known = (await self.newest()).alarms.get(id)
        if known is not None and known.alarm.length >= alarm.length:
            return False
        event: w.AnyWatchEvent = w.AlarmRaised(id=id, version=version, alarm=alarm)
        key = f"alarm-{id}"
        if known is not None:
            event, key = w.AlarmGrew(id=id, alarm=alarm), f"grew-{id}"
        return await append_event(self._store, w.STREAM, event, self._clock.now, self._clock.explain, key=key)

    async def acknowledge(self, id: str, by: str, note: str) -> None:
        """Raises Crowded."""
        event = w.AlarmAcknowledged(by=by, id=id, note=note)
        await append_event(self._store, w.STREAM, event, self._clock.now, self._clock.explain)

    def end(self, code: int) -> None:
        """End every reader with this code."""
        for reader in self.readers:
            reader.end(code)

    def _woken(self, moved: Sequence[tuple[str, int]]) -> None:
        if not moved or any(stream == w.STREAM for stream, _ in moved):
            for reader in self.readers:
                reader.moved.set()
