"""A card lost or damaged after it was drawn (5.13): its value is found out, or the round is void."""

from __future__ import annotations

from punto.cards import CardError, card
from punto.codes import Code
from punto.game import events as e
from punto.game import shoe
from punto.game.evolve import evolve, evolve_all
from punto.game.irregularities.carried_out import as_it_stood, offers_ended, opened, put_right, resumed, void
from punto.game.irregularities.checks import shoe_gone
from punto.game.irregularities.kinds import Events
from punto.game.irregularities.reconstruction import reconstruct
from punto.game.irregularities.records import CardWords, Words
from punto.game.refusals import Refusal, refuse
from punto.game.table import CarriedCard, PlacedCard, Table
from punto.rulebook.model import Irregularity, Rulebook


def value(rules: Rulebook, table: Table, row: Irregularity, words: CardWords) -> Events | Refusal:
    """The value that was determined counts. Where the record had another, the cards are put right."""
    lying = next(card for card in table.current.cards if card.place == opened(table).place)
    cite = rules.topics.get("damaged-card.value", row.cite)
    if shoe_gone(table) and words.card.upper().replace("10", "T") != lying.face:
        text = "the shoe of that round has ended, and it can't be reopened: the card on record, or none and it is void"
        return refuse(Code.BAD_RULING, text, row.cite)
    face = _face(rules, table, lying, words.card, row)
    if isinstance(face, Refusal):
        return face
    if lying.exposed and lying.face == face:
        return as_it_stood(table, cite)
    ended = () if lying.exposed else offers_ended(rules, table)
    determined = e.CardDetermined(paragraph=cite, place=lying.place, card=face)
    state = evolve_all(table, (*ended, determined))
    current, waiting = state.current, state.in_use.carried
    drawn = tuple(CarriedCard(card.face, card.exposed) for card in current.cards)
    placed, left = reconstruct(rules.table_of_play, (*drawn, *waiting), banker_first=current.waived)
    if not lying.exposed and not current.ended:
        return (*ended, determined, *resumed(rules, state, cite))
    right = put_right(rules, state, placed, left, cite)
    after = state
    for event in right:
        after = evolve(after, event)
    return (*ended, determined, *right, *resumed(rules, after, cite))


def unknown(rules: Rulebook, table: Table, row: Irregularity, words: Words) -> Events | Refusal:
    """5.13.2: nobody can say what it was."""
    return void(rules, table, rules.paragraph("damaged-card.void"))


def _face(rules: Rulebook, table: Table, lying: PlacedCard, entered: str, row: Irregularity) -> str | Refusal:
    """A card that can lie there: one of these decks, and the one on record where the record is sure."""
    try:
        face = str(card(entered))
    except CardError as error:
        return refuse(Code.UNKNOWN_CARD, str(error), rules.paragraph("cards.decks"))
    if face == lying.face:
        return face
    if lying.face is not None and (not lying.exposed or table.in_use.order is not None):
        return refuse(Code.BAD_RULING, f"the record has another card at {lying.place}", row.cite)
    return shoe.known_face(rules, table, face)
