"""Rulings at discretion (5.23; 2024: 5.18): what somebody of that rank may order, in writing."""

from __future__ import annotations

from typing import Final

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game.irregularities import determined, late, missed
from punto.game.irregularities.carried_out import as_it_stood, opened, options, void
from punto.game.irregularities.lines import payments
from punto.game.refusals import Refusal, refuse
from punto.game.table import Phase, Table
from punto.money import MAXIMUM_CENTS
from punto.rulebook.model import Irregularity, Rulebook

Events = tuple[e.AnyEvent, ...]

ACTIONS: Final = ("stand", "void", "options", "pay", "determine", "reposition", "resettle")


def decide(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """One of the actions, where it fits what was reported."""
    open_ = opened(table)
    carried: Events | Refusal | None = None
    match command.action:
        case "stand":
            carried = as_it_stood(table, row.cite)
        case "pay":
            carried = _paid(table, row, command)
        case "resettle" if open_.kind == "late-table-of-play":
            carried = late.resettled(rules, table, row, command)
        case "determine" if open_.kind == "damaged-card" and command.card is not None:
            carried = determined.decide(rules, table, row, command)
        case "reposition" if open_.kind == "insurance-misplaced":
            carried = missed.repositioned(rules, table, row, command)
        case "void":
            carried = _void(rules, table, row, command)
        case "options" if open_.round is None and open_.phase is not Phase.BETTING and _stands(table):
            carried = options(rules, table, row.cite, rebuilt=False)
    if carried is None:
        return refuse(Code.BAD_RULING, f"expected an action that fits: {', '.join(ACTIONS)}", row.cite)
    return carried


def _stands(table: Table) -> bool:
    """Whether there is a current round that is not over without a result."""
    return table.round is not None and (not table.round.ended or table.round.winner is not None)


def _void(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | None:
    number = opened(table).round
    if opened(table).kind == "late-table-of-play":
        return late.voided(rules, table, row, keep=command.keep_side_bets)
    if number is None:
        return void(rules, table, row.cite) if _stands(table) else None
    if table.past[number].winner is None:
        return None
    fixed = late.whole_void(rules, table, table.past[number], row.cite)
    return (fixed, *as_it_stood(table, rules.paragraph("late-discovery")))


def _paid(table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """The House pays named patrons out of its own."""
    pay = command.pay_cents
    if not pay or any(name not in table.patrons or not 0 < cents <= MAXIMUM_CENTS for name, cents in pay.items()):
        return refuse(Code.BAD_RULING, "expected patrons of this table and what each is paid", row.cite)
    paid = e.RulingPaid(paragraph=row.cite, entries=payments(table, pay))
    return (paid, *as_it_stood(table, row.cite))
