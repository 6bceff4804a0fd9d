"""What waits at a table: decided, appended, published, answered. One commit of a table is in flight at a time.

Nearly always everything that waits is accepted and nobody else writes: then it is decided at once, and the commit calls
back, without a task. All else is left to a worker that may ask the store.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from punto.game.refusals import Refusal
from punto.house.store import codec, snapshots
from punto.house.store.codec import Moved
from punto.house.store.records import Answered, KeyTaken, Outcome, StoreBroken
from punto.house.table import answers, deciding
from punto.house.table.answers import Answer
from punto.house.table.deciding import Asked, Batch, Facts, Past, Standing, Unread
from punto.house.table.desk import Desk, Halted, Waiting

if TYPE_CHECKING:
    from punto.house.table.service import House

log = logging.getLogger("punto.house")

MOST_AT_ONCE: Final = 256
"""Askings that one commit of a table takes."""
MOST_TRIES: Final = 200
"""How often others may be quicker before this is taken for a bug."""

AGAIN_S: Final = 1.0

Landing = tuple[Batch, "asyncio.Future[Outcome]"]


class Serving:
    """The workers of a house's tables. `broken` is called with what ended the store."""

    def __init__(self, house: House, broken: Callable[[StoreBroken], None]) -> None:
        self._house = house
        self._store = house.store
        self._broken = broken
        self._errands: set[asyncio.Task[None]] = set()

    def go_on(self, desk: Desk) -> None:
        """Serve what waits at a table, unless that is being done."""
        if desk.worker is None and not self._at_once(desk):
            self._start(desk)

    def errand(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def finish(self, desks: Iterable[Desk]) -> None:
        """Wait until nothing is under way."""
        while under_way := [desk.worker for desk in desks if desk.worker is not None] + [*self._errands]:
            await asyncio.wait(under_way)

    # ------------------------------------------------------------------ the common case

    def _at_once(self, desk: Desk) -> bool:
        """Decide and append what waits now; whether that was possible. A table whose answers need the store is not."""
        if desk.behind or not desk.waiting or len(desk.waiting) > MOST_AT_ONCE:
            return False
        monotonic = self._house.clock.monotonic()
        if self._house.clock.unexplained(desk.standing.at, monotonic):
            return False
        serving = list(desk.waiting)
        if len(serving) > 1 and len({one.asked.key for one in serving}) < len(serving):
            return False
        try:
            batch = self._decided(desk, serving, monotonic)
            if batch.unit is None or batch.refused:
                return False
            landing = self._store.append(batch.unit)
        except Exception:
            return False  # the worker decides it again, and tells who is concerned
        desk.waiting.clear()
        desk.worker = landing
        landing.add_done_callback(lambda done: self._landed(desk, serving, batch, done))
        return True

    def _landed(self, desk: Desk, serving: list[Waiting], batch: Batch, landing: asyncio.Future[Outcome]) -> None:
        desk.worker = None
        if landing.cancelled():
            return
        if landing.exception() is not None or landing.result() is not Outcome.DONE:
            self._start(desk, serving, (batch, landing))
            return
        try:
            self._told(desk, serving, batch)
        except Exception as error:
            self._fell_over(desk, serving, error)
        if desk.waiting or desk.behind:
            self.go_on(desk)

    # ------------------------------------------------------------------ the worker

    def _start(self, desk: Desk, serving: Sequence[Waiting] = (), landing: Landing | None = None) -> None:
        work = self._serve(desk, list(serving), landing)
        desk.worker = asyncio.get_running_loop().create_task(work, name=f"table {desk.id}")

    async def _serve(self, desk: Desk, serving: list[Waiting], landing: Landing | None) -> None:
        """One commit after the other until nothing waits. Between two of them: what other nodes wrote."""
        try:
            if landing is not None:
                await self._commit(desk, serving, landing)
            while desk.waiting or desk.behind:
                serving = []
                if desk.behind:
                    self._publish(desk, await desk.catch_up())
                serving = [desk.waiting.popleft() for _ in range(min(MOST_AT_ONCE, len(desk.waiting)))]
                await self._answer_all(desk, serving)
        except StoreBroken as error:
            self._broken(error)
        except Exception as error:
            # The store could not be asked. What waits is told so; what others wrote is read a little later.
            self._fell_over(desk, [*serving, *desk.waiting], error)
            desk.waiting.clear()
            asyncio.get_running_loop().call_later(AGAIN_S, self._catch_up, desk)
        finally:
            desk.worker = None
            if self._house.halted is not None and self._house.broken.is_set():
                desk.fail([*serving, *desk.waiting], Halted(self._house.halted))
                desk.waiting.clear()
            elif desk.waiting:
                self.go_on(desk)

    def _catch_up(self, desk: Desk) -> None:
        if desk.behind and self._house.halted is None:
            self.go_on(desk)

    def _fell_over(self, desk: Desk, waiting: Sequence[Waiting], error: Exception) -> None:
        log.error("table %s: its worker fell over", desk.id, exc_info=error)
        desk.fail(waiting, error)

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
            assert same.told is not None, "all that is served is answered"
            if same.asked.body == one.asked.body:
                one.give(same.told)
                continue
            # The first may have been told that the key is another's: this one's, perhaps.
            known = await self._store.answered(desk.stream, one.asked.key)
            reused = answers.refused(answers.KEY_REUSED)
            one.give(reused if known is None else await self._again(desk, one.asked, known))

    def _decided(self, desk: Desk, serving: Sequence[Waiting], monotonic: int, past: Past | None = None) -> Batch:
        at = self._house.clock.after(desk.standing.at, monotonic)
        facts = Facts(at, monotonic, self._house.shuffled, past or {})
        return deciding.batch(desk.stream, desk.standing, [one.asked for one in serving], facts)

    async def _commit(self, desk: Desk, serving: list[Waiting], landing: Landing | None = None) -> None:
        """Decide, append, publish, answer. Where somebody else was quicker: read on, and again."""
        past: Past = {}
        for _ in range(MOST_TRIES):
            if landing is None:
                await self._house.clock.explain(desk.standing.at)
                try:
                    batch = self._decided(desk, serving, self._house.clock.monotonic(), past)
                except Unread as unread:
                    past = {**past, **await desk.read_back(unread.number)}
                    continue
                except Exception as error:
                    await self._one_by_one(desk, serving, error)
                    return
                if batch.unit is None and await self._passed_by(desk):
                    past = {}
                    continue
                outcome = Outcome.DONE if batch.unit is None else await self._store.append(batch.unit)
            else:
                batch, outcome, landing = landing[0], await landing[1], None
            if outcome is Outcome.DONE:
                self._told(desk, serving, batch)
                await self._refuse_all(desk, serving, batch)
                return
            if outcome is Outcome.FUNDS:
                await self._without_funds(desk, serving)
                return
            self._publish(desk, await desk.catch_up())
            past = {}  # what others wrote may have put such a round right
            serving = await self._not_yet_answered(desk, serving)
            if not serving:
                return
        raise AssertionError(f"table {desk.id}: {MOST_TRIES} conflicts and no way forward")

    async def _passed_by(self, desk: Desk) -> bool:
        """Whether others have moved the table on: an append would tell, and where all are refused there is none."""
        version, _ = await self._store.head(desk.stream)
        if version > desk.version:
            self._publish(desk, await desk.catch_up())
            return True
        return False

    async def _one_by_one(self, desk: Desk, serving: list[Waiting], error: Exception) -> None:
        """A bug in deciding one command is that command's alone."""
        if len(serving) == 1:
            serving[0].give(error)
            return
        for one in serving:
            await self._commit(desk, [one])

    def _told(self, desk: Desk, serving: list[Waiting], batch: Batch) -> None:
        """What is on disk: those who watch are told, then those who asked."""
        moved: list[Moved] = []
        if batch.unit is not None:
            desk.standing = batch.after
            rows = iter(batch.unit.rows)
            for decided in batch.decided:
                for event in decided.events:
                    row = next(rows)
                    moved.append(Moved(row.version, row.at, event, row.event))
            self._publish(desk, moved)
        asking = serving
        if batch.refused:
            to = {one.asked: one for one in serving}
            asking = [to[decided.asked] for decided in batch.decided]
        at = 0
        for one, decided in zip(asking, batch.decided, strict=True):
            asked, start = decided.asked, at
            at += len(decided.events)
            one.give(answers.accepted(desk.id, decided.version, moved[start:at], asked.audience, asked.actor))
        if desk.snapshot_due():
            desk.kept_version = desk.version
            self.errand(self._keep(desk.stream, desk.standing))

    async def _refuse_all(self, desk: Desk, serving: list[Waiting], batch: Batch) -> None:
        if batch.refused:
            to = {one.asked: one for one in serving}
            await asyncio.gather(*(self._refuse(desk, to[asked], refusal) for asked, refusal in batch.refused))

    async def _without_funds(self, desk: Desk, serving: list[Waiting]) -> None:
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
            known = await self._store.answered(desk.stream, one.asked.key)
            if known is None:
                left.append(one)
            else:
                one.give(await self._again(desk, one.asked, known))
        return left

    async def _refuse(self, desk: Desk, waiting: Waiting, refusal: Refusal) -> None:
        """A refusal is remembered under its key, unless the key was answered before."""
        asked, answer = waiting.asked, answers.refused(refusal)
        for _ in range(MOST_TRIES):
            known = await self._store.answered(desk.stream, asked.key)
            if known is not None:
                waiting.give(await self._again(desk, asked, known))
                return
            with suppress(KeyTaken):  # somebody else has answered it
                if await self._store.refuse(desk.stream, asked.key, asked.body, answer.json) == answer.json:
                    waiting.give(answer)
                    return
        raise AssertionError(f"table {desk.id}: {MOST_TRIES} times somebody else answered a key, and never did")

    async def _again(self, desk: Desk, asked: Asked, known: Answered) -> Answer:
        """The answer that a key had, from what is recorded."""
        if known.body != asked.body:
            return answers.refused(answers.KEY_REUSED)
        if known.refusal is not None:
            return answers.remembered(known.refusal)
        rows = await self._store.read(desk.stream, known.version - 1, known.count)
        return answers.accepted(desk.id, rows[-1].version, map(codec.moved, rows), asked.audience, asked.actor)

    async def _keep(self, stream: str, standing: Standing) -> None:
        """A snapshot only saves time: that one is missing is no harm."""
        try:
            kept = await asyncio.to_thread(snapshots.taken, stream, standing.table, standing.head)
            await snapshots.keep(self._store, kept, standing.at)
        except StoreBroken as error:
            self._broken(error)

    def _publish(self, desk: Desk, moved: list[Moved]) -> None:
        desk.known_version = max(desk.known_version, desk.standing.table.version)
        if moved:
            desk.wake()
            self._house.hub.moved(desk.id, desk.standing, moved)
