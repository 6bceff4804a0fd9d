"""How often honest shoes look suspicious: exact bounds, and the thresholds that follow (docs/mathematics.md)."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from punto.watch.settings import RUNS, THINNED, Settings

SUITED, BY_RANK = 52, 13
"""Number of different cards if suits are on record, and if not."""


def chance_of_window(length: int, *, symbols: int, cards: int) -> Fraction:
    """Upper bound of the probability that `length` given places of an honest shoe hold `length` given cards."""
    copies = cards // symbols
    chance = Fraction(1)
    for gone in range(length):
        chance *= Fraction(copies, cards - gone)
    return chance


def runs_a_shoe(length: int, places: int, *, symbols: int, cards: int) -> Fraction:
    """Upper bound of the mean number of runs of `length` in an honest shoe; `places` is the size of all references."""
    if length > cards:
        return Fraction(0)
    return (cards - length + 1) * places * chance_of_window(length, symbols=symbols, cards=cards)


def run_length(chance: float, places: int, *, symbols: int, cards: int) -> int:
    """The shortest run, of two cards at least, that honest shoes show less often than `chance`."""
    length = 2
    while length <= cards and runs_a_shoe(length, places, symbols=symbols, cards=cards) > chance:
        length += 1
    return length


class Thresholds(msgspec.Struct, frozen=True, kw_only=True):
    """When a shoe is reported."""

    run: int
    """Consecutive cards that match a reference."""
    evidence: float
    """Evidence of a slug with other cards between its own. Fewer than one in this many honest shoes reach it."""


def thresholds(settings: Settings, places: int, symbols: int) -> Thresholds:
    """The run length and evidence that keep to the accepted false alarms, for references of `places` cards in all."""
    chance, cards = settings.chance_a_shoe, settings.procedure.cards
    return Thresholds(
        run=run_length(chance * RUNS, max(places, 1), symbols=symbols, cards=cards), evidence=1 / (chance * THINNED)
    )
