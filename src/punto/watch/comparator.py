"""One shoe against its references, card by card. For reading, and for a live table; `kernel` does the same compiled.

A card costs as much as there are places in the references that hold it: eight for each sequence of eight decks. No
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
"""Shares of other cards between those of a slug. After one riffle it is about a half, after two about three quarters:
one share between them sees both nearly as well as each its own would. More may be listed, at the price of time."""

WINDOW: Final = 12
"""Other cards that may come between two of a slug. More are not waited for."""

LARGEST: Final = 1e250
"""Evidence stops growing here."""

MOST_SIGNS: Final = 16
"""Kept of one shoe."""


class Sign(msgspec.Struct, kw_only=True):
    """Something that honest shoes hardly ever show. A run goes on growing after it was reported."""

    kind: Literal["run", "thinned", "too-many"]
    first: int
    """Number in the shoe of the first suspicious card, from 0."""
    at: int
    """The card at which it was reported."""
    length: int
    """Cards that follow the reference."""
    place: int
    """Of the last of them in the references laid end to end; -1 for a card too many."""
    evidence: float
    """Of a thinned slug: honest shoes reach it less often than once in so many. Of a run 0: `bounds` says it."""


class _Trail(msgspec.Struct):
    """Evidence that has arrived at one card: after the first card of a slug, or further on."""

    weight: float
    time: int
    first: int
    length: int

    def after(self, stays: float, time: int) -> float:
        """What is left of it: other cards came since, and after too many of them nothing is."""
        return self.weight * stays ** (time - self.time) if time - self.time <= WINDOW else 0.0


_NOTHING: Final = _Trail(0.0, 0, 0, 0)


class Comparator:
    """State of one shoe."""

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
        for place in range(len(laid) - 1, -1, -1):  # from the end: what a card moves is not moved by it again
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
        """Symbol → slugs that may have begun with it: the same for each of its places."""
        self._trails: tuple[dict[int, _Trail], ...] = tuple({} for _ in STAYS)
        """Place → slugs of two cards and more that have come as far."""
        self._evidence = [0.0] * len(STAYS)
        self._reported = False
        """A run or a slug of this shoe: the evidence of either makes no second report."""

    def symbol(self, card: int) -> int:
        return card if self.symbols == SUITED else card // 4

    def gap(self) -> None:
        """Cards left the shoe that are not on record: no run goes across them."""
        self._runs, self._growing = {}, None

    def card(self, card: int) -> list[Sign]:
        """The next card. Answers with what is suspicious from it on."""
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
        """Runs that this card ends, from those that the last one did."""
        before, self._runs = self._runs, {}
        longest, place_of_longest = 0, -1
        for place in places:
            length = 1 if place in self._begins else before.get(place - 1, 0) + 1
            self._runs[place] = length
            if length >= longest:  # of equal ones the first place counts, and places come from the end
                longest, place_of_longest = length, place
        if self._growing is not None and longest > self._growing.length:
            self._growing.place, self._growing.length = place_of_longest, longest
            return
        self._growing = None
        if longest >= self.limits.run:
            self._growing = self._note("run", self.time - longest + 1, longest, place_of_longest, 0.0)
            self._reported = True

    def _thin(self, symbol: int, places: Sequence[int], rarity: float) -> None:
        """Evidence of slugs with other cards between theirs. `rarity` is one over the chance of this very card."""
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
        """What comes to a place from the one before it; None where the card before has not come lately."""
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
        """Whether the last card went on with a run that was reported."""
        return self._growing is self.signs[sign]

    def reference(self, place: int) -> tuple[Reference, int]:
        """Which reference a place is in, and the card's number in it, from 0."""
        number = max(at for at, start in enumerate(self.starts) if start <= place)
        return self.references[number], place - self.starts[number]
