"""A watched table: the events that its readers have not read yet, and the cursor of each reader.

Nothing is queued. A reader gets what happened since its cursor, in one frame. One that can't keep up is dropped, never
waited for: its cursor falls out of what is kept here. It reconnects with the version that it saw last, and reads on.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from punto.game.redaction import PATRON, Audience
from punto.house.live.changes import PastViews
from punto.house.live.frames import PING, EncodedEvent, Sight
from punto.house.store.codec import RecordedEvent
from punto.rulebook.model import Rank

MOST_KEPT: Final = 1_024
"""Events of a table that are kept while a reader is behind. A reader that is further behind is too slow."""
FEW_KEPT: Final = 64
"""Events that are kept while no reader is behind, for those that reconnect soon."""
RESTARTING: Final = 1012
TOO_SLOW: Final = 4408


class Ended(Exception):
    """A subscription is over; `code` is the close code for its socket."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Channel:
    """One table that somebody watches on this node."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.version = sight.version
        self.readers: set[Subscription] = set()
        self._records: deque[EncodedEvent] = deque(maxlen=MOST_KEPT)
        self._shared: dict[tuple[int, Audience, Rank | None, bool], bytes] = {}
        self._past = PastViews()
        """Kept while somebody reads changes."""

    def move(self, sight: Sight, moved: Sequence[RecordedEvent]) -> None:
        assert moved[0].version == self.version + 1, "a channel misses nothing"
        slowest = min((reader.version for reader in self.readers), default=self.version)
        while len(self._records) > FEW_KEPT and self._records[0].version <= slowest:
            self._records.popleft()
        self._records.extend(EncodedEvent(event) for event in moved)
        if any(reader.changes for reader in self.readers):
            self._past.keep(self.version, self.sight.seen)
        else:
            self._past.clear()
        self.sight, self.version = sight, sight.version
        self._shared.clear()
        self._past.moved()
        self.wake()

    def retime(self, sight: Sight) -> None:
        """Send every reader the same table with a new clock."""
        self.sight = sight
        self._shared.clear()
        self._past.moved()
        for reader in self.readers:
            reader.clock_due = True
        self.wake()

    def ping(self) -> None:
        for reader in self.readers:
            reader.ping_due = True
        self.wake()

    def wake(self) -> None:
        for reader in self.readers:
            reader.wake()

    def holds(self, after: int) -> bool:
        """Whether everything since that version is kept here."""
        return after >= self.version - len(self._records)

    def events(self, after: int, audience: Audience, patron: str | None) -> bytes:
        """The frame with the events after a version. Readers who may see the same share it."""
        if audience is PATRON and patron in self.sight.table.patrons:
            return self.sight.events(after, self._since(after), audience, patron)
        rank = self.sight.table.staff.get(patron) if patron is not None else None
        same = (after, audience, rank, patron is not None)
        frame = self._shared.get(same)
        if frame is None:
            frame = self._shared[same] = self.sight.events(after, self._since(after), audience, patron)
        return frame

    def changes(self, after: int, reader: Subscription) -> bytes | None:
        """The frame for a reader who knows the view at `after`; None where that view is no longer kept."""
        changed = self._past.changes_since(after, self.sight)
        return None if changed is None else self.sight.changes(after, self._since(after), reader, changed)

    def _since(self, after: int) -> list[EncodedEvent]:
        """Counted from the end, because readers are mostly one step behind."""
        newest = list(islice(reversed(self._records), self.version - after))
        return newest[::-1]


class Subscription:
    """The frames for one socket. `version` is the last that it has read. Close it when the socket closes."""

    __slots__ = (
        *("_channel", "_ended", "_first", "_knows_view", "_left", "_woken", "audience", "changes"),
        *("clock_due", "mine", "patron", "ping_due", "table", "version"),
    )

    def __init__(
        self,
        left: Callable[[str], None],
        table: str,
        channel: Channel,
        audience: Audience,
        patron: str | None,
        *,
        changes: bool,
    ) -> None:
        self.table, self.audience, self.patron, self.version = table, audience, patron, channel.version
        self.clock_due = self.ping_due = False
        self.changes, self._knows_view = changes, False
        self.mine: bytes | None = None
        self._left, self._channel = left, channel
        self._first: bytes | None = None
        self._ended: int | None = None
        self._woken: asyncio.Future[None] | None = None
        """The future that `next` waits for, while it does."""
        channel.readers.add(self)

    def start(self, frame: bytes, version: int) -> None:
        """Set the first frame and the version it leads to."""
        self._first, self.version = self._whole(frame), version

    async def next(self) -> bytes:
        """The next frame, as soon as there is one. Raises Ended. Only one task at a time may read."""
        while (frame := self._frame()) is None:
            self._woken = asyncio.get_running_loop().create_future()
            await self._woken
        return frame

    def wake(self) -> None:
        """Wake the task that waits in `next`."""
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)

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
            changed = channel.changes(after, self) if self._knows_view and not self.clock_due else None
            self.version, self.clock_due, self.ping_due = channel.version, False, False
            return changed or self._whole(channel.events(after, self.audience, self.patron))
        if after == channel.version and self.clock_due:
            self.clock_due = self.ping_due = False
            return self._whole(channel.sight.events(after, (), self.audience, self.patron))
        if self.ping_due:
            self.ping_due = False
            return PING
        return None

    def _whole(self, frame: bytes) -> bytes:
        """After a frame with the whole view, a reader of changes can get changes alone."""
        self._knows_view, self.mine = self.changes, None
        return frame

    def end(self, code: int) -> None:
        """End the subscription. The reader gets the first code that was given."""
        if self._ended is None:
            self._ended = code
            self.wake()

    def close(self) -> None:
        if self in self._channel.readers:
            self._channel.readers.discard(self)
            self.end(RESTARTING)
            self._left(self.table)
