"""Read back a past round that a table no longer holds, from its events (I11), however old it is."""

from __future__ import annotations

from collections.abc import Iterable

from punto.game import commands as c
from punto.game import events as e
from punto.game.evolve import evolve
from punto.game.irregularities.evolve import corrected
from punto.game.moves import replace
from punto.game.table import NEW, Round, Table
from punto.rulebook.model import Moment


def wanted(table: Table, command: c.AnyCommand) -> int | None:
    """The round that a command is about, if the table has played it and no longer holds it."""
    number = command.round if isinstance(command, c.ReportIrregularity) else None
    if isinstance(command, c.DecideIrregularity) and table.irregularity is not None:
        number = table.irregularity.round
    return number if number is not None and gone(table, number) else None


def gone(table: Table, number: int) -> bool:
    """Whether the table has played this round and no longer holds it."""
    return 0 < number < table.rounds and number not in table.past


class Reading:
    """One round, built from all events of a table from the first on."""

    def __init__(self, number: int) -> None:
        self.round: Round | None = None
        self._number, self._table = number, NEW
        self._moment: Moment | None = None

    def add(self, event: e.AnyEvent) -> None:
        if self.round is None:
            self._table = evolve(self._table, event)
            self.round = self._table.past.get(self._number)
        elif isinstance(event, e.IrregularityReported):
            self._moment = event.irregularity.after
        elif getattr(event, "round", None) == self._number:
            self.round = corrected(self.round, event, self._moment)


def past_round(events: Iterable[e.AnyEvent], number: int) -> Round | None:
    reading = Reading(number)
    for event in events:
        reading.add(event)
    return reading.round


def held(table: Table, past: Round | None) -> Table:
    """The table with a round that was read back, to decide on."""
    return table if past is None else replace(table, past={**table.past, past.number: past})


def let_go(table: Table, number: int | None) -> Table:
    """The table without that round, so that what it holds stays bounded."""
    return replace(table, past={other: past for other, past in table.past.items() if other != number})
