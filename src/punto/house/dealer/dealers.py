"""The dealers of virtual tables: each node has a task for each table, and one of them deals.

What a dealer does follows from the table's state and how long the table has been in it. After a restart, or at another
node, the next dealer goes on where the last one stopped. Even two at once have one effect, because their keys are the
same.
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
from punto.house.store.dealing_pace import PACE
from punto.house.table.decide import TableState
from punto.house.table.directory import LOOK_S
from punto.house.table.governing_edition import in_use
from punto.house.table.house import Busy, House, Unsure
from punto.house.table.loaded_table import Halted
from punto.house.table.request import by_house
from punto.house.table.stage import stage

CLAIM_AGAIN_S: Final = 2.0
"""How often a node tries to claim a table at which another node deals."""

LOOK_AGAIN_S: Final = 10.0
"""How often a node looks for tables that it doesn't know."""

UNKNOWN_S: Final = 0.5
"""How soon a dealer asks again for the pace of a table that is not on the list yet."""

BUSY_S: Final = 0.2
"""How long a dealer waits where a table's queue is full."""

MOVED: Final = Refusal(Code.TABLE_MOVED, "the table has moved on since this was planned", None)

Sleep = Callable[[float], Awaitable[None]]

log = logging.getLogger("punto.dealer")


class Dealers:
    """The tasks of this node. Each waits until it may deal, and deals until it is stopped."""

    def __init__(self, house: House, sleep: Sleep = asyncio.sleep) -> None:
        self._house = house
        self._sleep = sleep
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._live: dict[str, int] = {}
        """Live tables, at the version that was looked at. One may be closed and opened as virtual."""
        self.dealing: set[str] = set()
        """Tables that this node has claimed."""

    def start(self, table: str) -> None:
        """Start the dealer of a virtual table, unless it is running."""
        task = self._tasks.get(table)
        if task is not None and not task.done():
            return
        if task is not None and not task.cancelled() and task.exception() is not None:
            log.error("the dealer of table %s crashed and is restarted", table, exc_info=task.exception())
        self._tasks[table] = asyncio.get_running_loop().create_task(self._run(table), name=f"dealer {table}")

    async def start_all(self) -> None:
        """Start the dealers of all virtual tables in the database."""
        held = await self._house.store.claimed()
        for table in [table for table in self._tasks if table not in self._live]:
            if _claim(table) not in held:
                await self._give_way(table)
            self.start(table)
        for stream, version in await self._house.store.streams("table/"):
            table = stream.removeprefix("table/")
            if (table in self._live or table not in self._tasks) and self._live.get(table) != version:
                self._live.pop(table, None)
                current = await self._house.table(table)
                if current.settings is not None and current.settings.source == "virtual":
                    self.start(table)
                else:
                    self._live[table] = current.version

    async def keep(self) -> None:
        """Call `start_all` for ever: other nodes open tables, dealers of other nodes may go, and dealers crash."""
        while True:
            try:
                await self.start_all()
            except Exception:
                log.exception("the dealers could not be checked; the next check tries again")
            await self._sleep(LOOK_AGAIN_S)

    async def stop(self) -> None:
        """Cancel every dealer, wherever it waits. The house still carries out a command that is in a queue."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()

    async def _give_way(self, table: str) -> None:
        """If a claim was lost with its connection and another node has it, go back to waiting for it."""
        if table in self.dealing and not await self._house.store.claim(_claim(table)):
            log.warning("another node deals at table %s by now", table)
            task = self._tasks[table]
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self, table: str) -> None:
        """Deal while this node has the claim and is not unsure; else another node may."""
        name = _claim(table)
        current = await self._house.table(table)
        if current.settings is None or current.settings.source != "virtual":
            self._live[table] = current.version  # its pace is only for the betting clock
            return
        self._live.pop(table, None)
        while True:
            while not await self._house.store.claim(name):
                await self._sleep(CLAIM_AGAIN_S)
            self.dealing.add(table)
            try:
                await deal(self._house, table, self._sleep)
            except Unsure:
                pass  # the store logs it once, for all tables
            except Halted:
                return
            finally:
                self.dealing.discard(table)
                await self._house.store.release(name)


def _claim(table: str) -> str:
    return f"dealer/{table}"


async def deal(house: House, table: str, sleep: Sleep = asyncio.sleep) -> None:
    """Deal at a table. Raises Halted when the house halts, Unsure when this node could not renew its row."""
    state = await house.follow(table)
    try:
        while True:
            state = await _act(house, table, state, sleep)
    finally:
        house.unfollow(table)


async def _act(house: House, table: str, state: TableState, sleep: Sleep) -> TableState:
    """Do one act when its time has come, or none if the table moves before. Returns the state after it."""
    rules = in_use(state.table)
    assert rules is not None, "a table that has events was opened"
    version = state.table.version
    for number, step in enumerate(planned := steps(rules, state.table, house.pace_of(table) or PACE)):
        # Use the pace that is known when the time is up: a table may be listed a moment after its dealer starts, and
        # another node may open it again with another pace.
        while (left := (house.since(state) + planned[number].micros - house.clock.monotonic()) / MICRO) > 0:
            left = min(left, UNKNOWN_S if house.pace_of(table) is None else LOOK_S)
            if await _moved_within(house, table, state.table, left, sleep):
                return await house.wait_past(table, version)
            planned = steps(rules, state.table, house.pace_of(table) or PACE)
        key = f"dealer:{version}" if not number else f"dealer:{version}.{number}"
        if house.store.unsure:
            raise Unsure(f"this node could not renew its row in the database and does not deal at table {table}")
        try:
            answer = await house.command(table, by_house(step.commands, key, step.actor, _if_still(state.table)))
        except Busy:
            await sleep(BUSY_S)
            return state
        if answer.accepted or answer.code in (answers.KEY_REUSED.code, MOVED.code):
            # A reused key means that another dealer has acted at this very version.
            return await house.wait_past(table, version)
        log.warning("table %s at version %d: the dealer was refused: %s", table, version, answer.json.decode())
    return await house.wait_past(table, version)


def _if_still(planned: Table) -> Callable[[Table, AnyCommand], Refusal | None]:
    """Permit an act only while the table is at the stage that the dealer saw: a card that was due before must not close
    an offer that was opened a moment ago."""

    def judged(table: Table, command: AnyCommand) -> Refusal | None:
        return None if stage(table) == stage(planned) else MOVED

    return judged


async def _moved_within(house: House, table: str, seen: Table, seconds: float, sleep: Sleep) -> bool:
    """Whether the table moves on in that time. During betting only a change of stage counts, so that the dealer does
    not wake at every wager."""
    betting = seen.phase is Phase.BETTING
    moved = house.wait_stage(table, stage(seen)) if betting else house.wait_past(table, seen.version)
    waits = [asyncio.ensure_future(moved), asyncio.ensure_future(sleep(seconds))]
    try:
        done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()  # raises Halted where the house has halted
        return waits[0] in done
    finally:
        for task in waits:
            task.cancel()
