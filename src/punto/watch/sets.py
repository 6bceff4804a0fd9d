"""Sets of cards over their recorded shoes: which cards are missing, and how well the set was shuffled."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from punto.watch.alarms import Alarm, of_missing
from punto.watch.bounds import BY_RANK, SUITED
from punto.watch.integrity import MOST_KEPT, Result
from punto.watch.missing import Lost
from punto.watch.missing_kernel import LostArrays
from punto.watch.riffles import Fit, fit, measured
from punto.watch.rows import Names
from punto.watch.settings import MISSING, Settings

LEAST_SHOES: Final = 3
"""Shoes of a set that are needed before its shuffles are judged."""
SHOWN: Final = 20
"""Sets whose shuffles are shown, those that keep most of the last order first."""
MOST_SHOES: Final = 200
"""Shoes of a set whose counts are kept, to name the missing cards."""


class _Set(msgspec.Struct, eq=False):
    lost: LostArrays
    suited: bool
    seen: list[list[int]]
    reported: bool
    shares: list[float]
    """Sums of the shares of neighbours kept, by way of comparison."""
    kept: int
    """Number of shoes in these sums."""
    name: str
    table: int


class Sets:
    """The state kept for each set."""

    def __init__(self, settings: Settings, ways: Sequence[str]) -> None:
        self.settings, self.ways = settings, ways
        self.limit = 1 / (settings.chance_a_shoe * MISSING)
        self._sets: OrderedDict[int, _Set] = OrderedDict()

    def add(self, result: Result, names: Names) -> list[Alarm]:
        """Add the shoes of a batch, in order. Returns alarms for sets with missing cards."""
        alarms, batch, shares = [], result.batch, result.shares.tolist()
        cards = self.settings.procedure.cards
        for at, name in enumerate(batch.shoes.names):
            row = int(batch.shoes.order[int(batch.shoes.first[at])])
            key, suited = int(batch.shoes.rounds.card_set[row]), not batch.shifts[at]
            watched = self._set(key, suited, cards, int(batch.shoes.rounds.table[row]))
            counts = result.counts[at] if suited else result.counts[at].reshape(13, 4).sum(axis=1)
            watched.name = name
            self._shares(watched, shares[at])
            if counts.sum() > cards or counts.max(initial=0) > cards // len(counts):
                continue
            watched.seen = [*watched.seen[-MOST_SHOES + 1 :], counts.tolist()]
            if watched.lost.shoe(counts) >= self.limit and not watched.reported:
                watched.reported = True
                alarms.append(self._alarm(watched, names.tables[watched.table]))
        return alarms

    def _set(self, key: int, suited: bool, cards: int, table: int) -> _Set:
        watched = self._sets.get(key)
        if watched is None or watched.suited != suited:
            lost = LostArrays(SUITED if suited else BY_RANK, cards)
            watched = _Set(lost, suited, [], False, [0.0] * len(self.ways), 0, "", table)
            self._sets[key] = watched
            if len(self._sets) > MOST_KEPT:
                self._sets.popitem(last=False)
        watched.table = table
        return watched

    def _shares(self, watched: _Set, shares: Sequence[float]) -> None:
        """Add the shares of neighbours kept from the set's last shoe, by way of comparison."""
        if shares[0] == shares[0] and watched.suited:
            watched.kept += 1
            watched.shares = [total + share for total, share in zip(watched.shares, shares, strict=True)]

    def _alarm(self, watched: _Set, table: str) -> Alarm:
        """Make the alarm. `missing.Lost` processes the kept shoes again, because only it names the cards."""
        again = Lost(watched.lost.symbols, watched.lost.cards)
        missing = again.shoe(watched.seen[0])
        for seen in watched.seen[1:]:
            missing = again.shoe(seen)
        missing = msgspec.structs.replace(missing, shoes=watched.lost.shoes)
        return of_missing(missing, self.settings, watched.lost.symbols, table=table, shoe=watched.name)

    def fits(self, names: list[str]) -> tuple[tuple[str, Fit], ...]:
        """The number of riffles that fits, for the sets that keep most of the last order."""
        worst = []
        for key, watched in self._sets.items():
            if watched.kept >= LEAST_SHOES:
                share, at = max((total / watched.kept, at) for at, total in enumerate(watched.shares))
                worst.append((share, key, self.ways[at], watched.kept))
        worst.sort(key=lambda row: -row[0])
        if not worst:
            return ()
        chance = np.random.Generator(np.random.Philox(0))
        by_riffles, fair = measured(chance, self.settings.procedure.decks, suits=True)
        return tuple(
            (f"set {names[key]}, against {name}", fit(share, shoes, by_riffles, fair))
            for share, key, name, shoes in worst[:SHOWN]
        )
