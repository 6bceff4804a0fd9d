"""Recorded steps of a node's clock: the events of the stream `house/clock`, and the times that they make uncertain. The
house and its audit both use them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, Literal

import msgspec

from punto.house.store.names import HOUSE_CLOCK

STREAM: Final = "house/clock"
SKEW_US: Final = 60 * 1_000_000
"""Clocks of two nodes differ by less than this."""


Instant = Annotated[int, msgspec.Meta(ge=0, le=200_000_000_000 * 1_000_000)]
"""Unix microseconds that can be shown as a date."""


class ClockStepped(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="clock-stepped"):
    """The time that a node writes went from `was` to `now`, in unix microseconds.

    `why` is `stepped` where the clock of the node jumped. It is `behind` where the node found a recorded time ahead of
    its own clock: after a restart, or written by another node.
    """

    by: str = HOUSE_CLOCK
    node: str
    why: Literal["stepped", "behind"]
    was: Instant
    now: Instant

    @property
    def seconds(self) -> float:
        """The size of the step; negative where the clock went back."""
        return (self.now - self.was) / 1_000_000


_decoder: Final = msgspec.json.Decoder(ClockStepped)


def encode(event: ClockStepped) -> bytes:
    return msgspec.json.encode(event)


def read(line: bytes) -> ClockStepped:
    """Raises ValueError (msgspec.ValidationError)."""
    return _decoder.decode(line)


class Steps:
    """The recorded steps. Each step has a gap between its two times: a time in the gap may have been written before or
    after the step. Gaps that touch are merged."""

    def __init__(self, steps: Iterable[ClockStepped] = ()) -> None:
        self.all = tuple(steps)
        self._gaps: list[tuple[int, int]] = []
        for low, high in sorted((min(step.was, step.now), max(step.was, step.now)) for step in self.all):
            if self._gaps and low - SKEW_US <= self._gaps[-1][1] + SKEW_US:
                self._gaps[-1] = (self._gaps[-1][0], max(self._gaps[-1][1], high))
            else:
                self._gaps.append((low, high))

    def explain(self, earlier: int, later: int) -> bool:
        """Whether a row may have the time `earlier` after one with `later`."""
        return any(low - SKEW_US <= earlier and later <= high + SKEW_US for low, high in self._gaps)

    def ahead(self, at: int, now: int) -> bool:
        """Whether a row may have a time after `now`: a clock showed that time before it went back, or it went forward
        that far."""
        return any(at <= max(step.was, now + step.now - step.was) + SKEW_US for step in self.all)

    def before(self, first: int, then: int, by: int = 0) -> bool:
        """Whether `first` is certainly before `then` by more than `by`, whichever clocks wrote them."""
        return self.around(first)[1] + by + SKEW_US < self.around(then)[0]

    def around(self, at: int) -> tuple[int, int]:
        """Earliest and latest true time at which `at` may have been written."""
        for low, high in self._gaps:
            if low - SKEW_US <= at <= high + SKEW_US:
                return low - SKEW_US, high + SKEW_US
        return at, at
