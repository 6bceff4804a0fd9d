"""The battery as registered before it was run: every test with its id, the level, and the sizes.

Any change here needs a new VERSION: a test chosen after looking at the data proves nothing.
"""

from __future__ import annotations

from typing import Final

import msgspec

VERSION: Final = 1
LEVEL: Final = 0.01
"""Family-wise level, by Holm's method: the highest probability that an honest generator fails the whole battery."""

SHOES: Final = 10_000
LEAST_SHOES: Final = 500
MOST_SHOES: Final = 10_000_000
RAW_BYTES: Final = 400
"""Raw bytes drawn for every shoe."""
SMALL_DECKS: Final = (3, 4, 5)
SMALL_SHUFFLES: Final = 10
"""Shuffles of every small deck for every shoe."""


class Registered(msgspec.Struct, frozen=True, kw_only=True):
    """A registered test."""

    id: str
    of: str
    """raw, order or cards."""
    looks_at: str
    distribution: str
    """Distribution of the statistic for an honest generator. Figures are for eight decks."""


def _registered(of: str, *rows: tuple[str, str, str]) -> tuple[Registered, ...]:
    return tuple(
        Registered(id=f"{of}-{name}", of=of, looks_at=looks_at, distribution=distribution)
        for name, looks_at, distribution in rows
    )


REGISTERED: Final = (
    *_registered(
        "raw",
        ("bits", "bits that are one", "binomial, by the normal"),
        ("runs", "neighbouring bits that differ", "binomial, by the normal"),
        ("bytes", "the 256 bytes", "chi-square, 255"),
        ("words", "the 65,536 words of 16 bits", "chi-square, 65,535"),
        ("gaps", "bytes between two that are below 16: 0 to 47, or more", "chi-square, 48"),
        ("poker", "different digits among five of base 16", "chi-square, 3; one or two digits are one class"),
        ("birthdays", "spacings that repeat among 4,096 birthdays in a year of 2^32 days", "Poisson, 4 a batch"),
    ),
    *_registered(
        "order",
        ("choices", "every choice of the shuffle, by the cards that were left", "chi-square, 86,320"),
        ("mean", "the average choice, as a share of the cards that were left", "normal, exact variance"),
        ("serial-choices", "two choices in turn, in eighths, while 64 cards or more are left", "chi-square, 63"),
        ("places", "every card of the sorted shoe, by the place it gets", "chi-square, 172,225"),
        ("distances", "neighbours, by their distance in the sorted shoe", "chi-square, 414, exact covariance"),
        ("fixed", "cards that stay where they were", "Poisson, one a shoe"),
        ("parity", "orders that an even number of swaps makes", "binomial, by the normal"),
        ("fives", "which of five cards in a row is higher: 120 patterns", "chi-square, 119"),
        ("serial", "rank correlation of one order with the next", "normal, exact variance"),
        ("deck-3", "the 6 orders of three cards", "chi-square, 5"),
        ("deck-4", "the 24 orders of four cards", "chi-square, 23"),
        ("deck-5", "the 120 orders of five cards", "chi-square, 119"),
    ),
    *_registered(
        "cards",
        ("composition", "every shoe holds every card as often as it has decks", "certain"),
        ("repeats", "whole shoes that come twice", "fewer than one in 10^500"),
        ("places", "the 52 cards, by place", "chi-square, 21,165, exact covariance"),
        ("neighbours", "two ranks in a row", "chi-square, 168, exact covariance"),
        ("gaps", "cards between two of one rank: 0 to 39, or more", "chi-square, 40, exact covariance"),
        ("poker", "ranks of five cards: six patterns", "chi-square, 5, exact covariance"),
        ("collisions", "first four cards that come twice", "Poisson, or normal above 1,000; exact mean and variance"),
        ("serial", "places where a shoe and the next have the same card", "normal, exact variance"),
    ),
)
