"""Insurance by example: the whole pay table by points, and how much may be staked (P2, P4, W6)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from punto.cards import cards
from punto.game.coup import Coup
from punto.game.insurance import Offer, maximum_stake_cents, offer, result
from punto.rulebook import load
from punto.rulebook.model import Insurance, Moment, Rulebook

BOOKS = [load.edition(source.game, source.edition) for source in load.catalogue()]
ALL = pytest.mark.parametrize("rules", BOOKS, ids=[rules.id for rules in BOOKS])
TB = load.edition("tiger-buffalo-commission", "2025-11-21")
LIVE = load.edition("live-baccarat-insurance-commission", "undated")
OF = "KA23456789"

# Rows: Banker 0 to 9. Columns: Player 0 to 9. P or B and the odds; a star where the tie is paid.
AFTER_FOUR_CARDS = """
    .     .     .     .     .     .     P5/2  P4    .     .
    .     .     .     .     .     .     P5/2  P4    .     .
    .     .     .     .     .     .     P5/2  P4    .     .
    .     .     .     .     .     .     P5/2  P4    .     .
    B3/2  B3/2  B3/2  B3/2  .     P3/2  P5/2  P4    .     .
    B3/2  B3/2  B3/2  B3/2  B3/2  .     P5/2  P4    .     .
    B5/2  B5/2  B5/2  B5/2  B5/2  B5/2  .     .     .     .
    B4    B4    B4    B4    B4    B4    .     .     .     .
    .     .     .     .     .     .     .     .     .     .
    .     .     .     .     .     .     .     .     .     .
"""
AFTER_PLAYER_S_THIRD = """
    .     .     .     .     .     P3/2  P5/2  P4    P10   P10*
    B10*  B6    .     .     .     P3/2  P5/2  P4    P10   P10*
    B10*  B10   .     .     .     P3/2  P5/2  P4    P10   P10*
    B10*  B10   B4    .     .     P3/2  P5/2  P4    P10   P10*
    B10*  B10   B4    B5/2  .     P3/2  P5/2  P4    P10   P10*
    B10*  B10   B4    .     .     .     P5/2  P4    P10   P10*
    B10*  B10   B4    .     .     .     .     P4    P10   P10*
    .     .     .     .     .     .     .     .     .     .
    .     .     .     .     .     .     .     .     .     .
    .     .     .     .     .     .     .     .     .     .
"""


def shown(terms: Offer | None) -> str:
    if terms is None:
        return "."
    return f"{terms.bet[0].upper()}{terms.odds}{'*' if terms.tie_paragraph else ''}"


@ALL
def test_the_pay_table_after_four_cards(rules: Rulebook) -> None:
    """A card is due on every printed row, so every cell is reached."""
    for banker, row in enumerate(AFTER_FOUR_CARDS.strip().splitlines()):
        for player, cell in enumerate(row.split()):
            coup = Coup(cards(f"QH {OF[player]}D"), cards(f"JS {OF[banker]}C"))
            assert shown(offer(rules, Moment.FOUR_CARDS, coup)) == cell, coup


@ALL
def test_the_pay_table_after_the_player_s_third_card(rules: Rulebook) -> None:
    """Every way to the Player's points by a third card; offered only where the Banker draws on that card (P2)."""
    for banker, row in enumerate(AFTER_PLAYER_S_THIRD.strip().splitlines()):
        for total, cell in enumerate(row.split()):
            reached = set()
            for two in range(6):
                third = (total - two) % 10
                coup = Coup(cards(f"QH {OF[two]}D {OF[third]}C"), cards(f"JS {OF[banker]}C"))
                draws = rules.table_of_play.banker_draws(banker, two, third)
                actual = shown(offer(rules, Moment.PLAYER_THIRD, coup))
                assert actual == (cell if draws else "."), coup
                reached.add(actual)
            assert cell in reached, (total, banker)


