"""Outcomes, and which cases of the pay tables hold on them."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product

import pytest

from punto.cards import RANKS, cards, points
from punto.game.coup import Coup
from punto.game.outcome import Outcome, Pairs, all_outcomes, ends, holds, outcome_of, pairs_of, pairs_possible
from punto.rulebook import load
from punto.rulebook.model import Case

PLAY = load.edition("tiger-buffalo-commission", "2025-11-21").table_of_play


def outcome(text: str) -> Outcome:
    player, _, banker = text.partition(" v ")
    return outcome_of(Coup(cards(player), cards(banker)))


@pytest.mark.parametrize(
    ("player", "banker", "pairs"),
    [
        ("KH KD", "KS KC", Pairs.TWIN),
        ("KH KH", "QS QC", Pairs.BOTH),
        ("KH QD", "JS TC", Pairs.NONE),  # all count nothing, no two are alike
        ("TH KD", "5S 5C", Pairs.BANKER),
        ("AH AD", "TS KC", Pairs.PLAYER),
        ("AH 9D 9C", "TS KC KD", Pairs.NONE),  # a third card makes no pair
    ],
)
def test_pairs(player: str, banker: str, pairs: Pairs) -> None:
    assert pairs_of(cards(player), cards(banker)) is pairs


def test_all_pairs() -> None:
    """W2, all 13⁴ ranks: 13 twins, 13 × 12 doubles, and so on."""
    count = Counter(
        pairs_of(cards(f"{first}H {second}D"), cards(f"{three}S {four}C"))
        for first, second, three, four in product(RANKS, repeat=4)
    )
    assert count == {"twin": 13, "both": 156, "player": 13 * 156, "banker": 13 * 156, "none": 156 * 156}


def test_an_outcome_is_points_numbers_of_cards_and_pairs() -> None:
    assert outcome("KH 5D 7C v AS AC 5H") == Outcome(2, 7, 3, 3, Pairs.BANKER)
    assert outcome("KH 5D 7C v AS AC 5H").lead == -5


# At least one coup for each case. Beside each coup: all the cases that hold, and no others.
EXAMPLES = {
    "KH 7D v QS 6C": "Player wins|Player wins by one on 7, 8 or 9 with 4 cards|Player wins on 7 with two cards|4 cards",
    "KH 6D v QS 7C": "Banker wins|Banker wins on other points|Banker wins by one on 7, 8 or 9 with 4 cards"
    "|Banker wins on 7 with two cards|4 cards",
    "KH 6D v QS JC 6S": "Tie|Tie on 6|5 or 6 cards",
    "KH 7D v QS JC 7S": "Tie|5 or 6 cards",
    "KH 6D v QS JC 5S": "Player wins|Player wins on 6 with two cards|Either hand wins on 6|5 or 6 cards",
    "KH 2D 4C v QS JC 5S": "Player wins|Player wins on 6 with three cards|Either hand wins on 6|5 or 6 cards",
    "KH 5D KC v QS 6C": "Banker wins|Banker wins on 6 points|Banker wins on 6 with two cards|Either hand wins on 6"
    "|5 or 6 cards",
    "KH 5D KC v QS 3C 3S": "Banker wins|Banker wins on 6 points|Banker wins on 6 with three cards"
    "|Either hand wins on 6|5 or 6 cards",
    "KH 3D 4C v QS JC 6S": "Player wins|Player wins on 7 with three cards"
    "|Player wins by one on 7, 8 or 9 with 6 cards|5 or 6 cards",
    "KH 2D 4C v QS JC 7S": "Banker wins|Banker wins on other points|Banker wins on 7 with three cards"
    "|Banker wins by one on 7, 8 or 9 with 6 cards|5 or 6 cards",
    "KH 7D v QS JC 6S": "Player wins|Player wins on 7 with two cards"
    "|Player wins by one on 7, 8 or 9 with 5 cards|5 or 6 cards",
    "KH 6D v QS JC 7S": "Banker wins|Banker wins on other points|Banker wins on 7 with three cards"
    "|Banker wins by one on 7, 8 or 9 with 5 cards|5 or 6 cards",
    "KH QD AC v TS JC KS": "Player wins|Player wins on 1|5 or 6 cards",
    "KH 8D v QS JC": "Player wins|Player wins with a natural 8|4 cards",
    "KH 9D v QS JC": "Player wins|Player wins with a natural 9|4 cards",
    "KH QD v TS 8C": "Banker wins|Banker wins on other points|Banker wins with a natural 8|4 cards",
    "KH QD v TS 9C": "Banker wins|Banker wins on other points|Banker wins with a natural 9|4 cards",
    "KH KD v TS 9C": "Banker wins|Banker wins on other points|Banker wins with a natural 9|4 cards"
    "|Player Pair|One pair",
    "KH 9D v TS TC": "Player wins|Player wins with a natural 9|4 cards|Banker Pair|One pair",
    "4H 4D v 9S 9C": "Tie|4 cards|Player Pair|Banker Pair|Two pairs of different rank",
    "9H 9D v 9S 9C": "Tie|4 cards|Player Pair|Banker Pair|Two pairs of the same rank",
}


@pytest.mark.parametrize(("text", "cases"), EXAMPLES.items(), ids=list(EXAMPLES))
def test_the_cases_of_a_coup(text: str, cases: str) -> None:
    assert {case.value for case in Case if holds(case, outcome(text))} == set(cases.split("|"))


def test_every_case_has_an_example_above() -> None:
    assert {case for cases in EXAMPLES.values() for case in cases.split("|")} == {case.value for case in Case}


def test_pair_flags_that_points_allow() -> None:
    """Two cards of one rank have even points. Every pair of points is compared with all ranks."""
    by_points: dict[tuple[int, int], set[Pairs]] = defaultdict(set)
    starts = [cards(f"{first}H {second}D") for first, second in product(RANKS, repeat=2)]
    for player, banker in product(starts, repeat=2):
        by_points[points(player), points(banker)].add(pairs_of(player, banker))
    assert len(by_points) == 100
    for both, flags in by_points.items():
        assert set(pairs_possible(*both)) == flags, both


def test_ends_of_two_card_points() -> None:
    assert ends(PLAY, 8, 3) == {(8, 3, 2, 2)}
    assert ends(PLAY, 6, 6) == {(6, 6, 2, 2)}
    assert ends(PLAY, 7, 5) == {(7, points, 2, 3) for points in range(10)}
    assert ends(PLAY, 0, 7) == {(points, 7, 3, 2) for points in range(10)}
    assert len(ends(PLAY, 0, 0)) == 100
    assert ends(PLAY, 5, 3, 8) == {(3, 3, 3, 2)}
    assert ends(PLAY, 5, 3, 7, 5) == {(2, 8, 3, 3)}
    assert ends(PLAY, 5, 3, None, 5) == {((5 + third) % 10, 8, 3, 3) for third in range(10) if third != 8}


def test_a_third_card_that_is_not_drawn_has_no_end() -> None:
    assert ends(PLAY, 6, 0, 4) == frozenset()  # the Player stands
    assert ends(PLAY, 6, 6, None, 4) == frozenset()  # the Banker stands
    assert ends(PLAY, 5, 3, 8, 4) == frozenset()


def test_all_outcomes_are_different_and_in_order() -> None:
    outcomes = all_outcomes(PLAY)
    assert len(outcomes) == len(set(outcomes)) == 779
    assert [(result.player_points, result.banker_points) for result in outcomes] == sorted(
        (result.player_points, result.banker_points) for result in outcomes
    )
