"""Shuffles, commitments and the place of the cut card."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import permutations, product

import pytest

from punto.cards import DECK
from punto.game.commands import LoadShoe
from punto.house.table.virtual_shoes import Below, committed, cut_place, new_shoe, shuffled


def in_turn(choices: tuple[int, ...]) -> Below:
    waiting = iter(choices)
    return lambda left: next(waiting)


@pytest.mark.parametrize("cards", range(1, 6))
def test_every_order_comes_from_exactly_one_sequence_of_choices(cards: int) -> None:
    """Equally likely choices give equally likely orders: 5! sequences, 5! orders, each once."""
    orders: Counter[tuple[int, ...]] = Counter()
    for choices in product(*(range(left) for left in range(cards, 1, -1))):
        orders[shuffled(range(cards), in_turn(choices))] += 1
    assert orders == Counter(permutations(range(cards)))


def test_every_choice_is_among_what_is_left() -> None:
    counts: list[int] = []

    def first(left: int) -> int:
        counts.append(left)
        return 0

    shuffled(range(52), first)
    assert counts == list(range(52, 1, -1))


@pytest.mark.parametrize("decks", [4, 6, 8, 10])
def test_a_shoe_is_whole_decks(decks: int) -> None:
    assert Counter(new_shoe(decks)) == Counter(str(card) for card in DECK * decks)
    assert new_shoe(decks) != new_shoe(decks)


def test_the_commitment_is_the_hash_of_salt_and_order() -> None:
    order = new_shoe(8)
    load = committed(LoadShoe(by="dora", count=416, shuffled=True), order)
    assert load.salt is not None
    assert len(bytes.fromhex(load.salt)) == 32
    assert load.commitment == sha256(bytes.fromhex(load.salt) + "".join(order).encode()).hexdigest()
    assert committed(load, order).commitment != load.commitment, "a salt is used once"


def test_the_cut_card_lies_some_way_from_the_end() -> None:
    assert {416 - cut_place(416) for _ in range(2000)} <= set(range(14, 61))
    assert cut_place(416, below=lambda n: 0) == 402
    assert cut_place(416, below=lambda n: n - 1) == 356
    assert cut_place(52, below=lambda n: n - 1) == 26
