"""The score boards of the shoe in use, and which of its hands began with a pair.

A shuffler is loaded once and dealt from for months, so its stream is read once, and then from where the last reading
ended: else anybody who looks at the score boards would have the whole of it read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

import msgspec

from punto.game import events as e
from punto.game import roads as drawn
from punto.game.table import Shoe
from punto.house.history import fold, reading
from punto.house.history.past_round import Cards, PastRound
from punto.house.store.interface import Store

KINDS: Final = (
    *("betting-opened", "card-drawn", "card-exposed", "card-determined", "cards-reconstructed", "round-reopened"),
    *("round-settled", "past-round-corrected"),
)
"""Events that tell where cards lie, and that a round is over."""


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """A hand by its place in the results, and who had one."""

    hand: int
    player: bool
    banker: bool


async def boards(store: Store, table: str, shoe: Shoe | None) -> dict[str, Any]:
    """The boards of a shoe; of a shuffler that was never loaded anew, those of its newest hands."""
    rounds = list(shoe.results)[-drawn.LONGEST :] if shoe is not None else []
    results = "".join(shoe.results[number] for number in rounds) if shoe is not None else ""
    pairs = await paired(store, table, shoe, rounds) if shoe is not None else []
    counts = {
        "player": results.count("P"),
        "banker": results.count("B"),
        "tie": results.count("T"),
        "player_pair": sum(one.player for one in pairs),
        "banker_pair": sum(one.banker for one in pairs),
    }
    number = shoe.number if shoe is not None else None
    found = drawn.to_json(drawn.roads(results))
    return {**found, "results": results, "pairs": pairs, "counts": counts, "shoe": number}


class _Read(msgspec.Struct):
    """The pairs of one shoe by round, of all that was read, and the newest round as far as it went."""

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
                self._note(event.round, {one.place: one.face for one in event.cards})
            return
        self.past = fold.after(self.past, row)
        if self.past is not None:
            self._note(self.past.round, self.past.cards)

    def _note(self, number: int, cards: Cards) -> None:
        self.pairs.pop(number, None)
        player, banker = (_is_pair(cards.get(f"{hand}1"), cards.get(f"{hand}2")) for hand in "PB")
        if player or banker:
            self.pairs[number] = player, banker


def _is_pair(first: str | None, second: str | None) -> bool:
    return first is not None and second is not None and first[:-1] == second[:-1]


class _Kept:
    """Of one store. One reading at a time: whoever asks for many tables takes one reader, not all."""

    def __init__(self) -> None:
        self.tables: dict[str, _Read] = {}
        self.turn = asyncio.Lock()


_kept: Final[WeakKeyDictionary[Store, _Kept]] = WeakKeyDictionary()


async def paired(store: Store, table: str, shoe: Shoe, rounds: Sequence[int]) -> list[Pair]:
    """Those of these rounds of a shoe in which two first cards were of one rank, by their place among them."""
    if not rounds:
        return []
    kept = _kept.setdefault(store, _Kept())
    async with kept.turn:
        found = kept.tables.get(table)
        if found is None or found.shoe != shoe.number:
            began = await store.round(f"table/{table}", next(iter(shoe.results)))
            if began is None:
                return []
            found = kept.tables[table] = _Read(shoe=shoe.number, until=began[0] - 1)
        head, _ = await store.head(f"table/{table}")
        while found.until < head:
            rows = await reading.tagged(store, table, KINDS, found.until, head, most=reading.PAGE)
            for row in rows:
                found.add(row)
            found.until = head if len(rows) < reading.PAGE else rows[-1][0]
        pairs = found.pairs
        return [
            Pair(hand=at, player=pairs[number][0], banker=pairs[number][1])
            for at, number in enumerate(rounds)
            if number in pairs
        ]
