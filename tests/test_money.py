"""Money: whole cents, exact odds, one rounding (M1, M2)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.money import MAXIMUM_CENTS, MoneyError, amount, cents, odds, round_cents, said, stake_cents, winnings_cents

amounts = st.integers(0, MAXIMUM_CENTS - 1)
ratios = st.fractions(min_value=Fraction(1, 20), max_value=200, max_denominator=40).filter(bool)


@given(amounts)
def test_an_amount_is_read_back_from_its_text(value: int) -> None:
    assert cents(amount(value)) == value


@given(amounts)
def test_an_amount_has_two_decimals_and_no_leading_zero(value: int) -> None:
    whole, _, part = amount(value).partition(".")
    assert len(part) == 2
    assert whole == str(int(whole))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("0.00", 0),
        ("0.01", 1),
        ("0.1", 10),
        ("1", 100),
        ("1.5", 150),
        ("100.00", 10000),
        ("9999999999999.99", MAXIMUM_CENTS - 1),
    ],
)
def test_every_spelling_of_an_amount(text: str, value: int) -> None:
    assert cents(text) == value


def test_a_loss_is_shown_with_a_sign() -> None:
    assert (amount(-5), amount(-12345)) == ("-0.05", "-123.45")


BAD_AMOUNTS = [
    *(
        "",
        " ",
        "-1",
        "-0",
        "+1",
        " 1",
        "1 ",
        "1\n",
        "1.",
        ".5",
        "1.234",
        "1.2.3",
        "01",
        "00",
        "00.10",
        "1,000",
        "1_000",
    ),
    *("NaN", "nan", "Infinity", "inf", "1e3", "1E3", "0x10", "1/2", "true", "null", "١٢", "１", "²", "½", "1٫5"),
    *("10000000000000", "9" * 100, "1" + "0" * 10_000),
]


@pytest.mark.parametrize(
    ("letters", "shown"), [(1, "x"), (40, "x" * 40), (41, "x" * 40 + "…"), (9_000, "x" * 40 + "…")]
)
def test_what_is_no_amount_is_said_again_up_to_forty_letters(letters: int, shown: str) -> None:
    with pytest.raises(MoneyError, match=f"^'{shown}' is no amount: "):
        cents("x" * letters)


def test_a_stake_is_an_amount_of_more_than_nothing() -> None:
    assert (stake_cents("0.01"), stake_cents("100.00")) == (1, 10_000)
    with pytest.raises(MoneyError, match=r"^'0\.00' is no stake: expected more than 0\.00$"):
        stake_cents("0.00")


def in_ascii(text: str) -> str:
    """A test's name in ASCII, by which it can be called."""
    return "'" + text[:20].replace("\n", "&#10;").encode("ascii", "xmlcharrefreplace").decode() + "'"


@pytest.mark.parametrize("text", BAD_AMOUNTS, ids=in_ascii)
def test_what_is_no_amount_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(MoneyError, match=r"expected digits with at most two decimals, as in \"100\.00\""):
        cents(text)
    with pytest.raises(MoneyError):
        stake_cents(text)


@pytest.mark.parametrize("text", ["0", "0.0", "0.00"])
def test_nothing_is_an_amount_and_no_stake(text: str) -> None:
    assert cents(text) == 0
    with pytest.raises(MoneyError, match=r"expected more than 0\.00"):
        stake_cents(text)


@given(st.text(max_size=20))
def test_text_is_an_amount_or_a_money_error(text: str) -> None:
    try:
        value = cents(text)
    except MoneyError:
        return
    assert 0 <= value < MAXIMUM_CENTS
    assert Fraction(text) * 100 == value


@pytest.mark.parametrize(
    ("text", "ratio"),
    [
        ("1 to 1", Fraction(1)),
        ("3 to 2", Fraction(3, 2)),
        ("1 to 2", Fraction(1, 2)),
        ("0.95 to 1", Fraction(19, 20)),
        ("150 to 1", Fraction(150)),
        ("0.95:1", Fraction(19, 20)),
        ("0.5:1", Fraction(1, 2)),
        ("11:1", Fraction(11)),
    ],
)
def test_printed_odds_are_exact(text: str, ratio: Fraction) -> None:
    assert odds(text) == ratio


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "0.95",
        "1/3",
        "3/2",
        "about 3 to 1",
        "3 to",
        "to 1",
        "3 to 2 to 1",
        "-3 to 1",
        "3 for 1",
        "٣ to 1",
        "3 to 1 ",
        "1e3 to 1",
        "NaN to 1",
        "1.2345678 to 1",
        "1" * 9 + " to 1",
    ],
)
def test_odds_that_are_not_exact_are_refused(text: str) -> None:
    with pytest.raises(MoneyError, match='expected "x to y"'):
        odds(text)


