"""Effects of removal are exact; gains by the formula agree with depleted shoes valued by the compiled engine."""

from __future__ import annotations

import pytest

from punto.cards import RANKS
from punto.odds.composition import Composition, OddsError, full
from punto.odds.removal import cards_a_round, countable, effects
from punto.odds.value import values
from punto.rulebook.model import Bet
from punto.sim.counting import Measured, measured
from tests.odds.shoes import RULES

WHOLE = full(RULES, 8)
PAIRS = {Bet.PLAYER_PAIR, Bet.BANKER_PAIR, Bet.TIGER_PAIR}


def test_an_effect_is_the_difference_that_a_card_makes() -> None:
    by_bet = effects(RULES, WHOLE)
    before = values(RULES, WHOLE)
    for rank in RANKS:
        after = values(RULES, WHOLE.without(rank))
        assert {bet: by_rank[rank] for bet, by_rank in by_bet.items()} == {
            bet: after[bet].expectation - before[bet].expectation for bet in RULES.bets
        }


def test_effects_over_the_whole_shoe_cancel() -> None:
    """Exact: the next card may be any card, so over all cards of a shoe the effects add up to zero."""
    for shoe in (WHOLE, Composition((3, 0, 5, 1, 8, 2, 2, 9, 4, 0, 1, 7, 6))):
        for by_rank in effects(RULES, shoe).values():
            assert sum(shoe.ranks[RANKS.index(rank)] * effect for rank, effect in by_rank.items()) == 0


def test_cards_a_round() -> None:
    assert cards_a_round(RULES, WHOLE) == pytest.approx(4 + 0.303444 + 2 * 0.317687, abs=2e-6)


@pytest.fixture(scope="module")
def half_way() -> dict[Bet, Measured]:
    return measured(RULES, decks=8, cut_cards=208, shoes=300, seed=5)


def test_the_formula_agrees_with_depleted_shoes_at_half_a_shoe(half_way: dict[Bet, Measured]) -> None:
    """Half way a bet is nearly linear in the cards. Sampled: 300 shoes at each depth."""
    for bet in set(RULES.bets) - PAIRS:
        formula, sampled = countable(RULES, WHOLE, cut_cards=208, bet=bet), half_way[bet]
        assert formula.deviation_at_cut == pytest.approx(sampled.deviation_at_cut, rel=0.15)
        assert sampled.correlation > 0.93 or bet is Bet.TIE
        assert formula.gain_per_shoe == pytest.approx(sampled.gain_by_count, abs=0.004)


def test_deep_in_the_shoe_the_formula_is_of_the_right_size() -> None:
    """Down to 14 cards left. Here bets are not linear: exact play gains more than a linear count, and the formula is
    within about a factor of two of what the count gains."""
    sampled = measured(RULES, decks=8, cut_cards=14, shoes=120, seed=6)
    for bet in (Bet.BIG_TIGER, Bet.SMALL_TIGER, Bet.BANKER_CHAR_SIU, Bet.PLAYER_BIG_7, Bet.WU_DALANG):
        formula = countable(RULES, WHOLE, cut_cards=14, bet=bet).gain_per_shoe
        assert sampled[bet].gain_by_count / 2.2 < formula < 2 * sampled[bet].gain_by_count
        assert sampled[bet].gain_per_shoe > sampled[bet].gain_by_count
    for bet in PAIRS:
        count = countable(RULES, WHOLE, cut_cards=14, bet=bet)
        assert (count.correlation, count.gain_per_shoe) == (0.0, 0.0), "all ranks are alike to a pair"
        assert sampled[bet].gain_per_shoe > 0.1, "and still a shoe of few ranks is worth betting on"
    for bet in (Bet.BANKER, Bet.PLAYER):
        assert sampled[bet].gain_per_shoe < 0.01, "the main bets are not worth counting"


def test_the_same_seed_measures_the_same() -> None:
    assert measured(RULES, decks=8, cut_cards=300, shoes=20, seed=1) == measured(
        RULES, decks=8, cut_cards=300, shoes=20, seed=1
    )


@pytest.mark.parametrize("cut", [5, 416, -1])
def test_a_cut_that_is_none(cut: int) -> None:
    with pytest.raises(OddsError, match="behind the cut card"):
        countable(RULES, WHOLE, cut_cards=cut, bet=Bet.TIE)
    with pytest.raises(ValueError, match="behind the cut card"):
        measured(RULES, decks=8, cut_cards=cut)


def test_the_last_six_cards_have_no_effects() -> None:
    with pytest.raises(OddsError, match="with one less a coup can't be dealt"):
        effects(RULES, Composition((6,) + (0,) * 12))
