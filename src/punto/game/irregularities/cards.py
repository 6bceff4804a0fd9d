"""Cards that a report is about: those that left the shoe, and those that the report itself turns or draws."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from punto.cards import CardError, card
from punto.codes import Code
from punto.game import dealing, insurance_offers, shoe
from punto.game import events as e
from punto.game.irregularities import records as r
from punto.game.irregularities.checks import shoe_gone, standing_fault
from punto.game.irregularities.kinds import Events, Kind
from punto.game.irregularities.reconstruction import MOST_CARDS
from punto.game.refusals import Refusal, refuse
from punto.game.table import CarriedCard, Phase, PlacedCard, Table
from punto.rulebook.model import Irregularity, Rulebook

NO_CARD_THERE: Final = (
    "expected the `place` of a card on the table, or `count` 1 for one lost on its way from a live shoe"
)

_MAY_BE_NONE = (Kind.WRONG_HAND, Kind.WRONG_DEALING)


def left_the_shoe(
    rules: Rulebook, table: Table, row: Irregularity, facts: r.Facts
) -> tuple[CarriedCard, ...] | Refusal:
    """Further cards that have left the shoe: named at a live shoe, counted at a virtual one."""
    if not isinstance(facts, r.CardFacts):
        return ()
    number = len(facts.cards) or facts.count
    if row.id == Kind.SIMULTANEOUS and table.phase not in (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER):
        text = "the coup is complete: the cards that came together lie on the table, and none is named"
        return refuse(Code.BAD_REPORT, text, row.cite) if number else ()
    if not number:
        may_name_none = row.id in _MAY_BE_NONE or (isinstance(facts, r.ExcessFacts) and (facts.player or facts.banker))
        return () if may_name_none else refuse(Code.BAD_REPORT, "name the cards, or count them", row.cite)
    if table.shoe is None or (facts.cards and facts.count):
        return refuse(Code.BAD_REPORT, "there is no shoe, or the cards are named and counted both", row.cite)
    if not 0 < number <= min(MOST_CARDS, table.shoe.left) or (row.id == Kind.SIMULTANEOUS and number < 2):
        return refuse(Code.BAD_REPORT, "that many cards can't have been drawn", row.cite)
    if table.shoe.order is not None:
        if facts.cards:
            return refuse(Code.BAD_REPORT, "a virtual shoe gives its own cards: count them", row.cite)
        faces = table.shoe.order[table.shoe.drawn : table.shoe.drawn + number]
        return tuple(CarriedCard(face, facts.exposed) for face in faces)
    if not facts.cards:
        return tuple(CarriedCard(None, False) for _ in range(number))
    return _entered(rules, table, facts)


def _entered(rules: Rulebook, table: Table, facts: r.CardFacts) -> tuple[CarriedCard, ...] | Refusal:
    """Cards as staff name them; the decks must still hold all of them."""
    faces: list[str] = []
    for text in facts.cards:
        face = shoe.known_face(rules, table, text)
        if isinstance(face, Refusal):
            return face
        faces.append(face)
    for face, count in Counter(faces).items():
        if table.in_use.seen.get(face, 0) + count > table.opened.decks:
            text = f"{face} would have come out more often than the decks hold it"
            return refuse(Code.TOO_MANY_OF_A_CARD, text, rules.paragraph("cards.decks"))
    return tuple(CarriedCard(face, facts.exposed) for face in faces)


def cut_card(rules: Rulebook, table: Table, number: int) -> Events:
    """5.7: the cut card that came out of a virtual shoe among the cards that are reported."""
    shoe_ = table.shoe
    if shoe_ is None or shoe_.order is None or shoe_.cut_drawn or shoe_.cut_at is None or not number:
        return ()
    if shoe_.cut_at >= shoe_.drawn + number:
        return ()
    return (e.CutCardDrawn(paragraph=rules.topics.get("blue-card.during", rules.procedure.cut_card_cite)),)


def turned(rules: Rulebook, table: Table, row: Irregularity, by: str, facts: r.FaceUpFacts) -> Events:
    """5.10: the cards lie open now."""
    events: list[e.AnyEvent] = []
    for place, entered in turned_up(facts).items():
        placed = lying(table, place)
        assert placed is not None, "the report was checked"
        face = placed.face or str(card(entered or ""))
        events.append(e.CardExposed(paragraph=row.cite, place=place, card=face, by=by))
    return tuple(events)


def lost(rules: Rulebook, table: Table, row: Irregularity, by: str, facts: r.DamagedFacts) -> Events:
    """5.13: a card lost before anybody saw it has still been drawn, to its place."""
    if facts.place is not None:
        return ()
    place: Any = dealing.next_place(rules, table)
    assert isinstance(place, str), "the report was checked"
    ended = insurance_offers.closed(rules, table) if table.phase is Phase.OFFER else ()
    return (*ended, e.CardDrawn(paragraph=row.cite, place=place, card=None, exposed=False))


# What can't be true of reported cards.


def lying(table: Table, place: str | None) -> PlacedCard | None:
    return next((card for card in table.current.cards if card.place == place), None)


def turned_up(facts: r.FaceUpFacts) -> dict[str, str | None]:
    """Place → card of everything that a report says lies face up."""
    if facts.place is not None:
        return {facts.place: facts.card}
    return {str(place): entered for place, entered in facts.places.items()}


def face_up(rules: Rulebook, table: Table, facts: r.FaceUpFacts) -> str | Refusal | None:
    if (facts.place is None) == (not facts.places) or (facts.card is not None and facts.place is None):
        return "expected one `place` with its `card`, or all `places` with their cards"
    seen: list[str] = []
    for place, entered in turned_up(facts).items():
        fault = _turned_fault(rules, table, place, entered)
        if fault is not None:
            return fault
        seen += [str(card(entered))] if entered is not None and _unknown(table, place) else []
    twice = (face for face, count in Counter(seen).items() if not _fits(table, face, count))
    return next((f"{face} would lie there more often than the decks hold it" for face in twice), None)


def _unknown(table: Table, place: str) -> bool:
    card = lying(table, place)
    return card is not None and card.face is None


def _fits(table: Table, face: str, count: int) -> bool:
    return table.in_use.seen.get(face, 0) + count <= table.opened.decks


def _turned_fault(rules: Rulebook, table: Table, place: str, entered: str | None) -> str | Refusal | None:
    card = lying(table, place)
    if card is None or card.exposed:
        return "expected the place of a card that should lie face down"
    if card.face is None:
        if entered is None:
            return "expected the card that was seen"
        face = shoe.known_face(rules, table, entered)
        return face if isinstance(face, Refusal) else None
    if entered is not None and _text(entered) != card.face:
        return f"{place} was drawn as another card"
    return None


def _text(entered: str) -> str | None:
    try:
        return str(card(entered))
    except CardError:
        return None


def damaged(rules: Rulebook, table: Table, facts: r.DamagedFacts) -> str | None:
    """A card that lies on the table, or one that was lost on its way there."""
    if standing_fault(table.round) is not None:
        return standing_fault(table.round)
    if facts.place is not None:
        there = lying(table, facts.place) is not None and not facts.count
        return None if there else NO_CARD_THERE
    if (
        shoe_gone(table)
        or facts.count != 1
        or table.in_use.order is not None
        or table.in_use.carried
        or table.in_use.left <= 0
    ):
        return NO_CARD_THERE
    if table.phase not in (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER):
        return "no card was due"
    return None if isinstance(dealing.next_place(rules, table), str) else "no card was due"
