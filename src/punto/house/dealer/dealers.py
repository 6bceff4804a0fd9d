"""The dealers of virtual tables: one task for each table, one across all nodes, for ever.

What a dealer does follows from the table's state and the time it has stood so. After a restart, or at another node,
the next one goes on where the last one stopped; even two at once have one effect, because their keys are the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from punto.codes import Code
from punto.game.commands import AnyCommand
from punto.game.refusals import Refusal
from punto.game.table import Phase, Table
from punto.house.dealer.steps import steps
from punto.house.instants import MICRO
from punto.house.store import answers
from punto.house.store.pace import PACE
from punto.house.table.decide import TableState
from punto.house.table.edition import in_use
from punto.house.table.house import Busy, House, Unsure
from punto.house.table.loaded import Halted
from punto.house.table.request import by_house
from punto.house.table.stage import stage

CLAIM_AGAIN_S: Final = 2.0
"""How often a node asks whether the dealer of a table has gone."""

LOOK_AGAIN_S: Final = 10.0
"""How often a node looks for tables that it doesn't know."""

UNKNOWN_S: Final = 0.5
"""How soon a dealer asks again for the pace of a table that is not on the list yet."""

BUSY_S: Final = 0.2
"""How long a dealer stands back where too many commands wait."""

MOVED: Final = Refusal(Code.TABLE_MOVED, "the table stands elsewhere by now", None)

Sleep = Callable[[float], Awaitable[None]]

log = logging.getLogger("punto.dealer")


class Dealers:
    """The tasks of this node. Each waits until it may deal, and deals until it is stopped."""

    def __init__(self, house: House, sleep: Sleep = asyncio.sleep) -> None:
        self._house = house
        self._sleep = sleep
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._live: set[str] = set()
        """Tables that have dealers of their own."""
        self.dealing: set[str] = set()
        """Tables that this node holds."""

    def start(self, table: str) -> None:
        """Deal at a virtual table, unless that is being done."""
        task = self._tasks.get(table)
        if task is not None and not task.done():
            return
        if task is not None and not task.cancelled() and task.exception() is not None:
            log.error("the dealer of %s fell over and is put up again", table, exc_info=task.exception())
        self._tasks[table] = asyncio.get_running_loop().create_task(self._run(table), name=f"dealer {table}")

    async def start_all(self) -> None:
        """At every virtual table of the database."""
        held = await self._house.store.claimed()
        for table in [table for table in self._tasks if table not in self._live]:
            if _claim(table) not in held:
                await self._give_way(table)
            self.start(table)
        for stream, _ in await self._house.store.streams("table/"):
            table = stream.removeprefix("table/")
            if table not in self._tasks and table not in self._live:
                settings = (await self._house.table(table)).settings
                if settings is not None and settings.source == "virtual":
                    self.start(table)
                else:
                    self._live.add(table)

    async def keep(self) -> None:
        """For ever: also at tables that another node opened, whose own dealer may go, and where a dealer fell over."""
        while True:
            try:
                await self.start_all()
            except Exception:
                log.exception("the dealers could not be looked after; the next look tries again")
            await self._sleep(LOOK_AGAIN_S)

    async def stop(self) -> None:
        """Between two acts: what was begun is finished."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()

    async def _give_way(self, table: str) -> None:
        """Where a claim was lost with its connection, and another node has it: back to waiting for it."""
        if table in self.dealing and not await self._house.store.claim(_claim(table)):
            log.warning("another node deals at %s by now", table)
            task = self._tasks[table]
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self, table: str) -> None:
        """While the node is sure of its place; else another one may."""
        name = _claim(table)
        settings = (await self._house.table(table)).settings
        if settings is None or settings.source != "virtual":
            self._live.add(table)  # its pace is that of a clock
            return
        self._live.discard(table)
        while True:
            while not await self._house.store.claim(name):
                await self._sleep(CLAIM_AGAIN_S)
            self.dealing.add(table)
            try:
                await deal(self._house, table, self._sleep)
            except Unsure:
                log.info("the dealer of %s stands back", table)
            except Halted:
                log.info("the dealer of %s stops with the house", table)
                return
            finally:
                self.dealing.discard(table)
                await self._house.store.release(name)


def _claim(table: str) -> str:
    return f"dealer/{table}"


async def deal(house: House, table: str, sleep: Sleep = asyncio.sleep) -> None:
    """Deal at a table until the house halts."""
    state = await house.follow(table)
    try:
        while True:
            state = await _act(house, table, state, sleep)
    finally:
        house.unfollow(table)


async def _act(house: House, table: str, state: TableState, sleep: Sleep) -> TableState:
    """One act when its time has come, or none if the table moves before. The table as it stands then."""
    rules = in_use(state.table)
    assert rules is not None, "a table that has events was opened"
    version = state.table.version
    for number, step in enumerate(planned := steps(rules, state.table, house.pace_of(table) or PACE)):
        # By the pace as it is known when the time is up: that of a new table may come a moment after its dealer.
        while (left := (house.since(state) + planned[number].micros - house.clock.monotonic()) / MICRO) > 0:
            left = left if house.pace_of(table) is not None else min(left, UNKNOWN_S)
            if await _moved_within(house, table, state.table, left, sleep):
                return await house.wait_past(table, version)
            planned = steps(rules, state.table, house.pace_of(table) or PACE)
        key = f"dealer:{version}" if not number else f"dealer:{version}.{number}"
        if house.store.unsure:
            raise Unsure(f"this node can't prove its place, and does not deal at {table}")
        try:
            answer = await house.command(table, by_house(step.commands, key, step.actor, _if_still(state.table)))
        except Busy:
            await sleep(BUSY_S)
            return state
        if answer.accepted or answer.code in (answers.KEY_REUSED.code, MOVED.code):
            # A reused key is another dealer's act at this very version: it has been done.
            return await house.wait_past(table, version)
        log.warning("table %s at version %d: the dealer was refused: %s", table, version, answer.json.decode())
    return await house.wait_past(table, version)


def _if_still(planned: Table) -> Callable[[Table, AnyCommand], Refusal | None]:
    """An act is meant for the table as the dealer saw it. Where it stands elsewhere by now, it would come too early: an
    offer that was opened a moment ago must not be closed by a card that was due before."""

    def judged(table: Table, command: AnyCommand) -> Refusal | None:
        return None if stage(table) == stage(planned) else MOVED

    return judged


async def _moved_within(house: House, table: str, seen: Table, seconds: float, sleep: Sleep) -> bool:
    """Whether the table moves on in that time. While bets are placed only the end of that counts: a dealer who looked
    up at every chip would do little else."""
    betting = seen.phase is Phase.BETTING
    moved = house.wait_stage(table, stage(seen)) if betting else house.wait_past(table, seen.version)
    waits = [asyncio.ensure_future(moved), asyncio.ensure_future(sleep(seconds))]
    try:
        done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()  # a house that halts is said here
        return waits[0] in done
    finally:
        for task in waits:
            task.cancel()
