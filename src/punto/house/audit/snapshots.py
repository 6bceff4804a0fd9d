"""Checks snapshots of tables and their records: each is what the events add up to, and the stored one is the last on
record.

The house uses a snapshot only if it is on record in the stream `snapshot/<table>`. Whoever forges one has to add to
that stream, where the record stays.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Final

import msgspec

from punto.game.table import Table
from punto.house.audit.expected_transfers import Moves
from punto.house.audit.findings import Context
from punto.house.audit.stream_rows import EVENTS
from punto.house.store import snapshots
from punto.house.store.names import HOUSE
from punto.house.store.records import Row, Snapshot
from punto.house.store.snapshots import SnapshotKept

SNAPSHOT: Final = 'SELECT "stream", "version", "hash", "schema", "state" FROM "snapshots" WHERE "stream" = $1'
_SETS: Final = ("forgone",)
"""Fields of a round that are sets: their order means nothing."""


class SnapshotStream:
    """Checks the records of one table's snapshots, each by itself."""

    def __init__(self, context: Context) -> None:
        self._findings = context.findings

    def command(self, rows: list[Row]) -> list[Moves | None]:
        for row in rows:
            if _read_record(row) is None:
                self._findings.at(row, "unreadable", "it is no record of a snapshot")
            if (row.actor, row.key, row.rules) != (HOUSE, None, ""):
                text = "the row names another actor, a key or an edition: only the house records snapshots"
                self._findings.at(row, "actor", text)
        return [Counter() for _ in rows]


class TableSnapshots:
    """Compares a table's snapshot, and the records of all earlier ones, as the replay reaches their versions."""

    def __init__(self, context: Context, stream: str) -> None:
        self._stream, self._findings = stream, context.findings
        values = next(iter(context.reader.rows(SNAPSHOT, stream)), None)
        self._kept = self._pending = None if values is None else Snapshot(*values)
        rows = (Row(*values) for values in context.reader.rows(EVENTS, snapshots.record_of(stream)))
        self._records: Iterator[SnapshotKept] = (record for record in map(_read_record, rows) if record is not None)
        self._next = self._last = next(self._records, None)
        context.seen.snapshots += values is not None

    def compare(self, version: int, digest: bytes, table: Table | None) -> None:
        """Compare after a command; `table` is None if the replay was lost."""
        while self._next is not None and self._next.version <= version:
            self._compare_record(self._next, version, digest, table)
            self._next = next(self._records, None)
            self._last = self._next or self._last
        kept = self._pending
        if kept is None or kept.version != version:
            return
        self._pending = None
        if kept.hash != digest:
            self._fault(version, "its hash is not that of the row")
        if table is None:
            return
        same = _tree(kept.state) == _tree(snapshots.encode(table))
        if (kept.schema == snapshots.shape()) != same:
            # A snapshot of an older shape differs in schema and state. The house does not use it, and makes a new one.
            self._fault(version, "it is not what the events add up to")

    def _compare_record(self, record: SnapshotKept, version: int, digest: bytes, table: Table | None) -> None:
        if record.version != version or record.hash != digest.hex():
            self._fault(record.version, "its record does not match the stream (version or hash)")
            return
        if table is None or record.schema != snapshots.shape():
            return
        if record.state != hashlib.sha256(snapshots.plain(table)).hexdigest():
            self._fault(version, "what is on record is not what the events add up to")

    def end(self) -> None:
        """The stream has no more rows."""
        if self._pending is not None:
            self._fault(self._pending.version, "it is of a version that the stream does not have")
        if self._next is not None:
            self._fault(self._next.version, "it is on record for a version that the stream does not have")
        # A missing snapshot only costs time. One from an older program that recorded none is not used.
        if self._kept is not None and self._last is not None and _record_of(self._kept) != self._last:
            self._fault(self._kept.version, "it is not the last one on record; the house does not use it")

    def _fault(self, version: int, message: str) -> None:
        self._findings.add(self._stream, version, "snapshot", f"the state kept here: {message}")


def _read_record(row: Row) -> SnapshotKept | None:
    """None if the house would not write such a record."""
    try:
        record = snapshots.record(row)
        return record if msgspec.json.encode(record) == row.event else None
    except ValueError:
        return None


def _record_of(kept: Snapshot) -> SnapshotKept | None:
    try:
        return snapshots.recorded(kept)
    except zlib.error:
        return None


def _tree(state: bytes) -> object:
    """A state as plain values, with sets sorted. None if it can't be read."""
    decompress = zlib.decompressobj()
    try:
        tree = _ordered(msgspec.msgpack.decode(decompress.decompress(state)))
        return tree if decompress.eof and not decompress.unused_data else None
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _ordered(value: object, name: object = None) -> object:
    if isinstance(value, dict):
        return {key: _ordered(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return sorted(map(repr, value)) if name in _SETS else [_ordered(inner) for inner in value]
    return value
