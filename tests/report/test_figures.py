"""Figures for people: rounded once, from the exact value."""

from __future__ import annotations

from fractions import Fraction

import pytest

from punto.report import figures


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction(-43, 415), 10, "−0.1036144578"),
        (Fraction(1, 3), 2, "0.33"),
        (Fraction(-1, 1000), 2, "0.00"),
        (Fraction(1, 8), 2, "0.12"),
        (Fraction(3, 8), 2, "0.38"),
        (10**17 + 1, 0, "100,000,000,000,000,001"),
        (1234.5, 1, "1,234.5"),
    ],
)
def test_a_decimal_is_exact_until_it_is_rounded(value: Fraction, places: int, text: str) -> None:
    assert figures.decimal(value, places) == text


@pytest.mark.parametrize(
    ("value", "text"), [(Fraction(1, 2), "+50.00 %"), (Fraction(-1, 2), "−50.00 %"), (0, "0.00 %"), (1e-9, "0.00 %")]
)
def test_a_change_has_a_sign_where_it_is_one(value: Fraction, text: str) -> None:
    assert figures.change(value, 2) == text


def test_words_of_the_trade() -> None:
    assert [figures.pays(Fraction(odds)) for odds in ("19/20", "8", "0", "-1")] == ["0.95 to 1", "8 to 1", "0", "−1"]
    assert figures.power(10**4) == "10⁴"
    assert figures.whole(4998398275503360) == "4,998,398,275,503,360"
