"""Philox and the shuffle: the published test vectors, and that every order of the cards is as likely as another."""

from __future__ import annotations

from collections import Counter

import pytest

from punto.cards import DECK, show
from punto.sim import rng

# The known answers that come with the generator's reference implementation (Random123, philox4x32, 10 rounds).
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN)
def test_the_published_vectors(counter: rng.Block, key: tuple[int, int], words: rng.Block) -> None:
    assert rng.philox(counter, key) == words


def test_sixteen_bits_a_card_the_low_half_of_a_word_first() -> None:
    (words,) = [words for counter, key, words in KNOWN if counter == (0, 0, 0, 0)]
    assert rng.halves(0, 0, 0, 0)[:4] == (words[0] & 0xFFFF, words[0] >> 16, words[1] & 0xFFFF, words[1] >> 16)
    assert rng.halves(0xFFFFFFFF << 32 | 0xFFFFFFFF, (1 << 64) - 1, 0xFFFFFFFF, 0xFFFFFFFF)[0] == 0x276D


def test_a_shoe_is_whole_decks_and_depends_on_seed_and_index_alone() -> None:
    for decks in (4, 8, 10):
        assert Counter(rng.shuffled(5, 6, decks)) == Counter(DECK * decks)
    assert rng.shuffled(5, 6, 8) == rng.shuffled(5, 6, 8)
    others = [(5, 7), (6, 6), (5 + (1 << 32), 6), (5, 6 + (1 << 32))]
    assert len({rng.shuffled(seed, shoe, 8) for seed, shoe in [(5, 6), *others]}) == 5


def test_a_shoe_stays_what_it_was() -> None:
    """The specification, held by an example: a change here changes every published tally."""
    assert show(rng.shuffled(1, 0, 8)[:12]) == "3D 2D 7H 3S 2C TH 5D TH JS 6D 6D AH"
    assert show(rng.shuffled((1 << 64) - 1, (1 << 40) + 3, 6)[:12]) == "4H QS 8D 6D AS 9D 8C JS 7H 5D JD 9C"


def test_the_bound_of_rejection_leaves_every_number_as_many_draws() -> None:
    """Exhaustive for some n: of the 65,536 draws those that are kept fall on each number equally often."""
    for n in (1, 2, 3, 7, 52, 207, 208, 415, 416, 519, 520):
        kept = Counter(bits * n // rng.HALF for bits in range(rng.HALF) if bits * n % rng.HALF >= rng.HALF % n)
        assert set(kept) == set(range(n))
        assert set(kept.values()) == {rng.HALF // n}
