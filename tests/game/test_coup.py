"""A coup: dealt card by card, read from text, and refused where the rules do not allow it (3.10, 3.13, 3.15)."""

from __future__ import annotations

import pytest

from punto.cards import DECK, cards
from punto.game.coup import Coup, banker_draws_anyway, check, check_decks, deal, in_deal_order, next_side, parse, wrong
from punto.rulebook import load
from punto.rulebook.model import Side

RULES = load.edition("tiger-buffalo-commission", "2025-11-21")
LIVE = load.edition("live-baccarat-insurance-commission", "undated")


def coup(text: str) -> Coup:
    player, _, banker = text.partition(" v ")
    return Coup(cards(player), cards(banker))


@pytest.mark.parametrize(
    ("text", "player", "banker", "winner"),
    [
        ("KH 7D v 2S 3C 4H", 7, 9, "banker"),
        ("KH 9D v QS 9C", 9, 9, "tie"),
        ("9H 9D v 2S 5C", 8, 7, "player"),
        ("KH KD AC v QS JC TH", 1, 0, "player"),
    ],
)
def test_points_and_winner(text: str, player: int, banker: int, winner: str) -> None:
    hands = coup(text)
    assert (hands.player_points, hands.banker_points, hands.winner) == (player, banker, winner)
    assert str(hands) == text


@pytest.mark.parametrize(
    ("text", "anyway"),
    [
        ("KH 5D v QS 2C", True),
        ("KH KD v QS JC", True),
        ("KH 5D v QS 3C", False),  # an eight would let the Banker stand
        ("KH 6D v QS 2C", False),  # the Player stands
        ("KH 5D v QS 8C", False),  # a natural
    ],
)
def test_both_draw_whatever_the_third_card_is(text: str, anyway: bool) -> None:
    """P7."""
    hands = coup(text)
    assert banker_draws_anyway(RULES.table_of_play, hands.player, hands.banker) is anyway


@pytest.mark.parametrize(
    ("text", "side"),
    [
        (" v ", Side.PLAYER),
        ("KH v ", Side.BANKER),
        ("KH v 2S", Side.PLAYER),
        ("KH 5D v 2S", Side.BANKER),
        ("KH 5D v 2S 3C", Side.PLAYER),
        ("KH 6D v 2S 3C", Side.BANKER),  # the Player stands
        ("KH 6D v 2S 4C", None),
        ("KH 5D v 2S 3C 4H", Side.PLAYER),  # nine with three cards is no natural (1.16): a card is still due
        ("KH 8D v 2S KC", None),  # a natural
        ("KH 2D v 9S KC", None),
        ("KH 5D 8C v 2S AC", None),  # Banker 3 stands on an 8
        ("KH 5D 7C v 2S AC", Side.BANKER),
        ("KH 5D 7C v 2S AC 5H", None),
    ],
)
def test_whose_the_next_card_is(text: str, side: Side | None) -> None:
    hands = coup(text)
    assert next_side(RULES.table_of_play, hands.player, hands.banker) is side


def test_cards_that_nobody_draws_are_left() -> None:
    dealt, left = deal(RULES.table_of_play, cards("KH 2S 8D KC 5H 6H 7H"))
    assert (str(dealt), left) == ("KH 8D v 2S KC", cards("5H 6H 7H"))


def test_a_deal_that_runs_out_is_unfinished() -> None:
    dealt, left = deal(RULES.table_of_play, cards("KH 2S 5D"))
    assert (str(dealt), left) == ("KH 5D v 2S", ())
    assert deal(RULES.table_of_play, ()) == (Coup((), ()), ())


def test_the_order_of_the_deal() -> None:
    """P1. Where the Player stands, the Banker's third is the fifth card."""
    assert in_deal_order(coup("KH 5D 7C v 2S AC 5H")) == cards("KH 2S 5D AC 7C 5H")
    assert in_deal_order(coup("KH 6D v 2S 3C 4H")) == cards("KH 2S 6D 3C 4H")
    assert parse(RULES, "KH 2S 6D 3C 4H") == coup("KH 6D v 2S 3C 4H")


