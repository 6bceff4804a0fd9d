"""The countdown that people at a table see: at which moments of a round there is one, and when it ends."""

from __future__ import annotations

from typing import Final

import msgspec

from punto.game import squeezing
from punto.game.table import Phase, Table
from punto.house.instants import MICRO, iso
from punto.house.store.dealing_pace import Pace
from punto.house.table.governing_edition import in_use


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """What the clock counts down to. `for_` is betting, squeeze, insurance, result or options."""

    for_: str = msgspec.field(name="for")
    ends_at: str
    seconds: float


_CLOCKS: Final[dict[Phase, str]] = {
    Phase.BETTING: "betting",
    Phase.OFFER: "insurance",
    Phase.SETTLED: "result",
    Phase.OPTIONS: "options",
}


def clock(table: Table, since: int, pace: Pace | None) -> Clock | None:
    """The clock of a table that came to its stage at `since` (unix microseconds). At a live table only betting has one,
    and it binds nobody: the dealer calls (O108)."""
    if pace is None or table.settings is None:
        return None
    if table.settings.source != "virtual" and table.phase is not Phase.BETTING:
        return None
    kind = _CLOCKS.get(table.phase) or ("squeeze" if _squeezed(table) else None)
    if kind is None:
        return None
    seconds: float = getattr(pace, kind)
    return Clock(for_=kind, ends_at=iso(since + round(seconds * MICRO)), seconds=seconds)


def _squeezed(table: Table) -> bool:
    """Whether the dealer waits for a patron who squeezes; not where cards are dealt face up."""
    if table.opened.facing == "up" or table.phase is not Phase.DEALING:
        return False
    rules = in_use(table)
    return rules is not None and squeezing.awaited(rules, table)
