"""Encode and decode a table's state, and load a table from its last snapshot and the events since.

A snapshot is a shortcut, never a source. The commit that stores one also appends a row to the stream
`snapshot/<table>`: its version and the SHA-256 of its state, in a chain like every stream. A snapshot that is not the
last on record there, or has another shape or history, is ignored, and the table is replayed from its first event.
"""

from __future__ import annotations

import hashlib
import logging
import zlib
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from punto.game.evolve import evolve
from punto.game.table import NEW, Round, Table
from punto.house.store import chain, codec, schema
from punto.house.store.interface import Store
from punto.house.store.names import HOUSE
from punto.house.store.records import MOST_READ, Outcome, Row, Snapshot, StoreBroken, Unit
from punto.money import Cents

log = logging.getLogger("punto.house")

EVERY: Final = 500
"""Events after which a snapshot is due. A busy table may wait for twice as many, and still loads at once."""

REVISION: Final = 3
"""Increase by hand when `evolve` makes another state of the same events, so that older snapshots are ignored."""


def _write(value: Any) -> Any:
    if type(value) is Cents:
        return int(value)
    if type(value) is Fraction:
        return (value.numerator, value.denominator)
    raise TypeError(f"no way to write {type(value)}")


def _read(kind: type, value: Any) -> Any:
    if kind is Cents:
        return Cents(value)
    if kind is Fraction:
        return _fraction(*value)
    raise TypeError(f"no way to read {kind}")


@lru_cache(maxsize=1024)
def _fraction(numerator: int, denominator: int) -> Fraction:
    return Fraction(numerator, denominator)


_encoder: Final = msgspec.msgpack.Encoder(enc_hook=_write)
_decoder: Final[msgspec.msgpack.Decoder[Table]] = msgspec.msgpack.Decoder(Table, dec_hook=_read)


def plain(table: Table) -> bytes:
    """The same bytes for the same state, on every node."""
    past = {number: _in_order(past) for number, past in table.past.items()}
    current = None if table.round is None else _in_order(table.round)
    return _encoder.encode(msgspec.structs.replace(table, past=past, round=current))


def _in_order(round_: Round) -> Round:
    """Sort the set `forgone`, which has no order of its own."""
    if len(round_.forgone) < 2:
        return round_
    listed: Any = tuple(sorted(round_.forgone))
    return msgspec.structs.replace(round_, forgone=listed)


def encode(table: Table) -> bytes:
    """The state, compressed to an eighth of its size: past rounds are repetitive."""
    return zlib.compress(plain(table), level=1)


def decode(state: bytes) -> Table:
    return _decoder.decode(zlib.decompress(state))


@cache
def shape() -> int:
    """A number for the fields of a table's state, nested ones included: another shape has another number."""
    described = f"{REVISION} {msgspec.inspect.type_info(Table)!r}"
    return int.from_bytes(hashlib.sha256(described.encode()).digest()[:3])


class SnapshotKept(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="snapshot-kept"):
    """A snapshot was stored: the version and row hash of the table, the shape, and the SHA-256 of `plain`."""

    version: int
    hash: str
    schema: int
    state: str


_kept: Final = msgspec.json.Decoder(SnapshotKept)


def record_of(stream: str) -> str:
    """The stream in which the snapshots of a table are recorded."""
    return f"snapshot/{stream.partition('/')[2]}"


def record(row: Row) -> SnapshotKept:
    """Raises ValueError (msgspec.ValidationError)."""
    return _kept.decode(codec.raised(row))


def recorded(snapshot: Snapshot) -> SnapshotKept:
    """The event that records a snapshot. Raises zlib.error where its state can't be decompressed."""
    state = hashlib.sha256(zlib.decompress(snapshot.state)).hexdigest()
    return SnapshotKept(version=snapshot.version, hash=snapshot.hash.hex(), schema=snapshot.schema, state=state)


def taken(stream: str, table: Table, head: bytes) -> Snapshot:
    """The snapshot of a table whose newest row has this hash."""
    return Snapshot(stream, table.version, head, shape(), encode(table))


async def keep(store: Store, snapshot: Snapshot, at: int) -> bool:
    """Replace the stored snapshot and record the new one, in one commit. False where another node was quicker or has
    stored a later one: a missing snapshot does no harm."""
    stream = record_of(snapshot.stream)
    last = await _last(store, stream)
    version, before = (0, chain.start(stream)) if last is None else (last.version, last.hash)
    newest = record(last) if last is not None else None
    if newest is not None and newest.schema == snapshot.schema and newest.version >= snapshot.version:
        return False
    rows = codec.rows(stream, version, before, at, [codec.CommandEvents((recorded(snapshot),), HOUSE)])
    here = schema.snapshots.c.stream == snapshot.stream
    also = (
        sa.delete(schema.snapshots).where(here),
        sa.insert(schema.snapshots).values(**msgspec.structs.asdict(snapshot)),
    )
    return await store.append(Unit(stream, version, rows), *also) is Outcome.DONE


async def _last(store: Store, stream: str) -> Row | None:
    """The newest row of a stream. Raises StoreBroken where the chain is broken."""
    version, _ = await store.head(stream)
    if not version:
        return None
    rows = await store.read(stream, max(version - 2, 0), min(version, 2))
    before = rows[0].hash if version > 1 else chain.start(stream)
    if chain.broken(before, version - 1, rows[-1:]) is not None:
        raise StoreBroken(f"{stream}: the chain of hashes is broken at version {version}")
    return rows[-1]


async def newest(store: Store, stream: str) -> tuple[Table, Row] | None:
    """The stored state and the row at which it was taken; None where it can't be used."""
    snapshot = await store.snapshot(stream)
    if snapshot is None or snapshot.schema != shape():
        return None
    # The hash of the row it was taken at shows that the snapshot is of this history.
    at = await store.read(stream, snapshot.version - 1, 1)
    last = await _last(store, record_of(stream))
    if not at or at[0].hash != snapshot.hash or last is None:
        return None
    try:
        if record(last) != recorded(snapshot):
            log.warning("the snapshot of %s is not the one on record and is passed over", stream)
            return None
        table = decode(snapshot.state)
    except (zlib.error, msgspec.MsgspecError, ValueError, TypeError) as error:
        log.warning("the snapshot of %s can't be read and is passed over: %s", stream, error)
        return None
    return (table, at[0]) if table.version == snapshot.version else None


async def load(store: Store, stream: str) -> tuple[Table, int, bytes]:
    """The table, its version, and the hash of its newest row. A stream without rows gives a new table."""
    kept = await newest(store, stream)
    table, before = (NEW, chain.start(stream)) if kept is None else (kept[0], kept[1].hash)
    more = True
    while more:
        rows = await store.read(stream, table.version)
        table, before = _added(table, before, rows)
        more = len(rows) == MOST_READ
    return table, table.version, before


def _added(table: Table, before: bytes, rows: list[Row]) -> tuple[Table, bytes]:
    """The table after the rows' events. Rows that don't follow one another were tampered with: StoreBroken."""
    wrong = chain.broken(before, table.version, rows)
    if wrong is not None:
        raise StoreBroken(f"{rows[0].stream}: the chain of hashes is broken at version {wrong}")
    for row in rows:
        table = evolve(table, codec.event(row))
    return table, rows[-1].hash if rows else before
