"""The references of a shoe: new decks, and earlier shoes as dealt and as picked up, forwards and backwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from punto.watch.settings import NEW_DECKS, PLACES, Procedure

UNROLLED: Final = 2
"""New decks in a row: a run may begin in one and end in the next."""

Round = tuple[int | None, ...]
"""Cards of a round by place, in the order of the deal; None where no third card was drawn."""


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """A sequence that a new shoe might repeat."""

    name: str
    """new-deck, dealt or picked-up, with its direction."""
    shoe: str = ""
    """The name of the earlier shoe; empty for a new deck."""
    cards: tuple[int, ...]


def dealt(rounds: Iterable[Round]) -> tuple[int, ...]:
    """The cards as they left the shoe."""
    return tuple(card for cards in rounds for card in cards if card is not None)


def picked_up(rounds: Iterable[Round], order: Sequence[str]) -> tuple[int, ...]:
    """The cards in the order in which they went into the discard rack."""
    places = [PLACES.index(place) for place in order]
    return tuple(card for cards in rounds for at in places if (card := cards[at]) is not None)


def of_new_decks(procedure: Procedure) -> list[Reference]:
    decks = []
    for number, order in enumerate(procedure.new_decks or NEW_DECKS, 1):
        cards = order * min(UNROLLED, procedure.decks)
        decks += _both_ways(f"new-deck {number}", "", cards)
    return decks


def of_shoe(name: str, rounds: Sequence[Round], procedure: Procedure) -> list[Reference]:
    """The references from an earlier shoe: as dealt, and as picked up in each order of the house's procedure."""
    references = _both_ways("dealt", name, dealt(rounds))
    for order in procedure.pick_up:
        references += _both_ways(f"picked-up {' '.join(order)}", name, picked_up(rounds, order))
    return references


def _both_ways(name: str, shoe: str, cards: tuple[int, ...]) -> list[Reference]:
    return [
        Reference(name=name, shoe=shoe, cards=cards),
        Reference(name=f"{name}, reversed", shoe=shoe, cards=cards[::-1]),
    ]
