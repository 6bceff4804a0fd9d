"""The time of a node: the wall's, carried on by a clock that never steps.

Between two looks at the wall's clock time passes as the monotonic clock says. A look that finds the wall's clock a
second or more away finds a step: it is recorded in the stream `house/clock`, and only then does this node write by it.
So no row carries a time that no record explains. What lasts is counted by the monotonic clock alone.
"""

from __future__ import annotations

import asyncio
import os
import platform
import time
from collections.abc import Callable
from typing import Final, Literal

from punto.house import logs, metrics
from punto.house.people.names import HOUSE_CLOCK
from punto.house.store import clock_steps, codec
from punto.house.store.clock_steps import SKEW_US, STREAM, ClockStepped, Steps
from punto.house.store.interface import Store
from punto.house.store.records import Outcome, StoreBroken, Unit
from punto.house.table.clock import MICRO, iso

LOOK_S: Final = 0.5
"""How often the two clocks are compared."""
STEP_US: Final = 1 * MICRO
"""A difference from which on it is a step. A clock that is being set right bit by bit stays far below it."""
FOLLOW_US: Final = 20_000
"""A difference from which on the wall's clock is followed."""
_AT_ONCE_US: Final = 5_000
"""Two clocks that were read within this were read at once."""
_LATELY_US: Final = 900 * MICRO
_TRIES: Final = 20


def unix_micros() -> int:
    return time.time_ns() // 1_000


def monotonic_micros() -> int:
    return time.monotonic_ns() // 1_000


class HouseClock:
    """`wall` and `monotonic` give microseconds: since 1970, and since some instant that never changes."""

    def __init__(
        self,
        store: Store,
        wall: Callable[[], int] = unix_micros,
        monotonic: Callable[[], int] = monotonic_micros,
    ) -> None:
        self.monotonic = monotonic
        self._store, self._wall = store, wall
        ahead = self._compared()
        self._ahead = ahead if ahead is not None else wall() - monotonic()
        """What the wall's clock has more than the monotonic one."""
        self._lately: list[tuple[int, int]] = []
        """Steps of the last quarter of an hour: when, by the monotonic clock, and by how much."""
        self._steps, self._read = Steps(), 0
        """What is on record, as far as this node has read it."""
        self._recording = asyncio.Lock()
        self._calls: list[Callable[[], None]] = []
        self._node = f"{platform.node()}/{os.getpid()}"

    def now(self) -> int:
        """Unix microseconds: what rows carry and people are shown."""
        return self.monotonic() + self._ahead

    def unix(self, monotonic: int) -> int:
        """An instant of the monotonic clock as people are shown it."""
        return monotonic + self._ahead

    def seen(self, at: int, longest: int) -> int:
        """When something began, by the monotonic clock, that is on record as begun at `at`. A time on record that lies
        ahead, or further back than such a thing lasts, says nothing: then it begins now."""
        monotonic = self.monotonic()
        passed = monotonic + self._ahead - at
        return monotonic - passed if 0 <= passed <= longest else monotonic

    def after(self, at: int, monotonic: int) -> int:
        """The time of a row that is written at an instant and follows one of `at`: never earlier, unless that ran
        further ahead than the clocks of two nodes may differ."""
        now = monotonic + self._ahead
        return at if now < at <= now + SKEW_US else now

    def cautious(self) -> int:
        """Now, without what the clock went forward in the last quarter of an hour: for what must not be over by it."""
        monotonic = self.monotonic()
        self._lately = [(at, by) for at, by in self._lately if monotonic - at < _LATELY_US]
        return monotonic + self._ahead - max(0, sum(by for _, by in self._lately))

    def on_step(self, call: Callable[[], None]) -> None:
        """Call when the time that people are shown has stepped."""
        self._calls.append(call)

    async def run(self) -> None:
        """Look at the clock until cancelled."""
        while True:
            try:
                await self.look()
            except StoreBroken:
                return
            except Exception as error:  # a database that is away for a moment: until it is back the time is the old one
                logs.warn("clock-step-not-recorded", error=type(error).__name__)
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Compare the clocks: record a step, then go by it."""
        ahead = self._compared()
        if ahead is None or abs(ahead - self._ahead) < FOLLOW_US:
            return
        if abs(ahead - self._ahead) < STEP_US:
            self._ahead = ahead
            return
        async with self._recording:
            monotonic = self.monotonic()
            await self._recorded("stepped", monotonic + self._ahead, monotonic + ahead)
            self._lately.append((monotonic, ahead - self._ahead))
            self._ahead = ahead
        for call in self._calls:
            call()

    def unexplained(self, at: int, monotonic: int) -> bool:
        """Whether a row of that time lies ahead of an instant and no step that this node knows of explains it."""
        now = monotonic + self._ahead
        return at > now + SKEW_US and not self._steps.explain(now, at)

    async def explain(self, at: int) -> None:
        """Have on record why the next row is earlier than one of that time, before it is written."""
        if not self.unexplained(at, self.monotonic()):
            return
        async with self._recording:
            await self._read_on()
            if self.unexplained(at, self.monotonic()):
                await self._recorded("behind", at, self.now())

    def _compared(self) -> int | None:
        """What the wall's clock has more; None where this process was kept from reading both at once."""
        for _ in range(_TRIES):
            first, wall, last = self.monotonic(), self._wall(), self.monotonic()
            if last - first <= _AT_ONCE_US:
                return wall - last
        return None

    async def _read_on(self) -> None:
        while rows := await self._store.read(STREAM, self._read):
            self._steps = Steps((*self._steps.all, *(clock_steps.read(codec.raised(row)) for row in rows)))
            self._read = rows[-1].version

    async def _recorded(self, why: Literal["stepped", "behind"], was: int, now: int) -> None:
        event = ClockStepped(node=self._node, why=why, was=was, now=now)
        for _ in range(_TRIES):
            version, head = await self._store.head(STREAM)
            rows = codec.rows(STREAM, version, head, now, [codec.Said((clock_steps.encode(event),), HOUSE_CLOCK)])
            if await self._store.append(Unit(STREAM, version, rows)) is Outcome.DONE:
                break
        else:
            raise RuntimeError("other nodes record steps of their clocks again and again")
        await self._read_on()
        metrics.clock_steps.labels(why).inc()
        logs.warn("clock-stepped", why=why, seconds=event.seconds, was=iso(was), now=iso(now))
