"""Read recorded rounds from a Parquet file, batch by batch, as arrays. This module judges no round: a value that can't
be read as a card, a bet or an amount is marked for the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from punto.rulebook.model import Moment
from punto.sim.audit.columns import CARDS, ROUND_COLUMNS, BadFile, card_codes, cents, check, codes, is_text, patrons

EDITION_KEY: Final = b"punto.edition"
"""Metadata key under which the file may name its edition."""

ROWS: Final = 1 << 17
"""Rounds judged at a time."""
WHOLE_BYTES: Final = 256 << 20
"""A row group up to this size is read at once, which leaves the interpreter free. A larger one is read in batches."""
MOST_WAGERS: Final = 10_000

NAMES: Final = "round"
"""The column that is read only if there is a finding, or if the row group is too large to be read twice."""
NO_MOMENT: Final = len(Moment)
_MOMENTS: Final = tuple(moment.value for moment in Moment)


class Batch(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Rounds as arrays. Wagers of round r are those from start[r] to start[r + 1]."""

    first: int
    """Row number in the file of the first round."""
    cards: npt.NDArray[np.uint8]
    layout: npt.NDArray[np.uint8]
    start: npt.NDArray[np.int64]
    bet: npt.NDArray[np.uint8]
    after: npt.NDArray[np.uint8]
    stake: npt.NDArray[np.int64]
    paid: npt.NDArray[np.int64]
    patron: npt.NDArray[np.int32]
    raw: Any
    """The Arrow batch, for the names in a finding. The names of rounds are read only when needed: `with_names`."""


class RecordedRounds:
    """An open Parquet file of rounds whose columns have been checked."""

    def __init__(self, path: Path, also: tuple[str, ...] = ()) -> None:
        """`also` names further columns to read into `Batch.raw`, if the file has them."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.path = path
        try:
            with pq.ParquetFile(path) as plain:
                whole_cents = check(path, plain.schema_arrow)
                texts = _texts(plain, also)
                self.also = tuple(name for name in also if name in plain.schema_arrow.names)
            self._file = pq.ParquetFile(path, memory_map=True, read_dictionary=texts)
        except pa.ArrowInvalid as error:
            raise BadFile(f"{path} is no whole Parquet file: {_first_line(error)}") from None
        except OSError as error:
            raise BadFile(f"{path}: {error.strerror or _first_line(error)}") from None
        self._amounts = {name: f"{name}_cents" if whole else name for name, whole in whole_cents.items()}
        self.rounds: int = self._file.metadata.num_rows
        self.groups: int = self._file.metadata.num_row_groups
        self._firsts = np.cumsum([0, *(self._file.metadata.row_group(at).num_rows for at in range(self.groups))])
        named = (self._file.metadata.metadata or {}).get(EDITION_KEY)
        self.edition = None if named is None else named.decode("utf-8", "replace")

    def batches(self, group: int, layouts: tuple[str, ...], bets: tuple[str, ...]) -> Iterator[Batch]:
        """The rounds of one row group. Codes are indices in `layouts` and `bets`, past the end for unknown names."""
        import pyarrow as pa

        first = int(self._firsts[group])
        try:
            for rows in self._rows(group):
                yield self._batch(rows, first, _place(layouts), _place(bets))
                first += rows.num_rows
        except (OSError, pa.ArrowException) as error:
            raise self._unreadable(group, error) from None

    def with_names(self, group: int, batch: Batch) -> Batch:
        """The same batch, with the column `round` in `raw`."""
        import pyarrow as pa

        if NAMES in batch.raw.schema.names:
            return batch
        try:
            names = self._file.read_row_group(group, [NAMES], use_threads=False).column(NAMES)
        except (OSError, pa.ArrowException) as error:
            raise self._unreadable(group, error) from None
        here = names.slice(batch.first - int(self._firsts[group]), batch.raw.num_rows).combine_chunks()
        return msgspec.structs.replace(batch, raw=batch.raw.append_column(NAMES, here))

    def _unreadable(self, group: int, error: Exception) -> BadFile:
        return BadFile(f"{self.path}: row group {group} can't be read: {_first_line(error)}")

    def is_large(self, group: int) -> bool:
        """Whether a row group is too large to be held in memory at once."""
        return bool(self._file.metadata.row_group(group).total_byte_size > WHOLE_BYTES)

    def _rows(self, group: int) -> Iterator[Any]:
        names = [name for name in (*ROUND_COLUMNS, *self.also) if name != NAMES]
        if self.is_large(group):
            yield from self._file.iter_batches(ROWS, row_groups=[group], columns=[NAMES, *names], use_threads=True)
        else:
            yield from self._file.read_row_group(group, names, use_threads=False).to_batches(max_chunksize=ROWS)

    def _batch(self, rows: Any, first: int, layout: Callable[[str], int], bet: Callable[[str], int]) -> Batch:
        wagers = rows.column("wagers")
        start = wagers.offsets.to_numpy().astype(np.int64)
        held = np.diff(start)
        if held.max(initial=0) > MOST_WAGERS:
            row = first + int(held.argmax())
            raise BadFile(f"{self.path}: row {row} has {held.max()} wagers: expected at most {MOST_WAGERS}")
        fields = wagers.values
        values = fields.flatten() if fields.null_count else [fields.field(at) for at in range(fields.type.num_fields)]
        column = dict(zip((field.name for field in fields.type), values, strict=True))
        count = len(fields)
        return Batch(
            first=first,
            cards=np.stack([card_codes(rows.column(name)) for name in CARDS]),
            layout=codes(rows.column("layout"), layout, layout("")),
            start=start,
            bet=codes(column["bet"], bet, bet("")),
            after=codes(column["after"], _place(_MOMENTS), NO_MOMENT)
            if "after" in column
            else np.full(count, NO_MOMENT, np.uint8),
            stake=_read_only(cents(column[self._amounts["stake"]])),
            paid=_read_only(cents(column[self._amounts["handed_back"]])),
            patron=_read_only(patrons(column["patron"]) if "patron" in column else np.zeros(count, np.int32)),
            raw=rows,
        )


def _read_only(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A read-only view, as Arrow gives for an unconverted column: the kernel gets one type and is compiled once."""
    lent = column.view()
    lent.flags.writeable = False
    return lent


def _texts(plain: Any, also: tuple[str, ...]) -> list[str]:
    """Leaf columns that hold text. They are read as dictionaries."""
    schema = plain.schema_arrow
    names = ("layout", *CARDS, *(name for name in also if name in schema.names))
    wager = schema.field("wagers").type.value_type
    wanted = {name for name in names if is_text(schema.field(name).type)}
    inner = {field.name for field in wager if is_text(field.type)}
    paths = [plain.schema.column(at).path for at in range(len(plain.schema))]
    return [
        path for path in paths if path in wanted or (path.startswith("wagers.") and path.rpartition(".")[2] in inner)
    ]


def _place(names: tuple[str, ...]) -> Callable[[str], int]:
    known = {name: at for at, name in enumerate(names)}
    return lambda name: known.get(name, len(names))


def _first_line(error: object) -> str:
    return str(error).splitlines()[0]
