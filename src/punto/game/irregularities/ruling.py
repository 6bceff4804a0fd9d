"""Deciding an irregularity: the rank that the rules ask for (the column of RULINGS), and what the ruling leads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from punto.game import commands as c
from punto.game import events as e
from punto.game import people, shoe
from punto.game.evolve import evolve_all
from punto.game.irregularities import late, live, missed
from punto.game.irregularities.carried_out import (
    opened,
    options,
    options_or_on,
    reconstructed,
    resumed,
    void,
)
from punto.game.irregularities.lay import given_order
from punto.game.irregularities.lines import payments, reversal
from punto.game.refusals import Refusal, refuse
from punto.game.table import Phase, PlacedCard, Table
from punto.rulebook.model import Irregularity, Rank, Rulebook

Events = tuple[e.AnyEvent, ...]
Remedy = Callable[[Rulebook, Table, Irregularity, c.DecideIrregularity], Events | Refusal]

LONGEST_REASON = 2000


def decide(rules: Rulebook, table: Table, command: c.DecideIrregularity) -> Events | Refusal:
    """A ruling by somebody of sufficient rank, recorded with its reason, and carried out."""
    open_ = opened(table)
    row = rules.irregularities[open_.kind]
    rank = table.staff[command.by]
    needed = Rank(row.decided_by)
    if not rank.may_act_as(needed):
        return people.wrong_rank(rules, needed, row.cite)
    if len(command.reason) > LONGEST_REASON:
        return refuse("bad-ruling", f"a reason has at most {LONGEST_REASON} letters", row.cite)
    governs = row.goes_by or row.id
    if (row.discretion == "reasonable" or governs == "discretion") and not command.reason.strip():
        return refuse("reason-needed", "a ruling at reasonable discretion is recorded with its reason", row.cite)
    remedy = at_discretion if governs == "discretion" else REMEDIES[open_.kind]
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


def _void(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.5: the cause has its own paragraph."""
    topic = f"void.{opened(table).cause}"
    return void(rules, table, rules.topics.get(topic, row.cite))


def _put_right(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.8, 5.9: reconstruct, or where that can't be done void (5.5.3) or go on as the cards lie."""
    open_ = opened(table)
    if not command.reconstruct:
        if open_.cards:
            return void(rules, table, rules.paragraph("void.not-reconstructible"))
        return options_or_on(rules, table, row, rebuilt=False)
    built = reconstructed(rules, table, open_.cards, row.cite)
    return (built, *options_or_on(rules, evolve_all(table, (built,)), row, rebuilt=True))


def _simultaneous(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.11: the Pit Supervisor says which card came first; new cards may be ordered from the next round."""
    cards = given_order(opened(table), command.order) if command.order else None
    if all(one.face is None for one in opened(table).cards):
        cards = opened(table).cards
    if cards is None:
        return refuse("bad-ruling", "expected an order of exactly the cards that were drawn together", row.cite)
    events: list[e.AnyEvent] = [reconstructed(rules, table, cards, row.cite)]
    if command.replace_cards:
        cite = rules.paragraph("simultaneous.replace")
        events.append(e.ReplacementOrdered(paragraph=cite, by=command.by))
    return (*events, *options_or_on(rules, evolve_all(table, tuple(events)), row, rebuilt=True))


def _stands(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.7.3, 5.10, 5.12: nothing is changed; the options are all that may follow."""
    return options_or_on(rules, table, row, rebuilt=False)


def _damaged(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.13: its value is determined, or the round is void."""
    return determined(rules, table, command, row) or void(rules, table, rules.paragraph("damaged-card.void"))


def determined(
    rules: Rulebook, table: Table, command: c.DecideIrregularity, row: Irregularity
) -> Events | Refusal | None:
    """The value that was found out; None where none was."""
    if command.card is None:
        return None
    place = opened(table).place
    lying = next(one for one in table.current.cards if one.place == place)
    cite = rules.topics.get("damaged-card.value", row.cite)
    known = command.card.upper().replace("10", "T")
    events: Events = ()
    if lying.face != known or not lying.exposed:
        face = known if lying.face == known else shoe.known_face(rules, table, command.card)
        if isinstance(face, Refusal):
            return face
        events = (e.CardDetermined(paragraph=cite, place=lying.place, card=face),)
    return (*events, *resumed(rules, evolve_all(table, events), cite))


def _other(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.16: put right, and the options without proviso; a settled round is reopened with the cards as they lay."""
    open_ = opened(table)
    if open_.hands is None:
        return options_or_on(rules, table, row, rebuilt=False)
    placed = late.truly_placed(rules, table, open_.hands)
    if isinstance(placed, Refusal):
        return placed
    events: Events
    if table.current.ended:
        events = (reopened(table, placed, row.cite),)
    else:
        events = (e.CardsReconstructed(paragraph=row.cite, cards=placed, carried=table.in_use.carried),)
    return (*events, *options_or_on(rules, evolve_all(table, events), row, rebuilt=True))


def reopened(table: Table, placed: tuple[PlacedCard, ...], paragraph: str) -> e.RoundReopened:
    """I10: the settlement is taken back by compensating entries."""
    return e.RoundReopened(paragraph=paragraph, cards=placed, entries=reversal(table, table.current.lines))


ACTIONS: Final = ("stand", "void", "options", "pay", "determine", "reposition", "resettle")


def at_discretion(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.23 (2024: 5.18): the Table Game Shift Manager decides, in writing."""
    open_ = opened(table)
    match command.action:
        case "stand":
            return resumed(rules, table, row.cite)
        case "pay":
            if not command.pay_cents or any(name not in table.patrons for name in command.pay_cents):
                return refuse("bad-ruling", "expected patrons of this table and what each is paid", row.cite)
            paid = e.RulingPaid(paragraph=row.cite, entries=payments(table, command.pay_cents))
            return (paid, *resumed(rules, evolve_all(table, (paid,)), row.cite))
        case "void" if open_.kind == "late-table-of-play":
            return late.voided(rules, table, row, keep=command.keep_side_bets)
        case "resettle" if open_.kind == "late-table-of-play":
            return late.resettled(rules, table, row, command)
        case "void" if table.round is not None and not table.round.void:
            return void(rules, table, row.cite)
        case "options" if table.round is not None and not table.round.void and open_.phase is not Phase.BETTING:
            return options(rules, table, row.cite, rebuilt=False)
        case "determine" if open_.kind == "damaged-card" and command.card is not None:
            return determined(rules, table, command, row) or ()
        case "reposition" if open_.kind == "insurance-misplaced":
            return missed.repositioned(rules, table, row, command)
    return refuse("bad-ruling", f"expected an action that fits: {', '.join(ACTIONS)}", row.cite)


REMEDIES: Final[dict[str, Remedy]] = {
    "void": _void,
    "excess-card": _put_right,
    "wrong-hand": _put_right,
    "simultaneous": _simultaneous,
    "face-up": _stands,
    "reset": _stands,
    "cut-card": _stands,
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
