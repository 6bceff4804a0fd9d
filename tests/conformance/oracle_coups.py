"""Coups for the pack, dealt by the second implementation: one for every outcome, and those that engines misread."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from tests.oracle import plain

SUITS: Final = "SHDC"
ZEROS: Final = "TJQK"
RANK_OF: Final = {0: "K", 1: "A", **{n: str(n) for n in range(2, 10)}}


class Hands(NamedTuple):
    """The two final hands, cards as text."""

    player: tuple[str, ...]
    banker: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"{' '.join(self.player)} v {' '.join(self.banker)}"

    @property
    def in_deal_order(self) -> tuple[str, ...]:
        """The cards in the order of the deal: P1 B1 P2 B2, then the third cards."""
        first = (self.player[0], self.banker[0], self.player[1], self.banker[1])
        return (*first, *self.player[2:], *self.banker[2:])


def with_suits(ranks: str) -> tuple[str, ...]:
    """Ranks as cards: the suits take turns."""
    return tuple(rank + SUITS[at % 4] for at, rank in enumerate(ranks))


def dealt(six: str) -> Hands:
    """Six ranks off the top of a shoe, dealt by the second implementation."""
    player, banker = plain.deal(with_suits(six))
    return Hands(tuple(player), tuple(banker))


def pairs_of(hands: Hands) -> str:
    player, banker = plain.is_pair(hands.player), plain.is_pair(hands.banker)
    if player and banker:
        return "twin" if plain.rank(hands.player[0]) == plain.rank(hands.banker[0]) else "both"
    return "player" if player else "banker" if banker else "none"


def outcome(hands: Hands) -> tuple[int, int, int, int, str]:
    """All that a bet can depend on."""
    player, banker = hands.player, hands.banker
    return plain.points(player), plain.points(banker), len(player), len(banker), pairs_of(hands)


@cache
def every_outcome() -> tuple[Hands, ...]:
    """One coup for each outcome, in a fixed order."""
    by_outcome: dict[tuple[int, int, int, int, str], Hands] = {}
    for six in _sequences():
        hands = dealt(six)
        by_outcome.setdefault(outcome(hands), hands)
    return tuple(by_outcome[key] for key in sorted(by_outcome))


def _sequences() -> Iterator[str]:
    kinds = [*((RANK_OF[0], RANK_OF[n]) for n in range(1, 10)), ("K", "T"), *((rank, rank) for rank in "A23456789TJQK")]
    values = "KA23456789"
    for player in kinds:
        for banker in kinds:
            for third in values:
                for last in values:
                    yield player[0] + banker[0] + player[1] + banker[1] + third + last


TRAPS_TEXT: Final = """
K32A3K  second and third card of Player are alike, the first two are not
2K3A2K  first and third card of Player are alike, the first two are not
3K255K  second card of Banker and third of Player are alike: no pair
2A3A5A  third card of Banker is like its first two: one pair, not more
K5K277  kings for Player with a third card are still a pair
2K2A5A  twos for Player with a third card are still a pair
AK3K2K  kings for Banker with a third card are still a pair
KAJ7K5  a king and a jack count alike and are no pair
T2K6K5  a ten and a king count alike and are no pair
QKQKA8  a pair of queens and a pair of kings are of different rank
88832K  a third eight changes nothing about a pair of eights
KKKK8K  four kings, and both hands draw
5555KK  four fives, and both hands draw
8K7A9K  three cards of Player add up to 24 and count 4
K9K669  three cards of Banker add up to 24 and count 4
"""
"""Six ranks in the order of the deal, and what is easily read wrongly in them."""


@cache
def traps() -> tuple[tuple[Hands, str], ...]:
    lines = [line.partition("  ") for line in TRAPS_TEXT.strip().splitlines()]
    return tuple((dealt(six), why) for six, _, why in lines)
