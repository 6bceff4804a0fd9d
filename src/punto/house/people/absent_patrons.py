"""Free the seats of patrons who have gone, after a time that the house sets, and put their chips into their wallets.

A patron is at a table while a live socket of theirs watches it, and when they join, sit down, buy chips or wager there.
Each node records that for its own sockets, so that every node knows when a patron was last there. The cage takes off
whoever was absent for that time, or has no session any more, but never while a round holds their chips.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

import sqlalchemy as sa

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game.moves import held_by_round
from punto.game.table import Table
from punto.house import logs
from punto.house.instants import MICRO
from punto.house.store.answers import Denied
from punto.house.store.codec import RecordedEvent
from punto.house.store.names import HOUSE_CAGE
from punto.house.store.people_tables import people, sessions
from punto.house.store.records import Clash, StoreBroken
from punto.house.store.schema import presence
from punto.house.table.decide import TableState
from punto.house.table.house import House
from punto.house.table.request import by_house
from punto.money import Cents

AWAY_MINUTES: Final = 15
LOOK_SECONDS: Final = 20.0
"""How often a node checks; more often where the house sets a short time."""
_LOOKS: Final = 5
"""How many times presence is recorded within the time that the house sets."""
_AT_ONCE: Final = 200
_TRIES: Final = 5
_CAME: Final = frozenset(
    {e.PatronJoined, e.SeatTaken, e.ChipsBought, e.WagerPlaced, e.WagerRaised, e.WagerLowered, e.WagerWithdrawn}
)

At = tuple[str, str]
"""A table and a patron of it."""


class AbsentPatrons:
    """This node's part of it. `watching` returns whose live sockets are at which table, on this node."""

    def __init__(self, house: House, watching: Callable[[], set[At]], away_seconds: float = AWAY_MINUTES * 60) -> None:
        self._house, self._watching = house, watching
        self._away = round(away_seconds * MICRO)
        self._pause = min(LOOK_SECONDS, away_seconds / _LOOKS)
        self._began = house.clock.monotonic()
        self._came: dict[At, int] = {}
        """Who came since the last check, and when."""
        self._live: dict[At, int] = {}
        """Who was watching at the last check, and when that was last recorded."""
        house.listeners.append(self._moved)

    async def run(self) -> None:
        """Check until cancelled."""
        while True:
            await asyncio.sleep(self._pause)
            try:
                await self.look()
            except StoreBroken:
                return
            except Exception as error:  # the database is briefly unreachable: the next check makes up for it
                logs.warn("seats-not-looked-at", error=type(error).__name__)

    async def look(self) -> None:
        """Record who is there, then free the seats of those who are not."""
        await self._write_down()
        for table, person, seen_at in await self._gone():
            if (table, person) not in self._live and await self._taken_off(table, person):
                await self._forget(table, person, seen_at)

    async def find(self) -> None:
        """Patrons without a recorded presence, as after an update or a crash, count as there from now on."""
        known = {(row["table"], row["person"]) for row in await self._house.store.fetch(sa.select(presence))}
        for stream, _ in await self._house.store.streams("table/"):
            name = stream.removeprefix("table/")
            table = (await self._house.newest(name)).table
            unknown = [patron for patron in table.patrons if _is_there(table, patron) and (name, patron) not in known]
            self._came |= {(name, patron): self._house.clock.now() for patron in unknown}

    def _moved(self, table: str, state: TableState, moved: Sequence[RecordedEvent]) -> None:
        for seat in moved:
            if type(seat.event) in _CAME:
                self._came[table, seat.event.patron] = seat.at  # type: ignore[union-attr]  # those of _CAME have one

    async def _write_down(self) -> None:
        """Record who came, who watches and was not recorded lately, and who has just stopped watching."""
        now, live = self._house.clock.now(), self._watching()
        lately = now - self._away // _LOOKS
        fresh = {at for at in live if not lately < self._live.get(at, 0) <= now}
        due = self._came | dict.fromkeys(fresh | (self._live.keys() - live), now)
        self._came = {}
        try:
            for part in _parts(due):
                await self._write(part)
        except BaseException:
            self._came = due | self._came
            raise
        self._live = {at: now if at in fresh else self._live[at] for at in live}

    async def _write(self, part: dict[At, int]) -> None:
        values = [{"table": table, "person": person, "seen_at": seen_at} for (table, person), seen_at in part.items()]
        before = sa.delete(presence).where(sa.tuple_(presence.c.table, presence.c.person).in_(list(part)))
        for _ in range(_TRIES):
            try:
                await self._house.store.execute(before, sa.insert(presence).values(values))
            except Clash:
                continue  # another node has just written the same
            return

    async def _gone(self) -> list[tuple[str, str, int]]:
        """Patrons with no session, or absent for long enough that another node would have recorded a return. While the
        house was closed nobody could come: after a start that time runs anew (I9)."""
        clock, gone = self._house.clock, ~sa.exists().where(sessions.c.person == presence.c.person)
        if clock.monotonic() - self._began >= self._away:
            gone = sa.or_(gone, presence.c.seen_at < clock.cautious() - self._away - round(self._pause * MICRO))
        query = sa.select(presence).where(gone)
        return [(row["table"], row["person"], row["seen_at"]) for row in await self._house.store.fetch(query)]

    async def _taken_off(self, name: str, person: str) -> bool:
        """Take a patron off; whether nothing is left to do. If a round holds them, a later check tries again."""
        table = (await self._house.newest(name)).table
        if not _is_there(table, person):
            return True
        if held_by_round(table, person):
            return False
        if not await self._house.store.fetch(sa.select(people.c.name).where(people.c.name == person)):
            return True  # a late ruling gave chips to a guest whose account is closed (O73): no wallet
        patron, commands = table.patrons[person], list[c.AnyCommand]()
        if patron.balance_cents:
            commands.append(c.CashChips(patron=person, chips_cents=Cents(patron.balance_cents)))
        if patron.present:
            commands.append(c.Leave(patron=person))
        elif patron.box is not None:
            commands.append(c.StandUp(patron=person))
        key = f"absent:{person}:{table.version}"
        check = partial(self._is_absent, name, person)
        answer = await self._house.command(name, by_house(commands, key, HOUSE_CAGE, check))
        logs.say("seat-freed" if answer.accepted else "seat-not-freed", table=name, person=person, code=answer.code)
        return answer.accepted

    def _is_absent(self, name: str, person: str, table: Table, command: c.AnyCommand) -> Denied | None:
        """Checked when the command is decided: a wager or a return meanwhile keeps the seat."""
        if held_by_round(table, person):
            return Denied(Code.NOT_ALLOWED, f"a round holds chips of {person}")
        if (name, person) in self._came or (name, person) in self._watching():
            return Denied(Code.NOT_ALLOWED, f"{person} has come back")
        return None

    async def _forget(self, table: str, person: str, seen_at: int) -> None:
        this = (presence.c.table == table, presence.c.person == person, presence.c.seen_at == seen_at)
        await self._house.store.execute(sa.delete(presence).where(*this))


def _is_there(table: Table, person: str) -> bool:
    patron = table.patrons.get(person)
    return patron is not None and (patron.present or patron.balance_cents > 0 or patron.box is not None)


def _parts(due: dict[At, int]) -> Iterator[dict[At, int]]:
    """Parts that one statement takes, always in the same order, so that two nodes never deadlock."""
    every = sorted(due.items())
    return (dict(every[start : start + _AT_ONCE]) for start in range(0, len(every), _AT_ONCE))
