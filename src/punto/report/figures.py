"""Format figures for people: rounded once, from the exact value; an exact value is never converted to a float first."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from punto.money import said

MINUS: Final = "\N{MINUS SIGN}"
Number = Fraction | float | int


def decimal(value: Number, places: int) -> str:
    """A rounded decimal, halves to even."""
    scaled = round(Fraction(value) * 10**places)
    whole, part = divmod(abs(scaled), 10**places)
    text = f"{whole:,}.{part:0{places}d}" if places else f"{whole:,}"
    return f"{MINUS}{text}" if scaled < 0 else text


def signed(value: Number, places: int) -> str:
    """A rounded change: a plus sign before a positive figure, no sign before a zero."""
    text = decimal(value, places)
    return f"+{text}" if not text.startswith(MINUS) and any(digit in "123456789" for digit in text) else text


def percent(value: Number, places: int = 4) -> str:
    return f"{decimal(Fraction(value) * 100, places)} %"


def change(value: Number, places: int = 4) -> str:
    """A change in percent of the stake."""
    return f"{signed(Fraction(value) * 100, places)} %"


def whole(value: int) -> str:
    """A count with thousands separators."""
    return f"{value:,}"


def pays(value: Fraction) -> str:
    """Net winnings for people: odds such as 0.95 to 1; 0 if the stake is returned, −1 if it is lost."""
    if value <= 0:
        return "0" if value == 0 else f"{MINUS}1"
    return said(value)


def power(rounds: int) -> str:
    """A power of ten in short form: 10 000 as 10⁴."""
    return "10" + str(len(str(rounds)) - 1).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
