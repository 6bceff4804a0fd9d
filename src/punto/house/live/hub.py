"""Live views: one cursor for each socket, nothing queued. A reader gets what happened since its cursor, in one frame.

A reader that can't keep up is dropped, never waited for: its cursor falls out of what is kept here. It comes back with
the version that it saw last, and reads on from there.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Final

from punto.game.told import PATRON, PUBLIC, Audience
from punto.house.live.frames import PING, Record, Sight
from punto.house.store import codec
from punto.house.store.codec import RecordedEvent
from punto.house.table.decide import TableState
from punto.house.table.house import House
from punto.house.table.loaded import pulse
from punto.rulebook.model import Rank

MOST_KEPT: Final = 1_024
"""Events of a table that are kept while one of its readers is behind. Who is further behind is too slow."""
FEW_KEPT: Final = 64
"""Events that are kept while nobody is, for those who come back after a moment."""
MOST_RESUMED: Final = 1_000
"""A reader who was away for more events than these gets the table as it stands, not the events."""
PING_S: Final = 20.0

RESTARTING: Final = 1012
TOO_SLOW: Final = 4408


class Ended(Exception):
    """A subscription is over; `code` closes its socket."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Channel:
    """One table that somebody watches on this node."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.version = sight.version
        self.readers: set[Subscription] = set()
        self._records: deque[Record] = deque(maxlen=MOST_KEPT)
        self._shared: dict[tuple[int, Audience, Rank | None, bool], bytes] = {}
        self._moved = asyncio.Event()

    def move(self, sight: Sight, moved: Sequence[RecordedEvent]) -> None:
        assert moved[0].version == self.version + 1, "a channel misses nothing"
        slowest = min((reader.version for reader in self.readers), default=self.version)
        while len(self._records) > FEW_KEPT and self._records[0].version <= slowest:
            self._records.popleft()
        self._records.extend(Record(event) for event in moved)
        self.sight, self.version = sight, sight.version
        self._shared.clear()
        self.wake()

    def retime(self, sight: Sight) -> None:
        """The same table with another clock, for every reader."""
        self.sight = sight
        self._shared.clear()
        for reader in self.readers:
            reader.clock_due = True
        self.wake()

    def ping(self) -> None:
        for reader in self.readers:
            reader.ping_due = True
        self.wake()

    def wake(self) -> None:
        pulse(self._moved)

    async def wait(self) -> None:
        await self._moved.wait()

    def holds(self, after: int) -> bool:
        """Whether everything since that version is kept here."""
        return after >= self.version - len(self._records)

    def events(self, after: int, audience: Audience, patron: str | None) -> bytes:
        """The frame from a version to now; one for all readers who may see the same."""
        if audience is PATRON and patron in self.sight.table.patrons:
            return self.sight.events(after, self._since(after), audience, patron)
        rank = self.sight.table.staff.get(patron) if patron is not None else None
        same = (after, audience, rank, patron is not None)
        frame = self._shared.get(same)
        if frame is None:
            frame = self._shared[same] = self.sight.events(after, self._since(after), audience, patron)
        return frame

    def _since(self, after: int) -> list[Record]:
        """Counted from the end: readers are mostly one step behind."""
        newest = list(islice(reversed(self._records), self.version - after))
        return newest[::-1]


class Subscription:
    """What one socket reads, frame by frame. `version` is the last that it has read. Close it when the socket goes."""

    __slots__ = (
        *("_channel", "_ended", "_first", "_hub", "audience"),
        *("clock_due", "patron", "ping_due", "table", "version"),
    )

    def __init__(
        self, hub: Hub, table: str, channel: Channel, audience: Audience, patron: str | None, version: int
    ) -> None:
        self.table, self.audience, self.patron, self.version = table, audience, patron, version
        self.clock_due = self.ping_due = False
        self._hub, self._channel = hub, channel
        self._first: bytes | None = None
        self._ended: int | None = None
        channel.readers.add(self)

    def start(self, frame: bytes, version: int) -> None:
        """What comes before everything else."""
        self._first, self.version = frame, version

    async def next(self) -> bytes:
        """The next frame, as soon as there is one. Raises Ended."""
        while (frame := self._frame()) is None:
            await self._channel.wait()
        return frame

    def _frame(self) -> bytes | None:
        channel, after = self._channel, self.version
        if self._ended is not None:
            raise Ended(self._ended)
        if self._first is not None:
            frame, self._first = self._first, None
            return frame
        if after < channel.version:
            if not channel.holds(after):
                raise Ended(TOO_SLOW)
            self.version, self.clock_due, self.ping_due = channel.version, False, False
            return channel.events(after, self.audience, self.patron)
        if after == channel.version and self.clock_due:
            self.clock_due = self.ping_due = False
            return channel.sight.events(after, (), self.audience, self.patron)
        if self.ping_due:
            self.ping_due = False
            return PING
        return None

    def end(self, code: int) -> None:
        """Whoever reads is told so, with the first code that was given."""
        if self._ended is None:
            self._ended = code
            self._channel.wake()

    def close(self) -> None:
        if self in self._channel.readers:
            self._channel.readers.discard(self)
            self.end(RESTARTING)
            self._hub.left(self.table)


class Hub:
    """The channels of a node. The house moves them on after each commit and each wake-up."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._channels: dict[str, Channel] = {}
        house.listeners.append(self.moved)
        house.clock.on_step(self.retime)

    @property
    def readers(self) -> int:
        return sum(len(channel.readers) for channel in self._channels.values())

    async def subscribe(
        self, table: str, audience: Audience = PUBLIC, patron: str | None = None, after: int | None = None
    ) -> Subscription:
        """Read a table: from a snapshot, or from `after`, the last version seen, where that is not long ago.

        Raises what `House.state` does: NoSuchTable, Halted.
        """
        state = await self._house.follow(table)
        # Nothing may be awaited between the state and the channel, or a move is missed.
        channel = self._channels.get(table)
        if channel is None:
            channel = self._channels[table] = Channel(self._sight(table, state))
        reading = Subscription(self, table, channel, audience, patron, channel.version)
        try:
            await self._begin(reading, channel, after)
        except BaseException:
            reading.close()
            raise
        return reading

    def moved(self, table: str, state: TableState, moved: Sequence[RecordedEvent]) -> None:
        """A table's events are on disk: whoever watches it is told."""
        channel = self._channels.get(table)
        if channel is None:
            return
        if moved[0].version <= channel.version:
            moved = [event for event in moved if event.version > channel.version]
        if moved:
            channel.move(self._sight(table, state, channel.sight), moved)

    def retime(self) -> None:
        """The time that people are shown has stepped: everybody gets the clock of their table anew."""
        for table, channel in list(self._channels.items()):
            channel.retime(self._sight(table, channel.sight.state))

    def left(self, table: str) -> None:
        channel = self._channels[table]
        channel.wake()
        if not channel.readers:
            del self._channels[table]
        self._house.unfollow(table)

    def close(self) -> None:
        """Every reader ends with the code of a server that restarts."""
        for channel in self._channels.values():
            for reader in channel.readers:
                reader.end(RESTARTING)

    async def run(self) -> None:
        """Something to hear now and then where nothing happens, until cancelled."""
        while True:
            await asyncio.sleep(PING_S)
            for channel in self._channels.values():
                channel.ping()

    def _sight(self, table: str, state: TableState, before: Sight | None = None) -> Sight:
        return Sight(state, self._house.shown_since(state), self._house.pace_of(table), before)

    async def _begin(self, reading: Subscription, channel: Channel, after: int | None) -> None:
        """Where a reader starts: its snapshot, or the events it missed, be it none."""
        if after is not None and after > channel.version:
            after = await self._ahead(reading.table, after)
        sight = channel.sight
        audience, patron = reading.audience, reading.patron
        if after is None or sight.version - after > MOST_RESUMED:
            reading.start(sight.snapshot(audience, patron), sight.version)
        elif after == sight.version:
            # Nothing was missed, but the clock may be another: a restart gives a fresh one (I9).
            reading.start(sight.events(after, (), audience, patron), after)
        elif after > sight.version or channel.holds(after):
            reading.version = after
        else:
            rows = await self._house.store.read(f"table/{reading.table}", after, sight.version - after)
            records = [Record(codec.recorded(row)) for row in rows]
            reading.start(sight.events(after, records, audience, patron), sight.version)

    async def _ahead(self, table: str, after: int) -> int | None:
        """A reader that was served by another node may know more than this one; one that knows more than the store
        starts anew."""
        version, _ = await self._house.store.head(f"table/{table}")
        if after > version:
            return None
        self._house.look(table, version)
        return after
