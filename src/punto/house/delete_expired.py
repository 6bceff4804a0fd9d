"""Delete what is old from the database every few minutes: sessions that are over, old refusals and addresses, guests
who have gone. Note patrons whose presence nobody recorded. Events and transfers are never deleted.

Every node sweeps. A row that another node has just deleted does no harm.
"""

from __future__ import annotations

import asyncio
from typing import Final

from punto.house import logs
from punto.house.people import departed_guests, known_addresses
from punto.house.people.absent_patrons import AbsentPatrons
from punto.house.people.guests import Guests
from punto.house.people.sessions import Sessions
from punto.house.store.interface import Store
from punto.house.store.records import StoreBroken
from punto.house.table.house import House

EVERY_SECONDS: Final = 600
REFUSED_FOR_US: Final = 24 * 3600 * 1_000_000
"""A refusal is remembered under its key for a day: twice as long as the session of whoever may resend it."""
_AT_ONCE: Final = 1_000
_MOST_TURNS: Final = 100_000
"""So many turns delete more refusals than a node could make in a day."""


async def run(house: House, sessions: Sessions, guests: Guests, absent: AbsentPatrons) -> None:
    """Sweep until cancelled."""
    while True:
        for name, work in (
            ("sessions", sessions.sweep),
            ("addresses", lambda: known_addresses.sweep(house.store)),
            ("seats", absent.find),
            ("guests", lambda: departed_guests.sweep(house, guests)),
            ("refusals", lambda: forget_refusals(house.store, house.clock.cautious())),
        ):
            try:
                await work()
            except StoreBroken:
                return
            except Exception as error:  # the database is briefly unreachable: the next sweep makes up for it
                logs.warn("not-swept", table=name, error=type(error).__name__)
        await asyncio.sleep(EVERY_SECONDS)


async def forget_refusals(store: Store, at: int) -> None:
    """Delete refusals older than a day at this instant, a part at a time, so that nobody waits long for the writer."""
    for _ in range(_MOST_TURNS):
        if await store.forget_refusals(at - REFUSED_FOR_US, _AT_ONCE) < _AT_ONCE:
            return
