"""Live views: the tables that are watched on this node."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from punto.game.redaction import PATRON, PUBLIC, Audience
from punto.house.live import resume
from punto.house.live.channel import RESTARTING, Channel, Subscription
from punto.house.live.frames import Sight
from punto.house.store.codec import RecordedEvent
from punto.house.table.decide import TableState
from punto.house.table.house import House

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
            await resume.start(self._house, reading, channel, after)
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
