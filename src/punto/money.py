"""Money: whole cents and exact ratios (M1, M2), never floats. Amounts are rounded only here."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

MAXIMUM_CENTS: Final = 10**15
"""The largest single amount is ten trillion. It bounds what a client can send."""

LONGEST_SAID: Final = 40
"""An error quotes at most this many characters of a bad amount."""

_AMOUNT: Final = re.compile(r"(0|[1-9][0-9]{0,12})(?:\.([0-9]{1,2}))?", re.ASCII)
_ODDS: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?) ?(?:to|:) ?([0-9]{1,6}(?:\.[0-9]{1,6})?)", re.ASCII)

_LARGEST_WHOLE: Final = 9
_DECIMALS: Final = 10**6


class Cents(int):
    """An amount in a record: whole cents in Python, a decimal string in JSON."""


class MoneyError(ValueError):
    """A text is no amount, or no exact odds."""


def cents(text: str) -> int:
    """Read an amount: "100.00" is 10000 cents."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        said = text if len(text) <= LONGEST_SAID else text[:LONGEST_SAID] + "…"
        raise MoneyError(f'{said!r} is no amount: expected digits with at most two decimals, as in "100.00"')
    whole, part = match.groups()
    return int(whole) * 100 + (int(part.ljust(2, "0")) if part else 0)


def stake_cents(text: str) -> int:
    """Read a stake: an amount above 0."""
    value = cents(text)
    if not value:
        raise MoneyError(f"{text!r} is no stake: expected more than 0.00")
    return value


@lru_cache(maxsize=16_384)
def amount(value_cents: int) -> str:
    """An amount as text with two decimals, the inverse of `cents`."""
    if value_cents < 0:
        return "-" + amount(-value_cents)
    return "%d.%02d" % divmod(value_cents, 100)  # noqa: UP031 (twice as fast as an f-string, and this is the hot path)


def sides(text: str) -> tuple[str, str]:
    """The two sides of printed odds, "x to y" or "x:y", as they are printed."""
    match = _ODDS.fullmatch(text)
    if match is None:
        raise MoneyError(f'{text!r} are no exact odds: expected "x to y" or "x:y", as in "3 to 2"')
    return match[1], match[2]


def odds(text: str) -> Fraction:
    """Read printed odds as an exact ratio: "0.95 to 1" is 19/20."""
    pays, on = map(Fraction, sides(text))
    if not pays or not on:
        raise MoneyError(f'{text!r} are no odds: both sides of "x to y" are more than 0')
    return pays / on


def said(at: Fraction) -> str:
    """Odds as text for people, the same everywhere (O100): in whole numbers, 3 to 2, or as a decimal to 1 where the
    whole numbers would be large, 0.95 to 1."""
    if at.denominator > _LARGEST_WHOLE and not at * _DECIMALS % 1:
        whole, part = divmod(int(at * _DECIMALS), _DECIMALS)
        return f"{whole}.{part:06d}".rstrip("0") + " to 1"
    return f"{at.numerator} to {at.denominator}"


def round_cents(numerator: int, denominator: int) -> int:
    """M1: round to the nearest cent, halves up for the patron. Only payments to a patron are rounded: all are ≥ 0."""
    assert numerator >= 0, "only what is paid to a patron is rounded"
    return (2 * numerator + denominator) // (2 * denominator)


def winnings_cents(stake_cents: int, at: Fraction) -> int:
    """M2: the winnings of a stake at these odds, without the stake itself."""
    return round_cents(stake_cents * at.numerator, at.denominator)
