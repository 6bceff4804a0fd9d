"""The time of a node: the wall clock's, advanced by the monotonic clock, which never steps.

Time passes by the monotonic clock between two comparisons. If one finds the wall clock a second or more away, that
clock has stepped: the node records it in the stream `house/clock` before it writes by the new time. So no row carries a
time that no record explains. Durations are measured by the monotonic clock alone.
"""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Callable
from typing import Final, Literal

from punto.house import logs, metrics
from punto.house.instants import MICRO, iso, monotonic_micros, unix_micros
from punto.house.store import clock_steps, codec
from punto.house.store.clock_steps import SKEW_US, STREAM, ClockStepped, Steps
from punto.house.store.interface import Store
from punto.house.store.names import HOUSE_CLOCK
from punto.house.store.records import Outcome, StoreBroken, Unit

LOOK_S: Final = 0.5
"""How often the two clocks are compared."""
STEP_US: Final = 1 * MICRO
"""From this difference on it is a step. A clock that is corrected gradually stays far below it."""
FOLLOW_US: Final = 20_000
"""From this difference on the node follows the wall clock."""
_AT_ONCE_US: Final = 5_000
"""Two clocks read within this time were read at once."""
_LATELY_US: Final = 900 * MICRO
_TRIES: Final = 20


class NodeClock:
    """`wall` and `monotonic` return microseconds: since 1970, and since some instant that never changes."""

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
        """The wall clock minus the monotonic clock."""
        self._lately: list[tuple[int, int]] = []
        """Steps of the last quarter of an hour: when, by the monotonic clock, and by how much."""
        self._steps, self._read = Steps(), 0
        """The steps on record, as far as this node has read them."""
        self._recording = asyncio.Lock()
        self._calls: list[Callable[[], None]] = []
        self._node = f"{platform.node()}/{os.getpid()}"

    def now(self) -> int:
        """Unix microseconds, as stored in rows and shown to people."""
        return self.monotonic() + self._ahead

    def unix(self, monotonic: int) -> int:
        """An instant of the monotonic clock in unix microseconds."""
        return monotonic + self._ahead

    def seen(self, at: int, longest: int) -> int:
        """A recorded start `at` by the monotonic clock. A time that lies ahead, or further back than `longest`, is not
        believed: then it is now."""
        monotonic = self.monotonic()
        passed = monotonic + self._ahead - at
        return monotonic - passed if 0 <= passed <= longest else monotonic

    def after(self, at: int, monotonic: int) -> int:
        """The time for a row that is written at `monotonic` and follows one of `at`: never earlier, unless that lies
        further ahead than the clocks of two nodes may differ."""
        now = monotonic + self._ahead
        return at if now < at <= now + SKEW_US else now

    def cautious(self) -> int:
        """Now, less what the clock stepped forward in the last quarter of an hour: no term ends early by a step."""
        monotonic = self.monotonic()
        self._lately = [(at, by) for at, by in self._lately if monotonic - at < _LATELY_US]
        return monotonic + self._ahead - max(0, sum(by for _, by in self._lately))

    def on_step(self, call: Callable[[], None]) -> None:
        """Call `call` when the time that people are shown has stepped."""
        self._calls.append(call)

    async def run(self) -> None:
        """Compare the clocks until cancelled."""
        while True:
            try:
                await self.look()
            except StoreBroken:
                return
            except Exception as error:  # the database is briefly unreachable: the node keeps the old time until then
                logs.warn("clock-step-not-recorded", error=type(error).__name__)
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Compare the clocks: record a step, then use the new time."""
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
        """Whether a row of time `at` lies ahead of `monotonic`, and no step that this node knows of explains it."""
        now = monotonic + self._ahead
        return at > now + SKEW_US and not self._steps.explain(now, at)

    async def explain(self, at: int) -> None:
        """Record why the next row is earlier than one of time `at`, before that row is written."""
        if not self.unexplained(at, self.monotonic()):
            return
        async with self._recording:
            await self._read_on()
            if self.unexplained(at, self.monotonic()):
                await self._recorded("behind", at, self.now())

    def _compared(self) -> int | None:
        """The wall clock minus the monotonic clock; None where this process could not read both at once."""
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
            rows = codec.rows(
                STREAM, version, head, now, [codec.CommandEvents((clock_steps.encode(event),), HOUSE_CLOCK)]
            )
            if await self._store.append(Unit(STREAM, version, rows)) is Outcome.DONE:
                break
        else:
            raise RuntimeError("other nodes record steps of their clocks again and again")
        await self._read_on()
        metrics.clock_steps.labels(why).inc()
        logs.warn("clock-stepped", why=why, seconds=event.seconds, was=iso(was), now=iso(now))
