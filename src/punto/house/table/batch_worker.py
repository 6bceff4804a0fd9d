"""The worker of a table decides, appends, publishes and answers the requests in its queue, one commit after the other.

One commit of a table is in flight at a time; requests that come meanwhile go into the next one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from punto.game.refusals import Refusal
from punto.house.store import answers, snapshots
from punto.house.store.answers import Denied
from punto.house.store.codec import RecordedEvent
from punto.house.store.records import KeyTaken, Outcome, StoreBroken
from punto.house.table.decide import Decided, Facts, PastRounds, RoundNotRead, TableState, decide_all
from punto.house.table.loaded_table import Halted, LoadedTable, Pending
from punto.house.table.repeated_requests import give_earlier_answer

if TYPE_CHECKING:
    from punto.house.table.house import House

log = logging.getLogger("punto.house")

MOST_AT_ONCE: Final = 256
"""Requests that one commit of a table takes."""
MOST_TRIES: Final = 200
"""So many conflicts with other nodes in a row are taken for a bug."""
AGAIN_S: Final = 1.0


class Workers:
    """The workers of a house's tables. `broken` is called with the error that ended the store."""

    def __init__(self, house: House, broken: Callable[[StoreBroken], None]) -> None:
        self._house, self._store, self._broken = house, house.store, broken
        self._errands: set[asyncio.Task[None]] = set()

    def start(self, table: LoadedTable) -> None:
        """Start the worker of a table, unless it is running."""
        if table.worker is None:
            table.worker = asyncio.get_running_loop().create_task(self._run(table), name=f"table {table.id}")

    def errand(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def finish(self, tables: Iterable[LoadedTable]) -> None:
        """Wait until all workers and errands have ended."""
        while under_way := [table.worker for table in tables if table.worker is not None] + [*self._errands]:
            await asyncio.wait(under_way)

    async def _run(self, table: LoadedTable) -> None:
        """Carry out batch after batch until the queue is empty. Between two, read what other nodes wrote."""
        taken: list[Pending] = []
        try:
            while table.queue or table.behind:
                taken = []
                if table.behind:
                    self._publish(table, await table.catch_up())
                taken = _next_batch(table)
                await self._carry_out(table, taken)
        except StoreBroken as error:
            self._broken(error)
            for pending in taken:
                pending.fail(Halted(str(error)))
        except Exception as error:
            # The store could not be reached. The waiting requests fail; what others wrote is read a little later.
            log.error("table %s: its worker crashed", table.id, exc_info=error)
            for pending in taken:
                pending.fail(error)
            table.fail_queue(error)
            asyncio.get_running_loop().call_later(AGAIN_S, self._read_again, table)
        finally:
            table.worker = None

    def _read_again(self, table: LoadedTable) -> None:
        if table.behind and self._house.halted is None:
            self.start(table)

    async def _carry_out(self, table: LoadedTable, batch: list[Pending]) -> None:
        """Decide, append, publish and answer. After a conflict with another node, read its rows and try again."""
        past: PastRounds = {}
        clock = self._house.clock
        for _ in range(MOST_TRIES):
            if not batch:
                return
            if clock.unexplained(table.state.at, clock.monotonic()):
                await clock.explain(table.state.at)
            try:
                decided = self._decide(table, batch, past)
            except RoundNotRead as unread:
                past = {**past, **await table.read_back(unread.number)}
                continue
            except Exception as error:
                await self._one_by_one(table, batch, error)
                return
            if decided.unit is not None:
                outcome = await self._store.append(decided.unit)
            else:
                outcome = Outcome.CONFLICT if await self._is_passed(table) else Outcome.DONE
            if outcome is Outcome.DONE:
                await self._answer_all(table, batch, decided)
                return
            if outcome is Outcome.FUNDS:
                await self._one_by_one(table, batch, answers.NO_FUNDS)
                return
            self._publish(table, await table.catch_up())
            past = {}  # what others wrote may have corrected such a round
            batch = [pending for pending in batch if not await give_earlier_answer(self._store, table, pending)]
        raise AssertionError(f"table {table.id}: {MOST_TRIES} conflicts and no way forward")

    def _decide(self, table: LoadedTable, batch: list[Pending], past: PastRounds) -> Decided:
        monotonic = self._house.clock.monotonic()
        facts = Facts(self._house.clock.after(table.state.at, monotonic), monotonic, self._house.new_shoe, past)
        return decide_all(table.stream, table.state, [pending.request for pending in batch], facts)

    async def _is_passed(self, table: LoadedTable) -> bool:
        """Whether others have moved the table on. An append would show it, but a batch that is all refused has none."""
        version, _ = await self._store.head(table.stream)
        return version > table.version

    async def _one_by_one(self, table: LoadedTable, batch: list[Pending], reason: Exception | Refusal) -> None:
        """Carry out each alone to find the one at fault: by a bug in deciding it, or a wallet that holds too little."""
        if len(batch) > 1:
            for pending in batch:
                await self._carry_out(table, [pending])
        elif isinstance(reason, Refusal):
            await self._refuse(table, batch[0], reason)
        else:
            batch[0].fail(reason)

    async def _answer_all(self, table: LoadedTable, batch: list[Pending], decided: Decided) -> None:
        """After the commit: publish to those who watch, then answer those who wait."""
        to = {pending.request: pending for pending in batch}
        if decided.unit is not None:
            table.state = decided.after
            events = [event for effect in decided.effects for event in effect.events]
            rows = decided.unit.rows
            recorded = [
                RecordedEvent(row.version, row.at, event, row.event) for row, event in zip(rows, events, strict=True)
            ]
            self._publish(table, recorded)
            end = 0
            for effect in decided.effects:
                start, end, request = end, end + len(effect.events), effect.request
                part = recorded[start:end]
                answer = answers.accepted(table.id, effect.version, part, request.audience, request.actor)
                to[request].give(answer)
            self._keep_snapshot(table)
        refusals = decided.refusals
        if refusals:
            await asyncio.gather(*(self._refuse(table, to[request], refusal) for request, refusal in refusals))

    async def _refuse(self, table: LoadedTable, pending: Pending, refusal: Refusal | Denied) -> None:
        """A key that has an answer gets it again. Otherwise a refusal is remembered, and a denial is not."""
        request = pending.request
        for _ in range(MOST_TRIES):
            if await give_earlier_answer(self._store, table, pending):
                return
            if isinstance(refusal, Denied):
                pending.give(answers.denied(refusal))
                return
            answer = answers.refused(refusal)
            with suppress(KeyTaken):  # another node has answered it
                kept = await self._store.refuse(table.stream, request.stored_key, request.body, answer.json)
                if kept == answer.json:
                    pending.give(answer)
                    return
        raise AssertionError(f"table {table.id}: {MOST_TRIES} times somebody else answered a key, and never did")

    def _keep_snapshot(self, table: LoadedTable) -> None:
        if table.snapshot_due():
            table.kept_version = table.version
            self.errand(self._keep(table.stream, table.state))

    async def _keep(self, stream: str, state: TableState) -> None:
        """Store a snapshot. It only saves time, so a missing one does no harm."""
        try:
            kept = await asyncio.to_thread(snapshots.taken, stream, state.table, state.head)
            await snapshots.keep(self._store, kept, state.at)
        except StoreBroken as error:
            self._broken(error)

    def _publish(self, table: LoadedTable, recorded: list[RecordedEvent]) -> None:
        table.known_version = max(table.known_version, table.version)
        if recorded:
            table.wake()
            for listener in self._house.listeners:
                listener(table.id, table.state, recorded)


def _next_batch(table: LoadedTable) -> list[Pending]:
    """The front of the queue, up to a key that the batch has already: that one is answered after the first."""
    batch: dict[str, Pending] = {}
    while table.queue and len(batch) < MOST_AT_ONCE and table.queue[0].request.stored_key not in batch:
        pending = table.queue.popleft()
        batch[pending.request.stored_key] = pending
    return list(batch.values())