@pytest.mark.parametrize("text", ["0 to 1", "1 to 0", "0.0:1", "0 to 0"])
def test_odds_of_nothing_are_refused(text: str) -> None:
    with pytest.raises(MoneyError, match="more than 0"):
        odds(text)


@given(st.integers(1, 999_999), st.integers(1, 999_999), st.sampled_from([" to ", ":"]))
def test_odds_are_read_back_from_their_text(pays: int, on: int, between: str) -> None:
    assert odds(f"{pays}{between}{on}") == Fraction(pays, on)


@pytest.mark.parametrize(
    ("numerator", "denominator", "rounded"),
    [
        (0, 1, 0),
        (1, 2, 1),
        (3, 2, 2),
        (5, 2, 3),
        (1, 3, 0),
        (2, 3, 1),
        (19, 20, 1),
        (9, 20, 0),
        (10, 20, 1),
        (11, 20, 1),
    ],
)
def test_halves_go_to_the_patron(numerator: int, denominator: int, rounded: int) -> None:
    assert round_cents(numerator, denominator) == rounded


@given(amounts, st.integers(1, 1000))
def test_rounding_moves_an_amount_by_half_a_cent_at_most(numerator: int, denominator: int) -> None:
    moved = round_cents(numerator, denominator) - Fraction(numerator, denominator)
    assert -Fraction(1, 2) < moved <= Fraction(1, 2)


def test_only_what_is_paid_is_rounded() -> None:
    with pytest.raises(AssertionError):
        round_cents(-1, 2)


@pytest.mark.parametrize(
    ("stake", "at", "won"),
    [
        ("100.00", "0.95 to 1", "95.00"),
        ("0.01", "0.95 to 1", "0.01"),  # 0.0095 is nearer to a cent than to nothing
        ("0.10", "0.95 to 1", "0.10"),  # 0.095: the half cent goes to the patron
        ("0.01", "1 to 2", "0.01"),  # 0.005, a half
        ("0.03", "3 to 2", "0.05"),  # 0.045, a half
        ("33.33", "3 to 2", "50.00"),  # 49.995, a half
        ("1.00", "150 to 1", "150.00"),
    ],
)
def test_winnings(stake: str, at: str, won: str) -> None:
    assert amount(winnings_cents(cents(stake), odds(at))) == won


@given(st.lists(amounts, min_size=1, max_size=5), ratios)
def test_a_stake_cut_in_parts_wins_the_same_but_for_a_half_cent_each(stakes: list[int], at: Fraction) -> None:
    parts = sum(winnings_cents(stake, at) for stake in stakes)
    whole = sum(stakes) * at
    assert abs(parts - whole) <= Fraction(len(stakes), 2)


@given(amounts, amounts, ratios)
def test_a_larger_stake_never_wins_less(first: int, second: int, at: Fraction) -> None:
    low, high = sorted((first, second))
    assert winnings_cents(low, at) <= winnings_cents(high, at)


@given(amounts, st.integers(1, 200))
def test_whole_odds_are_never_rounded(stake: int, at: int) -> None:
    assert winnings_cents(stake, Fraction(at)) == stake * at


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        ("19/20", "0.95 to 1"),
        ("1/2", "1 to 2"),
        ("3/2", "3 to 2"),
        ("5/2", "5 to 2"),
        ("10", "10 to 1"),
        ("27/50", "0.54 to 1"),
        ("31/20", "1.55 to 1"),
        ("1/11", "1 to 11"),
        ("1/64", "0.015625 to 1"),
    ],
)
def test_odds_have_one_form(ratio: str, text: str) -> None:
    assert said(Fraction(ratio)) == text
    assert odds(text) == Fraction(ratio), "and can be read again"
