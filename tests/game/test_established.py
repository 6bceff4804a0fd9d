"""What is certain before the last card, by example (W3, W4, W5). All cards: tests/properties/test_conclusive.py."""

from __future__ import annotations

import pytest

from punto.game.established import conclusive, established
from punto.rulebook import load
from punto.rulebook.model import Bet

TB = load.edition("tiger-buffalo-commission", "2025-11-21")
LIVE = load.edition("live-baccarat-insurance-commission", "undated")


def at(layout: str, **exposed: str) -> dict[Bet, str]:
    rules = LIVE if layout == "live" else TB
    return conclusive(rules, rules.layouts[layout].bets, exposed)


def test_nothing_is_certain_without_cards() -> None:
    assert at("A") == at("C") == at("L") == at("M") == at("live") == {}
    assert at("A", P1="K", B1="K") == {}


def test_a_pair_is_won_or_lost_with_two_cards() -> None:
    assert at("A", P1="K", P2="K") == {Bet.PLAYER_PAIR: "won", Bet.SMALL_BUFFALO: "lost"}
    assert at("A", P1="K", P2="Q") == {Bet.PLAYER_PAIR: "lost", Bet.SMALL_BUFFALO: "lost"}
    assert at("A", B1="5", B2="5")[Bet.BANKER_PAIR] == "won"
    assert at("A", P1="K", B2="K") == {}  # one card of each hand is no pair


def test_a_tiger_pair_stands_before_its_grade() -> None:
    """Single, double or twin: how much it pays may still be open (W4)."""
    assert at("M", P1="K", P2="K")[Bet.TIGER_PAIR] == "won"
    assert Bet.TIGER_PAIR not in at("M", P1="K", P2="Q")
    assert at("M", P1="K", P2="Q", B1="J", B2="T")[Bet.TIGER_PAIR] == "lost"


def test_what_can_be_returned_is_neither_won_nor_lost() -> None:
    assert Bet.PLAYER not in at("A", P1="K", P2="9")  # the Banker may have 9 too
    assert at("A", P1="K", P2="9")[Bet.BIG_TIGER] == "lost"
    tied = at("A", P1="K", P2="9", B1="K", B2="9")
    assert (tied[Bet.TIE], Bet.PLAYER in tied, Bet.BANKER in tied) == ("won", False, False)
    assert at("A", P1="K", P2="9", B1="K", B2="8")[Bet.PLAYER] == "won"


def test_any_set_of_places_will_do() -> None:
    """A third card that lies open says that its hand drew (face-down tables, 3.14)."""
    drew = at("live", P3="5")
    assert drew == {
        Bet.BIG: "won",
        Bet.SMALL: "lost",
        Bet.PLAYER_NATURAL_8: "lost",
        Bet.PLAYER_NATURAL_9: "lost",
        Bet.BANKER_NATURAL_8: "lost",
        Bet.BANKER_NATURAL_9: "lost",
    }
    assert at("A", B3="5")[Bet.SMALL_TIGER] == "lost"


@pytest.mark.parametrize(
    "exposed",
    [
        {"P1": "K", "P2": "9", "P3": "5"},  # nobody draws on a natural
        {"B1": "K", "B2": "7", "B3": "5"},  # the Banker stands on 7
        {"P1": "K", "P2": "6", "P3": "5"},
        {"P1": "K", "P2": "5", "P3": "8", "B1": "K", "B2": "3", "B3": "2"},
    ],
)
def test_cards_that_no_round_holds_prove_nothing(exposed: dict[str, str]) -> None:
    assert conclusive(TB, TB.layouts["A"].bets, exposed) == {}
    assert not established(TB, TB.layouts["A"].bets, exposed)


def test_only_available_bets_count() -> None:
    """W3: on a hand whose pair bets are closed, a pair establishes nothing."""
    exposed = {"P1": "K", "P2": "K"}
    assert established(LIVE, (Bet.PLAYER, Bet.PLAYER_PAIR), exposed)
    assert not established(LIVE, (Bet.PLAYER, Bet.BANKER), exposed)
    assert not established(LIVE, (), exposed)
