"""Checks a virtual shoe after its order was published: the commitment, the order, and every card that left it.

It reads events as the public sees them, so that anybody can check. The page of a shoe (`GET /api/tables/…/shoes/…`)
is a `ShoeRecord`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from punto.cards import DECK
from punto.game import events as e
from punto.game.shoe import commitment

replace = msgspec.structs.replace
_SALT: Final = re.compile("([0-9a-f]{2})+")
_FACES: Final = frozenset(str(card) for card in DECK)


class Dealt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card that left the shoe as its `at`-th card. `how` is its place, or burnt, skipped, reported, discarded.

    `card` is None while it lies face down or was never shown. `at` is None for a card that waited: it had left the
    shoe by mistake, was `reported` then, and comes into play now.
    """

    at: int | None
    how: str
    card: str | None = None
    round: int | None = None


class ShoeRecord(msgspec.Struct, kw_only=True):
    """A shoe as it is shown. `salt` and `order` are there once it has ended."""

    shoe: int
    cards: int = 0
    commitment: str | None = None
    salt: str | None = None
    order: tuple[str, ...] | None = None
    dealt: list[Dealt] = []


class Shoes:
    """The shoes of one table, from its events in order."""

    def __init__(self) -> None:
        self.record: ShoeRecord | None = None
        self._drawn = 0
        self._round: int | None = None
        self._dealt_at: dict[str, int] = {}
        """The position in the shoe of the card at each place, for cards dealt straight from it."""

    def add(self, event: e.AnyEvent) -> ShoeRecord | None:
        """Add an event. Returns the shoe that it ended, if any."""
        record = self.record
        match event:
            case e.ShoeLoaded():
                self.record = ShoeRecord(shoe=event.shoe, cards=event.cards, commitment=event.commitment, dealt=[])
                self._drawn, self._dealt_at = 0, {}
            case e.BettingOpened():
                self._round, self._dealt_at = event.round, {}
            case _ if record is None:
                return None
            case e.ShoeEnded():
                record.salt, record.order = event.salt, event.order
                self.record = None
                return record
            case e.TableClosed():
                self.record = None
                return record
            case _:
                self._card(record, event)
        return None

    def _card(self, record: ShoeRecord, event: e.AnyEvent) -> None:
        match event:
            case e.CardsBurnt():
                self._leave(record, "burnt", event.card)
                self._leave(record, "skipped", *[None] * event.skipped)
            case e.CardDrawn(carried=False):
                self._leave(record, event.place, event.card)
                self._dealt_at[event.place] = self._drawn
            case e.CardDrawn():
                record.dealt.append(Dealt(at=None, how=event.place, card=event.card, round=self._round))
            case e.CardExposed() if event.place in self._dealt_at:
                at = self._dealt_at[event.place]
                record.dealt = [replace(card, card=event.card) if card.at == at else card for card in record.dealt]
            case e.IrregularityReported():
                self._leave(record, "reported", *(card.face for card in event.irregularity.cards))
            case e.CardsDiscarded(from_shoe=True):
                self._leave(record, "discarded", *[None] * event.count)
            case _:
                pass

    def _leave(self, record: ShoeRecord, how: str, *cards: str | None) -> None:
        """Cards leave the shoe."""
        number = self._round if how[0] in "PB" else None
        for card in cards:
            self._drawn += 1
            record.dealt.append(Dealt(at=self._drawn, how=how, card=card, round=number))


def records(events: Iterable[e.AnyEvent]) -> Iterator[ShoeRecord]:
    """Every virtual shoe that was committed to, in order; the last may still be in use."""
    shoes = Shoes()
    for event in events:
        ended = shoes.add(event)
        if ended is not None and ended.commitment is not None:
            yield ended
    if shoes.record is not None and shoes.record.commitment is not None:
        yield shoes.record


def difference(record: ShoeRecord) -> str | None:
    """The first difference from the commitment, or None. Salt and order must be published."""
    if record.commitment is None:
        return "the shoe has no commitment: it is not a virtual shoe, or it is older than commitments"
    if record.salt is None or record.order is None:
        return "salt and order are not published yet: the house publishes them when the shoe ends"
    if _SALT.fullmatch(record.salt) is None:
        return "the salt is not hexadecimal: expected two digits per byte, in lower case"
    if not set(record.order) <= _FACES:
        return "the order has a value that is not a card"
    if commitment(record.salt, record.order) != record.commitment:
        return "the commitment is not the hash of salt and order"
    decks, rest = divmod(len(record.order), len(DECK))
    if rest or Counter(record.order) != Counter(str(card) for card in DECK * decks):
        return "the order does not consist of whole decks"
    if record.cards != len(record.order):
        return f"{record.cards} cards were loaded, but the order has {len(record.order)}"
    return _dealt_otherwise(record.dealt, record.order)


def _dealt_otherwise(dealt: list[Dealt], order: tuple[str, ...]) -> str | None:
    """The first card that differs from the order, or that came into play without having left the shoe."""
    left: set[str] = set()
    for card in dealt:
        if card.at is None:
            if card.round is None or card.how[:1] not in ("P", "B"):
                return f"{card.how}: a left-over card came into play outside a round, or not at a place of a hand"
            if not left or (card.card is not None and card.card not in left):
                return (
                    f"round {card.round}, {card.how}: {card.card or 'a card'} came into play but had not left the shoe"
                )
            continue
        if not 0 < card.at <= len(order):
            return f"{card.how}: there is no card {card.at} in the shoe"
        if card.card is not None and card.card != order[card.at - 1]:
            where = f"round {card.round}, {card.how}" if card.round else card.how
            return f"card {card.at} ({where}) was {card.card}, but the committed order has {order[card.at - 1]}"
        left.add(order[card.at - 1])
    numbers = [card.at for card in dealt if card.at is not None]
    if numbers != list(range(1, len(numbers) + 1)):
        return "cards are missing between those that were dealt"
    return None
