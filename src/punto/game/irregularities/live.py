"""The Live page's own terms: commencement, blue card, unneeded and wrongly dealt cards (L2, L3, L6–L8)."""

from __future__ import annotations

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game import shoe
from punto.game.evolve import evolve_all
from punto.game.irregularities.carried_out import as_it_stood, opened, put_right, reconstructed, resumed, void
from punto.game.irregularities.facts import shoe_gone
from punto.game.irregularities.late import whole_void
from punto.game.irregularities.lay import given_order, lay_truly, true_coup
from punto.game.refusals import Refusal, refuse
from punto.game.table import Phase, Table
from punto.rulebook.model import Irregularity, Rulebook

Events = tuple[e.AnyEvent, ...]


def begun(table: Table) -> bool:
    """Whether a card of the first hand of this shoe has been dealt."""
    rounds = [*table.past.values(), *([table.round] if table.round is not None else [])]
    return any(one.cards for one in rounds if one.shoe == table.in_use.number)


def commencement(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """L2: put right before the first hand is dealt; later the shoe is invalid, and its rounds may be void."""
    if begun(table):
        return _invalid(rules, table, row, command)
    if not command.skip:
        return as_it_stood(table, row.cite)
    if not 0 < command.skip < table.in_use.left:
        return refuse(Code.BAD_RULING, "that many cards can't be skipped", row.cite)
    skipped = e.CardsDiscarded(paragraph=row.cite, count=command.skip, from_shoe=True)
    return (skipped, *as_it_stood(table, row.cite))


def _invalid(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """The shoe is replaced; management says which of its finished rounds are void."""
    cite = rules.paragraph("commencement.void")
    current = table.current
    past = set(command.void_rounds)
    events: Events = ()
    if not current.ended or (current.number in past and current.winner is not None):
        events = void(rules, table, cite if current.ended else row.cite)
        past.discard(current.number)
    for number in sorted(past):
        found = table.past.get(number)
        if found is None or found.shoe != table.in_use.number or found.winner is None:
            return refuse(Code.BAD_RULING, f"round {number} is no standing round of this shoe", cite)
        events = (*events, whole_void(rules, evolve_all(table, events), found, cite))
    if evolve_all(table, events).irregularity is not None:
        events = (*events, e.PlayResumed(paragraph=row.cite, phase=Phase.SETTLED))
    return (*events, shoe.ended(table, row.cite, command.by))


def blue_card(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """L3: hands dealt after the last are void, and no more follow."""
    cite = rules.paragraph("blue-card.after")
    first = opened(table).round
    events: Events = ()
    for number, found in table.past.items() if first is not None else ():
        if number >= (first or 0) and found.winner is not None:
            events = (*events, whole_void(rules, evolve_all(table, events), found, cite))
    state = evolve_all(table, events)
    current = table.current
    if not current.ended or current.winner is not None:
        events = (*events, *void(rules, state, cite))
    else:
        events = (*events, *as_it_stood(table, cite))
    return (*events, e.CutCardDrawn(paragraph=cite, no_more_rounds=True))


def unneeded(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """L6, L7: the result by the rules stands, the card is burnt, and management may end the shoe."""
    burnt = e.CardsDiscarded(paragraph=row.cite, count=len(opened(table).cards))
    return _and_end((burnt, *as_it_stood(table, row.cite)), row.cite, command)


def shuffling(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """L7: a Pit Manager decides; the ruling is recorded and play goes on."""
    if not command.reason.strip():
        return refuse(Code.REASON_NEEDED, "the ruling is recorded with its reason", row.cite)
    return as_it_stood(table, row.cite)


def wrong_dealing(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """L6, L8: reconstructed, corrected to the true cards, or void; the shoe goes on or ends."""
    shoe_cite = rules.paragraph("wrong-dealing.shoe")
    if shoe_gone(table) and (command.reconstruct or command.end_shoe):
        text = "the shoe of that round has ended: the round is void or stands, and can't be reopened"
        return refuse(Code.BAD_RULING, text, row.cite)
    if not command.reconstruct:
        return _and_end(void(rules, table, row.cite), shoe_cite, command)
    open_ = opened(table)
    events: Events
    if open_.hands is not None:
        coup = true_coup(rules, table, *open_.hands)
        assert not isinstance(coup, Refusal), "the report was checked"
        placed, left = lay_truly(rules, coup)
        events = put_right(rules, table, placed, left, row.cite)
    else:
        cards = given_order(open_.cards, command.order) if command.order else open_.cards
        if cards is None:
            return refuse(Code.BAD_RULING, "expected an order of exactly the cards that were reported", row.cite)
        events = reconstructed(rules, table, cards, row.cite)
    left = evolve_all(table, events).in_use.carried
    if left:
        burnt = e.CardsDiscarded(paragraph=rules.paragraph("exposed.unneeded"), count=len(left))
        events = (*events, burnt)
    events = (*events, *resumed(rules, evolve_all(table, events), row.cite))
    return _and_end(events, shoe_cite, command)


def _and_end(events: Events, paragraph: str, command: c.DecideIrregularity) -> Events:
    """Management may end the shoe: after this hand, which is the last."""
    if not command.end_shoe:
        return events
    return (*events, e.CutCardDrawn(paragraph=paragraph, no_more_rounds=True))
