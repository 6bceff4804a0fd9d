"""Read recorded rounds from a Parquet file (docs/audit-rounds.md) in stretches. No other module here reads files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from punto.cards import RANKS
from punto.sim.audit.columns import CARDS, BadFile, codes
from punto.sim.audit.file import Batch, RecordedRounds
from punto.watch.rows import NO_CARD, NO_NUMBER, UNKNOWN, Int64, Names, Rounds, Uint8

COLUMNS: Final = ("table", "shoe", "card_set", "number")
"""Columns that a file may have besides those of an audit. Without `shoe` there is nothing to compare."""

MOST_PATRONS: Final = 5_000_000
MOST_TABLES: Final = 100_000

_DEAL_ORDER: Final = [0, 3, 1, 4, 2, 5]
"""Card columns in the order of the deal. In a file the cards of a hand are next to each other."""
_PLAIN: Final = {
    text: 4 * at for at, rank in enumerate(RANKS) for text in (rank, rank.lower(), "10" if rank == "T" else rank)
}


class RecordedShoes:
    """An open file whose columns have been checked."""

    def __init__(self, path: Path, bets: tuple[str, ...]) -> None:
        import pyarrow as pa

        self.file = RecordedRounds(path, COLUMNS)
        self.path, self.bets = path, bets
        if "shoe" not in self.file.also:
            raise BadFile(f"{path} has no column 'shoe': expected the shoe of each round (docs/audit-rounds.md)")
        self.rounds = self.file.rounds
        self.names = Names()
        self._tables: dict[str, int] = {}
        self._sets: dict[str, int] = {}
        self._patrons: dict[str, int] = {}
        self._arrow = pa

    def stretches(self) -> Iterator[Rounds]:
        """Read the file from its beginning."""
        for group in range(self.file.groups):
            for batch in self.file.batches(group, (), self.bets):
                yield self._rounds(batch)

    def _rounds(self, batch: Batch) -> Rounds:
        raw, count = batch.raw, batch.cards.shape[1]
        table = self._names(raw, "table", self._tables, self.names.tables, MOST_TABLES)
        if "card_set" in self.file.also:
            card_set = self._names(raw, "card_set", self._sets, self.names.sets, MOST_TABLES)
        else:
            self.names.sets, card_set = self.names.tables, table
        shoe, shoes = self._shoes(raw.column("shoe"))
        cards, suited = self._cards(batch)
        return Rounds(
            row=batch.first + np.arange(count),
            cards=cards,
            suited=suited,
            table=table,
            card_set=card_set,
            shoe=shoe,
            shoes=shoes,
            number=self._number(raw, count),
            start=batch.start,
            bet=batch.bet,
            stake=batch.stake,
            patron=self._patron(batch),
        )

    def _names(self, raw: Any, column: str, known: dict[str, int], listed: list[str], most: int) -> Int64:
        if column not in self.file.also:
            if not known:
                known["-"] = 0
                listed.append("-")
            return np.zeros(raw.num_rows, np.int64)
        return self._numbers(raw.column(column), known, listed, most)

    def _numbers(self, column: Any, known: dict[str, int], listed: list[str], most: int) -> Int64:
        """A number for each name, the same in the whole file."""
        names, places = _encoded(self._arrow, column)
        numbers = []
        for name in names:
            if name not in known:
                if len(known) >= most:
                    raise BadFile(f"{self.path} has more than {most} different names in one column")
                known[name] = len(known)
                listed.append(name)
            numbers.append(known[name])
        if column.null_count and "-" not in known:
            known["-"] = len(known)
            listed.append("-")
        numbered: Int64 = np.array([*numbers, known.get("-", -1)], np.int64)[places]
        return numbered

    def _shoes(self, column: Any) -> tuple[Int64, tuple[str, ...]]:
        names, places = _encoded(self._arrow, column)
        return places, (*names, "-")

    def _number(self, raw: Any, count: int) -> Int64:
        if "number" not in self.file.also:
            return np.full(count, NO_NUMBER, np.int64)
        column = raw.column("number")
        if not self._arrow.types.is_integer(column.type):
            raise BadFile(f"{self.path}: column number is {column.type}: expected an integer")
        numbered: Int64 = column.cast(self._arrow.int64()).fill_null(NO_NUMBER).to_numpy()
        return numbered

    def _cards(self, batch: Batch) -> tuple[Uint8, Any]:
        """Cards in the order of the deal, and for each round whether all its cards have suits."""
        cards = batch.cards
        suited = np.ones(cards.shape[1], bool)
        if (cards == UNKNOWN).any():
            cards = cards.copy()
            for at, name in enumerate(CARDS):
                column = batch.raw.column(name)
                if not self._arrow.types.is_integer(column.type):
                    plain = codes(column, lambda text: _PLAIN.get(text, UNKNOWN), NO_CARD)
                    bare = (cards[at] == UNKNOWN) & (plain != UNKNOWN)
                    cards[at][bare] = plain[bare]
                    suited &= ~bare
        return np.ascontiguousarray(cards[_DEAL_ORDER]), suited

    def _patron(self, batch: Batch) -> Int64:
        """A number for each patron, -1 where none is named."""
        fields = batch.raw.column("wagers").values
        names = [field.name for field in fields.type]
        if "patron" not in names or not len(fields):
            return np.full(len(fields), -1, np.int64)
        values = fields.flatten() if fields.null_count else [fields.field(at) for at in range(len(names))]
        column = values[names.index("patron")]
        if column.null_count == len(column):
            return np.full(len(fields), -1, np.int64)
        encoded, places = _encoded(self._arrow, column)
        numbers = []
        for name in encoded:
            if name not in self._patrons:
                if len(self._patrons) >= MOST_PATRONS:
                    raise BadFile(f"{self.path} has more than {MOST_PATRONS} patrons")
                self._patrons[name] = len(self._patrons)
                self.names.patrons.append(name)
            numbers.append(self._patrons[name])
        numbered: Int64 = np.array([*numbers, -1], np.int64)[places]
        return numbered


def _encoded(arrow: Any, column: Any) -> tuple[list[str], Int64]:
    """The distinct values as text, and the index of each row's value among them, past the end for null."""
    if not arrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    names = [str(text) for text in column.dictionary.to_pylist()]
    places: Int64 = column.indices.cast(arrow.int64()).fill_null(len(names)).to_numpy()
    return names, places
