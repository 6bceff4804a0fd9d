"""Deciding an irregularity: the rank that the rules ask for (the column of RULINGS), and what the ruling leads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game import people
from punto.game.coup import in_deal_order
from punto.game.evolve import evolve, evolve_all
from punto.game.irregularities import determined, discretion, facts, late, live, missed
from punto.game.irregularities.carried_out import (
    IN_DEALING,
    as_it_stood,
    opened,
    options_or_on,
    put_right,
    reconstructed,
    resumed,
    void,
)
from punto.game.irregularities.lay import given_order, lay_out, lay_truly, true_coup
from punto.game.refusals import Refusal, refuse
from punto.game.table import CarriedCard, Table
from punto.rulebook.model import Irregularity, Rank, Rulebook

Events = tuple[e.AnyEvent, ...]
Remedy = Callable[[Rulebook, Table, Irregularity, c.DecideIrregularity], Events | Refusal]

LONGEST_REASON = 2000
UNFOUNDED: Final = "unfounded"
_MAY_FAIL: Final = ("wrong-hand", "other-dealing-error")
"""Where a Pit Supervisor may find that cards can't be reconstructed, besides cards too many."""


def decide(rules: Rulebook, table: Table, command: c.DecideIrregularity) -> Events | Refusal:
    """A ruling by somebody of sufficient rank, recorded with its reason, and carried out."""
    open_ = opened(table)
    row = rules.irregularities[open_.kind]
    rank = table.staff[command.by]
    needed = Rank(row.decided_by)
    if not rank.may_act_as(needed):
        return people.wrong_rank(rules, needed, row.cite)
    if len(command.reason) > LONGEST_REASON:
        return refuse(Code.BAD_RULING, f"a reason has at most {LONGEST_REASON} letters", row.cite)
    governs = row.goes_by or row.id
    in_writing = row.discretion == "reasonable" or governs == "discretion" or command.action == UNFOUNDED
    in_writing = in_writing or (not command.reconstruct and open_.kind in _MAY_FAIL and _within_reason(rules))
    if in_writing and not command.reason.strip():
        return refuse(Code.REASON_NEEDED, "this ruling is recorded with its reason", row.cite)
    if command.action == UNFOUNDED:
        carried = _unfounded(rules, table, row, command)
    else:
        remedy = discretion.decide if governs == "discretion" else REMEDIES[open_.kind]
        carried = remedy(rules, table, row, command)
    if isinstance(carried, Refusal):
        return carried
    decided = e.IrregularityDecided(
        paragraph=row.cite,
        kind=open_.kind,
        by=command.by,
        rank=rank,
        ruling=type(carried[0]).__struct_config__.tag,  # type: ignore[arg-type]  # every event has a tag
        reason=command.reason,
    )
    return (decided, *carried)


def _within_reason(rules: Rulebook) -> bool:
    """I4: whether cards can be reconstructed is at reasonable discretion, with a reason, or at absolute discretion."""
    row = rules.irregularities.get("excess-card")
    return row is not None and row.discretion == "reasonable"