def test_an_offer_says_where_it_stands() -> None:
    coup = Coup(cards("KH 5D 4C"), cards("QS 4C"))
    assert offer(TB, Moment.PLAYER_THIRD, coup) == Offer(
        bet=Insurance.PLAYER,
        after=Moment.PLAYER_THIRD,
        player_points=9,
        banker_points=4,
        odds=Fraction(10),
        paragraph="4.1.15",
        tie_paragraph="4.2.1.a",
    )


@pytest.mark.parametrize(
    ("hand", "third"), [("KH AD 6C", True), ("KH KD 7C", True), ("2H 3D 2C", False), ("4H AD 2C", False)]
)
def test_seven_against_six_only_on_a_six_or_a_seven(hand: str, third: bool) -> None:
    """P2: against another third card Banker 6 stands, and no card is due."""
    terms = offer(TB, Moment.PLAYER_THIRD, Coup(cards(hand), cards("KS 6C")))
    assert (terms is not None) == third


def at(odds: str, *, star: str | None = None, bet: Insurance = Insurance.PLAYER) -> Offer:
    return Offer(
        bet=bet,
        after=Moment.PLAYER_THIRD,
        player_points=0,
        banker_points=0,
        odds=Fraction(odds),
        paragraph="4.1.15",
        tie_paragraph=star,
    )


@pytest.mark.parametrize(
    ("odds", "original", "staked", "table", "most"),
    [
        ("3/2", 100, 0, None, 100),
        ("3/2", 100, 60, None, 40),
        ("3/2", 100, 100, None, 0),
        ("3/2", 100, 101, None, 0),  # never less than nothing
        ("4", 100, 0, 40, 100),  # the quarter binds at 10 to 1 only
        ("10", 100, 0, None, 100),
        ("10", 100, 0, 43, 10),  # 10.75, rounded down
        ("10", 100, 4, 43, 6),
        ("10", 100, 11, 43, 0),
        ("10", 5, 0, 43, 5),
    ],
)
def test_tiger_buffalo_limit(odds: str, original: int, staked: int, table: int | None, most: int) -> None:
    stake_cents = maximum_stake_cents(TB, at(odds), original, staked_cents=staked, table_maximum_cents=table)
    assert stake_cents == most


@pytest.mark.parametrize(
    ("odds", "original", "staked", "could_win", "most"),
    [
        ("3/2", 1000_00, 0, 0, 666_66),  # W6
        ("5/2", 1000_00, 0, 0, 400_00),
        ("10", 1000_00, 0, 0, 100_00),
        ("10", 1000_09, 0, 0, 100_00),
        ("3/2", 1000_00, 666_66, 0, 0),
        ("3/2", 1000_00, 600_00, 0, 66_66),
        ("10", 1000_00, 0, 600_00, 40_00),
        ("10", 1000_00, 0, "199995/2", 0),
        ("10", 1000_00, 0, 1000_01, 0),
    ],
)
def test_live_limit(odds: str, original: int, staked: int, could_win: int | str, most: int) -> None:
    for table in (None, 1):  # the Live page knows no share of a maximum
        stake_cents = maximum_stake_cents(
            LIVE, at(odds), original, staked_cents=staked, could_win=Fraction(could_win), table_maximum_cents=table
        )
        assert stake_cents == most


@pytest.mark.parametrize(
    ("bet", "star", "winner", "expected"),
    [
        (Insurance.PLAYER, None, "banker", ("won", "4.1.15")),
        (Insurance.PLAYER, None, "player", ("lost", "4.1.15")),
        (Insurance.PLAYER, None, "tie", ("returned", "4.2.1")),
        (Insurance.PLAYER, "4.2.1.a", "tie", ("won", "4.2.1.a")),
        (Insurance.PLAYER, "4.2.1.a", "player", ("lost", "4.1.15")),
        (Insurance.BANKER, None, "player", ("won", "4.1.15")),
        (Insurance.BANKER, None, "banker", ("lost", "4.1.15")),
        (Insurance.BANKER, "4.2.1.b", "tie", ("won", "4.2.1.b")),
    ],
)
def test_results(bet: Insurance, star: str | None, winner: str, expected: tuple[str, str]) -> None:
    assert result(TB, at("10", star=star, bet=bet), winner) == expected