@pytest.mark.parametrize(
    ("text", "fault", "live"),
    [
        ("KH v 2S 3C", "each hand starts with two cards", "2.3"),
        ("KH 7D v 2S", "each hand starts with two cards", "2.3"),
        ("KH 2D 3C 4C v 2S 3C", "no hand has more than three cards", "2.3"),
        ("KH 2D 3C v 2S 3C 4H 5H", "no hand has more than three cards", "2.3"),
        ("KH 8D 2C v 2S 3C", "Player 8 and Banker 5 make a natural, nobody draws a third card", "2.1"),
        ("KH 2D v 2S 7C 4H", "Player 2 and Banker 9 make a natural, nobody draws a third card", "2.1"),
        ("KH 5D v 2S 3C", "the Player draws a third card on 0 to 5 and stands on 6 and 7; this one has 5", "2.1"),
        ("KH 6D 2C v 2S 3C", "the Player draws a third card on 0 to 5 and stands on 6 and 7; this one has 6", "2.1"),
        ("KH 6D v 2S 3C", "the Banker draws on 5 with no third card for the Player", "2.2"),
        ("KH 6D v 2S 4C KH", "the Banker stands on 6 with no third card for the Player", "2.2"),
        ("KH 5D 8C v 2S AC 5H", "the Banker stands on 3 with the Player's third card counting 8", "2.3"),
        ("KH 5D KC v 2S AC", "the Banker draws on 3 with the Player's third card counting 0", "2.3"),
    ],
)
def test_what_is_held_against_it(text: str, fault: str, live: str) -> None:
    """The Live page prints the Table of Play in parts, and the part is cited."""
    assert wrong(RULES, coup(text)) == f"{text}: {fault}"
    for rules, paragraph in ((RULES, "3.15"), (LIVE, live)):
        refused = check(rules, coup(text))
        assert refused is not None
        assert (refused.code, refused.message, refused.paragraph) == ("table-of-play", f"{text}: {fault}", paragraph)


@pytest.mark.parametrize("text", ["KH 7D v 2S 3C 4H", "KH 8D v 2S 3C", "KH 5D 8C v 2S AC", "KH 6D v QS 6C"])
def test_nothing_is_held_against_a_right_one(text: str) -> None:
    assert wrong(RULES, coup(text)) is None
    assert check(RULES, coup(text)) is None


@pytest.mark.parametrize("decks", [1, 4, 8])
def test_a_card_is_there_once_a_deck(decks: int) -> None:
    """2.2.1, for each of the 52 cards."""
    for card in DECK:
        others = tuple(other for other in DECK if other != card)
        assert check_decks(RULES, (card,) * decks + others, decks) is None
        refused = check_decks(RULES, (card,) * (decks + 1) + others, decks)
        assert refused is not None
        assert (refused.code, refused.paragraph) == ("too-many-of-a-card", "2.2.1")
        assert refused.message == f"{card} appears {decks + 1} times: {decks} decks hold it {decks} times"


@pytest.mark.parametrize("text", ["kh 6d V 2s 3c 4h", "KH,6D v 2S,3C,4H", "KH, 6D v 2S, 3C, 4H", "KH,2S,6D,3C,4H"])
def test_case_and_commas_do_not_matter(text: str) -> None:
    """As in a list of cards."""
    assert parse(RULES, text) == coup("KH 6D v 2S 3C 4H")


def test_text_with_a_card_too_many() -> None:
    with pytest.raises(ValueError, match="5H is left over after the coup KH 8D v 2S KC"):
        parse(RULES, "KH 2S 8D KC 5H")
    # Written as two hands it is read as it stands, for the Table of Play to judge.
    assert parse(RULES, "KH 8D 5H v 2S KC") == coup("KH 8D 5H v 2S KC")
    assert parse(RULES, "v") == Coup((), ())
