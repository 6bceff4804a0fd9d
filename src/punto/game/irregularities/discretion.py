"""Rulings at discretion (5.23; 2024: 5.18): what somebody of that rank may order, in writing."""

from __future__ import annotations

from punto.codes import Code
from punto.game import events as e
from punto.game.irregularities import late
from punto.game.irregularities import records as r
from punto.game.irregularities.carried_out import as_it_stood, opened, options, void
from punto.game.irregularities.kinds import Events, Fields
from punto.game.irregularities.lines import payments
from punto.game.refusals import Refusal, refuse
from punto.game.table import Phase, Table
from punto.money import MAXIMUM_CENTS
from punto.rulebook.model import Irregularity, Rulebook


def stand(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    return as_it_stood(table, row.cite)


def current_stands(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """The current round, unless it is over without a result."""
    current = table.round
    return opened(table).round is None and current is not None and (not current.ended or current.winner is not None)


def past_stands(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """A past round that has a result."""
    number = opened(table).round
    return number is not None and table.past[number].winner is not None


def can_choose(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """The current round after “No more Bets”, unless it is over without a result."""
    return current_stands(rules, table, fields) and opened(table).phase is not Phase.BETTING


def void_current(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    return void(rules, table, row.cite)


def void_past(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    number = opened(table).round
    assert number is not None, "the ruling fits a past round"
    fixed = late.whole_void(rules, table, table.past[number], row.cite)
    return (fixed, *as_it_stood(table, rules.paragraph("late-discovery")))


def give_options(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    return options(rules, table, row.cite, rebuilt=False)


def pay(rules: Rulebook, table: Table, row: Irregularity, words: r.PayWords) -> Events | Refusal:
    """The House pays named patrons out of its own money."""
    sums = words.pay_cents
    if not sums or any(name not in table.patrons or not 0 < cents <= MAXIMUM_CENTS for name, cents in sums.items()):
        return refuse(Code.BAD_RULING, "expected patrons of this table and what each is paid", row.cite)
    paid = e.RulingPaid(paragraph=row.cite, entries=payments(table, sums))
    return (paid, *as_it_stood(table, row.cite))
