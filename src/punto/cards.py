"""Cards: ranks, suits, point values, and their one-line text ("9H", "TD"; "10D" is read too)."""

from __future__ import annotations

from typing import Final

import msgspec

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
CARDS_IN_A_DECK: Final = len(RANKS) * len(SUITS)

POINTS: Final[dict[str, int]] = {rank: 0 if rank in "TJQK" else RANKS.index(rank) + 1 for rank in RANKS}
"""An ace counts 1, 2 to 9 count their number, pictures count 0, and so does a 10: only the last digit counts."""


class CardError(ValueError):
    """A text is no card."""


class Card(msgspec.Struct, frozen=True, order=True):
    """One card. Equal cards of two decks are not told apart."""

    rank: str
    suit: str

    @property
    def points(self) -> int:
        return POINTS[self.rank]

    def __str__(self) -> str:
        return self.rank + self.suit


_BY_TEXT: Final[dict[str, Card]] = {rank + suit: Card(rank, suit) for rank in RANKS for suit in SUITS}
DECK: Final[tuple[Card, ...]] = tuple(_BY_TEXT.values())
SPELLINGS: Final[dict[str, Card]] = {
    spelling: card
    for text, card in _BY_TEXT.items()
    for ten in {text, text.replace("T", "10")}
    for spelling in {ten, ten.lower(), ten[:-1] + ten[-1].lower(), ten[:-1].lower() + ten[-1]}
}


def card(text: str) -> Card:
    """Read one card, in either case, with T or 10 for a ten."""
    try:
        return SPELLINGS[text]
    except (KeyError, TypeError):
        raise CardError(
            f"{text!r} is no card: expected a rank {' '.join(RANKS)} (10 is read too) and a suit S H D C, as in 9H"
        ) from None


def cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks or commas."""
    return tuple(card(word) for word in text.replace(",", " ").split())


def show(hand: tuple[Card, ...]) -> str:
    """Cards as text, the inverse of `cards`."""
    return " ".join(str(card) for card in hand)


def points(hand: tuple[Card, ...]) -> int:
    """Point Total: the last digit of the sum."""
    total = 0
    for card in hand:
        total += POINTS[card.rank]
    return total % 10
