"""Live views: one cursor for each socket, nothing queued. A reader gets what happened since its cursor, in one frame.

A socket is written to where the table moves, one after the other, without a task of its own. A reader that can't keep
up is dropped, never waited for: its cursor falls out of what is kept here, or it has no room for a frame until the
deadline. It comes back with the version that it saw last, and reads on from there.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, Protocol

from punto.game.told import PATRON, PUBLIC, Audience
from punto.house.live.frames import PING, Record, Sight
from punto.house.store import codec
from punto.house.store.codec import Moved
from punto.house.table.deciding import Standing
from punto.house.table.desk import Bell
from punto.rulebook.model import Rank

if TYPE_CHECKING:
    from punto.house.table.service import House

log = logging.getLogger("punto.hub")

MOST_KEPT: Final = 1_024
"""Events of a table that are kept while one of its readers is behind. Who is further behind is too slow."""
FEW_KEPT: Final = 64
"""Events that are kept while nobody is, for those who come back after a moment."""
MOST_RESUMED: Final = 1_000
"""A reader who was away for more events than these gets the table as it stands, not the events."""
DEADLINE_S: Final = 5.0
PING_S: Final = 20.0

RESTARTING: Final = 1012
TOO_SLOW: Final = 4408


class Ended(Exception):
    """A subscription is over; `code` closes its socket."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Outlet(Protocol):
    """A socket that takes frames at once or not at all."""

    def write(self, frame: bytes) -> bool:
        """Whether it had room. If not, it calls `Subscription.go_on` when it has."""

    def end(self, code: int) -> None: ...


