"""Which acts take two persons, read from what they led to; and whether what was approved leads to just that."""

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
from punto.house.audit.asked import Events
from punto.house.audit.decided import same
from punto.house.people.matter import matter, raised
from punto.house.people.names import Role
from punto.house.people.permissions import MANAGER
from punto.rulebook.model import Rulebook

_PAST: Final = (e.RulingPaid, e.PastRoundCorrected)
"""Move money of a round that is over, or money of no round."""
_CURRENT: Final = (e.RoundVoided, e.RoundReopened)
"""The same, where the current round is settled."""
_NOTHING: Final = (e.ReportWithdrawn, e.PlayResumed)
"""A ruling of no more than these leaves a settled round as it is."""


def at_a_table(table: Table, events: Events) -> bool:
    """Whether a command's events take two: `table` is the table before them."""
    over = table.round is not None and table.round.ended
    first, rest = events[0], events[1:]
    if not isinstance(first, e.IrregularityDecided):
        return over and any(isinstance(one, e.ChipsReported) for one in events)
    found = table.irregularity
    if found is None:
        return False
    if found.round is not None or found.kind.startswith("late-") or any(isinstance(one, _PAST) for one in rest):
        return True
    harmless = all(isinstance(one, _NOTHING) for one in rest)
    return over and (
        (ROWS.get(found.kind, Row()).reaches_settled and not harmless) or any(isinstance(one, _CURRENT) for one in rest)
    )


def of_a_rank(role: Role, was: Role) -> bool:
    """Whether giving a role takes two: a manager's, to somebody below it."""
    return role in MANAGER and role.rank is not None and not was.may_act_as(role.rank)


def leads_to(rules: Rulebook, table: Table, what: dict[str, Any], asked_by: str, events: Events) -> bool:
    """Whether the command that was approved, about what lay open then, leads to these very events."""
    try:
        command = notation.command(msgspec.json.encode(raised(what["command"])))
        if not isinstance(command, c.DecideIrregularity | c.ReportChips) or command.by != asked_by:
            return False
        answer = decide(rules, table, command)
    except Exception:  # what was approved may have been tampered with in any way
        return False
    alike = all(what.get(name) == value for name, value in matter(table).items())
    return alike and not isinstance(answer, Refusal) and same(rules, events, answer)
