"""Shoes to count: full ones, odd ones, depleted ones, and tiny ones of real cards."""

from __future__ import annotations

import random

from punto.cards import DECK, RANKS, Card, cards
from punto.odds.composition import Composition
from punto.rulebook import load

RULES = load.edition("tiger-buffalo-commission", "2025-11-21")
PLAY = RULES.table_of_play

FULL = [Composition((4 * decks,) * 13) for decks in range(4, 11)]
"""4 to 10 decks."""

ONE_RANK = [
    Composition(tuple(held if at == rank else 0 for at in range(13))) for rank in range(13) for held in (6, 7, 40)
]
"""One rank only, down to six cards in all."""


def six_cards(count: int = 60) -> list[Composition]:
    """Six cards in all, some of them with pairs and twins."""
    chance = random.Random(6)
    return [_of(chance.choices(RANKS, k=3) * 2 if at % 3 == 0 else chance.choices(RANKS, k=6)) for at in range(count)]


def odd(count: int = 120) -> list[Composition]:
    """Many ranks missing or nearly so."""
    chance = random.Random(13)
    shoes: list[Composition] = []
    while len(shoes) < count:
        shoe = Composition(tuple(chance.choice((0, 0, 1, 2, 3, 4, 31, 40)) for _ in RANKS))
        shoes += [shoe] if shoe.cards >= 6 else []
    return shoes


def depleted(count: int, decks: int = 8, seed: int = 8) -> list[Composition]:
    """Shoes of which a random part has been dealt, down to six cards."""
    chance = random.Random(seed)
    whole = [card.rank for card in DECK * decks]
    return [_of(chance.sample(whole, chance.randint(6, len(whole)))) for _ in range(count)]


def every(depleted_shoes: int = 100) -> list[Composition]:
    """All of the above: some four hundred."""
    return [*FULL, *ONE_RANK, *six_cards(), *odd(), *depleted(depleted_shoes), *depleted(depleted_shoes // 2, 10, 10)]


TINY: dict[str, tuple[Card, ...]] = {
    text: cards(text)
    for text in (
        "AS AH AD AC 9S 9H",
        "KS KH QS QH TS JS",
        "2S 3H 4D 5C 6S 7H",
        "8S 8H 8D 8C 8S 8H 8D",
        "KS KH KD KC 6S 6H 3D",
        "AS 2S 3S 4S 5S 6S 7S 8S",
        "5S 5H 5D KS KH KD 2S 2H",
        "TS TH JS JH 3S 3H 3D 3C 9S",
        "AS AH 2S 2H 4S 4H 9S 9H 9D",
    )
}
"""Six to nine real cards."""


def of_cards(held: tuple[Card, ...]) -> Composition:
    return _of([card.rank for card in held])


def _of(ranks: list[str]) -> Composition:
    return Composition(tuple(ranks.count(rank) for rank in RANKS))
