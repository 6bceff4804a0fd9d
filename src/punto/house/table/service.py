"""The service: load → decide → append → publish. Everything that changes a table goes through `House.command`.

A table has no owner: the database decides who writes its next event. A node keeps one worker for each table, and one
commit of it in flight; what waits meanwhile goes into the next commit.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import msgspec

from punto.game.audience import Audience
from punto.game.commands import AnyCommand, CloseBetting, OpenTable
from punto.game.table import Table
from punto.house.live.hub import Hub
from punto.house.store.interface import Store
from punto.house.store.records import StoreBroken
from punto.house.table import deciding, shoes
from punto.house.table.answers import Answer
from punto.house.table.clock import MICRO, PACE, Pace, Stage, stage
from punto.house.table.deciding import Asked, Standing
from punto.house.table.desk import Desk, Halted, Taker, Waiting
from punto.house.table.house_clock import HouseClock
from punto.house.table.serving import Serving

log = logging.getLogger("punto.house")

MOST_WAITING: Final = 4_096
"""Askings that may wait at one table."""
MOST_TABLES: Final = 256
"""Tables that are kept in memory although nobody asks for them."""


class NoSuchTable(LookupError):
    """No event was ever recorded under this id (HTTP 404, close code 4404)."""


class Busy(RuntimeError):
    """Too many commands wait at this table (HTTP 429)."""


class Unsure(RuntimeError):
    """This node can't prove its place, and takes no round to the deal (HTTP 503)."""


