"""States kept of tables, and their records: each is what the events add up to, and the one kept is the last on record.

The house believes a snapshot only where the stream `snapshot/<table>` says so. Whoever forges one has to add to that
stream, where it stays.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Final

import msgspec

from punto.game.table import Table
from punto.house.audit.expected import Moves
from punto.house.audit.findings import Findings, Seen
from punto.house.audit.reading import Reader
from punto.house.audit.walk import EVENTS
from punto.house.store import snapshots
from punto.house.store.records import Row, Snapshot
from punto.house.store.snapshots import KEEPER, SnapshotKept

SNAPSHOT: Final = 'SELECT "stream", "version", "hash", "schema", "state" FROM "snapshots" WHERE "stream" = $1'
_SETS: Final = ("forgone",)
"""Fields of a round that have no order of their own."""


class RecordStream:
    """The records of one table's snapshots, for themselves."""

    def __init__(self, stream: str, findings: Findings, seen: Seen) -> None:
        self._stream, self._findings, self._seen = stream, findings, seen

    def command(self, rows: list[Row]) -> list[Moves | None]:
        self._seen.commands += 1
        for row in rows:
            if _read(row) is None:
                self._findings.add(self._stream, row.version, "unreadable", "it is no record of a snapshot")
            if (row.actor, row.key, row.rules) != (KEEPER, None, ""):
                self._findings.add(self._stream, row.version, "actor", "the house itself keeps snapshots")
        return [Counter() for _ in rows]


class Snapshots:
    """The state kept of a stream and all that were, compared when the replay comes to their versions."""

    def __init__(self, reader: Reader, stream: str, findings: Findings, seen: Seen) -> None:
        self._stream, self._findings = stream, findings
        found = next(iter(reader.rows(SNAPSHOT, stream)), None)
        self._kept = self._waiting = None if found is None else Snapshot(*found)
        rows = (Row(*values) for values in reader.rows(EVENTS, snapshots.record_of(stream)))
        self._records: Iterator[SnapshotKept] = (one for one in map(_read, rows) if one is not None)
        self._next = next(self._records, None)
        self._last = self._next
        seen.snapshots += found is not None

    def row(self, version: int, digest: bytes, table: Table | None) -> None:
        """The stream as it stands after a command; `table` is None where the replay was lost."""
        while self._next is not None and self._next.version <= version:
            self._recorded(self._next, version, digest, table)
            self._next = next(self._records, None)
            self._last = self._next or self._last
        kept = self._waiting
        if kept is None or kept.version != version:
            return
        self._waiting = None
        if kept.hash != digest:
            self._bad(version, "its hash is not that of the row")
        if table is None:
            return
        same = _tree(kept.state) == _tree(snapshots.encode(table))
        if (kept.schema == snapshots.shape()) != same:
            # One of an older shape differs in both; the house does not use it, and makes a new one.
            self._bad(version, "it is not what the events add up to")

    def _recorded(self, one: SnapshotKept, version: int, digest: bytes, table: Table | None) -> None:
        if one.version != version or one.hash != digest.hex():
            self._bad(one.version, "it is on record for a row that is another")
            return
        if table is None or one.schema != snapshots.shape():
            return
        if one.state != hashlib.sha256(snapshots.plain(table)).hexdigest():
            self._bad(version, "what is on record is not what the events add up to")

    def ended(self) -> None:
        if self._waiting is not None:
            self._bad(self._waiting.version, "it is of a version that the stream does not have")
        if self._next is not None:
            self._bad(self._next.version, "it is on record for a version that the stream does not have")
        # One that is gone only costs time. One of a version that put none on record is not believed.
        if self._kept is not None and self._last is not None and _record(self._kept) != self._last:
            self._bad(self._kept.version, "it is not the last on record; the house passes it over")

    def _bad(self, version: int, message: str) -> None:
        self._findings.add(self._stream, version, "snapshot", f"the state kept here: {message}")


def _read(row: Row) -> SnapshotKept | None:
    try:
        found = snapshots.record(row)
        return found if msgspec.json.encode(found) == row.event else None
    except ValueError:
        return None


def _record(kept: Snapshot) -> SnapshotKept | None:
    try:
        return snapshots.recorded(kept)
    except zlib.error:
        return None


def _tree(state: bytes) -> object:
    """A state as plain values, with what is a set in order."""
    squeezed = zlib.decompressobj()
    try:
        tree = _ordered(msgspec.msgpack.decode(squeezed.decompress(state)))
        return tree if squeezed.eof and not squeezed.unused_data else None
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _ordered(value: object, name: object = None) -> object:
    if isinstance(value, dict):
        return {key: _ordered(one, key) for key, one in value.items()}
    if isinstance(value, list):
        return sorted(map(repr, value)) if name in _SETS else [_ordered(one) for one in value]
    return value
