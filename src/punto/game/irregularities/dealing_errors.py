"""Errors in the deal of the current round (5.5, 5.7 to 5.12, 5.16): reconstruction, the options, or void."""

from __future__ import annotations

from collections import Counter

from punto.codes import Code
from punto.game import events as e
from punto.game.coup import in_deal_order
from punto.game.evolve import evolve, evolve_all
from punto.game.irregularities import records as r
from punto.game.irregularities.carried_out import (
    IN_DEALING,
    as_it_stood,
    opened,
    options_or_on,
    put_right,
    reconstructed,
    reported_hands,
    resumed,
    to_order,
)
from punto.game.irregularities.carried_out import void as voided
from punto.game.irregularities.checks import only_new_cards, shoe_gone
from punto.game.irregularities.kinds import Events, Fields
from punto.game.irregularities.reconstruction import (
    as_dealt,
    in_named_order,
    reconstruct,
    reconstruct_coup,
    rightly_numbered,
)
from punto.game.refusals import Refusal, refuse
from punto.game.table import CarriedCard, PlacedCard, Table
from punto.rulebook.model import Irregularity, Rulebook

GONE = "the shoe of that round has ended, and it can't be reopened: rule without reconstruction and without new cards"


def unfounded(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    """Nothing was wrong: the report is withdrawn. Cards that everybody has seen can't go back into a virtual shoe."""
    if opened(table).cards and table.in_use.order is not None:
        return refuse(Code.BAD_RULING, "the cards have left the shoe: rule on them", row.cite)
    withdrawn = e.ReportWithdrawn(paragraph=row.cite)
    if opened(table).kind == "face-up":
        # The cards that the report turned lie open (O28), and may call for something.
        return (withdrawn, *resumed(rules, evolve(table, withdrawn), row.cite))
    return (withdrawn, *as_it_stood(table, row.cite))


# 5.5


def stands_settled(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """The round is settled, and the cause is another than `not-reconstructible`."""
    return only_new_cards(table, opened(table).cause)


def _cause_cite(rules: Rulebook, table: Table, row: Irregularity) -> str:
    return rules.topics.get(f"void.{opened(table).cause}", row.cite)


def new_cards(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    """I5: a settled round stands, and the cards are replaced before the next one."""
    cite = _cause_cite(rules, table, row)
    return (e.ReplacementOrdered(paragraph=cite, by=words.by), *as_it_stood(table, cite))


def void(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    """5.5: the cause has its own paragraph."""
    return voided(rules, table, _cause_cite(rules, table, row))


# 5.8, 5.9, 5.16


def outside_a_deal(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """No card of a round is being dealt, and no hands were reported."""
    return opened(table).hands is None and opened(table).phase not in IN_DEALING


def carried_over(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    """5.8: cards drawn outside a deal open what is dealt next."""
    built = reconstructed(rules, table, opened(table).cards, row.cite)
    return (*built, *options_or_on(rules, evolve_all(table, built), row, rebuilt=True))


def laid_out(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    """5.8, 5.9, 5.16: put the cards where they belong: those that the report names, or the hands that it gives."""
    open_ = opened(table)
    events: Events
    if open_.hands is not None:
        events = _by_hands(rules, table, row)
        if shoe_gone(table) and events:
            return refuse(Code.BAD_RULING, GONE, row.cite)
    elif not open_.cards and shoe_gone(table):
        events = ()
    else:
        events = reconstructed(rules, table, open_.cards, row.cite)
    return (*events, *options_or_on(rules, evolve_all(table, events), row, rebuilt=True))


def _by_hands(rules: Rulebook, table: Table, row: Irregularity) -> Events:
    """I4: in the order on record for a wrong hand of the same cards, else in deal order. Cards that lie right stay."""
    coup, current = reported_hands(table), table.current
    swapped = opened(table).kind == "wrong-hand" and Counter(map(str, in_deal_order(coup))) == Counter(
        card.face for card in current.cards
    )
    if swapped:
        drawn = tuple(CarriedCard(card.face, True) for card in current.cards)
        placed, left = reconstruct(rules.table_of_play, drawn, banker_first=current.waived)
    else:
        placed, left = reconstruct_coup(rules, coup)
    if placed == current.cards:
        return ()
    return _put(rules, table, row, placed, left)


def _put(
    rules: Rulebook, table: Table, row: Irregularity, placed: tuple[PlacedCard, ...], left: tuple[CarriedCard, ...]
) -> Events:
    waiting = table.shoe.carried if table.shoe is not None else ()
    return put_right(rules, table, placed, (*left, *waiting), row.cite)


def hand_is_wrong(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """5.5.3: a hand has a wrong number of cards: by the cards that a report names, or by the hands that it tells."""
    open_ = opened(table)
    if open_.hands is not None:
        return not rightly_numbered(rules, reported_hands(table))
    return bool(open_.cards)


def wrong_number(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    """5.5.3: it can't be reconstructed, and the round is void."""
    if opened(table).hands is None and opened(table).phase not in IN_DEALING:
        text = "cards drawn outside a deal belong to no hand: they open the next round"
        return refuse(Code.BAD_RULING, text, row.cite)
    return voided(rules, table, rules.paragraph("void.not-reconstructible"))


def left_as_dealt(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    """5.16.1: not reconstructed. The cards count as they lie: on record, or as the report has the hands."""
    events: Events = ()
    if opened(table).hands is not None and not shoe_gone(table):  # O39
        events = _put(rules, table, row, as_dealt(reported_hands(table)), ())
    return (*events, *options_or_on(rules, evolve_all(table, events), row, rebuilt=False))


def stand(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    """5.10, 5.12, 5.16: nothing is changed; the options are all that may follow."""
    return options_or_on(rules, table, row, rebuilt=False)


# 5.11


def together(rules: Rulebook, table: Table, row: Irregularity, words: r.TogetherWords) -> Events | Refusal:
    """5.11: the Pit Supervisor says which card came first; new cards may be ordered from the next round."""
    drawn = opened(table).cards
    if not drawn:
        return _ordered(rules, table, row, words)
    cards = in_named_order(drawn, words.order) if words.order else None
    if not words.order and all(card.face is None for card in drawn):
        cards = drawn
    if cards is None:
        return refuse(Code.BAD_RULING, "expected an order of exactly the cards that were drawn together", row.cite)
    events = (*reconstructed(rules, table, cards, row.cite), *_replaced(row, words))
    return (*events, *options_or_on(rules, evolve_all(table, events), row, rebuilt=True))


def _ordered(rules: Rulebook, table: Table, row: Irregularity, words: r.TogetherWords) -> Events | Refusal:
    """5.11, noticed once the coup was complete: the order of all its cards, or the one on record stands."""
    if shoe_gone(table) and (words.order or words.replace_cards):
        return refuse(Code.BAD_RULING, GONE, row.cite if words.order else row.cite_of("replace-cards"))
    events: Events = ()
    if words.order:
        cards = in_named_order(to_order(table), words.order)
        if cards is None:
            return refuse(Code.BAD_RULING, "expected an order of exactly the cards of this round", row.cite)
        placed, left = reconstruct(rules.table_of_play, cards, banker_first=table.current.waived)
        events = _put(rules, table, row, placed, left)
    events = (*events, *_replaced(row, words))
    return (*events, *options_or_on(rules, evolve_all(table, events), row, rebuilt=bool(words.order)))


def _replaced(row: Irregularity, words: r.TogetherWords) -> Events:
    """5.11.2"""
    if not words.replace_cards:
        return ()
    return (e.ReplacementOrdered(paragraph=row.cite_of("replace-cards"), by=words.by),)


# 5.7.3


def withdrawal_missed(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    """5.7.3: withdrawal was not offered. The round is the last of the shoe, also where nobody entered the cut card."""
    events: Events = ()
    if not table.in_use.cut_drawn:
        events = (e.CutCardDrawn(paragraph=rules.procedure.cut_card_cite),)
    return (*events, *options_or_on(rules, evolve_all(table, events), row, rebuilt=False))
