"""A past round that a table holds no more, read back from the table's events (I11): nothing bounds how far back."""

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
    """The round that a command is about and that the table has played and holds no more."""
    number = command.round if isinstance(command, c.ReportIrregularity) else None
    if isinstance(command, c.DecideIrregularity) and table.irregularity is not None:
        number = table.irregularity.round
    gone = number is not None and 0 < number < table.rounds and number not in table.past
    return number if gone else None


def past_round(events: Iterable[e.AnyEvent], number: int, table: Table = NEW) -> Round | None:
    """The round as it stands after all these events. `table` is the one that they follow, before that round began."""
    found: Round | None = None
    moment: Moment | None = None
    for event in events:
        if found is None:
            table = evolve(table, event)
            found = table.past.get(number)
        elif isinstance(event, e.IrregularityReported):
            moment = event.irregularity.after
        elif getattr(event, "round", None) == number:
            found = corrected(found, event, moment)
    return found


def held(table: Table, one: Round | None) -> Table:
    """The table with a round that was read back, to decide on."""
    return table if one is None else replace(table, past={**table.past, one.number: one})


def let_go(table: Table, number: int | None) -> Table:
    """The table at rest again: what it holds stays bounded."""
    return replace(table, past={one: it for one, it in table.past.items() if one != number})
