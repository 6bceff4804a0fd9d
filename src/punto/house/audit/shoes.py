"""A virtual shoe after it was opened: the commitment, the order, and every card that left it.

Works on events as the public sees them, so that anybody can check. The page of a shoe (`GET /api/tables/…/shoes/…`)
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
_FACES: Final = frozenset(str(one) for one in DECK)


class Dealt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card that left the shoe: the `at`-th of it. `how` is its place, or burnt, skipped, reported, discarded.

    `card` is None while it lies face down or was never shown. `at` is None for one that waited: it had left the shoe
    by mistake, was `reported` then, and comes into play now.
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
        self._lying: dict[str, int] = {}
        """Which card of the shoe lies where, of those dealt straight from it."""

    def add(self, event: e.AnyEvent) -> ShoeRecord | None:
        """Add an event; the shoe that it ended, if it ended one."""
        found = self.record
        match event:
            case e.ShoeLoaded():
                self.record = ShoeRecord(shoe=event.shoe, cards=event.cards, commitment=event.commitment, dealt=[])
                self._drawn, self._lying = 0, {}
            case e.BettingOpened():
                self._round, self._lying = event.round, {}
            case _ if found is None:
                return None
            case e.ShoeEnded():
                found.salt, found.order = event.salt, event.order
                self.record = None
                return found
            case e.TableClosed():
                self.record = None
                return found
            case _:
                self._card(found, event)
        return None

    def _card(self, found: ShoeRecord, event: e.AnyEvent) -> None:
        match event:
            case e.CardsBurnt():
                self._left(found, "burnt", event.card)
                for _ in range(event.skipped):
                    self._left(found, "skipped", None)
            case e.CardDrawn(carried=False):
                self._lying[event.place] = self._left(found, event.place, event.card)
            case e.CardDrawn():
                found.dealt.append(Dealt(at=None, how=event.place, card=event.card, round=self._round))
            case e.CardExposed() if event.place in self._lying:
                at = self._lying[event.place]
                found.dealt = [replace(one, card=event.card) if one.at == at else one for one in found.dealt]
            case e.IrregularityReported():
                for one in event.irregularity.cards:
                    self._left(found, "reported", one.face)
            case e.CardsDiscarded(from_shoe=True):
                for _ in range(event.count):
                    self._left(found, "discarded", None)
            case _:
                pass

    def _left(self, found: ShoeRecord, how: str, card: str | None) -> int:
        self._drawn += 1
        number = self._round if how[0] in "PB" else None
        found.dealt.append(Dealt(at=self._drawn, how=how, card=card, round=number))
        return self._drawn


def records(events: Iterable[e.AnyEvent]) -> Iterator[ShoeRecord]:
    """Every virtual shoe that was committed to, in order; the last may still be in use."""
    shoes = Shoes()
    for event in events:
        ended = shoes.add(event)
        if ended is not None and ended.commitment is not None:
            yield ended
    if shoes.record is not None and shoes.record.commitment is not None:
        yield shoes.record


def difference(found: ShoeRecord) -> str | None:
    """The first thing that is not as it was committed to; None if everything is. Judges what was opened only."""
    if found.commitment is None:
        return "nothing was committed to: this is no virtual shoe, or an old one"
    if found.salt is None or found.order is None:
        return "salt and order are not published yet: they are when the shoe ends"
    if _SALT.fullmatch(found.salt) is None:
        return "the salt is no row of hexadecimal bytes"
    if not set(found.order) <= _FACES:
        return "the order is no set of whole decks"
    if commitment(found.salt, found.order) != found.commitment:
        return "the commitment is not the hash of salt and order"
    decks, rest = divmod(len(found.order), len(DECK))
    if rest or Counter(found.order) != Counter(str(one) for one in DECK * decks):
        return "the order is no set of whole decks"
    if found.cards != len(found.order):
        return f"{found.cards} cards were loaded, and the order has {len(found.order)}"
    return _dealt_otherwise(found.dealt, found.order)


def _dealt_otherwise(dealt: list[Dealt], order: tuple[str, ...]) -> str | None:
    """The first card that is not the one of the order, or that came into play from nowhere."""
    left: set[str] = set()
    for one in dealt:
        if one.at is None:
            if one.round is None or one.how[:1] not in ("P", "B"):
                return f"{one.how}: a card that waited comes into play in a round, and this is no place of a hand"
            if not left or (one.card is not None and one.card not in left):
                return f"round {one.round}, {one.how}: {one.card or 'a card'} came into play and had not left the shoe"
            continue
        if not 0 < one.at <= len(order):
            return f"{one.how}: there is no card {one.at} in the shoe"
        if one.card is not None and one.card != order[one.at - 1]:
            where = f"round {one.round}, {one.how}" if one.round else one.how
            return f"card {one.at} ({where}) was {one.card}, and {order[one.at - 1]} was committed to"
        left.add(order[one.at - 1])
    numbers = [one.at for one in dealt if one.at is not None]
    if numbers != list(range(1, len(numbers) + 1)):
        return "cards are missing between those that were dealt"
    return None
