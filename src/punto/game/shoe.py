"""The cards in use: loading and counting them, the burn of a new shoe, the cut card, the end of a shoe."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from punto.cards import CARDS_IN_A_DECK, DECK, RANKS, CardError, card
from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game.refusals import Refusal, refuse
from punto.game.table import Phase, Shoe, Table
from punto.rulebook.model import Rulebook

_SALT: Final = re.compile("[0-9a-f]{64}")


def commitment(salt: str, order: Sequence[str]) -> str:
    """The hash that binds a house to an order before it is dealt: nobody can guess the order from it, or change it."""
    return sha256(bytes.fromhex(salt) + "".join(order).encode("ascii")).hexdigest()


def load(rules: Rulebook, table: Table, command: c.LoadShoe) -> tuple[e.AnyEvent, ...] | Refusal:
    """2.2.1, 5.5.2, 5.5.5: whole decks, counted, and shuffled before they come to the table."""
    cards = table.opened.decks * CARDS_IN_A_DECK
    if command.count != cards:
        text = f"{command.count} cards were counted: {table.opened.decks} decks have {cards}"
        return refuse(Code.WRONG_CARD_COUNT, text, rules.paragraph("cards.decks"), count=command.count, expected=cards)
    if not command.shuffled:
        cite = rules.topics.get("void.unshuffled", rules.paragraph("cards.decks"))
        return refuse(Code.NOT_SHUFFLED, "the cards are shuffled before they are used", cite)
    virtual = table.opened.source == "virtual"
    if virtual != (command.order is not None):
        text = "a virtual shoe comes with its order" if virtual else "a live shoe has no known order"
        return refuse(Code.BAD_SHOE, text, rules.paragraph("cards.decks"))
    order: tuple[str, ...] | None = None
    if command.order is not None:
        try:
            order = tuple(str(card(text)) for text in command.order)
        except CardError as error:
            return refuse(Code.UNKNOWN_CARD, str(error), rules.paragraph("cards.decks"))
        if Counter(order) != Counter(str(card) for card in DECK * table.opened.decks):
            text = f"the order is not {table.opened.decks} whole decks"
            return refuse(Code.WRONG_CARD_COUNT, text, rules.paragraph("cards.decks"), decks=table.opened.decks)
    fault = _commitment_fault(command, order)
    if fault is not None:
        return refuse(Code.BAD_SHOE, fault, rules.paragraph("cards.decks"))
    return (
        e.ShoeLoaded(
            paragraph=rules.paragraph("cards.decks"),
            shoe=table.shoes + 1,
            cards=cards,
            burn_due=rules.procedure.burn != "none",
            by=command.by,
            order=order,
            salt=command.salt,
            commitment=command.commitment,
        ),
    )


def _commitment_fault(command: c.LoadShoe, order: tuple[str, ...] | None) -> str | None:
    """A commitment comes with its salt and is the hash of the very order that was given."""
    if command.salt is None and command.commitment is None:
        return None
    if order is None or command.salt is None or not _SALT.fullmatch(command.salt):
        return "a commitment is to a virtual shoe, with a salt of 64 hexadecimal digits"
    if command.commitment != commitment(command.salt, order):
        return "the commitment is not the hash of salt and order"
    return None


def place_cut_card(rules: Rulebook, table: Table, command: c.PlaceCutCard) -> tuple[e.AnyEvent, ...] | Refusal:
    """1.9, I8: a shuffler has none."""
    cite = last_round_cite(rules)
    shoe = table.in_use
    if table.opened.device == "shuffler":
        return refuse(Code.NO_CUT_CARD, "a shuffler has no cut card and no last round", cite)
    if shoe.cut_at is not None or shoe.cut_drawn:
        return refuse(Code.CUT_CARD_PLACED, "the cut card is in the shoe already, or has come out of it", cite)
    if command.after not in cut_places(shoe):
        text = f"expected a place behind more than {shoe.drawn} and fewer than {shoe.cards} cards"
        return refuse(Code.BAD_CUT, text, cite, more_than=shoe.drawn, fewer_than=shoe.cards)
    return (e.CutCardPlaced(paragraph=cite, after=command.after, by=command.by),)


def cut_places(shoe: Shoe) -> range:
    """Behind how many cards from the front the cut card can be placed."""
    return range(shoe.drawn + 1, shoe.cards)


def burn(rules: Rulebook, table: Table, command: c.Burn) -> tuple[e.AnyEvent, ...] | Refusal:
    """L2: the first card is opened and as many are skipped as its rank says, pictures counting ten."""
    face = next_face(rules, table, command.card)
    if isinstance(face, Refusal):
        return face
    skipped = min(RANKS.index(face[0]) + 1, 10)
    return (e.CardsBurnt(paragraph=rules.procedure.burn_cite, card=face, skipped=skipped, by=command.by),)


def next_face(rules: Rulebook, table: Table, entered: str | None) -> str | Refusal:
    """The face of the next card: from a virtual shoe's order, or as entered at a live one."""
    shoe = table.in_use
    if shoe.order is not None:
        if entered is not None:
            return refuse(Code.BAD_CARD, "a virtual shoe gives its own cards", rules.paragraph("cards.decks"))
        return shoe.order[shoe.drawn]
    if entered is None:
        text = "enter the card that was drawn; one that can't be read is reported"
        return refuse(Code.CARD_NEEDED, text, rules.paragraph("deal.four-cards"))
    return known_face(rules, table, entered)


