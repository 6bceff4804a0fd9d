"""Virtual shoes: shuffled by the operating system's randomness, committed to before a card is dealt."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import msgspec

from punto.cards import DECK
from punto.game.commands import LoadShoe
from punto.game.shoe import commitment

SALT_BYTES: Final = 32

Below = Callable[[int], int]
"""A random number from 0 up to, but not including, the given one; all are equally likely."""
Shuffle = Callable[[int], tuple[str, ...]]
"""A new order of this many decks."""

_CUT_NEAREST: Final = 14
_CUT_FARTHEST: Final = 60
"""Cards behind the cut card."""

Item = TypeVar("Item")


def shuffled(cards: Sequence[Item], below: Below = secrets.randbelow) -> tuple[Item, ...]:
    """Fisher–Yates, from the top: every order comes from exactly one sequence of choices, so none is likelier."""
    order = list(cards)
    for place in range(len(order) - 1):
        other = place + below(len(order) - place)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def new_shoe(decks: int) -> tuple[str, ...]:
    return shuffled([str(card) for card in DECK * decks])


def committed(command: LoadShoe, order: tuple[str, ...]) -> LoadShoe:
    """The command with a shoe whose order can't be changed any more, and can't be guessed from its hash."""
    salt = secrets.token_hex(SALT_BYTES)
    return msgspec.structs.replace(command, order=order, salt=salt, commitment=commitment(salt, order))


def cut_place(cards: int, below: Below = secrets.randbelow) -> int:
    """Where the cut card goes, counted from the front: at random, some 14 to 60 cards from the end."""
    farthest = min(_CUT_FARTHEST, cards // 2)
    return cards - _CUT_NEAREST - below(farthest - _CUT_NEAREST + 1)
