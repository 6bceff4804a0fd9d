"""The squeeze: what the patron who squeezes a card may know of it before others do, and whom the deal waits for."""

from __future__ import annotations

import msgspec

from punto.game import commands as c
from punto.game import dealing
from punto.game import events as e
from punto.game.table import BankerFirst, Phase, PlacedCard, Squeeze, Table
from punto.rulebook.model import Rulebook


def faces(rules: Rulebook, table: Table, patron: str) -> dict[str, str]:
    """The face-down cards that a patron may turn now, with their faces, where they are on record (O115). None while
    insurance is on offer or something is being put right."""
    if table.round is None or table.phase is not Phase.DEALING:
        return {}
    held = [card for card in _face_down(table) if dealing.squeezer(table, card.place) == patron]
    may = [card for card in held if dealing.may_turn(rules, table, c.ExposeCard(by=patron, place=card.place)) is None]
    return {card.place: card.face for card in may if card.face is not None}


def seen_places(rules: Rulebook, table: Table) -> tuple[str, ...]:
    """The places of face-down cards whose faces were given to the patron who squeezes them."""
    if table.round is None:
        return ()
    lying = {card.place: dealing.squeezer(table, card.place) for card in _face_down(table) if card.face is not None}
    return tuple(
        place
        for place, patron in lying.items()
        if patron is not None and dealing.may_turn(rules, table, c.ExposeCard(by=patron, place=place)) is None
    )


def knows_a_card(table: Table, patron: str) -> bool:
    """Whether a patron had been given the face of a card that lies face down, when the report came."""
    return patron in _seen_by(table).values()


def turned_for_all(rules: Rulebook, table: Table) -> tuple[e.CardExposed, ...]:
    """O129: turn every face-down card whose face one patron was given. Their squeeze of it is over."""
    if table.round is None:
        return ()
    cite, faces = rules.procedure.squeeze_cite, {card.place: card.face for card in _face_down(table)}
    return tuple(
        e.CardExposed(paragraph=cite, place=place, card=faces[place] or "", by=patron)
        for place, patron in _seen_by(table).items()
    )


def due(table: Table) -> list[str]:
    """The face-down cards that can be turned next: the Player's third after the Banker's, where that was granted."""
    lying = [card.place for card in _face_down(table)]
    return [place for place in lying if place != "P3"] if table.current.waived and len(lying) > 1 else lying


def holder(table: Table, place: str) -> str | None:
    """Who may squeeze the card at a place, if they are there."""
    name = dealing.squeezer(table, place)
    return name if name is not None and table.patrons[name].present else None


def awaited(rules: Rulebook, table: Table) -> bool:
    """Whether the deal waits for a patron: every card that is turned next is somebody's to squeeze."""
    if table.round is None or table.phase is not Phase.DEALING:
        return False
    places = due(table)
    held = bool(places) and all(holder(table, place) is not None for place in places)
    return held and not isinstance(dealing.next_place(rules, table), str)


def request(table: Table) -> Squeeze | None:
    """The squeeze that was asked for, or granted. None once a card of a mere request has been drawn."""
    squeeze = table.round.squeeze if table.round is not None else None
    return None if squeeze is None or dealing.asked_too_late(table, squeeze) else squeeze


def banker_first_request(table: Table) -> BankerFirst | None:
    """The same for the Banker's third card first: None once a third card has been drawn that was not granted so."""
    wish = table.round.banker_first if table.round is not None else None
    missed = wish is not None and not wish.granted and len(table.current.cards) > 4
    return None if missed else wish


def _seen_by(table: Table) -> dict[str, str]:
    """Place → who squeezes it, for cards that they had seen at the report and that still lie face down."""
    open_ = table.irregularity
    if open_ is None or open_.seen is msgspec.UNSET:
        return {}
    lying = [card.place for card in _face_down(table) if card.place in open_.seen and card.face is not None]
    holders = {place: dealing.squeezer(table, place) for place in lying}
    return {place: patron for place, patron in holders.items() if patron is not None}


def _face_down(table: Table) -> list[PlacedCard]:
    return [card for card in table.current.cards if not card.exposed]