def known_face(rules: Rulebook, table: Table, entered: str) -> str | Refusal:
    """2.2.1: a card as entered; one more of it than the decks hold can't come out of this shoe."""
    try:
        face = str(card(entered))
    except CardError as error:
        return refuse(Code.UNKNOWN_CARD, str(error), rules.paragraph("cards.decks"))
    if table.in_use.seen.get(face, 0) >= table.opened.decks:
        text = f"{face} has come out {table.opened.decks} times, as often as the decks hold it"
        return refuse(
            Code.TOO_MANY_OF_A_CARD, text, rules.paragraph("cards.decks"), card=face, decks=table.opened.decks
        )
    return face


def cut_card_due(shoe: Shoe) -> bool:
    """Whether the next thing out of a virtual shoe is the cut card."""
    return shoe.order is not None and not shoe.cut_drawn and shoe.cut_at is not None and shoe.cut_at <= shoe.drawn


def cut_card_drawn(rules: Rulebook, table: Table) -> e.CutCardDrawn:
    """5.7, I8: it marks the last round. If it comes first in a high-limit area, wagers may be withdrawn."""
    first = table.phase is Phase.DEALING and not table.current.cards and not table.in_use.carried
    withdrawal = first and table.opened.high_limit and rules.procedure.cut_card_withdraw
    during = rules.topics.get("blue-card.during", rules.procedure.cut_card_cite)
    cite = rules.paragraph("cut-card.withdraw") if withdrawal else during
    return e.CutCardDrawn(paragraph=cite, withdrawal=withdrawal)


def draw_cut_card(rules: Rulebook, table: Table, command: c.DrawCutCard) -> tuple[e.AnyEvent, ...] | Refusal:
    """At a live shoe the dealer enters it; between rounds only where the edition gives that a meaning (L3)."""
    cite = rules.procedure.cut_card_cite
    shoe = table.in_use
    if shoe.order is not None or table.opened.device == "shuffler":
        return refuse(Code.NO_CUT_CARD, "this shoe gives its cut card itself, or has none", cite)
    if shoe.cut_drawn:
        return refuse(Code.NO_CUT_CARD, "the cut card has come out already", cite)
    if table.phase in (Phase.READY, Phase.SETTLED):
        if rules.procedure.cut_card_between != "ends-shoe":
            return refuse(Code.NOT_NOW, "the cut card is drawn in the course of a round", cite)
        return (e.CutCardDrawn(paragraph=rules.paragraph("blue-card.between"), no_more_rounds=True),)
    return (cut_card_drawn(rules, table),)


def end(rules: Rulebook, table: Table, command: c.EndShoe) -> tuple[e.AnyEvent, ...] | Refusal:
    waiting = len(table.in_use.carried)
    ending = ended(table, end_cite(rules, table), command.by)
    if not waiting:
        return (ending,)
    left_over = e.CardsDiscarded(paragraph=rules.paragraph("define.reconstruction"), count=waiting)
    return (left_over, ending)


def end_cite(rules: Rulebook, table: Table) -> str:
    """The paragraph for taking the cards away: new ones were ordered, the cut card came, or else that on decks."""
    shoe = table.in_use
    if shoe.replace_cite is not None:
        return shoe.replace_cite
    return last_round_cite(rules) if shoe.cut_drawn else rules.paragraph("cards.decks")


def last_round_cite(rules: Rulebook) -> str:
    """The paragraph on the cut card: it marks the last round."""
    return rules.topics.get("define.cut-card", rules.procedure.cut_card_cite)


def ended(table: Table, paragraph: str, by: str) -> e.ShoeEnded:
    """The shoe in use ends; an order that was committed to is published."""
    shoe = table.in_use
    order = shoe.order if shoe.commitment is not None else None
    return e.ShoeEnded(paragraph=paragraph, shoe=shoe.number, by=by, order=order, salt=shoe.salt)
