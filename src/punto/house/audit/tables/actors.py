"""Checks who gave a command: the person whom its events name, or staff who may act for them. The row names the actor in
a column of its own and at the start of its key."""

from __future__ import annotations

from punto.game import commands as c
from punto.game.table import Table
from punto.house.audit.people.staff import Staff
from punto.house.store.names import HOUSE_CAGE, SUPERVISOR, SURVEILLANCE
from punto.house.store.records import Row
from punto.rulebook.model import Rank


def fault(row: Row, table: Table, command: c.AnyCommand, staff: Staff) -> str | None:
    """What is wrong with the actor of a command, or None; `table` is the table before it, `row` its first row."""
    if row.key is not None and not row.key.startswith(f"{row.actor}/"):
        return f"the row names {row.actor} as the actor, but its key is somebody else's"
    outside = isinstance(command, c.ReportIrregularity) and command.by not in table.staff
    if outside and not staff.roles(row.actor, row.at) & SURVEILLANCE:
        return f"{row.actor} reported it, but was neither on duty nor of surveillance"
    giver = _giver(command)
    if row.actor == giver or _for_another(row, table, command, staff):
        return None
    return f"the row names {row.actor} as the actor, but the command was for {giver} to give"


def _giver(command: c.AnyCommand) -> str:
    """The staff or patron concerned. If no event names anybody, it is the actor, if they were on duty."""
    if isinstance(command, c.StartDuty | c.EndDuty):
        return command.name
    by = getattr(command, "by", None)
    return str(by if by is not None else getattr(command, "patron", ""))


def _for_another(row: Row, table: Table, command: c.AnyCommand, staff: Staff) -> bool:
    """A supervisor may end somebody's duty and enter an option that was said aloud. Staff may enter a card that a
    patron squeezed. The cage may remove a patron who has gone."""
    rank = table.staff.get(row.actor)
    match command:
        case c.EndDuty():
            return bool(staff.roles(row.actor, row.at) & SUPERVISOR)
        case c.ChooseOption():
            return rank is not None and rank.may_act_as(Rank.PIT_SUPERVISOR)
        case c.ExposeCard():
            return rank is not None and command.by not in table.staff
        case c.CashChips() | c.Leave() | c.StandUp():
            return row.actor == HOUSE_CAGE
        case _:
            return False
