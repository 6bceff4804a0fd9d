"""What a Pit Supervisor announces ahead: limits that hold from the next round on, and the last round before a table
closes. Nothing that is announced touches the round on the table."""

from __future__ import annotations

from typing import Final

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game.people import limits_fault, wrong_rank
from punto.game.refusals import Refusal, named, refuse
from punto.game.table import Table
from punto.rulebook.model import Rank, Rulebook

MOST_ROUNDS: Final = 100
"""How far ahead the last round can be announced."""
SCOPES: Final = ("box", "box-and-table")


def set_limits(rules: Rulebook, table: Table, command: c.SetLimits) -> tuple[e.AnyEvent, ...] | Refusal:
    """3.4, O105: the limits are displayed at once and hold from the next "Place your Bets, please" on."""
    cite = rules.procedure.limits_cite
    if not table.staff[command.by].may_act_as(Rank.PIT_SUPERVISOR):
        return wrong_rank(rules, Rank.PIT_SUPERVISOR, cite)
    if command.limits.scope not in SCOPES:
        text = f"{named(command.limits.scope)} is unknown: expected {' or '.join(SCOPES)}"
        return refuse(Code.BAD_SETTING, text, cite, word=command.limits.scope)
    fault = limits_fault(command.limits, rules.layouts[table.opened.layout].bets)
    if fault is not None:
        text, bet = fault
        return refuse(Code.BAD_LIMITS, text, cite, bet=bet.value)
    if command.limits == (table.next_limits or table.opened.limits):
        return refuse(Code.NOTHING_TO_DO, "these limits hold already", cite)
    return (e.LimitsSet(paragraph=cite, limits=command.limits, by=command.by),)


def announce_closing(rules: Rulebook, table: Table, command: c.AnnounceClosing) -> tuple[e.AnyEvent, ...] | Refusal:
    """O106: announce how many rounds still open after the one on the table; None takes the announcement back."""
    cite = rules.paragraph("define.house")
    if not table.staff[command.by].may_act_as(Rank.PIT_SUPERVISOR):
        return wrong_rank(rules, Rank.PIT_SUPERVISOR, cite)
    if command.rounds is not None and not 0 <= command.rounds <= MOST_ROUNDS:
        return refuse(Code.BAD_AMOUNT, f"expected 0 to {MOST_ROUNDS} rounds", cite, most=MOST_ROUNDS)
    last = None if command.rounds is None else table.rounds + command.rounds
    if last == table.closes_after:
        text = "no closing is announced" if last is None else "this closing is already announced"
        return refuse(Code.NOTHING_TO_DO, text, cite)
    return (e.ClosingAnnounced(paragraph=cite, last_round=last, by=command.by),)


def closes_now(table: Table) -> bool:
    """Whether the round that was announced as the last has opened, so that no further one does."""
    return table.closes_after is not None and table.rounds >= table.closes_after
