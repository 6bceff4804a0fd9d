"""The Live page's own terms: commencement, blue card, unneeded and wrongly dealt cards (L2, L3, L6–L8)."""

from __future__ import annotations

from punto.game import commands as c
from punto.game import events as e
from punto.game.evolve import evolve_all
from punto.game.irregularities.carried_out import opened, reconstructed, resumed, void
from punto.game.irregularities.lay import given_order
from punto.game.irregularities.lines import all_returned, entries
from punto.game.refusals import Refusal, refuse
from punto.game.table import Phase, Table
from punto.rulebook.model import Irregularity, Rulebook

Events = tuple[e.AnyEvent, ...]


def commencement(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """L2: put right before the first hand is dealt; later the shoe is invalid, and its rounds may be void."""
    shoe = table.in_use
    begun = shoe.hands > 1 or (table.round is not None and table.round.shoe == shoe.number and bool(table.round.cards))
    if not begun:
        events: Events = ()
        if command.skip:
            if not 0 < command.skip < shoe.left:
                return refuse("bad-ruling", "that many cards can't be skipped", row.cite)
            events = (e.CardsDiscarded(paragraph=row.cite, count=command.skip, from_shoe=True),)
        return (*events, *resumed(rules, evolve_all(table, events), row.cite))
    return _invalid(rules, table, row, command)


def _invalid(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """The shoe is replaced; management says which of its finished rounds are void."""
    events: Events = ()
    current = table.round
    cite = rules.paragraph("commencement.void")
    past = set(command.void_rounds)
    if current is not None and not current.void and (not current.ended or current.number in past):
        events = void(rules, table, cite if current.ended else row.cite)
        past.discard(current.number)
    for number in sorted(past):
        found = table.past.get(number)
        if found is None or found.shoe != table.in_use.number or found.void:
            return refuse("bad-ruling", f"round {number} is no standing round of this shoe", cite)
        state = evolve_all(table, events)
        lines = all_returned(found, rules.paragraph("void.returns"))
        moved = entries(state, found.lines, lines)
        fixed = e.PastRoundCorrected(paragraph=cite, round=number, void=True, winner=None, lines=lines, entries=moved)
        events = (*events, fixed)
    state = evolve_all(table, events)
    ended = e.ShoeEnded(paragraph=row.cite, shoe=table.in_use.number, by=command.by)
    if state.irregularity is not None:
        events = (*events, e.PlayResumed(paragraph=row.cite, phase=Phase.SETTLED))
    return (*events, ended)


def blue_card(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """L3: a hand dealt after the last is void."""
    return void(rules, table, rules.paragraph("blue-card.after"))


def unneeded(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """L6, L7: the result by the rules stands, the card is burnt, and management may end the shoe."""
    burnt = e.CardsDiscarded(paragraph=row.cite, count=len(opened(table).cards))
    events: Events = (burnt, *resumed(rules, evolve_all(table, (burnt,)), row.cite))
    return _and_end(rules, table, events, command)


def shuffling(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """L7: a Pit Manager decides; the ruling is recorded and play goes on."""
    if not command.reason.strip():
        return refuse("reason-needed", "the ruling is recorded with its reason", row.cite)
    return resumed(rules, table, row.cite)


def wrong_dealing(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """L6, L8: reconstructed, corrected by a stated order, or void; the shoe goes on or ends."""
    current = table.current
    if not command.reconstruct:
        return _and_end(rules, table, void(rules, table, row.cite), command)
    cards = opened(table).cards
    if command.order:
        stated = given_order(opened(table), command.order)
        if stated is None:
            return refuse("bad-ruling", "expected an order of exactly the cards that were reported", row.cite)
        cards = stated
    if current.ended:
        return refuse("bad-ruling", "the hand is settled: void it, or let it stand at discretion", row.cite)
    built = reconstructed(rules, table, cards, row.cite)
    burnt = built.carried
    built = e.CardsReconstructed(paragraph=row.cite, cards=built.cards, carried=())
    events: Events = (built,)
    if burnt:
        events = (*events, e.CardsDiscarded(paragraph=rules.paragraph("exposed.unneeded"), count=len(burnt)))
    events = (*events, *resumed(rules, evolve_all(table, events), row.cite))
    return _and_end(rules, table, events, command)


def _and_end(rules: Rulebook, table: Table, events: Events, command: c.DecideIrregularity) -> Events:
    """Management may end the shoe: after this hand, which is the last."""
    if not command.end_shoe:
        return events
    last = e.CutCardDrawn(paragraph=rules.paragraph("wrong-dealing.shoe"), no_more_rounds=True)
    return (*events, last)
