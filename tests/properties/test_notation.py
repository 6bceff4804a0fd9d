"""A coup and its text: both forms are read back, finished or not, and nothing else is taken for one.

A command is read as a record: its values are taken as they are, without conversion.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards import Card, CardError, show
from punto.game import commands as c
from punto.game import notation
from punto.game.coup import MOST_CARDS, Coup, deal, in_deal_order, parse
from tests.oracle import plain
from tests.properties.rounds import EDITIONS, Edition, book, cells
from tests.properties.strategies import LAW, cards, coups, editions

six_cards = st.lists(cards, min_size=MOST_CARDS, max_size=MOST_CARDS).map(tuple)


@EDITIONS
def test_every_cell_is_read_back_from_both_forms(edition: Edition) -> None:
    """Exhaustive over the 8,105 cells."""
    rules = book(edition)
    for cell in cells():
        assert parse(rules, str(cell.coup)) == cell.coup
        assert parse(rules, show(in_deal_order(cell.coup))) == cell.coup


@LAW
@given(coups, editions, st.booleans(), st.booleans(), st.sampled_from([" ", "  ", "\t"]))
def test_any_spelling_is_read(coup: Coup, edition: Edition, small: bool, ten: bool, blank: str) -> None:
    def spelled(text: str) -> str:
        text = text.replace("T", "10") if ten else text
        return (text.lower() if small else text).replace(" ", blank)

    rules = book(edition)
    assert parse(rules, f"{spelled(show(coup.player))} v {spelled(show(coup.banker))}") == coup
    assert parse(rules, spelled(show(in_deal_order(coup)))) == coup


@LAW
@given(editions, six_cards, st.integers(0, MOST_CARDS))
def test_an_unfinished_coup_is_read_back(edition: Edition, six: tuple[Card, ...], dealt: int) -> None:
    rules = book(edition)
    coup, _ = deal(rules.table_of_play, six[:dealt])
    assert parse(rules, str(coup)) == coup
    assert parse(rules, show(in_deal_order(coup))) == coup


@LAW
@given(editions, six_cards)
def test_dealing_is_the_oracle_s_dealing(edition: Edition, six: tuple[Card, ...]) -> None:
    """And the coup's cards in the order of the deal, followed by those left, are the six from the top of the shoe."""
    coup, left = deal(book(edition).table_of_play, six)
    hands = tuple([str(card) for card in hand] for hand in (coup.player, coup.banker))
    assert hands == plain.deal([str(card) for card in six])
    assert (*in_deal_order(coup), *left) == six


@LAW
@given(coups, editions, cards)
def test_a_card_left_over_is_refused(coup: Coup, edition: Edition, extra: Card) -> None:
    text = show((*in_deal_order(coup), extra))
    with pytest.raises(ValueError, match="left over after the coup") as refused:
        parse(book(edition), text)
    assert str(extra) in str(refused.value)


@LAW
@given(coups, editions, st.sampled_from(["", "x", "1H", "TT", "9", "H9", "10", "9HH", "W"]), st.integers(0, 3))
def test_what_is_no_card_is_refused(coup: Coup, edition: Edition, word: str, at: int) -> None:
    words = show(in_deal_order(coup)).split()
    words[at] = word or "?"
    with pytest.raises(CardError, match="is no card: expected a rank"):
        parse(book(edition), " ".join(words))


def test_a_number_is_a_number_and_not_its_text() -> None:
    assert notation.record({"do": "sit", "patron": "ann", "box": 1}, c.Sit) == c.Sit(patron="ann", box=1)
    with pytest.raises(ValueError, match="Expected `int`, got `str`"):
        notation.record({"do": "sit", "patron": "ann", "box": "1"}, c.Sit)
