"""Remedies that nobody decides: they follow from the report."""

from __future__ import annotations

from punto.game import events as e
from punto.game.irregularities import records as r
from punto.game.irregularities.carried_out import IN_DEALING, as_it_stood, opened, resumed
from punto.game.irregularities.carried_out import void as voided
from punto.game.irregularities.checks import named_round
from punto.game.irregularities.kinds import Events, Fields
from punto.game.refusals import Refusal
from punto.game.table import Table
from punto.rulebook.model import Irregularity, Rulebook


def is_established(rules: Rulebook, table: Table, fields: Fields) -> bool:
    return opened(table).established


def conclude(rules: Rulebook, table: Table, row: Irregularity, facts: r.Facts) -> Events | Refusal:
    """5.4.1"""
    return resumed(rules, table, rules.paragraph("interruption.concluded"))


def interrupted(rules: Rulebook, table: Table, row: Irregularity, facts: r.Facts) -> Events | Refusal:
    """5.4.2"""
    return voided(rules, table, rules.paragraph("interruption.void"))


def void(rules: Rulebook, table: Table, row: Irregularity, facts: r.Facts) -> Events | Refusal:
    return voided(rules, table, row.cite)


def stand(rules: Rulebook, table: Table, row: Irregularity, facts: r.Facts) -> Events | Refusal:
    return as_it_stood(table, row.cite)


def lost_unseen(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """L6: it fell in the deal, and nobody saw it."""
    return opened(table).phase in IN_DEALING and not fields["exposed"]


def dropped(rules: Rulebook, table: Table, row: Irregularity, facts: r.DroppedFacts) -> Events | Refusal:
    """L6, L7: the dropped card is used, in the deal or outside."""
    outside = opened(table).phase not in IN_DEALING
    return as_it_stood(table, rules.paragraph("dropped.outside-play") if outside else row.cite)


def board_right(rules: Rulebook, table: Table, row: Irregularity, facts: r.DisplayFacts) -> Events | Refusal:
    """5.20, I13: the table's result prevails. No money moves."""
    current = named_round(table, facts.round)
    assert current is not None, "the report was checked"
    assert current.winner is not None, "the report was checked"
    fixed = e.DisplayCorrected(
        paragraph=row.cite, round=current.number, shown=facts.shown.strip(), winner=current.winner
    )
    return (fixed, *as_it_stood(table, row.cite))
