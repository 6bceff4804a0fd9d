"""Steps of a node's clock as they are on record: the events of the stream `house/clock`, and which times they put in
doubt. The house and its audit read them alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, Literal

import msgspec

from punto.house.people.names import HOUSE_CLOCK

STREAM: Final = "house/clock"
SKEW_US: Final = 60 * 1_000_000
"""Clocks of two nodes differ by less than this."""


Instant = Annotated[int, msgspec.Meta(ge=0, le=200_000_000_000 * 1_000_000)]
"""Unix microseconds that a calendar has."""


class ClockStepped(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="clock-stepped"):
    """The time that a node writes went from `was` to `now`, in unix microseconds.

    `why` is `stepped` where the clock of the node jumped, and `behind` where the node found a time on record that lies
    ahead of its own: after a restart, or by another node.
    """

    by: str = HOUSE_CLOCK
    node: str
    why: Literal["stepped", "behind"]
    was: Instant
    now: Instant

    @property
    def seconds(self) -> float:
        """By how much; less than nothing where it went back."""
        return (self.now - self.was) / 1_000_000


_decoder: Final = msgspec.json.Decoder(ClockStepped)


def encode(event: ClockStepped) -> bytes:
    return msgspec.json.encode(event)


def read(line: bytes) -> ClockStepped:
    """Raises ValueError (msgspec.ValidationError)."""
    return _decoder.decode(line)


class Steps:
    """Steps on record. A step opens a gap between its two times: a time within may have been written before or after
    the step, and gaps that meet are one."""

    def __init__(self, steps: Iterable[ClockStepped] = ()) -> None:
        self.all = tuple(steps)
        self._gaps: list[tuple[int, int]] = []
        for low, high in sorted((min(one.was, one.now), max(one.was, one.now)) for one in self.all):
            if self._gaps and low - SKEW_US <= self._gaps[-1][1] + SKEW_US:
                self._gaps[-1] = (self._gaps[-1][0], max(self._gaps[-1][1], high))
            else:
                self._gaps.append((low, high))

    def explain(self, earlier: int, later: int) -> bool:
        """Whether a row may carry `earlier` after one that carries `later`."""
        return any(low - SKEW_US <= earlier and later <= high + SKEW_US for low, high in self._gaps)

    def ahead(self, at: int, now: int) -> bool:
        """Whether a row may carry a time that lies after `now`: a clock stood there before it went back, or went
        forward by so much."""
        return any(at <= max(one.was, now + one.now - one.was) + SKEW_US for one in self.all)

    def before(self, first: int, then: int, by: int = 0) -> bool:
        """Whether one time lies before another, by more than `by`, whichever clocks wrote them."""
        return self._around(first)[1] + by + SKEW_US < self._around(then)[0]

    def _around(self, at: int) -> tuple[int, int]:
        """The times that it may have been when `at` was written."""
        for low, high in self._gaps:
            if low - SKEW_US <= at <= high + SKEW_US:
                return low - SKEW_US, high + SKEW_US
        return at, at
