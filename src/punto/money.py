"""Money: whole cents and exact ratios (M1, M2). The only place where an amount is rounded. No float touches it."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

MAXIMUM_CENTS: Final = 10**15
"""No single amount is larger than ten trillion: a bound on what an outsider can send."""

LONGEST_SAID: Final = 40
"""Letters of what is no amount that an error says again."""

_AMOUNT: Final = re.compile(r"(0|[1-9][0-9]{0,12})(?:\.([0-9]{1,2}))?", re.ASCII)
_ODDS: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?) ?(?:to|:) ?([0-9]{1,6}(?:\.[0-9]{1,6})?)", re.ASCII)

_LARGEST_WHOLE: Final = 9
_DECIMALS: Final = 10**6


class Cents(int):
    """An amount on its way in or out: whole cents inside, a decimal string on the wire."""


class MoneyError(ValueError):
    """Text that is no amount, or odds that are not exact."""


def cents(text: str) -> int:
    """Read an amount: "100.00" is 10000 cents."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        said = text if len(text) <= LONGEST_SAID else text[:LONGEST_SAID] + "…"
        raise MoneyError(f'{said!r} is no amount: expected digits with at most two decimals, as in "100.00"')
    whole, part = match.groups()
    return int(whole) * 100 + (int(part.ljust(2, "0")) if part else 0)


def stake_cents(text: str) -> int:
    """Read a stake: an amount of more than nothing."""
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
    """What printed odds, "x to y" or "x:y", pay and on what, as they are printed."""
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
    """Odds as people are told them, the same wherever they stand (O100): in whole numbers, 3 to 2, and in decimals to 1
    where those would be large, 0.95 to 1."""
    if at.denominator > _LARGEST_WHOLE and not at * _DECIMALS % 1:
        whole, part = divmod(int(at * _DECIMALS), _DECIMALS)
        return f"{whole}.{part:06d}".rstrip("0") + " to 1"
    return f"{at.numerator} to {at.denominator}"


def round_cents(numerator: int, denominator: int) -> int:
    """M1: to the nearest cent, halves to the patron. It rounds what a patron gets, so never a negative amount."""
    assert numerator >= 0, "only what is paid to a patron is rounded"
    return (2 * numerator + denominator) // (2 * denominator)


def winnings_cents(stake_cents: int, at: Fraction) -> int:
    """M2: what a won stake earns at these odds, the stake itself not counted."""
    return round_cents(stake_cents * at.numerator, at.denominator)
