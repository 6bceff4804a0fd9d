"""Compare recorded shoes, many at a time, with new decks and with the last shoes of their table and their set."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final

import msgspec
import numpy as np
from numba import njit

from punto.watch import kernel
from punto.watch.alarms import Alarm, Compared, of_sign
from punto.watch.bounds import BY_RANK, SUITED, Thresholds, thresholds
from punto.watch.comparator import MOST_SIGNS, STAYS, Sign
from punto.watch.rows import NO_CARD, Int64, Shoes, Uint8
from punto.watch.settings import NEW_DECKS, PLACES, Settings

MOST_KEPT: Final = 20_000
"""Most tables, and most sets, whose last shoe is remembered."""
UNROLLED: Final = 2


class Past(msgspec.Struct, eq=False):
    """The last shoe of a table or a set."""

    name: str
    suited: bool
    sequences: list[Uint8]
    """The cards as dealt, then as picked up in each known order."""
    number: int
    """Index among the earlier shoes of this batch."""


class Batch(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Shoes with their references, ready for the kernel."""

    shoes: Shoes
    cards: Uint8
    gap: Uint8
    starts: Int64
    """Index in `cards` of each shoe's first card."""
    row_starts: Int64
    """Index in `cards` of each row's first card."""
    shifts: Int64
    flat: Uint8
    pasts: Int64
    """Shoe → the last shoe of its set, and the last shoe of its table if that is a different one; -1 for none."""
    past_begin: Int64
    past_size: Int64
    past_names: list[str]


