"""The Live page's own terms: commencement, blue card, unneeded and wrongly dealt cards (L2, L3, L6–L8)."""

from __future__ import annotations

from punto.codes import Code
from punto.game import events as e
from punto.game import shoe
from punto.game.evolve import evolve_all
from punto.game.irregularities import late
from punto.game.irregularities import records as r
from punto.game.irregularities.carried_out import (
    as_it_stood,
    opened,
    put_right,
    reconstructed,
    reported_hands,
    resumed,
    void,
)
from punto.game.irregularities.checks import shoe_gone
from punto.game.irregularities.kinds import Events, Fields
from punto.game.irregularities.reconstruction import in_named_order, reconstruct_coup
from punto.game.refusals import Refusal, refuse
from punto.game.table import Phase, Table
from punto.rulebook.model import Irregularity, Rulebook


def begun(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """A card of the first hand of this shoe has been dealt."""
    rounds = [*table.past.values(), *([table.round] if table.round is not None else [])]
    return any(round.cards for round in rounds if round.shoe == table.in_use.number)


def skip_right(rules: Rulebook, table: Table, row: Irregularity, words: r.SkipWords) -> Events | Refusal:
    """L2: put right before the first hand is dealt."""
    if not words.skip:
        return as_it_stood(table, row.cite)
    if not 0 < words.skip < table.in_use.left:
        return refuse(Code.BAD_RULING, "that many cards can't be skipped", row.cite)
    skipped = e.CardsDiscarded(paragraph=row.cite, count=words.skip, from_shoe=True)
    return (skipped, *as_it_stood(table, row.cite))


def invalid_shoe(rules: Rulebook, table: Table, row: Irregularity, words: r.InvalidWords) -> Events | Refusal:
    """L2: the shoe is replaced; management says which of its finished rounds are void."""
    cite = row.cite_of("void")
    current = table.current
    past = set(words.void_rounds)
    events: Events = ()
    if not current.ended or (current.number in past and current.winner is not None):
        events = void(rules, table, cite if current.ended else row.cite)
        past.discard(current.number)
    for number in sorted(past):
        ended = table.past.get(number)
        if ended is None or ended.shoe != table.in_use.number or ended.winner is None:
            return refuse(Code.BAD_RULING, f"round {number} is not a round of this shoe that still stands", cite)
        events = (*events, late.whole_void(rules, evolve_all(table, events), ended, cite))
    if evolve_all(table, events).irregularity is not None:
        events = (*events, e.PlayResumed(paragraph=row.cite, phase=Phase.SETTLED))
    return (*events, shoe.ended(table, row.cite, words.by))


def after_the_last(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    """L3: hands dealt after the last are void, and no more follow."""
    cite = row.cite_of("void")
    first = opened(table).round
    events: Events = ()
    for number, past in table.past.items() if first is not None else ():
        if number >= (first or 0) and past.winner is not None:
            events = (*events, late.whole_void(rules, evolve_all(table, events), past, cite))
    state = evolve_all(table, events)
    current = table.current
    if not current.ended or current.winner is not None:
        events = (*events, *void(rules, state, cite))
    else:
        events = (*events, *as_it_stood(table, cite))
    return (*events, e.CutCardDrawn(paragraph=cite, no_more_rounds=True))


def burnt(rules: Rulebook, table: Table, row: Irregularity, words: r.EndShoeWords) -> Events | Refusal:
    """L6, L7: the result by the rules stands, the card is burnt, and management may end the shoe."""
    gone = e.CardsDiscarded(paragraph=row.cite, count=len(opened(table).cards))
    return _and_end((gone, *as_it_stood(table, row.cite)), row, words)


def resettled(rules: Rulebook, table: Table, row: Irregularity, words: r.DealingWords) -> Events | Refusal:
    """L8: a past hand settled anew on its true cards."""
    fault = _end_fault(table, row, words)
    carried = fault or late.resettled(rules, table, row, words)
    return carried if isinstance(carried, Refusal) else _and_end(carried, row, words)


def void_hand(rules: Rulebook, table: Table, row: Irregularity, words: r.EndShoeWords) -> Events | Refusal:
    """L6, L8: the hand is void, a past one as well."""
    fault = _end_fault(table, row, words)
    if fault is not None:
        return fault
    number = opened(table).round
    if number is None:
        return _and_end(void(rules, table, row.cite), row, words)
    fixed = late.whole_void(rules, table, table.past[number], row.cite)
    return _and_end((fixed, *as_it_stood(table, rules.paragraph("late-discovery"))), row, words)


def corrected(rules: Rulebook, table: Table, row: Irregularity, words: r.EndShoeWords) -> Events | Refusal:
    """L6: the hand as it truly lay."""
    fault = _reopens_fault(table, row)
    if fault is not None:
        return fault
    placed, left = reconstruct_coup(rules, reported_hands(table))
    return _go_on(rules, table, row, put_right(rules, table, placed, left, row.cite), words)


def laid_out(rules: Rulebook, table: Table, row: Irregularity, words: r.DealingWords) -> Events | Refusal:
    """L6: the cards where they belong."""
    fault = _reopens_fault(table, row)
    if fault is not None:
        return fault
    cards = opened(table).cards
    ordered = in_named_order(cards, words.order) if words.order else cards
    if ordered is None:
        return refuse(Code.BAD_RULING, "expected an order of exactly the cards that were reported", row.cite)
    return _go_on(rules, table, row, reconstructed(rules, table, ordered, row.cite), words)


def _reopens_fault(table: Table, row: Irregularity) -> Refusal | None:
    if not shoe_gone(table):
        return None
    text = "the shoe of that round has ended: the round is void or stands, and can't be reopened"
    return refuse(Code.BAD_RULING, text, row.cite)


def _end_fault(table: Table, row: Irregularity, words: r.EndShoeWords | r.DealingWords) -> Refusal | None:
    number, current = opened(table).round, table.shoe
    dealt = table.current if number is None else table.past[number]
    if not words.end_shoe or (current is not None and current.number == dealt.shoe):
        return None
    return refuse(Code.BAD_RULING, "the shoe of that round has ended already", row.cite_of("end-shoe"))


def _go_on(
    rules: Rulebook, table: Table, row: Irregularity, events: Events, words: r.EndShoeWords | r.DealingWords
) -> Events:
    """L7: cards left over are burnt, not carried over; then whatever the open cards call for."""
    left = evolve_all(table, events).in_use.carried
    if left:
        events = (*events, e.CardsDiscarded(paragraph=rules.paragraph("exposed.unneeded"), count=len(left)))
    return _and_end((*events, *resumed(rules, evolve_all(table, events), row.cite)), row, words)


def _and_end(events: Events, row: Irregularity, words: r.EndShoeWords | r.DealingWords) -> Events:
    """Management may end the shoe: after this hand, which is the last."""
    if not words.end_shoe:
        return events
    return (*events, e.ReplacementOrdered(paragraph=row.cite_of("end-shoe"), by=words.by))
