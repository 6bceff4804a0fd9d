"""Published figures reproduce, to the last printed digit; those that do not are explained in docs/differences.md."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from punto.odds.composition import full
from punto.odds.insurance import cells
from punto.odds.removal import betting_correlation, effects
from punto.odds.value import Value, count, values
from punto.rulebook import in_force, load
from punto.rulebook.model import Bet, Rulebook
from tests.published import figures

RULES = load.edition("tiger-buffalo-commission", "2025-11-21")
LIVE = load.edition("live-baccarat-insurance-commission", "undated")
EIGHT = full(RULES, 8)
ATOMS = count(RULES, EIGHT).atoms
OUTCOMES = count(RULES, EIGHT).outcomes
TOTAL = 416 * 415 * 414 * 413 * 412 * 411
DIFFERENCES = (Path(__file__).parents[2] / "docs" / "differences.md").read_text("utf-8")


def worth(rules: Rulebook, bet: str, decks: int = 8) -> Value:
    return values(rules, full(rules, decks))[Bet(bet)]


def agrees(ours: Fraction | float, printed: str) -> bool:
    """The printed decimal is ours, rounded to its last digit."""
    last = Fraction(10) ** Decimal(printed).as_tuple().exponent  # type: ignore[operator]
    return abs(Fraction(ours) - Fraction(printed)) <= last / 2


def test_the_comparison_can_fail() -> None:
    assert agrees(Fraction(14581, 10000), "1.4581")
    assert agrees(1.45814, "1.4581")
    assert not agrees(1.45816, "1.4581")


@pytest.mark.parametrize("bet", figures.EXPECTATIONS)
def test_expectations(bet: str) -> None:
    assert worth(RULES, bet).expectation == figures.EXPECTATIONS[bet]


@pytest.mark.parametrize("bet", figures.COUPS)
def test_coups_that_win(bet: str) -> None:
    value = worth(RULES, bet)
    assert value.total == TOTAL == 4998398275503360
    assert sum(way.coups for way in value.ways if way.result == "won") == figures.COUPS[bet]


def test_banker_wins_by_points() -> None:
    ours = dict.fromkeys(range(1, 10), 0)
    for outcome, coups in OUTCOMES.items():
        if outcome.lead < 0:
            ours[outcome.banker_points] += coups
    assert ours == figures.BANKER_WINS_ON


def test_naturals_and_margins() -> None:
    natural = {
        outcome: coups for outcome, coups in OUTCOMES.items() if outcome.player_cards == outcome.banker_cards == 2
    }
    for side in (1, -1):
        wins = [c for o, c in natural.items() if o.lead * side > 0 and max(o.player_points, o.banker_points) >= 8]
        assert sum(wins) == figures.NATURAL_WIN
        for margin, printed in figures.WIN_BY["player" if side > 0 else "banker"].items():
            assert printed == sum(
                coups
                for outcome, coups in OUTCOMES.items()
                if outcome.lead * side == margin
                and not (outcome in natural and max(outcome.player_points, outcome.banker_points) >= 8)
            )
    ties = [c for o, c in natural.items() if o.lead == 0 and o.player_points >= 8]
    assert sum(ties) == figures.NATURAL_TIE


@pytest.mark.parametrize("decks", figures.CARDS_USED)
def test_cards_used(decks: int) -> None:
    census = count(RULES, full(RULES, decks))
    for cards, printed in figures.CARDS_USED[decks].items():
        coups = sum(c for outcome, c in census.outcomes.items() if outcome.player_cards + outcome.banker_cards == cards)
        assert agrees(Fraction(coups, census.total), printed)


@pytest.mark.parametrize(("game", "bet"), figures.EDGES)
def test_house_edges(game: str, bet: str) -> None:
    rules = in_force.governing(game, in_force.instant("2025-12-01"))
    assert agrees(-100 * worth(rules, bet).expectation, figures.EDGES[game, bet])


@pytest.mark.parametrize("bet", figures.SIX_DECK_EDGES)
def test_six_decks(bet: str) -> None:
    assert agrees(-100 * worth(RULES, bet, 6).expectation, figures.SIX_DECK_EDGES[bet])


def test_the_big_tiger_and_its_count() -> None:
    value = worth(RULES, "big_tiger")
    assert agrees(value.standard_deviation, figures.BIG_TIGER_DEVIATION)
    assert agrees(100 * value.hit_frequency, figures.BIG_TIGER_HITS)
    moved = effects(RULES, EIGHT)[Bet.BIG_TIGER]
    tags = dict(zip(moved, figures.BIG_TIGER_TAGS, strict=True))
    assert agrees(betting_correlation(EIGHT, moved, tags), figures.BIG_TIGER_CORRELATION)


def test_effects_of_removal() -> None:
    before = worth(RULES, "player").hit_frequency
    for rank, printed in figures.REMOVAL_OF_PLAYER_WINS.items():
        after = values(RULES, EIGHT.without(rank))[Bet.PLAYER].hit_frequency
        assert float(after - before) == pytest.approx(printed, abs=5e-11)


def chances(player: int, banker: int | None = None) -> list[Fraction]:
    """Player wins, Banker wins, tie, given two-card points."""
    won = [0, 0, 0]
    for (a, b, v, w), coups in ATOMS.items():
        if a == player and banker in (None, b):
            lead = (a + (v or 0)) % 10 - (b + (w or 0)) % 10
            won[0 if lead > 0 else 1 if lead < 0 else 2] += coups
    return [Fraction(coups, sum(won)) for coups in won]


@pytest.mark.parametrize("row", figures.AFTER_FOUR_CARDS.strip().splitlines())
def test_after_four_cards(row: str) -> None:
    player, banker, *printed = row.split()
    ours = chances(int(player), int(banker))
    assert all(agrees(chance, other) for chance, other in zip(ours, printed, strict=True))
    for cell in cells(RULES, EIGHT):
        if (cell.after, cell.player_points, cell.banker_points) == ("four-cards", int(player), int(banker)):
            insured = 1 if cell.bet == "player_insurance" else 0
            assert [cell.won, cell.returned, cell.lost] == [ours[insured], ours[2], ours[1 - insured]]


@pytest.mark.parametrize("row", figures.AFTER_TWO_PLAYER_CARDS.strip().splitlines())
def test_after_two_player_cards(row: str) -> None:
    player, *printed = row.split()
    assert all(agrees(chance, other) for chance, other in zip(chances(int(player)), printed, strict=True))


# Differences, each with its reason shown


def test_natural_bets_need_the_win_here() -> None:
    """The published bet is on the natural alone. Ours loses on a tie and against a higher natural (L5)."""
    for points, printed in figures.ANY_NATURAL_EDGES.items():
        any_natural = Fraction(sum(coups for (a, _, _, _), coups in ATOMS.items() if a == points), TOTAL)
        assert agrees(100 * (1 - 9 * any_natural), printed)
        assert worth(LIVE, f"player_natural_{points}").hit_frequency < any_natural
    assert agrees(-100 * worth(LIVE, "player_natural_9").expectation, "22.6612")
    assert agrees(-100 * worth(LIVE, "player_natural_8").expectation, "31.0087")
    assert "22.6612 %" in DIFFERENCES
    assert "31.0087 %" in DIFFERENCES


def test_edges_without_ties() -> None:
    decided = 1 - worth(RULES, "tie").hit_frequency
    for bet, printed in figures.EDGES_WITHOUT_TIES.items():
        edge = -100 * worth(RULES, bet).expectation
        assert not agrees(edge, printed)
        assert agrees(edge / decided, printed)
        assert f"{printed} %" in DIFFERENCES


def test_big_is_paid_otherwise() -> None:
    hits = worth(LIVE, "big").hit_frequency
    assert agrees(100 * (1 - hits * Fraction(154, 100)), figures.BIG_AT_54)
    assert agrees(-100 * worth(LIVE, "big").expectation, "6.8303")
    assert "6.8303 %" in DIFFERENCES


def test_a_total_that_lost_its_last_digit() -> None:
    """The published losing row is cut off after fifteen digits, and so is the sum of the rows."""
    loses = 0
    for outcome, coups in OUTCOMES.items():
        natural = (
            outcome.player_cards == outcome.banker_cards == 2 and max(outcome.player_points, outcome.banker_points) >= 8
        )
        if outcome.lead < (0 if natural else 4):
            loses += coups
    assert loses // 10 * 10 == figures.CUT_LOSS
    assert (TOTAL - loses + figures.CUT_LOSS) // 10 * 10 == figures.CUT_TOTAL != TOTAL
    assert str(figures.CUT_TOTAL) in DIFFERENCES