class Result(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    batch: Batch
    rows: Int64
    weights: Any
    counts: Int64
    """Shoe × card → how often it was seen."""
    shares: Any
    """Shoe × way of comparison with the last shoe of the set → share of neighbours kept; NaN without a last shoe."""


class Integrity:
    """The comparison of a file's shoes, with the state kept between batches."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        procedure = settings.procedure
        self._ways = [[PLACES.index(place) for place in order] for order in procedure.pick_up]
        names = ["dealt", *(f"picked-up {' '.join(order)}" for order in procedure.pick_up)]
        self.ways = [way for name in names for way in (name, f"{name}, reversed")]
        new = [np.array(order * min(UNROLLED, procedure.decks), np.uint8) for order in procedure.new_decks or NEW_DECKS]
        self._new = new
        self._new_size = np.array([len(deck) for deck in new], np.int64)
        numbers = range(1, len(new) + 1)
        self._new_names = [way for number in numbers for way in (f"new-deck {number}", f"new-deck {number}, reversed")]
        self._tables: OrderedDict[int, Past] = OrderedDict()
        self._sets: OrderedDict[int, Past] = OrderedDict()
        self.most = np.stack([kernel.most_places(settings, SUITED), kernel.most_places(settings, BY_RANK)])
        self.limit: float = thresholds(settings, 1, SUITED).evidence
        self.decays = kernel.decays()

    def thresholds(self, places: int, symbols: int) -> Thresholds:
        return thresholds(self.settings, places, symbols)

    def prepare(self, shoes: Shoes) -> Batch:
        """Concatenate the cards of whole shoes, find the references of each shoe, and remember the shoes."""
        table, held = shoes.rounds, shoes.order
        by_row = np.ascontiguousarray(table.cards[:, held].T)
        readable = np.logical_and(by_row[:, :4].max(axis=1) < NO_CARD, by_row.max(axis=1) <= NO_CARD)
        drawn = (by_row < NO_CARD) & readable[:, None]
        row_starts = np.r_[0, np.cumsum(drawn.sum(axis=1))]
        cards = by_row[drawn]
        sequences = [cards, *(by_row[:, way][drawn[:, way]] for way in self._ways)]
        starts = row_starts[shoes.first]
        gap = np.zeros(len(cards) + 1, np.uint8)
        gap[row_starts[:-1][shoes.gap]] = 1
        suited = np.logical_and.reduceat(table.suited[held], shoes.first[:-1]) if len(shoes) else np.zeros(0, bool)
        flat = _Flat(self._new)
        for memory, owners in ((self._tables, table.table), (self._sets, table.card_set)):
            for key in np.unique(owners[held]).tolist():
                if key in memory:
                    flat.add(memory[key])
        flat.shoes(sequences, starts, shoes.names)
        pasts, shifts = np.full((len(shoes), 2), -1, np.int64), np.zeros(len(shoes), np.int64)
        first_rows = held[shoes.first[:-1]]
        keys = zip(table.table[first_rows].tolist(), table.card_set[first_rows].tolist(), suited.tolist(), strict=True)
        for at, (a_table, a_set, has_suits) in enumerate(keys):
            of_set, of_table = self._sets.get(a_set), self._tables.get(a_table)
            for place, past in enumerate((of_set, of_table if of_table is not of_set else None)):
                if past is not None:
                    pasts[at, place] = past.number
                    has_suits = has_suits and past.suited
            shifts[at] = 0 if has_suits else 2
            lo, hi = int(starts[at]), int(starts[at + 1])
            now = Past(
                name=shoes.names[at],
                suited=bool(suited[at]),
                sequences=[sequence[lo:hi] for sequence in sequences],
                number=flat.first + at,
            )
            _remember(self._tables, a_table, now)
            _remember(self._sets, a_set, now)
        return Batch(
            shoes=shoes,
            cards=cards,
            gap=gap,
            starts=starts,
            row_starts=row_starts,
            shifts=shifts,
            pasts=pasts,
            flat=np.concatenate(flat.parts),
            past_begin=flat.begins(),
            past_size=np.array(flat.sizes, np.int64),
            past_names=flat.names,
        )

    def run(self, batch: Batch) -> Result:
        """Run the kernels, the expensive part. They release the GIL; this object is not changed."""
        count = len(batch.shoes)
        rows, weights = np.zeros((count * MOST_SIGNS + 1, 6), np.int64), np.zeros(count * MOST_SIGNS + 1)
        shares = np.full((count, len(self.ways)), np.nan)
        decks = self.settings.procedure.decks
        compared = kernel.compare(
            batch.cards,
            batch.gap,
            batch.starts,
            batch.shifts,
            decks,
            batch.flat,
            self._new_size,
            batch.pasts,
            batch.past_begin,
            batch.past_size,
            self.most,
            self.limit,
            np.array(STAYS),
            self.decays,
            rows,
            weights,
        )
        _neighbours(
            batch.cards,
            batch.starts,
            batch.shifts,
            decks,
            batch.flat,
            batch.pasts,
            batch.past_begin,
            batch.past_size,
            shares,
        )
        shoe_of = np.repeat(np.arange(count), np.diff(batch.starts))
        counts = np.bincount(shoe_of * 52 + batch.cards, minlength=52 * count).reshape(count, 52)
        return Result(batch=batch, rows=rows[:compared], weights=weights[:compared], counts=counts, shares=shares)

    def alarms(self, result: Result, tables: list[str]) -> list[Alarm]:
        """The alarms for the signs that the kernel found."""
        alarms, batch = [], result.batch
        for (shoe, kind, first, at, length, place), weight in zip(result.rows.tolist(), result.weights, strict=True):
            sign = Sign(
                kind=kernel.KINDS[kind],
                first=first,
                at=at,
                length=length,
                place=place,
                evidence=float(weight),
            )
            lo, hi = int(batch.starts[shoe]), int(batch.starts[shoe + 1])
            rows = batch.row_starts[int(batch.shoes.first[shoe]) : int(batch.shoes.first[shoe + 1])]
            where = int(batch.shoes.first[shoe]) + int(np.searchsorted(rows, lo + first, side="right")) - 1
            row = int(batch.shoes.order[where])
            number = int(batch.shoes.rounds.number[row])
            alarms.append(
                of_sign(
                    sign,
                    self._compared(batch, shoe, place),
                    self.settings,
                    batch.cards[lo:hi].tolist(),
                    table=tables[int(batch.shoes.rounds.table[row])],
                    shoe=batch.shoes.names[shoe],
                    round=number if number >= 0 else where - int(batch.shoes.first[shoe]) + 1,
                )
            )
        return alarms

    def _compared(self, batch: Batch, shoe: int, place: int) -> Compared:
        """The reference that holds a place. New decks come first, then earlier shoes."""
        names = [(name, "", int(size)) for name, size in zip(self._new_names, self._new_size.repeat(2), strict=True)]
        for past in batch.pasts[shoe].tolist():
            if past >= 0:
                names += [(way, batch.past_names[past], int(batch.past_size[past])) for way in self.ways]
        symbols, cards = BY_RANK if batch.shifts[shoe] else SUITED, self.settings.procedure.cards
        places, begin, last, words = sum(size for *_, size in names), 0, 0, ""
        for name, of, size in names:
            if begin <= place < begin + size:
                words, last = (f"{name} of shoe {of}" if of else name), place - begin + 1
            begin += size
        return Compared(symbols=symbols, places=places, cards=cards, reference=words, last=last)


def _remember(memory: OrderedDict[int, Past], key: int, past: Past) -> None:
    memory[key] = past
    memory.move_to_end(key)
    if len(memory) > MOST_KEPT:
        memory.popitem(last=False)


class _Flat:
    """The concatenated references, and the position of each earlier shoe among them."""

    def __init__(self, new: list[Uint8]) -> None:
        self.parts: list[Uint8] = list(new)
        self.size = sum(len(deck) for deck in new)
        self.names: list[str] = []
        self.sizes: list[int] = []
        self.first = 0
        """Number of the first shoe of this batch."""
        self._rows: list[list[int]] = []
        self._of_batch: Int64 = np.zeros((0, 0), np.int64)
        self._done: set[int] = set()

    def add(self, past: Past) -> None:
        """Add a shoe of an earlier batch. Its cards are copied, so that the batch can be freed."""
        if id(past) in self._done:
            return
        self._done.add(id(past))
        past.sequences = [sequence.copy() for sequence in past.sequences]
        past.number = len(self.names)
        begins = []
        for sequence in past.sequences:
            begins.append(self.size)
            self.parts.append(sequence)
            self.size += len(sequence)
        self._rows.append(begins)
        self.names.append(past.name)
        self.sizes.append(len(past.sequences[0]))

    def shoes(self, sequences: list[Uint8], starts: Int64, names: tuple[str, ...]) -> None:
        """Add the shoes of this batch, after all others."""
        self.first = len(self.names)
        offsets = self.size + np.arange(len(sequences)) * len(sequences[0])
        self._of_batch = starts[:-1, None] + offsets[None, :]
        self.parts += sequences
        self.names += names
        self.sizes += np.diff(starts).tolist()

    def begins(self) -> Int64:
        early = np.array(self._rows, np.int64).reshape(-1, self._of_batch.shape[1])
        return np.concatenate([early, self._of_batch])


@njit(nogil=True, cache=True)
def _neighbours(cards, starts, shifts, decks, flat, pasts, past_begin, past_size, shares):  # type: ignore[no-untyped-def]
    """Compute `riffles.kept` against every sequence of the last shoe of the set, forwards and backwards."""
    stamp = np.zeros((52, 52), np.int64)
    mark = 0
    for shoe in range(len(starts) - 1):
        past, shift = pasts[shoe, 0], shifts[shoe]
        if past < 0:
            continue
        copies, total = decks << shift, 52 * decks
        mine = cards[starts[shoe] : starts[shoe + 1]]
        for way in range(shares.shape[1]):
            mark += 1
            ways, begin = 0, past_begin[past, way // 2]
            for at in range(past_size[past] - 1):
                a, b = flat[begin + at] >> shift, flat[begin + at + 1] >> shift
                if way % 2:
                    a, b = b, a
                if stamp[a, b] != mark:
                    stamp[a, b] = mark
                    ways += copies * (copies - (a == b))
            pairs = 0
            for at in range(len(mine) - 1):
                pairs += stamp[mine[at] >> shift, mine[at + 1] >> shift] == mark
            expected = ways / (total * (total - 1)) * max(len(mine) - 1, 0)
            room = len(mine) - 1 - expected
            shares[shoe, way] = (pairs - expected) / room if room > 0 else 0.0
