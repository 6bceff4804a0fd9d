"""`import punto`: the same answers as the command line, in a few readable lines."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import punto
from punto.rulebook import load
from tests.rulebook.library import DATES, TIGER

GAME = TIGER[1]


def test_five_readable_lines() -> None:
    rules = punto.in_force(GAME, "2025-12-01")
    coup = punto.coup(rules, "KH 7D v 2S 3C 4H")
    slip = punto.settle(rules, coup, "C", [("player", "100.00")], [("player_insurance", "four-cards", "50.00")])
    assert (slip.winner, slip.staked_cents, slip.handed_back_cents) == ("banker", 15000, 25000)
    assert punto.explain(rules, coup).splitlines()[-1] == "Player 7, Banker 9: Banker wins (3.16)"
    assert [(line.result, line.odds, line.paragraph) for line in slip.lines] == [
        ("lost", None, "4.1.1"),
        ("won", Fraction(4), "4.1.14"),
    ]


def test_an_edition_by_name_is_the_one_of_the_library() -> None:
    assert punto.edition(f"{GAME}/{DATES[0]}") is load.edition(GAME, DATES[0])
    assert punto.in_force(GAME, "2025-11-20").source.edition == DATES[0]
    assert punto.in_force(GAME).source.edition >= DATES[1]


@pytest.mark.parametrize("name", [GAME, "poker/2025", "", "/", "../../x"])
def test_a_name_that_means_no_edition(name: str) -> None:
    with pytest.raises(ValueError, match="the library holds"):
        punto.edition(name)


def test_no_law_before_the_first_edition() -> None:
    with pytest.raises(ValueError, match="the first began at 2024-05-14"):
        punto.in_force(GAME, "2024-05-13")


RULES = load.edition(GAME, DATES[1])
COUP = punto.coup(RULES, "KH 7D v 2S 3C 4H")


def test_a_coup_is_read_back_from_its_text() -> None:
    for seed in range(200):
        dealt = punto.deal(RULES, random.Random(seed))
        assert punto.coup(RULES, str(dealt)) == dealt


def test_a_seeded_deal_is_repeated_and_an_unseeded_one_is_finished() -> None:
    assert punto.deal(RULES, random.Random(7)) == punto.deal(RULES, random.Random(7))
    dealt = punto.deal(RULES)
    assert punto.coup(RULES, str(dealt)) == dealt


def test_a_wrong_coup_is_refused_with_code_and_paragraph() -> None:
    with pytest.raises(punto.Refused, match=r"the Banker draws on 5 .*\(table-of-play, 3\.15\)") as refused:
        punto.coup(RULES, "KH 7D v 2S 3C")
    assert (refused.value.refusal.code, refused.value.refusal.paragraph) == ("table-of-play", "3.15")


@pytest.mark.parametrize(
    ("layout", "wagers", "insurance", "code"),
    [
        ("Z", [], [], "unknown-layout"),
        ("C", [("dragon", "1.00")], [], "unknown-bet"),
        ("C", [("tiger", "1.00")], [], "bet-not-on-layout"),
        ("C", [("tie", "1.00")], [("player_insurance", "four-cards", "1.00")], "no-original-bet"),
        ("C", [("player", "1.00")], [("player_insurance", "player-third", "1.00")], "no-such-offer"),
        ("C", [("player", "1.00")], [("player_insurance", "four-cards", "1.01")], "insurance-over-limit"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(
    layout: str, wagers: list[tuple[str, str]], insurance: list[tuple[str, str, str]], code: str
) -> None:
    with pytest.raises(punto.Refused) as refused:
        punto.settle(RULES, COUP, layout, wagers, insurance)
    assert refused.value.refusal.code == code


@pytest.mark.parametrize("stake", ["", "-1", "0.00", "1.234", "NaN", "1e3"])
def test_a_bad_stake_is_a_value_error(stake: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        punto.settle(RULES, COUP, "C", [("player", stake)])


def test_a_moment_that_is_none_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="later"):
        punto.settle(RULES, COUP, "C", [("player", "1.00")], [("player_insurance", "later", "1.00")])
