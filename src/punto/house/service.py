"""The service: load → decide → append → publish. Everything that changes a table goes through `House.command`.

A table has no owner: the database decides who writes its next event. A node keeps one worker for each table, and one
commit of it in flight; what waits meanwhile goes into the next commit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Final

from punto.game.audience import Audience
from punto.game.commands import AnyCommand, OpenTable
from punto.game.refusals import Refusal
from punto.game.table import Table
from punto.house import answers, codec, deciding, shoes, snapshots
from punto.house.answers import Answer
from punto.house.clock import PACE, Pace, Stage, stage
from punto.house.deciding import Asked, Batch, Facts, Standing
from punto.house.desk import Desk, Moved, Waiting
from punto.house.hub import Hub
from punto.house.store import Store
from punto.house.stored import Answered, KeyTaken, Outcome, StoreBroken

log = logging.getLogger("punto.house")

MOST_AT_ONCE: Final = 256
"""Askings that one commit of a table takes."""
MOST_WAITING: Final = 4_096
"""Askings that may wait at one table."""
MOST_TABLES: Final = 256
"""Tables that are kept in memory although nobody asks for them."""
MOST_TRIES: Final = 200
"""How often others may be quicker before this is taken for a bug."""


class NoSuchTable(LookupError):
    """No event was ever recorded under this id (HTTP 404, close code 4404)."""


class Busy(RuntimeError):
    """Too many commands wait at this table (HTTP 429)."""


class Halted(RuntimeError):
    """The store is broken or the house is stopping: nothing is decided any more (HTTP 503)."""


def unix_micros() -> int:
    return time.time_ns() // 1_000


class House:
    """Tables over one store. Any number of these, in any number of processes, may serve one database.

    `broken` is set when the store can't be written any more: the server exits on it, with status 1.
    `hub` has the live frames.
    """

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], int] = unix_micros,
        pace_of: Callable[[str], Pace | None] = lambda table: PACE,
        shuffled: shoes.Shuffle = shoes.new_shoe,
    ) -> None:
        """`now`: unix microseconds. `pace_of`: the pace of a virtual table by its id; None: no clock. `shuffled`: a new
        shoe of so many decks."""
        self.store = store
        self.now = now
        self.pace_of = pace_of
        self.broken = asyncio.Event()
        self.halted: str | None = None
        """Why nothing is decided any more, if so."""
        self.recovered_at = 0
        """When this node put right what a restart interrupted: clocks that run since before start anew from here."""
        self.hub = Hub(self)
        self._shuffled = shuffled
        self._desks: dict[str, Desk] = {}
        self._errands: set[asyncio.Task[None]] = set()
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
        Raises NoSuchTable, Busy and Halted; whoever stops waiting has not stopped the command.
        """
        self._check()
        desk = await self._loaded(table)
        if not desk.version and not (commands and isinstance(commands[0], OpenTable)):
            self._forget(desk)
            raise NoSuchTable(f"there is no table {table!r}")
        self._check()
        if len(desk.waiting) >= MOST_WAITING:
            raise Busy(f"{len(desk.waiting)} commands wait at table {table}")
        asked = Asked(tuple(commands), f"{actor}/{key}", actor, body, audience, allowed)
        waiting = Waiting(asked, asyncio.get_running_loop().create_future())
        desk.waiting.append(waiting)
        self._work(desk)
        return await asyncio.shield(waiting.answer)

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
        """What the clock of a table counts from: a restart gives what was open a fresh time (I9)."""
        return max(standing.since, self.recovered_at)

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
        await asyncio.gather(*(desk.worker for desk in self._desks.values() if desk.worker is not None))
        await asyncio.gather(*self._errands)
        self.hub.close()

    # ------------------------------------------------------------------ tables in memory

    def _check(self) -> None:
        if self.halted is not None:
            raise Halted(self.halted)

    def _desk(self, table: str) -> Desk:
        """The desk of a table; the one used last is the last in the dictionary."""
        desk = self._desks.pop(table, None)
        if desk is None:
            desk = Desk(table, self.store)
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
                return desk

    # ------------------------------------------------------------------ the worker of a table

    def _woken(self, moved: Sequence[tuple[str, int]]) -> None:
        """Streams moved, here or at another node. Only what is in memory is looked at."""
        if self.halted is not None:
            return
        if not moved:
            self._errand(self._look_at_all())
        for stream, version in moved:
            desk = self._desks.get(stream.removeprefix("table/")) if stream.startswith("table/") else None
            if desk is not None:
                desk.known_version = max(desk.known_version, version)
                if desk.behind:
                    self._work(desk)

    async def _look_at_all(self) -> None:
        if not any(desk.loaded for desk in self._desks.values()):
            return
        try:
            self._woken(await self.store.streams("table/"))
        except Exception:
            log.exception("the tables could not be looked at; the next wake-up tries again")

    def _errand(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    def _work(self, desk: Desk) -> None:
        if desk.worker is None:
            desk.worker = asyncio.get_running_loop().create_task(self._serve(desk), name=f"table {desk.id}")

    async def _serve(self, desk: Desk) -> None:
        """One commit after the other until nothing waits. Between two of them: what other nodes wrote."""
        serving: list[Waiting] = []
        try:
            while desk.waiting or desk.behind:
                if desk.behind:
                    self._publish(desk, await desk.catch_up())
                serving = [desk.waiting.popleft() for _ in range(min(MOST_AT_ONCE, len(desk.waiting)))]
                await self._answer_all(desk, serving)
        except StoreBroken as error:
            self._break(error)
        except Exception as error:
            # The store could not be asked. What waits is told so; the next command or wake-up tries again.
            log.exception("table %s: its worker fell over", desk.id)
            for one in (*serving, *desk.waiting):
                if not one.answer.done():
                    one.answer.set_exception(error)
            desk.waiting.clear()
        finally:
            desk.worker = None
            if self.halted is not None and self.broken.is_set():
                self._fail([*serving, *desk.waiting], self.halted)
                desk.waiting.clear()
            elif desk.waiting:
                self._work(desk)

    async def _answer_all(self, desk: Desk, serving: Sequence[Waiting]) -> None:
        """A key that stands twice in one batch is decided once."""
        first: dict[str, Waiting] = {}
        again: list[Waiting] = []
        for one in serving:
            if first.setdefault(one.asked.key, one) is not one:
                again.append(one)
        await self._commit(desk, list(first.values()))
        for one in again:
            same = first[one.asked.key]
            reused = same.asked.body != one.asked.body
            _give(one, answers.refused(answers.KEY_REUSED) if reused else await same.answer)

    async def _commit(self, desk: Desk, serving: list[Waiting]) -> None:
        """Decide, append, publish, answer. Where somebody else was quicker: read on, and again."""
        for _ in range(MOST_TRIES):
            facts = Facts(max(self.now(), desk.standing.at), self._shuffled)
            try:
                batch = deciding.batch(desk.stream, desk.standing, [one.asked for one in serving], facts)
            except Exception as error:
                await self._one_by_one(desk, serving, error)
                return
            if batch.unit is None and await self._passed_by(desk):
                continue
            outcome = Outcome.DONE if batch.unit is None else await self.store.append(batch.unit)
            if outcome is Outcome.DONE:
                await self._done(desk, serving, batch)
                return
            if outcome is Outcome.FUNDS:
                await self._without_funds(desk, serving, batch)
                return
            self._publish(desk, await desk.catch_up())
            serving = await self._not_yet_answered(desk, serving)
            if not serving:
                return
        raise AssertionError(f"table {desk.id}: {MOST_TRIES} conflicts and no way forward")

    async def _passed_by(self, desk: Desk) -> bool:
        """Whether others have moved the table on: an append would tell, and where all are refused there is none."""
        version, _ = await self.store.head(desk.stream)
        if version > desk.version:
            self._publish(desk, await desk.catch_up())
            return True
        return False

    async def _one_by_one(self, desk: Desk, serving: list[Waiting], error: Exception) -> None:
        """A bug in deciding one command is that command's alone."""
        if len(serving) == 1:
            serving[0].answer.set_exception(error)
            return
        for one in serving:
            await self._commit(desk, [one])

    async def _done(self, desk: Desk, serving: list[Waiting], batch: Batch) -> None:
        to = {one.asked: one for one in serving}
        for one in batch.decided:
            asked = one.asked
            _give(to[asked], answers.accepted(desk.id, one.version, one.events, asked.audience, asked.actor))
        if batch.unit is not None:
            desk.standing = batch.after
            events = [event for one in batch.decided for event in one.events]
            moved = [Moved(row.version, row.at, event) for row, event in zip(batch.unit.rows, events, strict=True)]
            self._publish(desk, moved)
        if batch.refused:
            await asyncio.gather(*(self._refuse(desk, to[asked], refusal) for asked, refusal in batch.refused))
        if desk.snapshot_due():
            desk.kept_version = desk.version
            self._errand(self._keep(desk.stream, desk.standing))

    async def _without_funds(self, desk: Desk, serving: list[Waiting], batch: Batch) -> None:
        """A wallet holds too little for one of them: each alone tells which."""
        if len(serving) > 1:
            for one in serving:
                await self._commit(desk, [one])
            return
        await self._refuse(desk, serving[0], answers.NO_FUNDS)

    async def _not_yet_answered(self, desk: Desk, serving: list[Waiting]) -> list[Waiting]:
        """Those whose keys nobody knows; the others are answered as they were before."""
        left = []
        for one in serving:
            known = await self.store.answered(desk.stream, one.asked.key)
            if known is None:
                left.append(one)
            else:
                _give(one, await self._again(desk, one.asked, known))
        return left

    async def _refuse(self, desk: Desk, waiting: Waiting, refusal: Refusal) -> None:
        """A refusal is remembered under its key, unless the key was answered before."""
        asked, answer = waiting.asked, answers.refused(refusal)
        known = await self.store.answered(desk.stream, asked.key)
        if known is None:
            try:
                if await self.store.refuse(desk.stream, asked.key, asked.body, answer.json) == answer.json:
                    _give(waiting, answer)
                    return
            except KeyTaken:
                pass
            known = await self.store.answered(desk.stream, asked.key)
            assert known is not None, "somebody else has answered it"
        _give(waiting, await self._again(desk, asked, known))

    async def _again(self, desk: Desk, asked: Asked, known: Answered) -> Answer:
        """The answer that a key had, from what is recorded."""
        if known.body != asked.body:
            return answers.refused(answers.KEY_REUSED)
        if known.refusal is not None:
            return answers.remembered(known.refusal)
        rows = await self.store.read(desk.stream, known.version - 1, known.count)
        events = [codec.event(row) for row in rows]
        return answers.accepted(desk.id, rows[-1].version, events, asked.audience, asked.actor)

    async def _keep(self, stream: str, standing: Standing) -> None:
        """A snapshot only saves time: that one is missing is no harm."""
        try:
            await self.store.keep(await asyncio.to_thread(snapshots.taken, stream, standing.table, standing.head))
        except StoreBroken as error:
            self._break(error)

    def _publish(self, desk: Desk, moved: list[Moved]) -> None:
        desk.known_version = max(desk.known_version, desk.version)
        if moved:
            desk.wake()
            self.hub.moved(desk.id, desk.standing, moved)

    # ------------------------------------------------------------------ the end

    def _break(self, error: StoreBroken) -> None:
        """Whether the last write is on disk is not known. Nothing is decided here any more."""
        self.halted = str(error)
        self.broken.set()
        for desk in self._desks.values():
            desk.wake_all()
            self._fail(desk.waiting, self.halted)
            desk.waiting.clear()

    def _fail(self, waiting: Sequence[Waiting], why: str) -> None:
        for one in waiting:
            if not one.answer.done():
                one.answer.set_exception(Halted(why))


def _give(waiting: Waiting, answer: Answer) -> None:
    """Whoever asked may have gone."""
    if not waiting.answer.done():
        waiting.answer.set_result(answer)
