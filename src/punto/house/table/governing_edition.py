"""Which edition governs a command at a table (E2), for the server and for `punto replay`."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from punto.game.commands import AnyCommand, DecideIrregularity, OpenBetting, OpenTable, ReportIrregularity
from punto.game.table import Table
from punto.rulebook import in_force
from punto.rulebook.load import edition
from punto.rulebook.model import Rulebook

_CHOOSES: Final = frozenset({OpenTable, OpenBetting, ReportIrregularity, DecideIrregularity})
"""Commands that may be under another edition than the one in use."""


def governing(table: Table, command: AnyCommand, rules: Rulebook | None) -> Rulebook:
    """E2: the edition of the round concerned, or the one in force when a round's betting opens.

    `rules` governs where the table has no round yet. Raises ValueError where no edition can be determined.
    """
    if type(command) not in _CHOOSES and rules is not None:
        return named(table.round.edition) if table.round is not None else rules
    if isinstance(command, OpenTable):
        if command.edition is not None:
            return named(command.edition)
        if command.game is None or command.on is None:
            raise ValueError("open-table needs an edition, or a game and the date `on` which it is played")
        return in_force.governing(command.game, in_force.instant(command.on))
    if rules is None:
        raise ValueError("the first command must be open-table")
    unpinned = table.settings is not None and not table.settings.pinned
    if isinstance(command, OpenBetting) and command.on is not None and unpinned:
        return in_force.governing(rules.source.game, in_force.instant(command.on))
    past = ruled_by(table) if isinstance(command, DecideIrregularity) else None
    if isinstance(command, ReportIrregularity) and command.round in table.past:
        past = named(table.past[command.round].edition)
    if past is not None:
        return past
    return named(table.round.edition) if table.round is not None else rules


def in_use(table: Table) -> Rulebook | None:
    """The edition of the current round, or the one that the table was opened under."""
    if table.round is not None:
        return named(table.round.edition)
    return named(table.settings.edition) if table.settings is not None else None


def ruled_by(table: Table) -> Rulebook | None:
    """E2: the edition of the past round that an open report is about; none where it is about the current one."""
    about = table.irregularity.round if table.irregularity is not None else None
    return named(table.past[about].edition) if about in table.past else None


@lru_cache(maxsize=64)
def named(name: str) -> Rulebook:
    """An edition by its whole name, game/edition."""
    game, slash, wanted = name.partition("/")
    if not slash:
        raise ValueError(f"{name!r} names no edition: expected game/edition")
    return edition(game, wanted)
