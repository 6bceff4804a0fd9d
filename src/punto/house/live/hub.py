"""Live views: the tables that are watched on this node, and where each reader starts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from punto.game.redaction import PATRON, PUBLIC, Audience
from punto.house.live.channel import RESTARTING, Channel, Subscription
from punto.house.live.frames import EncodedEvent, Sight
from punto.house.store import codec
from punto.house.store.codec import RecordedEvent
from punto.house.table.decide import TableState
from punto.house.table.house import House

MOST_RESUMED: Final = 1_000
"""A reader who missed more events than this gets the table as it stands, not the events."""
PING_S: Final = 20.0


class Hub:
    """The channels of a node. The house updates them after each commit and each wake-up."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._channels: dict[str, Channel] = {}
        house.listeners.append(self.moved)
        house.clock.on_step(self.retime)

    @property
    def readers(self) -> int:
        return sum(len(channel.readers) for channel in self._channels.values())

    def watching(self) -> set[tuple[str, str]]:
        """Each table with each of its patrons who has a live socket there on this node."""
        return {
            (table, reader.patron)
            for table, channel in self._channels.items()
            for reader in channel.readers
            if reader.audience is PATRON and reader.patron in channel.sight.table.patrons
        }

    async def subscribe(
        self,
        table: str,
        audience: Audience = PUBLIC,
        patron: str | None = None,
        after: int | None = None,
        *,
        changes: bool = False,
    ) -> Subscription:
        """Read a table: from a snapshot, or from `after`, the last version seen, if few events were missed. With
        `changes`, a frame after the first has only what changed.

        Raises what `House.state` does: NoSuchTable, Halted.
        """
        state = await self._house.follow(table)
        # Nothing may be awaited between reading the state and joining the channel, or a move is missed.
        channel = self._channels.get(table)
        if channel is None:
            channel = self._channels[table] = Channel(self._sight(table, state))
        reading = Subscription(self.left, table, channel, audience, patron, changes=changes)
        try:
            await self._begin(reading, channel, after)
        except BaseException:
            reading.close()
            raise
        return reading

    def moved(self, table: str, state: TableState, moved: Sequence[RecordedEvent]) -> None:
        """Pass a table's committed events to its readers."""
        channel = self._channels.get(table)
        if channel is None:
            return
        moved = [event for event in moved if event.version > channel.version]
        if moved:
            channel.move(self._sight(table, state, channel.sight), moved)

    def retime(self) -> None:
        """Send every reader a new clock: the time that people are shown has stepped."""
        for table, channel in list(self._channels.items()):
            channel.retime(self._sight(table, channel.sight.state))

    def left(self, table: str) -> None:
        if not self._channels[table].readers:
            del self._channels[table]
        self._house.unfollow(table)

    def close(self) -> None:
        """End every subscription with the code of a server that restarts."""
        for channel in self._channels.values():
            for reader in channel.readers:
                reader.end(RESTARTING)

    async def run(self) -> None:
        """Ping every reader regularly, until cancelled."""
        while True:
            await asyncio.sleep(PING_S)
            for channel in self._channels.values():
                channel.ping()

    def _sight(self, table: str, state: TableState, before: Sight | None = None) -> Sight:
        return Sight(state, self._house.shown_since(state), self._house.pace_of(table), before)

    async def _begin(self, reading: Subscription, channel: Channel, after: int | None) -> None:
        """Start a reader with a snapshot, or with the events it missed, even if none."""
        if after is not None and after > channel.version:
            after = await self._ahead(reading.table, after)
        sight, audience, patron = channel.sight, reading.audience, reading.patron
        if after is None or sight.version - after > MOST_RESUMED:
            reading.start(sight.snapshot(audience, patron), sight.version)
        elif after == sight.version:
            # Nothing was missed, but the clock may differ: a restart starts it anew (I9).
            reading.start(sight.events(after, (), audience, patron), after)
        elif after > sight.version:
            # The first frame is due when this node comes to that version, also if it comes no further.
            reading.version, reading.clock_due = after, True
        elif channel.holds(after):
            reading.version = after
        else:
            rows = await self._house.store.read(f"table/{reading.table}", after, sight.version - after)
            records = [EncodedEvent(codec.recorded(row)) for row in rows]
            reading.start(sight.events(after, records, audience, patron), sight.version)

    async def _ahead(self, table: str, after: int) -> int | None:
        """A reader from another node may know a later version than this node: read on. One that is ahead of the store
        starts anew."""
        version, _ = await self._house.store.head(f"table/{table}")
        if after > version:
            return None
        self._house.look(table, version)
        return after
