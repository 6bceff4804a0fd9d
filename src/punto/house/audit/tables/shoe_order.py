"""Checks a virtual shoe: committed to before the first card, published at its end, and dealt in its order."""

from __future__ import annotations

from collections.abc import Iterator

from punto.game import events as e
from punto.game.shoe import commitment
from punto.game.table import Shoe


class ShoeOrder:
    """The order of the shoe in use, and how many cards have left it."""

    def __init__(self) -> None:
        self._order: tuple[str, ...] | None = None
        self._drawn = 0

    def faults(self, event: e.AnyEvent, shoe: Shoe | None) -> Iterator[str]:
        """Add an event. Yields what is wrong with it. `shoe` is the one in use before it."""
        match event:
            case e.ShoeLoaded():
                self._order, self._drawn = event.order, 0
                if event.commitment is not None and not _opens(event):
                    yield "the commitment is not the hash of salt and order"
            case e.ShoeEnded():
                committed = None if shoe is None or shoe.commitment is None else (shoe.order, shoe.salt)
                if committed is not None and (event.order, event.salt) != committed:
                    yield "the published order and salt are not those that the house committed to"
                self._order = None
            case _:
                for face in _left_shoe(event):
                    yield from self._next_card(face)
                if isinstance(event, e.CardsBurnt):
                    self._drawn += event.skipped
                elif isinstance(event, e.CardsDiscarded) and event.from_shoe:
                    self._drawn += event.count

    def _next_card(self, face: str | None) -> Iterator[str]:
        if self._order is None:
            return
        if self._drawn >= len(self._order) or face != self._order[self._drawn]:
            yield f"card {self._drawn + 1} of the shoe is not the one in its order"
        self._drawn += 1


def _opens(event: e.ShoeLoaded) -> bool:
    """Whether salt and order are what was committed to."""
    known = event.order is not None and event.salt is not None
    return known and commitment(event.salt or "", event.order or ()) == event.commitment


def _left_shoe(event: e.AnyEvent) -> tuple[str | None, ...]:
    """Cards that an event shows to have left the shoe, in order."""
    match event:
        case e.CardsBurnt():
            return (event.card,)
        case e.CardDrawn(carried=False):
            return (event.card,)
        case e.IrregularityReported():
            return tuple(card.face for card in event.irregularity.cards)
        case _:
            return ()
