"""The score boards of the shoe in use, and which of its hands began with a pair.

A shuffler is loaded once and dealt from for months. So its stream is read once, and later requests read on from there:
otherwise every request would read all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from punto.cards import card
from punto.game import events as e
from punto.game import outcome
from punto.game import roads as drawn
from punto.game.table import Shoe
from punto.house.history import fold, queries
from punto.house.history.past_round import Cards, PastRound
from punto.house.history.stream_index import KeptByTable
from punto.house.store.interface import Store

KINDS: Final = (
    *("betting-opened", "card-drawn", "card-exposed", "card-determined", "cards-reconstructed", "round-reopened"),
    *("round-settled", "past-round-corrected"),
)
"""Events that show where cards lie, or that a round is over."""


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """A hand's index in the results, and which side had a pair."""

    hand: int
    player: bool
    banker: bool


async def boards(store: Store, table: str, shoe: Shoe | None) -> dict[str, Any]:
    """The boards of a shoe. Of a shuffler that is never reloaded, they show its newest hands."""
    rounds = list(shoe.results)[-drawn.LONGEST :] if shoe is not None else []
    results = "".join(shoe.results[number] for number in rounds) if shoe is not None else ""
    pairs = await paired(store, table, shoe, rounds) if shoe is not None else []
    counts = {
        "player": results.count("P"),
        "banker": results.count("B"),
        "tie": results.count("T"),
        "player_pair": sum(pair.player for pair in pairs),
        "banker_pair": sum(pair.banker for pair in pairs),
    }
    number = shoe.number if shoe is not None else None
    roads = drawn.to_json(drawn.roads(results))
    return {**roads, "results": results, "pairs": pairs, "counts": counts, "shoe": number}


class _Reading(msgspec.Struct):
    """The pairs of one shoe by round, up to version `until`, and the newest round so far."""

    shoe: int = 0
    until: int = 0
    pairs: dict[int, tuple[bool, bool]] = {}
    past: PastRound | None = None

    def add(self, row: fold.Dated) -> None:
        event = row[2]
        if isinstance(event, e.BettingOpened):
            self.past = None
        if isinstance(event, e.PastRoundCorrected):
            if event.cards:
                self._note(event.round, {card.place: card.face for card in event.cards})
            return
        self.past = fold.after(self.past, row)
        if self.past is not None:
            self._note(self.past.round, self.past.cards)

    def _note(self, number: int, cards: Cards) -> None:
        self.pairs.pop(number, None)
        player, banker = (_began_with_pair(cards, hand) for hand in "PB")
        if player or banker:
            self.pairs[number] = player, banker


def _began_with_pair(cards: Cards, hand: str) -> bool:
    first, second = cards.get(f"{hand}1"), cards.get(f"{hand}2")
    return first is not None and second is not None and outcome.is_pair(card(first), card(second))


_kept: Final = KeptByTable[_Reading]()


async def paired(store: Store, table: str, shoe: Shoe, rounds: Sequence[int]) -> list[Pair]:
    """The rounds in which a hand's first two cards had the same rank, by their index in `rounds`."""
    if not rounds:
        return []
    readings, turn = _kept.of(store)
    async with turn:
        reading = readings.get(table)
        if reading is None or reading.shoe != shoe.number:
            began = await store.round(f"table/{table}", next(iter(shoe.results)))
            if began is None:
                return []
            reading = readings[table] = _Reading(shoe=shoe.number, until=began[0] - 1)
        head, _ = await store.head(f"table/{table}")
        while reading.until < head:
            rows = await queries.events_tagged(store, table, KINDS, reading.until, head, most=queries.PAGE)
            for row in rows:
                reading.add(row)
            reading.until = head if len(rows) < queries.PAGE else rows[-1][0]
        pairs = reading.pairs
        return [
            Pair(hand=at, player=pairs[number][0], banker=pairs[number][1])
            for at, number in enumerate(rounds)
            if number in pairs
        ]