class House:
    """Tables over one store. Any number of these, in any number of processes, may serve one database.

    `broken` is set when the store can't be written any more: the server exits on it, with status 1.
    `hub` has the live frames.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: HouseClock | None = None,
        pace_of: Callable[[str], Pace | None] = lambda table: PACE,
        shuffled: shoes.Shuffle = shoes.new_shoe,
    ) -> None:
        """`clock`: the machine's unless another is given. `pace_of`: the pace of a virtual table by its id; None: no
        clock. `shuffled`: a new shoe of so many decks."""
        self.store = store
        self.clock = clock or HouseClock(store)
        self.pace_of = pace_of
        self.broken = asyncio.Event()
        self.halted: str | None = None
        """Why nothing is decided any more, if so."""
        self.recovered_at: int | None = None
        """When this node put right what a restart interrupted, by the monotonic clock: clocks that run since before
        start anew from here."""
        self.hub = Hub(self)
        self.clock.on_step(self.hub.retime)
        self.shuffled = shuffled
        self._serving = Serving(self, self._break)
        self._desks: dict[str, Desk] = {}
        store.on_wake(self._woken)

    async def command(
        self,
        table: str,
        commands: Sequence[AnyCommand],
        key: str,
        actor: str,
        body: bytes,
        audience: Audience = Audience.PATRON,
        allowed: deciding.Allowed | None = None,
    ) -> Answer:
        """Decide a list of commands, all or nothing, and answer after the commit.

        `key` is the asker's own: another person's same key is another key. `body` is SHA-256 of the canonical command.
        A key that was answered before gets the identical bytes, or `key-reused` with another body. `audience` is what
        the asker may see of the events: PATRON (as `actor`), DEALER or PIT.

        The house's own facts are filled in here, and nobody else's are taken: a virtual shoe's order, salt and
        commitment (load-shoe comes without them), and `on` of open-table and open-betting, which is now.
        `allowed` judges who asks by the table as it stands when each command is decided.
        Raises NoSuchTable, Busy, Unsure and Halted; whoever stops waiting has not stopped the command.
        """
        self._check()
        desk = await self._loaded(table)
        if not desk.version and not (commands and isinstance(commands[0], OpenTable)):
            self._forget(desk)
            raise NoSuchTable(f"there is no table {table!r}")
        self._check()
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._put(desk, Asked(tuple(commands), f"{actor}/{key}", actor, body, audience, allowed), filling(answer))
        return await answer

    def at_once(self, table: str, asked: Asked, take: Taker) -> bool:
        """The same without waiting, where the table is in memory; whether it is. `take` is called with the answer, or
        with why there is none; whoever asks gives its key's prefix himself. Raises Busy, Unsure and Halted."""
        self._check()
        desk = self._desks.get(table)
        if desk is None or not desk.loaded or not desk.standing.table.version:
            return False
        self._put(desk, asked, take)
        return True

    def _put(self, desk: Desk, asked: Asked, take: Taker) -> None:
        if len(desk.waiting) >= MOST_WAITING:
            raise Busy(f"{len(desk.waiting)} commands wait at table {desk.id}")
        if self.store.unsure and any(isinstance(one, CloseBetting) for one in asked.commands):
            raise Unsure(f"this node can't prove its place, and takes no round at table {desk.id} to the deal")
        desk.waiting.append(Waiting(asked, take))
        self._serving.go_on(desk)

    def known(self, table: str) -> Standing | None:
        """The table as it stands here, where it is in memory and moves on."""
        desk = self._desks.get(table)
        if desk is None or not desk.loaded or self.halted is not None:
            return None
        return desk.standing if desk.standing.table.version else None

    async def table(self, table: str) -> Table:
        """The table as its events add up to. Raises NoSuchTable, Halted."""
        return (await self.standing(table)).table

    async def standing(self, table: str) -> Standing:
        """The same, with when it came to where it stands: what clocks count from."""
        self._check()
        desk = await self._loaded(table)
        if not desk.version:
            self._forget(desk)
            raise NoSuchTable(f"there is no table {table!r}")
        return desk.standing

    async def newest(self, table: str) -> Standing:
        """The same with all that other nodes have committed by now."""
        standing = await self.follow(table)
        try:
            version, _ = await self.store.head(f"table/{table}")
            if version > standing.table.version:
                self.look(table, version)
                standing = await self.past(table, version - 1)
            return standing
        finally:
            self.unfollow(table)

    def since(self, standing: Standing) -> int:
        """What the clock of a table counts from, by the monotonic clock: a restart gives what was open a fresh time
        (I9)."""
        return standing.seen if self.recovered_at is None else max(standing.seen, self.recovered_at)

    def shown_since(self, standing: Standing) -> int:
        """The same as people are shown it: unix microseconds."""
        return self.clock.unix(self.since(standing))

    def _longest(self, table: str) -> int:
        """Microseconds that a table may stand at one stage by its clocks."""
        seconds: tuple[float, ...] = msgspec.structs.astuple(self.pace_of(table) or PACE)
        return round(max(seconds) * MICRO)

    async def follow(self, table: str) -> Standing:
        """Somebody watches this table: keep it in memory, and up to date with other nodes."""
        await self.standing(table)
        desk = self._desks[table]
        desk.followers += 1
        return desk.standing

    def unfollow(self, table: str) -> None:
        self._desks[table].followers -= 1

    async def past(self, table: str, version: int) -> Standing:
        """The table as soon as it is past a version. Only for a table that is followed."""
        desk = self._desks[table]
        while desk.version <= version:
            self._check()
            await desk.moved.wait()
        return desk.standing

    async def turned(self, table: str, stood: Stage) -> Standing:
        """The table as soon as it stands at another stage, however often it moves before. Only for one followed."""
        desk = self._desks[table]
        while stage(desk.standing.table) == stood:
            self._check()
            await desk.turned.wait()
        return desk.standing

    def look(self, table: str, version: int) -> None:
        """A table has come to this version, somewhere."""
        self._woken([(f"table/{table}", version)])

    async def close(self) -> None:
        """Take no more commands, finish those that wait, end every subscription."""
        self.halted = self.halted or "the house is closing"
        for desk in self._desks.values():
            desk.wake_all()
        await self._serving.finish(self._desks.values())
        self.hub.close()

    # ------------------------------------------------------------------ tables in memory

    def _check(self) -> None:
        if self.halted is not None:
            raise Halted(self.halted)

    def _desk(self, table: str) -> Desk:
        """The desk of a table; the one asked for last is the last in the dictionary."""
        desk = self._desks.pop(table, None)
        if desk is None:
            desk = Desk(table, self.store, self.clock, partial(self._longest, table))
            if len(self._desks) >= MOST_TABLES:
                self._make_room()
        self._desks[table] = desk
        return desk

    def _make_room(self) -> None:
        """Tables that nobody follows and nothing waits at are read again when they are asked for."""
        spare = len(self._desks) - MOST_TABLES + 1
        idle = [desk for desk in self._desks.values() if desk.loaded and self._idle(desk)]
        for desk in idle[:spare]:
            self._forget(desk)

    def _idle(self, desk: Desk) -> bool:
        return not desk.followers and not desk.waiting and desk.worker is None

    def _forget(self, desk: Desk) -> None:
        if self._idle(desk):
            self._desks.pop(desk.id, None)

    async def _loaded(self, table: str) -> Desk:
        """The one desk of a table. It may have been dropped while it was read: then the next one."""
        while True:
            desk = self._desk(table)
            try:
                await desk.load()
            except StoreBroken as error:
                self._break(error)
                raise Halted(str(error)) from error
            if self._desks.get(table) is desk:
                if desk.behind:
                    # It moved elsewhere while it was read here.
                    self._serving.go_on(desk)
                return desk

    # ------------------------------------------------------------------ the worker of a table

    def _woken(self, moved: Sequence[tuple[str, int]]) -> None:
        """Streams moved, here or at another node. Only what is in memory is looked at."""
        if self.halted is not None:
            return
        if not moved:
            self._serving.errand(self._look_at_all())
        for stream, version in moved:
            desk = self._desks.get(stream.removeprefix("table/")) if stream.startswith("table/") else None
            if desk is None:
                continue
            desk.known_version = max(desk.known_version, version)
            # This node's own commits are told of here before they land: whoever waits for them moves the table on.
            if desk.worker is None and desk.behind:
                self._serving.go_on(desk)

    async def _look_at_all(self) -> None:
        if not self._desks:
            return
        try:
            self._woken(await self.store.streams("table/"))
        except Exception:
            log.exception("the tables could not be looked at; the next wake-up tries again")

    # ------------------------------------------------------------------ the end

    def _break(self, error: StoreBroken) -> None:
        """Whether the last write is on disk is not known. Nothing is decided here any more."""
        self.halted = str(error)
        self.broken.set()
        for desk in self._desks.values():
            desk.wake_all()
            desk.fail(desk.waiting, Halted(self.halted))
            desk.waiting.clear()


def filling(answer: asyncio.Future[Answer]) -> Taker:
    """Whoever waits may have gone."""

    def take(told: Answer | Exception) -> None:
        if answer.done():
            return
        if isinstance(told, Exception):
            answer.set_exception(told)
        else:
            answer.set_result(told)

    return take
