"""Shoes for tests: honest ones, riffled ones, and slugs that lie where they should not."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from punto.cards import DECK, card
from punto.game.coup import deal
from punto.rulebook import load
from punto.watch.references import Round
from punto.watch.rows import NO_CARD, Rounds

RULES = load.edition("tiger-buffalo-commission", "2025-11-21")
PLACE = {face: at for at, face in enumerate(DECK)}


def code(text: str) -> int:
    return PLACE[card(text)]


def shuffled(chance: random.Random, decks: int = 8) -> list[int]:
    cards = list(range(52)) * decks
    chance.shuffle(cards)
    return cards


def riffled(chance: random.Random, cards: list[int], times: int) -> list[int]:
    """GSR riffles: a cut by coins, then cards from either packet in proportion to what is left of it."""
    for _ in range(times):
        cut = sum(chance.random() < 0.5 for _ in cards)
        left, right = cards[:cut], cards[cut:]
        cards = []
        while left or right:
            packet = left if chance.random() * (len(left) + len(right)) < len(left) else right
            cards.append(packet.pop(0))
    return cards


def rounds(cards: list[int], cut: int = 14, burnt: int = 0) -> list[Round]:
    """The rounds of a shoe by the Table of Play, up to the cut card."""
    left, dealt = tuple(DECK[at] for at in cards[burnt:]), list[Round]()
    while len(left) > max(cut, 6):
        coup, left = deal(RULES.table_of_play, left)
        player, banker = ((*hand, None)[:3] for hand in (coup.player, coup.banker))
        laid = (player[0], banker[0], player[1], banker[1], player[2], banker[2])
        dealt.append(tuple(None if face is None else PLACE[face] for face in laid))
    return dealt


def with_slug(chance: random.Random, slug: list[int], at: int, decks: int = 8) -> list[int]:
    """An honest shoe in which these cards lie together."""
    rest = shuffled(chance, decks)
    for card_code in slug:
        rest.remove(card_code)
    return rest[:at] + slug + rest[at:]


def stretch(
    shoes: Sequence[tuple[int, int, str, Sequence[Round]]],
    wagers: Sequence[Sequence[tuple[int, int, int]]] | None = None,
    suited: bool = True,
) -> Rounds:
    """Shoes as the rows of a file: table, set, name, rounds each. Wagers by row: bet, stake, patron."""
    rows = [
        (table, a_set, name, number, cards)
        for table, a_set, name, held in shoes
        for number, cards in enumerate(held, 1)
    ]
    names = list(dict.fromkeys(name for _, _, name, _, _ in rows))
    staked = wagers or [()] * len(rows)
    every = [wager for row in staked for wager in row]
    return Rounds(
        row=np.arange(len(rows)),
        cards=np.array(
            [[NO_CARD if card is None else card for card in cards] for *_, cards in rows], np.uint8
        ).T.copy(),
        suited=np.full(len(rows), suited),
        table=np.array([row[0] for row in rows]),
        card_set=np.array([row[1] for row in rows]),
        shoe=np.array([names.index(row[2]) for row in rows]),
        shoes=tuple(names),
        number=np.array([row[3] for row in rows]),
        start=np.r_[0, np.cumsum([len(row) for row in staked])],
        bet=np.array([wager[0] for wager in every], np.uint8),
        stake=np.array([wager[1] for wager in every], np.int64),
        patron=np.array([wager[2] for wager in every], np.int64),
    )
