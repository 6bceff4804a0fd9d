"""How long things take at a virtual table, and the clock that its patrons see."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Final

import msgspec

from punto.game.table import Phase, Table

MICRO: Final = 1_000_000


class Pace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Seconds that the dealer of a virtual table gives."""

    betting: float = 20.0
    insurance: float = 10.0
    """An offer is closed early once everybody concerned has answered."""
    card: float = 1.0
    """Between two cards, or two acts of the dealer."""
    result: float = 6.0
    options: float = 30.0
    """For the options of an irregularity, and for withdrawing where the cut card came first."""
    squeeze: float = 12.0
    """For the patron who may turn a card; then staff turn it."""


PACE: Final = Pace()
AT_ONCE: Final = Pace(betting=0, insurance=0, card=0, result=0, options=0, squeeze=0)


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """What the clock counts down to. `for_` is betting, insurance, result or options."""

    for_: str = msgspec.field(name="for")
    ends_at: str
    seconds: float


Stage = tuple[object, ...]


def stage(table: Table) -> Stage:
    """Where the table stands: as long as this is the same, the same clock runs."""
    current, shoe = table.round, table.shoe
    if current is None:
        return (table.phase, shoe and (shoe.number, shoe.cut_at))
    return (
        table.phase,
        current.number,
        shoe and (shoe.number, shoe.cut_at),
        tuple([(one.place, one.exposed) for one in current.cards]),
        current.offer and current.offer.after,
        current.late_offer and current.late_offer.after,
        current.squeeze is not None and current.squeeze.granted,
    )


def same_stage(before: Table, after: Table) -> bool:
    """Whether two tables of one stream stand at the same stage; nearly always that is told at a glance."""
    was, now = before.round, after.round
    if was is not None and now is not None and before.phase is after.phase and before.shoe is after.shoe:
        same = was.cards is now.cards and was.offer is now.offer and was.late_offer is now.late_offer
        if same and was.squeeze is now.squeeze and was.number == now.number:
            return True
    return stage(before) == stage(after)


_CLOCKS: Final[dict[Phase, str]] = {
    Phase.BETTING: "betting",
    Phase.OFFER: "insurance",
    Phase.SETTLED: "result",
    Phase.OPTIONS: "options",
}


def clock(table: Table, since: int, pace: Pace | None) -> Clock | None:
    """The clock of a virtual table that came to its stage at `since` (unix microseconds)."""
    kind = _CLOCKS.get(table.phase)
    if pace is None or kind is None or table.settings is None or table.settings.source != "virtual":
        return None
    seconds: float = getattr(pace, kind)
    return Clock(for_=kind, ends_at=iso(since + round(seconds * MICRO)), seconds=seconds)


def iso(micros: int) -> str:
    """An instant as text: UTC, to the millisecond."""
    return _milli(micros // 1000)


@lru_cache(maxsize=4096)
def _milli(millis: int) -> str:
    seconds, left = divmod(millis, 1000)
    return f"{_second(seconds)}.{left:03}Z"


@lru_cache(maxsize=4096)
def _second(seconds: int) -> str:
    return dt.datetime.fromtimestamp(seconds, dt.UTC).strftime("%Y-%m-%dT%H:%M:%S")
