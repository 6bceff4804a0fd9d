"""Which acts take two persons, judged by their events; and whether an approved command leads to these events."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from punto.game import commands as c
from punto.game import events as e
from punto.game import notation
from punto.game.decide import decide
from punto.game.irregularities.kinds import Row
from punto.game.irregularities.rows import ROWS
from punto.game.refusals import Refusal
from punto.game.table import Table
from punto.house.audit.tables.commands_from_events import Events
from punto.house.audit.tables.decide_again import same_events
from punto.house.store.approval import command_of, subject
from punto.house.store.names import MANAGER, Role
from punto.rulebook.model import Rulebook

_PAST: Final = (e.RulingPaid, e.PastRoundCorrected)
"""Events that move money of a round that is over, or money of no round."""
_CURRENT: Final = (e.RoundVoided, e.RoundReopened)
"""Events that do the same if the current round is settled."""
_HARMLESS: Final = (e.ReportWithdrawn, e.PlayResumed)
"""A ruling with only these events leaves a settled round unchanged."""


def for_command(table: Table, events: Events) -> bool:
    """Whether a command's events take two persons: `table` is the table before them."""
    over = table.round is not None and table.round.ended
    first, rest = events[0], events[1:]
    if not isinstance(first, e.IrregularityDecided):
        return over and any(isinstance(event, e.ChipsReported) for event in events)
    report = table.irregularity
    if report is None:
        return False
    if report.round is not None or report.kind.startswith("late-") or any(isinstance(event, _PAST) for event in rest):
        return True
    harmless = all(isinstance(event, _HARMLESS) for event in rest)
    reaches_settled = ROWS.get(report.kind, Row()).reaches_settled and not harmless
    return over and (reaches_settled or any(isinstance(event, _CURRENT) for event in rest))


def for_role(role: Role, before: Role) -> bool:
    """Whether giving a role takes two persons: a manager's role does, for somebody of lower rank."""
    return role in MANAGER and role.rank is not None and not before.may_act_as(role.rank)


def leads_to(rules: Rulebook, table: Table, what: dict[str, Any], asked_by: str, events: Events) -> bool:
    """Whether the approved command leads to exactly these events, and the report is the one that was open then."""
    try:
        command = notation.command(msgspec.json.encode(command_of(what["command"])))
        if not isinstance(command, c.DecideIrregularity | c.ReportChips) or command.by != asked_by:
            return False
        answer = decide(rules, table, command)
    except Exception:  # what was approved may have been tampered with in any way
        return False
    same_report = all(what.get(name) == value for name, value in subject(table).items())
    return same_report and not isinstance(answer, Refusal) and same_events(rules, events, answer)
