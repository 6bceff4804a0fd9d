"""The cards left in a shoe, by rank. Odds depend on nothing else: suits never matter to a bet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec

from punto.cards import POINTS, RANKS, SUITS, Card
from punto.game.coup import MOST_CARDS
from punto.rulebook.model import Rulebook

ZEROS: Final = tuple(RANKS.index(rank) for rank in RANKS if POINTS[rank] == 0)


class OddsError(ValueError):
    """A question about odds that has no answer. The message says why in a sentence."""


class Composition(msgspec.Struct, frozen=True):
    """How many cards of each rank are left, in the order A 2 … 9 T J Q K."""

    ranks: tuple[int, ...]

    @property
    def cards(self) -> int:
        return sum(self.ranks)

    @property
    def points(self) -> tuple[int, ...]:
        """How many cards of each point value, 0 to 9."""
        return (sum(self.ranks[at] for at in ZEROS), *self.ranks[:9])

    def without(self, rank: str) -> Composition:
        """The same cards less one of this rank."""
        at = RANKS.index(rank)
        return Composition((*self.ranks[:at], self.ranks[at] - 1, *self.ranks[at + 1 :]))


def full(rules: Rulebook, decks: int | None = None) -> Composition:
    """A whole shoe of an edition."""
    number = rules.procedure.decks_default if decks is None else decks
    if number not in rules.procedure.decks:
        allowed = ", ".join(str(deck) for deck in rules.procedure.decks)
        raise OddsError(f"{number} decks are not allowed: expected {allowed} ({rules.procedure.decks_cite})")
    return Composition((number * len(SUITS),) * len(RANKS))


def remaining(rules: Rulebook, decks: int | None, removed: Iterable[Card], *, least: int = MOST_CARDS) -> Composition:
    """A shoe after some of its cards have left it. At least `least` cards must remain, because a coup may need them."""
    whole = full(rules, decks)
    each = whole.ranks[0] // len(SUITS)
    gone = Counter(removed)
    for card, count in gone.items():
        if count > each:
            raise OddsError(f"{card} can't be removed {count} times: {each} decks hold it {each} times")
    by_rank = Counter(card.rank for card in gone.elements())
    left = Composition(tuple(count - by_rank[rank] for rank, count in zip(RANKS, whole.ranks, strict=True)))
    if left.cards < least:
        raise OddsError(f"{left.cards} cards are left: a coup may need {least}")
    return left