def _unfounded(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """Nothing was wrong: the report is withdrawn. Cards that everybody has seen can't go back into a virtual shoe."""
    if opened(table).cards and table.in_use.order is not None:
        return refuse(Code.BAD_RULING, "the cards have left the shoe: rule on them", row.cite)
    withdrawn = e.ReportWithdrawn(paragraph=row.cite)
    if opened(table).kind == "face-up":
        # The card that the report turned lies open (O28), and may call for something.
        return (withdrawn, *resumed(rules, evolve(table, withdrawn), row.cite))
    return (withdrawn, *as_it_stood(table, row.cite))


def _void(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.5: the cause has its own paragraph."""
    return void(rules, table, rules.topics.get(f"void.{opened(table).cause}", row.cite))


def _laid_again(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.8, 5.9: reconstruct, or where that can't be done void (5.5.3) or go on as the cards lie."""
    open_ = opened(table)
    if command.reconstruct:
        if not open_.cards and facts.shoe_gone(table):
            return options_or_on(rules, table, row, rebuilt=True)
        built = reconstructed(rules, table, open_.cards, row.cite)
        return (*built, *options_or_on(rules, evolve_all(table, built), row, rebuilt=True))
    if not open_.cards:
        return options_or_on(rules, table, row, rebuilt=False)
    if open_.phase in IN_DEALING:
        return void(rules, table, rules.paragraph("void.not-reconstructible"))
    text = "cards drawn outside a deal belong to no hand: they open the next round"
    return refuse(Code.BAD_RULING, text, row.cite)


def _simultaneous(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.11: the Pit Supervisor says which card came first; new cards may be ordered from the next round."""
    together = opened(table).cards
    if not together:
        return _ordered(rules, table, row, command)
    cards = given_order(together, command.order) if command.order else None
    if not command.order and all(one.face is None for one in together):
        cards = together
    if cards is None:
        return refuse(Code.BAD_RULING, "expected an order of exactly the cards that were drawn together", row.cite)
    events = (*reconstructed(rules, table, cards, row.cite), *_replaced(rules, command))
    return (*events, *options_or_on(rules, evolve_all(table, events), row, rebuilt=True))


def _ordered(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.11, noticed once the coup was complete: the order of all its cards, or the one on record stands."""
    events: Events = ()
    if command.order:
        dealt = tuple(CarriedCard(str(one), True) for one in in_deal_order(table.current.coup))
        cards = given_order(dealt, command.order)
        if cards is None:
            return refuse(Code.BAD_RULING, "expected an order of exactly the cards of this round", row.cite)
        placed, left = lay_out(rules.table_of_play, cards, banker_first=table.current.waived)
        events = put_right(rules, table, placed, (*left, *table.in_use.carried), row.cite)
    events = (*events, *_replaced(rules, command))
    return (*events, *options_or_on(rules, evolve_all(table, events), row, rebuilt=bool(command.order)))


def _replaced(rules: Rulebook, command: c.DecideIrregularity) -> Events:
    """5.11.2"""
    if not command.replace_cards:
        return ()
    return (e.ReplacementOrdered(paragraph=rules.paragraph("simultaneous.replace"), by=command.by),)


def _stands(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.10, 5.12: nothing is changed; the options are all that may follow."""
    return options_or_on(rules, table, row, rebuilt=False)


def _cut_card(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.7.3: withdrawal was not offered. The round is the last of the shoe, also where nobody entered the cut card."""
    events: Events = ()
    if not table.in_use.cut_drawn:
        events = (e.CutCardDrawn(paragraph=rules.procedure.cut_card_cite),)
    return (*events, *options_or_on(rules, evolve_all(table, events), row, rebuilt=False))


def _damaged(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.13: its value is determined, or the round is void."""
    if command.card is None:
        return void(rules, table, rules.paragraph("damaged-card.void"))
    return determined.decide(rules, table, row, command)


def _other(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.16: put right, and the options without proviso; a settled round is reopened with the cards as they lay."""
    open_ = opened(table)
    if open_.hands is None or not command.reconstruct:
        return options_or_on(rules, table, row, rebuilt=False)
    if facts.shoe_gone(table):
        text = "the shoe of that round has ended, and it can't be reopened: rule without reconstruction"
        return refuse(Code.BAD_RULING, text, row.cite)
    coup = true_coup(rules, table, *open_.hands)
    assert not isinstance(coup, Refusal), "the report was checked"
    placed, left = lay_truly(rules, coup)
    events = put_right(rules, table, placed, (*left, *table.in_use.carried), row.cite)
    return (*events, *options_or_on(rules, evolve_all(table, events), row, rebuilt=True))


REMEDIES: Final[dict[str, Remedy]] = {
    "void": _void,
    "excess-card": _laid_again,
    "wrong-hand": _laid_again,
    "simultaneous": _simultaneous,
    "face-up": _stands,
    "reset": _stands,
    "cut-card": _cut_card,
    "damaged-card": _damaged,
    "other-dealing-error": _other,
    "late-table-of-play": late.decide,
    "insurance-missed": missed.decide,
    "insurance-misplaced": missed.repositioned,
    "commencement": live.commencement,
    "blue-card": live.blue_card,
    "unneeded-card": live.unneeded,
    "exposed-while-shuffling": live.shuffling,
    "wrong-dealing": live.wrong_dealing,
}