class Channel:
    """One table that somebody watches on this node."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.version = sight.version
        self.readers = 0
        self.late = 0
        """Readers that have no room for what is waiting for them."""
        self.attached: set[Subscription] = set()
        self._records: deque[Record] = deque(maxlen=MOST_KEPT)
        self._shared: dict[tuple[int, Audience, Rank | None, bool], bytes] = {}
        self._moved = Bell()

    def move(self, sight: Sight, moved: Sequence[Moved]) -> None:
        assert moved[0].version == self.version + 1, "a channel misses nothing"
        for one in moved:
            self._records.append(Record(one))
        self.sight, self.version = sight, sight.version
        self._shared.clear()
        self.wake()
        for reading in tuple(self.attached):
            reading.go_on()
        # Who has not been attached yet, or asks by itself, may be behind too.
        if not self.late and len(self.attached) == self.readers:
            while len(self._records) > FEW_KEPT:
                self._records.popleft()

    def retime(self, sight: Sight) -> None:
        """The same table with another clock, for every socket."""
        self.sight = sight
        self._shared.clear()
        for reading in tuple(self.attached):
            reading.retime()

    def wake(self) -> None:
        self._moved.ring()

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
        if after == self.version - 1:
            return [self._records[-1]]
        newest = list(islice(reversed(self._records), self.version - after))
        return newest[::-1]


class Subscription:
    """What one socket reads: it is attached and written to, or asks by `await next()` or `async for`. Close it when the
    socket goes."""

    __slots__ = (
        *("_channel", "_closed", "_clock_due", "_cursor", "_first", "_hub", "_late", "_outlet"),
        *("audience", "patron", "table"),
    )

    def __init__(
        self, hub: Hub, table: str, channel: Channel, audience: Audience, patron: str | None, cursor: int
    ) -> None:
        self.table = table
        self.audience = audience
        self.patron = patron
        self._hub = hub
        self._channel = channel
        self._cursor = cursor
        self._first: bytes | None = None
        self._clock_due = False
        self._closed = False
        self._outlet: Outlet | None = None
        self._late: asyncio.TimerHandle | None = None

    @property
    def version(self) -> int:
        """The last version that was read here."""
        return self._cursor

    async def next(self) -> bytes:
        """The next frame, as soon as there is one. Raises Ended."""
        while True:
            frame = self._waiting()
            if frame is not None:
                if self._first is None:
                    self._cursor, self._clock_due = self._channel.version, False
                self._first = None
                return frame
            await self._channel.wait()

    def attach(self, outlet: Outlet) -> None:
        """From now on every frame is written there."""
        self._outlet = outlet
        self._channel.attached.add(self)
        self.go_on()

    def go_on(self) -> None:
        """Write what the outlet has not had. One that has no room for long is too slow."""
        outlet, channel = self._outlet, self._channel
        if outlet is None:
            return
        try:
            while (frame := self._waiting()) is not None:
                if not outlet.write(frame):
                    if self._late is None:
                        self._late = asyncio.get_running_loop().call_later(DEADLINE_S, self._end, TOO_SLOW)
                        channel.late += 1
                    return
                if self._first is None:
                    self._cursor, self._clock_due = channel.version, False
                    break
                self._first = None
        except Ended as end:
            self._end(end.code)
        except Exception:
            # One socket's fault is its own: the others and the table go on.
            log.exception("a reader of table %s is dropped", self.table)
            self.close()
        self._in_time()

    def retime(self) -> None:
        """The clock of the table is another one. Who is behind gets it with what happened meanwhile."""
        self._clock_due = True
        self.go_on()

    def _in_time(self) -> None:
        """Not late, or not any more."""
        if self._late is not None:
            self._late.cancel()
            self._late = None
            self._channel.late -= 1

    def ping(self) -> None:
        """Something to hear where nothing happens."""
        if self._outlet is not None and self._late is None:
            self._outlet.write(PING)

    def _end(self, code: int) -> None:
        outlet = self._outlet
        self.close()
        if outlet is not None:
            outlet.end(code)

    def _waiting(self) -> bytes | None:
        """The frame that comes next, if there is one. Raises Ended."""
        channel = self._channel
        if self._hub.closed or self._closed:
            raise Ended(RESTARTING)
        if self._first is not None:
            return self._first
        missed = channel.version - self._cursor
        if missed <= 0:
            if missed or not self._clock_due:
                return None
            return channel.sight.events(self._cursor, (), self.audience, self.patron)
        if missed > 1 and not channel.holds(self._cursor):
            raise Ended(TOO_SLOW)
        return channel.events(self._cursor, self.audience, self.patron)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            yield await self.next()

    def start(self, frame: bytes, version: int) -> None:
        """What comes before everything else."""
        self._first = frame
        self._cursor = version

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._outlet = None
            self._channel.attached.discard(self)
            self._in_time()
            self._hub.left(self.table)


class Hub:
    """The channels of a node. The house moves them on after each commit and each wake-up."""

    def __init__(self, house: House) -> None:
        self.closed = False
        self._house = house
        self._channels: dict[str, Channel] = {}

    @property
    def readers(self) -> int:
        return sum(channel.readers for channel in self._channels.values())

    async def subscribe(
        self, table: str, audience: Audience = PUBLIC, patron: str | None = None, after: int | None = None
    ) -> Subscription:
        """Read a table: from a snapshot, or from `after`, the last version seen, where that is not long ago.

        Raises what `House.standing` does: NoSuchTable, Halted.
        """
        standing = await self._house.follow(table)
        # Nothing may be awaited between the state and the channel, or a move is missed.
        channel = self._channels.get(table)
        if channel is None:
            channel = self._channels[table] = Channel(self._sight(table, standing))
        channel.readers += 1
        reading = Subscription(self, table, channel, audience, patron, channel.version)
        try:
            await self._begin(reading, channel, after)
        except BaseException:
            reading.close()
            raise
        return reading

    def moved(self, table: str, standing: Standing, moved: Sequence[Moved]) -> None:
        """A table's events are on disk: whoever watches it is told."""
        channel = self._channels.get(table)
        if channel is None:
            return
        if moved[0].version <= channel.version:
            moved = [one for one in moved if one.version > channel.version]
        if moved:
            channel.move(self._sight(table, standing, channel.sight), moved)

    def retime(self) -> None:
        """The time that people are shown has stepped: everybody gets the clock of his table anew."""
        for table, channel in list(self._channels.items()):
            channel.retime(self._sight(table, channel.sight.standing))

    def left(self, table: str) -> None:
        channel = self._channels[table]
        channel.readers -= 1
        channel.wake()
        if not channel.readers:
            del self._channels[table]
        self._house.unfollow(table)

    def close(self) -> None:
        """Every reader ends with the code of a server that restarts."""
        self.closed = True
        for channel in list(self._channels.values()):
            channel.wake()
            for reading in tuple(channel.attached):
                reading.go_on()

    async def run(self) -> None:
        """Ping whoever is attached, now and then, until cancelled."""
        while True:
            await asyncio.sleep(PING_S)
            for channel in list(self._channels.values()):
                for reading in tuple(channel.attached):
                    reading.ping()

    def _sight(self, table: str, standing: Standing, before: Sight | None = None) -> Sight:
        return Sight(standing, self._house.shown_since(standing), self._house.pace_of(table), before)

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
            reading._cursor = after
        else:
            rows = await self._house.store.read(f"table/{reading.table}", after, sight.version - after)
            records = [Record(codec.moved(row)) for row in rows]
            reading.start(sight.events(after, records, audience, patron), sight.version)

    async def _ahead(self, table: str, after: int) -> int | None:
        """A reader that was served by another node may know more than this one; one that knows more than the store
        starts anew."""
        version, _ = await self._house.store.head(f"table/{table}")
        if after > version:
            return None
        self._house.look(table, version)
        return after
