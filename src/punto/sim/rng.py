"""The random generator and the shuffle in readable form: Philox4x32-10 in Python integers.

docs/simulation.md states the specification. `kernel` and the GPU engine implement the same one, compiled; tests compare
them with this module.
"""

from __future__ import annotations

from typing import Final

from punto.cards import DECK, Card

MULTIPLIERS: Final = (0xD2511F53, 0xCD9E8D57)
WEYL: Final = (0x9E3779B9, 0xBB67AE85)
ROUNDS: Final = 10
WORD: Final = 1 << 32
HALF: Final = 1 << 16

CARDS_IN_A_BLOCK: Final = 8
"""A block has 128 random bits, 16 for each card."""

MOST_SEED: Final = (1 << 64) - 1

Block = tuple[int, int, int, int]


def philox(counter: Block, key: tuple[int, int]) -> Block:
    """128 random bits as a function of counter and key, words of 32 bits each."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(ROUNDS):
        p0, p1 = MULTIPLIERS[0] * c0, MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = p1 // WORD ^ c1 ^ k0, p1 % WORD, p0 // WORD ^ c3 ^ k1, p0 % WORD
        k0, k1 = (k0 + WEYL[0]) % WORD, (k1 + WEYL[1]) % WORD
    return c0, c1, c2, c3


def halves(seed: int, shoe: int, block: int, attempt: int) -> tuple[int, ...]:
    """16 bits for each of eight cards of a shoe. The low half of each word comes first."""
    words = philox((block, attempt, shoe % WORD, shoe // WORD), (seed % WORD, seed // WORD))
    return tuple(half for word in words for half in (word % HALF, word // HALF))


def shuffled(seed: int, shoe: int, decks: int) -> tuple[Card, ...]:
    """All cards of a shoe in the order in which they are dealt: Fisher-Yates from the front, on sorted decks."""
    cards = list(DECK * decks)
    for block in range(-(-len(cards) // CARDS_IN_A_BLOCK)):
        for lane, bits in enumerate(halves(seed, shoe, block, 0)[: len(cards) - CARDS_IN_A_BLOCK * block]):
            at = CARDS_IN_A_BLOCK * block + lane
            left = len(cards) - at
            product, attempt = bits * left, 0
            while product % HALF < HALF % left:  # this draw would favour some of the cards left
                attempt += 1
                product = halves(seed, shoe, block, attempt)[lane] * left
            other = at + product // HALF
            cards[at], cards[other] = cards[other], cards[at]
    return tuple(cards)
