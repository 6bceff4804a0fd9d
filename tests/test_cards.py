"""Cards and their notation: every card, every spelling, every mistake."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards import CARDS_IN_A_DECK, DECK, POINTS, Card, CardError, card, cards, points, show
from tests.every import of_every

hands = st.lists(st.sampled_from(DECK), max_size=12).map(tuple)


def test_a_deck_has_52_different_cards() -> None:
    assert len(DECK) == len(set(DECK)) == CARDS_IN_A_DECK == 52


@of_every(DECK)
def test_every_card_is_read_back_from_its_text(held: Card) -> None:
    assert card(str(held)) == held


def spellings(held: Card) -> list[str]:
    """A rank and a suit in either case, and 10 beside T."""
    ranks = {held.rank, held.rank.lower()} | ({"10"} if held.rank == "T" else set())
    return [rank + suit for rank in sorted(ranks) for suit in (held.suit, held.suit.lower())]


@of_every((text, held) for held in DECK for text in spellings(held))
def test_every_spelling_is_read(spelt: tuple[str, Card]) -> None:
    text, expected = spelt
    assert card(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "9",
        "H",
        "H9",
        "1H",
        "0H",
        "11H",
        "010H",
        "10",
        "9X",
        "9HH",
        " 9H",
        "9H ",
        "9 H",
        "9♥",
        "٩H",
        "9H\n",
        "joker",
    ],
)
def test_what_is_no_card_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(CardError, match="expected a rank A 2 3 4 5 6 7 8 9 T J Q K") as refused:
        card(text)
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize("value", [None, 9, 9.5, ["9H"], {"rank": "9"}])
def test_what_is_no_text_is_no_card(value: object) -> None:
    with pytest.raises(CardError):
        card(value)  # type: ignore[arg-type]


@given(hands)
def test_a_hand_is_read_back_from_its_text(hand: tuple[Card, ...]) -> None:
    assert cards(show(hand)) == hand


@given(hands, st.sampled_from([" ", ",", ", ", "  ", "\t", ",,"]))
def test_cards_are_separated_by_blanks_or_commas(hand: tuple[Card, ...], between: str) -> None:
    assert cards(between.join(str(held) for held in hand)) == hand


@given(st.text(max_size=4))
def test_text_is_a_card_or_a_card_error(text: str) -> None:
    try:
        parsed = card(text)
    except CardError:
        return
    assert text.upper().replace("10", "T") == str(parsed)


def test_points_of_the_ranks() -> None:
    assert "".join(f"{rank}{worth} " for rank, worth in POINTS.items()) == "A1 22 33 44 55 66 77 88 99 T0 J0 Q0 K0 "


@pytest.mark.parametrize(
    ("hand", "total"), [("", 0), ("9H", 9), ("TD KD", 0), ("7S 8C", 5), ("9S 9D 9C", 7), ("AS 9S", 0)]
)
def test_a_point_total_is_the_last_digit(hand: str, total: int) -> None:
    assert points(cards(hand)) == total


@given(hands, hands)
def test_point_totals_add_up_by_their_last_digit(first: tuple[Card, ...], second: tuple[Card, ...]) -> None:
    assert points(first + second) == (points(first) + points(second)) % 10
