"""`punto deal`: a given or a random coup, every step with its paragraph."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto import api
from punto.rulebook import load
from tests.cli.program import call, start
from tests.rulebook.library import DATES, LIVE, TIGER

GAME = f"{TIGER[1]}/{DATES[1]}"
COUP = "KH 7D v 2S 3C 4H"


def test_a_given_coup_by_the_real_program() -> None:
    answer = start("deal", COUP, "--game", GAME, "--layout", "C")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.splitlines()[:9] == [
        "Tiger Buffalo (Non-Commission Baccarat with Insurance Plus) 2025-11-21, layout C",
        COUP,
        " 1. Four cards: Player KH and 7D, Banker 2S and 3C (3.10)",
        " 2. Player has 7, Banker has 5 (3.2)",
        " 3. Player insurance is offered at 4 to 1 (4.1.14)",
        " 4. Player stands on 7 (3.15)",
        " 5. Banker draws on 5, the Player having stood: 4H, now 9 (3.13)",
        " 6. Player 7, Banker 9: Banker wins (3.16)",
        "    banker            won 1 to 1 (4.1.1)",
    ]


@pytest.mark.parametrize("text", [COUP, "KH 2S 7D 3C 4H", "kh 7d v 2s 3c 4h"])
def test_a_coup_as_two_hands_or_in_deal_order(text: str) -> None:
    assert call("deal", text, "--game", GAME, "--json").json["coup"] == COUP


def test_a_coup_as_json() -> None:
    coup = call("deal", "6H KD v KS 6C", "--game", GAME, "--layout", "M", "--json").json
    assert (coup["game"], coup["edition"], coup["layout"]) == (*GAME.split("/"), "M")
    assert (coup["winner"], coup["player_points"], coup["banker_points"]) == ("tie", 6, 6)
    assert coup["steps"][-1] == {"text": "Player 6, Banker 6: a tie", "paragraph": "3.17"}
    assert coup["bets"]["tie"] == {"result": "won", "odds": "8", "paragraph": "4.1.2"}
    assert coup["bets"]["player"] == {"result": "returned", "odds": None, "paragraph": "3.17"}
    assert list(coup["bets"]) == [bet.value for bet in load.edition(*GAME.split("/")).layouts["M"].bets]


@pytest.mark.parametrize("name", [GAME, f"{TIGER[0]}/{DATES[0]}", f"{LIVE[0]}/undated", f"{LIVE[1]}/undated"])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**64))
def test_a_seed_deals_the_same_finished_coup_again(name: str, seed: int) -> None:
    first, second = (call("deal", "--game", name, "--seed", str(seed), "--json").json for _ in range(2))
    assert first == second
    rules = load.edition(*name.split("/"))
    assert str(api.coup(rules, first["coup"])) == first["coup"]
    assert all(rules.knows(step["paragraph"]) for step in first["steps"])


def test_seeds_deal_different_coups() -> None:
    coups = {call("deal", "--seed", str(seed), "--json").json["coup"] for seed in range(20)}
    assert len(coups) > 15


def test_without_a_coup_or_a_seed_one_is_dealt() -> None:
    answer = call("deal")
    assert answer.status == 0
    assert " wins (3.16)" in answer.out or "a tie (3.17)" in answer.out


@pytest.mark.parametrize(
    ("coup", "says"),
    [
        ("KH 7D v 2S 3C", "the Banker draws on 5 with no third card for the Player (table-of-play, 3.15)"),
        ("KH 7D 2C v 2S 3C 4H", "this one has 7 (table-of-play, 3.15)"),
        ("KH 8D v 2S 3C 4H", "make a natural, nobody draws a third card (table-of-play, 3.15)"),
        ("KH v 2S", "each hand starts with two cards (table-of-play, 3.15)"),
        ("", "each hand starts with two cards (table-of-play, 3.15)"),
        ("KH 2S 7D 3C 4H 5H", "5H is left over after the coup KH 7D v 2S 3C 4H"),
        ("KH 7X v 2S 3C 4H", "'7X' is no card: expected a rank"),
    ],
)
def test_a_wrong_coup_exits_1_with_the_paragraph(coup: str, says: str) -> None:
    answer = call("deal", coup, "--game", GAME)
    assert (answer.status, answer.out) == (1, "")
    assert answer.err.startswith("punto: ")
    assert says in answer.err


@pytest.mark.parametrize("layout", ["Z", "a", ""])
def test_an_unknown_layout_exits_1_with_the_paragraph(layout: str) -> None:
    answer = call("deal", COUP, "--game", GAME, "--layout", layout)
    assert (answer.status, answer.out) == (1, "")
    assert "expected one of A B C" in answer.err
    assert "(unknown-layout, 2.1.1)" in answer.err


def test_an_unknown_game_exits_1() -> None:
    answer = call("deal", "--game", "poker")
    assert (answer.status, answer.out) == (1, "")
    assert "there is no game 'poker'" in answer.err


def test_a_seed_that_is_no_number_is_a_usage_error() -> None:
    assert call("deal", "--seed", "lucky").status == 2
