"""Recorded rounds as arrays, and their division into shoes. Flaws in a record are noted; the rest is processed."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

Int64 = npt.NDArray[np.int64]
Uint8 = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

NO_CARD: Final = 52
UNKNOWN: Final = 255
NO_NUMBER: Final = -1

MOST_ROUNDS: Final = 130
"""Most rounds of a shoe: eight decks have no more. A longer one is cut."""
MOST_FINDINGS: Final = 10_000
REMEMBERED: Final = 64
"""How many of a table's last shoe names are remembered, to detect a name that is used twice."""


class Rounds(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A stretch of a file. Wagers of row r are those from start[r] to start[r + 1]."""

    row: Int64
    """Row number in the file."""
    cards: Uint8
    """Place × row, in the order of the deal; NO_CARD if no card was drawn, UNKNOWN for a value that is not a card."""
    suited: Bools
    table: Int64
    """A number for each table, the same in the whole file."""
    card_set: Int64
    shoe: Int64
    """An index in `shoes`."""
    shoes: tuple[str, ...]
    number: Int64
    """Number of the round in its shoe; NO_NUMBER if it is not on record."""
    start: Int64
    bet: Uint8
    """An index among the edition's bets; higher for insurance and for a value that is not a bet."""
    stake: Int64
    patron: Int64

    def __len__(self) -> int:
        return len(self.row)


class Names:
    """The names of tables, sets and patrons. The index in a list is the number of the name."""

    def __init__(self) -> None:
        self.tables: list[str] = []
        self.sets: list[str] = []
        self.patrons: list[str] = []


class Flaw(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong in the record."""

    code: str
    row: int
    table: str
    shoe: str
    message: str


class Flaws:
    """Counts all flaws and keeps the first ones."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.listed: list[Flaw] = []

    def note(self, code: str, row: int, table: str, shoe: str, message: str) -> None:
        self.counts[code] += 1
        if len(self.listed) < MOST_FINDINGS:
            self.listed.append(Flaw(code=code, row=row, table=table, shoe=shoe, message=message))


class Shoes(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Whole shoes. Rows of shoe s are those from first[s] to first[s + 1] in `order`."""

    rounds: Rounds
    order: Int64
    first: Int64
    gap: Bools
    """Whether cards before this row are missing from the record, by index in `order`."""
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)


class Sorter:
    """Sorts rows into shoes. A shoe is complete once another one begins at its table, or at the end of the file."""

    def __init__(self, tables: Sequence[str], flaws: Flaws) -> None:
        self.tables, self.flaws = tables, flaws
        self._open: Rounds | None = None
        self._past: dict[int, deque[str]] = {}

    def add(self, rounds: Rounds, *, last: bool) -> Shoes:
        """Add a stretch of the file. Returns the shoes now complete. `tables` must already have its tables' names."""
        whole = rounds if self._open is None else joined(self._open, rounds)
        order = np.argsort(whole.table, kind="stable")
        table, shoe = whole.table[order], whole.shoe[order]
        number = whole.number[order]
        new_table = np.r_[True, table[1:] != table[:-1]]
        begins = new_table | np.r_[True, shoe[1:] != shoe[:-1]]
        again = ~begins & (number == 1)
        begins |= again
        first = np.r_[np.flatnonzero(begins), len(order)]
        within = np.arange(len(order)) - np.repeat(first[:-1], np.diff(first))
        longer = (within > 0) & (within % MOST_ROUNDS == 0)
        begins |= longer
        first = np.r_[np.flatnonzero(begins), len(order)]
        is_open = np.r_[new_table[first[1:-1]], True] if not last and len(order) else np.zeros(len(first) - 1, bool)
        kept = np.repeat(is_open, np.diff(first))
        self._open = taken(whole, np.sort(order[kept]))
        rows = order[~kept]
        begins = np.r_[True, False] if not len(rows) else begins[~kept]
        shoes = self._checked(whole, rows, np.r_[np.flatnonzero(begins[: len(rows)]), len(rows)], again[~kept])
        for at in np.flatnonzero(longer[~kept]).tolist():
            text = f"the shoe has more than {MOST_ROUNDS} rounds, which is impossible: a new shoe is assumed from here"
            self._say(whole, rows[at], "too-long", text)
        return shoes

    def _checked(self, whole: Rounds, rows: Int64, first: Int64, again: Bools) -> Shoes:
        number = whole.number[rows].copy()
        gap = np.zeros(len(rows), bool)
        names = []
        inside = np.ones(len(rows), bool)
        inside[first[:-1]] = False
        step = np.r_[0, np.diff(number)]
        known = (number >= 0) & np.r_[False, number[:-1] >= 0] & inside
        backwards, jumps = known & (step <= 0), known & (step > 1)
        shoe_of = np.repeat(np.arange(len(first) - 1), np.diff(first))
        for at in np.unique(shoe_of[backwards]).tolist():
            lo, hi = int(first[at]), int(first[at + 1])
            self._say(
                whole,
                rows[lo + int(backwards[lo:hi].argmax())],
                "out-of-order",
                "rounds are not in order: sorted by their number",
            )
            by_number = np.argsort(number[lo:hi], kind="stable")
            rows[lo:hi], number[lo:hi] = rows[lo:hi][by_number], number[lo:hi][by_number]
            jumps[lo + 1 : hi] = np.diff(number[lo:hi]) > 1
        gap |= jumps
        for at in np.unique(shoe_of[jumps]).tolist():
            lo, hi = int(first[at]), int(first[at + 1])
            place = lo + int(jumps[lo:hi].argmax())
            missing = int(number[place] - number[place - 1] - 1)
            self._say(whole, rows[place], "gap", f"{missing} rounds before round {number[place]} are not on record")
        names = [whole.shoes[number] for number in whole.shoe[rows[first[:-1]]].tolist()] if len(rows) else []
        self._names(whole, rows, first, again, names)
        gap |= self._cards(whole, rows, first)
        return Shoes(rounds=whole, order=rows, first=first, gap=gap, names=tuple(names))

    def _names(self, whole: Rounds, rows: Int64, first: Int64, again: Bools, names: list[str]) -> None:
        """Note shoes whose name their table has used before."""
        for at, name in enumerate(names):
            lo = int(first[at])
            past = self._past.setdefault(int(whole.table[rows[lo]]), deque(maxlen=REMEMBERED))
            if bool(again[lo]) or name in past:
                text = "the table already had a shoe with this number: treated as a new shoe"
                self._say(whole, rows[lo], "shoe-twice", text)
            past.append(name)

    def _cards(self, whole: Rounds, rows: Int64, first: Int64) -> Bools:
        """Note unreadable cards and cards without suits. Returns which rows have a gap before: an unreadable row."""
        cards = whole.cards[:, rows]
        unknown = (cards == UNKNOWN).any(axis=0) | (cards[:4] == NO_CARD).any(axis=0)
        for at in np.flatnonzero(unknown).tolist():
            self._say(whole, rows[at], "unknown-card", "a card of this round can't be read: the round is left out")
        plain = ~whole.suited[rows]
        if plain.any():
            for at in np.unique(np.repeat(np.arange(len(first) - 1), np.diff(first))[plain]).tolist():
                self._say(whole, rows[int(first[at])], "no-suits", "cards without suits: the shoe is compared by rank")
        after: Bools = np.zeros(len(rows), np.bool_)
        after[1:] = unknown[:-1]
        return after

    def _say(self, whole: Rounds, row: int, code: str, message: str) -> None:
        table = self.tables[int(whole.table[row])]
        self.flaws.note(code, int(whole.row[row]), table, whole.shoes[int(whole.shoe[row])], message)


def taken(of: Rounds, rows: Int64) -> Rounds:
    """A selection of rows, with their wagers."""
    counts = np.diff(of.start)[rows]
    start = np.r_[0, np.cumsum(counts)]
    wagers = np.repeat(of.start[:-1][rows] - start[:-1], counts) + np.arange(int(start[-1]))
    used, shoe = np.unique(of.shoe[rows], return_inverse=True)
    return Rounds(
        row=of.row[rows],
        cards=of.cards[:, rows],
        suited=of.suited[rows],
        table=of.table[rows],
        card_set=of.card_set[rows],
        shoe=shoe.astype(np.int64),
        shoes=tuple(of.shoes[number] for number in used.tolist()),
        number=of.number[rows],
        start=start,
        bet=of.bet[wagers],
        stake=of.stake[wagers],
        patron=of.patron[wagers],
    )


def joined(first: Rounds, other: Rounds) -> Rounds:
    """Concatenate two stretches. The same shoe name means the same shoe in both."""
    place = {name: at for at, name in enumerate(first.shoes)}
    moved = np.array([place.setdefault(name, len(place)) for name in other.shoes], np.int64)
    return Rounds(
        row=np.r_[first.row, other.row],
        cards=np.concatenate([first.cards, other.cards], axis=1),
        suited=np.r_[first.suited, other.suited],
        table=np.r_[first.table, other.table],
        card_set=np.r_[first.card_set, other.card_set],
        shoe=np.r_[first.shoe, moved[other.shoe] if len(moved) else other.shoe],
        shoes=tuple(place),
        number=np.r_[first.number, other.number],
        start=np.r_[first.start, first.start[-1] + other.start[1:]],
        bet=np.r_[first.bet, other.bet],
        stake=np.r_[first.stake, other.stake],
        patron=np.r_[first.patron, other.patron],
    )
