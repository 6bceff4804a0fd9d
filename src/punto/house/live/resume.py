"""Where a reader starts: with the table as it stands, or, after a lost connection, with the events that they missed."""

from __future__ import annotations

from typing import Final

from punto.house.live.channel import Channel, Subscription
from punto.house.live.frames import EncodedEvent
from punto.house.store import codec
from punto.house.table.house import House

MOST_RESUMED: Final = 1_000
"""A reader who missed more events than this gets the table as it stands, not the events."""


async def start(house: House, reading: Subscription, channel: Channel, after: int | None) -> None:
    """Start a reader with the table as it stands, or with the events after `after`, the last version that they have
    seen. Where these are kept in the channel or still to come, the first frame is made later."""
    if after is not None and after > channel.version:
        after = await _ahead(house, reading.table, after)
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
        rows = await house.store.read(f"table/{reading.table}", after, sight.version - after)
        records = [EncodedEvent(codec.recorded(row)) for row in rows]
        reading.start(sight.events(after, records, audience, patron), sight.version)


async def _ahead(house: House, table: str, after: int) -> int | None:
    """A reader from another node may know a later version than this node: read on. One that is ahead of the store
    starts anew."""
    version, _ = await house.store.head(f"table/{table}")
    if after > version:
        return None
    house.look(table, version)
    return after
