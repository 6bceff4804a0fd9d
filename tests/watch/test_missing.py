"""Cards that never come: found, named, and never in honest sets more often than said."""

from __future__ import annotations

import random

import numpy as np
import pytest

from punto.watch.missing import Lost, Missing, shoes_needed
from punto.watch.missing_kernel import LostArrays
from tests.watch.shoes import code

UNSEEN = 22
"""Cards that nobody sees: behind the cut card, or burnt."""


def seen(chance: random.Random, without: list[int], symbols: int = 52) -> list[int]:
    cards = list(range(52)) * 8
    for card in without:
        cards.remove(card)
    chance.shuffle(cards)
    counts = [0] * symbols
    for card in cards[: len(cards) - UNSEEN]:
        counts[card if symbols == 52 else card // 4] += 1
    return counts


@pytest.mark.parametrize(("without", "shoes"), [(["6H"], 30), (["6H", "6H"], 20), (["3S", "4D", "5C", "6H", "8S"], 8)])
def test_missing_cards_are_found_and_named(without: list[str], shoes: int) -> None:
    chance, set_of_cards = random.Random(len(without)), Lost(52, 416)
    gone = [code(text) for text in without]
    missing: Missing | None = None
    for _ in range(shoes):
        missing = set_of_cards.shoe(seen(chance, gone))
        if missing.evidence > 1e7:
            break
    assert missing is not None
    assert missing.evidence > 1e7, missing.evidence
    assert {card for card, _, _ in missing.cards} == set(gone)


def test_cards_may_get_lost_after_a_while() -> None:
    chance, set_of_cards = random.Random(9), Lost(52, 416)
    for _ in range(12):
        assert set_of_cards.shoe(seen(chance, [])).evidence < 20
    evidence = [set_of_cards.shoe(seen(chance, [7, 8, 9])).evidence for _ in range(14)]
    assert evidence[-1] > 1e6


def test_the_compiled_form_says_the_same() -> None:
    chance = random.Random(6)
    for symbols, without in ((52, [3, 4]), (13, [3])):
        plain, fast = Lost(symbols, 416), LostArrays(symbols, 416)
        for _ in range(12):
            counts = seen(chance, without, symbols)
            assert fast.shoe(np.array(counts)) == pytest.approx(plain.shoe(counts).evidence, rel=1e-9)


def test_honest_sets_hardly_ever_reach_the_evidence() -> None:
    """Ville's inequality: one set in a hundred at most reaches 100. After one shoe the mean is at most 0.5."""
    chance, reached, first = random.Random(1), 0, list[float]()
    for _ in range(400):
        set_of_cards = LostArrays(52, 416)
        evidence = [set_of_cards.shoe(np.array(seen(chance, []))) for _ in range(5)]
        first.append(evidence[0])
        reached += max(evidence) >= 100
    assert reached <= 400 / 100 + 5 * (400 / 100) ** 0.5
    assert np.mean(first) <= 0.5 + 5 * np.std(first) / 20


def test_shoes_needed_grow_with_what_is_unseen() -> None:
    few, many = (shoes_needed(1e7, symbols=52, cards=416, unseen=unseen) for unseen in (22, 40))
    assert 20 <= few < many
    assert shoes_needed(1e7, symbols=13, cards=416, unseen=22) == 1_000
