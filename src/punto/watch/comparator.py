"""Compare one shoe with its references, card by card. Readable, and used at live tables; `kernel` is the compiled form.

The work for a card grows with the number of its places in the references: eight for each sequence of eight decks. No
sequence is searched. The state is what the last card matched, and the evidence of thinned slugs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from punto.watch.bounds import BY_RANK, SUITED, Thresholds, thresholds
from punto.watch.references import Reference
from punto.watch.settings import Settings

STAYS: Final = (0.6,)
"""Assumed shares of other cards between those of a slug. The share is about a half after one riffle and about three
quarters after two; one value between them detects both nearly as well as a value for each. More values cost time."""

WINDOW: Final = 12
"""Most other cards between two cards of a slug. After more, the slug is dropped."""

LARGEST: Final = 1e250
"""Evidence stops growing here."""

MOST_SIGNS: Final = 16
"""Most signs kept of one shoe."""


class Sign(msgspec.Struct, kw_only=True):
    """Something that honest shoes hardly ever show. A run may grow after it was reported."""

    kind: Literal["run", "thinned", "too-many"]
    first: int
    """Number in the shoe of the first suspicious card, from 0."""
    at: int
    """The card at which it was reported."""
    length: int
    """Number of cards that match the reference."""
    place: int
    """Index of the last matching card in the concatenated references; -1 for a card too many."""
    evidence: float
    """For a thinned slug: fewer than one in this many honest shoes reach it. For a run 0: `bounds` gives its chance."""


class _Trail(msgspec.Struct):
    """Evidence for slugs that have reached one card, their first or a later one."""

    weight: float
    time: int
    first: int
    length: int

    def after(self, stays: float, time: int) -> float:
        """The evidence left at `time`: it shrinks with every other card, and is 0 after more than WINDOW."""
        return self.weight * stays ** (time - self.time) if time - self.time <= WINDOW else 0.0


_NOTHING: Final = _Trail(0.0, 0, 0, 0)


class Comparator:
    """The state of the comparison of one shoe."""

    def __init__(self, references: Sequence[Reference], settings: Settings, *, suits: bool) -> None:
        self.symbols = SUITED if suits else BY_RANK
        self.cards = settings.procedure.cards
        self.copies = self.cards // self.symbols
        self.references = tuple(references)
        self.starts: list[int] = []
        laid: list[int] = []
        for reference in references:
            self.starts.append(len(laid))
            laid += [self.symbol(card) for card in reference.cards]
        self.laid = tuple(laid)
        self.limits: Thresholds = thresholds(settings, len(laid), self.symbols)
        self._begins = frozenset(self.starts)
        self._index: dict[int, list[int]] = {}
        for place in range(len(laid) - 1, -1, -1):  # from the end, so that no card moves the same evidence twice
            self._index.setdefault(laid[place], []).append(place)
        self._entry = 1 / (len(STAYS) * self.cards * max(len(laid), 1))
        self.time = 0
        self.seen = [0] * self.symbols
        self.signs: list[Sign] = []
        self._runs: dict[int, int] = {}
        self._growing: Sign | None = None
        self._last: dict[int, int] = {}
        """Symbol → when it last came."""
        self._singles: tuple[dict[int, _Trail], ...] = tuple({} for _ in STAYS)
        """Symbol → evidence of slugs that may have begun with it, the same for each of its places."""
        self._trails: tuple[dict[int, _Trail], ...] = tuple({} for _ in STAYS)
        """Place → evidence of slugs of two or more cards that have reached it."""
        self._evidence = [0.0] * len(STAYS)
        self._reported = False
        """Whether a run or a slug of this shoe was reported. After that no slug is reported."""

    def symbol(self, card: int) -> int:
        return card if self.symbols == SUITED else card // 4

    def gap(self) -> None:
        """Note that cards left the shoe without a record: no run continues across them."""
        self._runs, self._growing = {}, None

    def card(self, card: int) -> list[Sign]:
        """Add the next card. Returns the signs that it completes."""
        symbol, known = self.symbol(card), len(self.signs)
        left = self.copies - self.seen[symbol]
        places = self._index.get(symbol, ())
        self._run(places)
        if left > 0:
            self._thin(symbol, places, max(self.cards - self.time, 1) / left)
        else:
            self._note("too-many", self.time, self.seen[symbol] + 1, -1, 0.0)
        self.seen[symbol] += 1
        self._last[symbol] = self.time
        self.time += 1
        return self.signs[known:]

    def _run(self, places: Sequence[int]) -> None:
        """Update the runs that end at this card, from those that ended at the last one."""
        before, self._runs = self._runs, {}
        longest, place_of_longest = 0, -1
        for place in places:
            length = 1 if place in self._begins else before.get(place - 1, 0) + 1
            self._runs[place] = length
            if length >= longest:  # among equal runs the first place wins; places come from the end
                longest, place_of_longest = length, place
        if self._growing is not None and longest > self._growing.length:
            self._growing.place, self._growing.length = place_of_longest, longest
            return
        self._growing = None
        if longest >= self.limits.run:
            self._growing = self._note("run", self.time - longest + 1, longest, place_of_longest, 0.0)
            self._reported = True

    def _thin(self, symbol: int, places: Sequence[int], rarity: float) -> None:
        """Update the evidence of slugs with other cards between theirs. `rarity` is 1 / probability of this card."""
        total, best, where = 0.0, _NOTHING, -1
        for at, stays in enumerate(STAYS):
            trails, singles = self._trails[at], self._singles[at]
            gained = len(places) * self._entry * rarity
            for place in places:
                moved = self._moved(at, place, (1 - stays) * rarity)
                if moved is None:
                    continue
                gained += moved.weight
                here = trails.get(place, _NOTHING)
                kept = here.after(stays, self.time)
                if kept > moved.weight:
                    moved.first, moved.length = here.first, here.length
                moved.weight = min(moved.weight + kept, LARGEST)
                trails[place] = moved
                if moved.weight >= best.weight:
                    best, where = moved, place
            alone = singles.get(symbol, _NOTHING).after(stays, self.time) + self._entry * rarity
            singles[symbol] = _Trail(alone, self.time, self.time, 1)
            self._evidence[at] = min(self._evidence[at] * stays + gained, LARGEST)
            total += self._evidence[at]
        if total >= self.limits.evidence and not self._reported and where >= 0:
            self._reported = True
            self._note("thinned", best.first, best.length, where, min(total, LARGEST))

    def _moved(self, at: int, place: int, factor: float) -> _Trail | None:
        """The evidence that moves to a place from the one before; None if the card there did not come within WINDOW."""
        before = -1 if place in self._begins else self.laid[place - 1]
        since = self._last.get(before)
        if since is None or self.time - since > WINDOW:
            return None
        stays, single = STAYS[at], self._singles[at].get(before, _NOTHING)
        longer = self._trails[at].get(place - 1, _NOTHING)
        alone, along = single.after(stays, self.time - 1), longer.after(stays, self.time - 1)
        first, length = (longer.first, longer.length) if along > alone else (since, 1)
        return _Trail((alone + along) * factor, self.time, first, length + 1)

    def _note(
        self, kind: Literal["run", "thinned", "too-many"], first: int, length: int, place: int, weight: float
    ) -> Sign | None:
        if len(self.signs) >= MOST_SIGNS:
            return None
        sign = Sign(kind=kind, first=first, at=self.time, length=length, place=place, evidence=weight)
        self.signs.append(sign)
        return sign

    def grows(self, sign: int) -> bool:
        """Whether the last card continued the reported run."""
        return self._growing is self.signs[sign]

    def reference(self, place: int) -> tuple[Reference, int]:
        """Which reference a place is in, and the card's number in it, from 0."""
        number = max(at for at, start in enumerate(self.starts) if start <= place)
        return self.references[number], place - self.starts[number]
