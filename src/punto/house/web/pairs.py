"""Which hands of the shoe in use began with a pair.

A shuffler is loaded once and dealt from for months, so its stream is read once, and then from where the last reading
ended: else anybody who looks at the score boards would have the whole of it read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final
from weakref import WeakKeyDictionary

import msgspec

from punto.game import events as e
from punto.game.table import Shoe
from punto.house.store import Store
from punto.house.web import reading

KINDS: Final = ("betting-opened", "card-drawn", "card-exposed", "cards-reconstructed", "round-reopened")


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """A hand by its place in the results, and who had one."""

    hand: int
    player: bool
    banker: bool


class _Read(msgspec.Struct):
    """The pairs of one shoe by round, of all that was read, and the cards of the newest round."""

    shoe: int = 0
    until: int = 0
    pairs: dict[int, tuple[bool, bool]] = {}
    round: int = 0
    cards: dict[str, str | None] = {}

    def add(self, event: e.AnyEvent) -> None:
        match event:
            case e.BettingOpened():
                self.round, self.cards = event.round, {}
            case e.CardDrawn() | e.CardExposed():
                self.cards[event.place] = event.card
            case e.CardsReconstructed() | e.RoundReopened():
                self.cards = {one.place: one.face for one in event.cards}
            case _:
                return
        self.pairs.pop(self.round, None)
        player, banker = (self._is_pair(f"{hand}1", f"{hand}2") for hand in "PB")
        if player or banker:
            self.pairs[self.round] = player, banker

    def _is_pair(self, first: str, second: str) -> bool:
        one, other = self.cards.get(first), self.cards.get(second)
        return one is not None and other is not None and one[:-1] == other[:-1]


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
            for _, _, event in rows:
                found.add(event)
            found.until = head if len(rows) < reading.PAGE else rows[-1][0]
        pairs = found.pairs
        return [
            Pair(hand=at, player=pairs[number][0], banker=pairs[number][1])
            for at, number in enumerate(rounds)
            if number in pairs
        ]
