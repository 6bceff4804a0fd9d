"""A table's state as bytes and back, and a table loaded from its last snapshot and the events since.

A snapshot is a shortcut, never a source: one of another shape, or of another history, is passed over, and the table is
added up from its first event.
"""

from __future__ import annotations

import hashlib
import logging
import zlib
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from punto.game.evolve import evolve
from punto.game.table import NEW, Table
from punto.house import chain, codec
from punto.house.store import Store
from punto.house.stored import MOST_READ, Row, Snapshot, StoreBroken
from punto.money import Cents

log = logging.getLogger("punto.house")

EVERY: Final = 500
"""Events after which a snapshot is due; a busy table may wait twice as long, and still loads at once."""

REVISION: Final = 3
"""Raised by hand where `evolve` makes another state of the same events, so that older snapshots are passed over."""


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


def encode(table: Table) -> bytes:
    """Past rounds repeat themselves: squeezed, a state is an eighth of its size."""
    return zlib.compress(_encoder.encode(table), level=1)


def decode(state: bytes) -> Table:
    return _decoder.decode(zlib.decompress(state))


@cache
def shape() -> int:
    """A number for the fields of a table's state and all that is in it: another shape has another number."""
    described = f"{REVISION} {msgspec.inspect.type_info(Table)!r}"
    return int.from_bytes(hashlib.sha256(described.encode()).digest()[:3])


def taken(stream: str, table: Table, head: bytes) -> Snapshot:
    """The snapshot of a table whose newest row has this hash."""
    return Snapshot(stream, table.version, head, shape(), encode(table))


async def newest(store: Store, stream: str) -> tuple[Table, Row] | None:
    """The state that was kept last and the row it was taken at; None where it is of no use."""
    snapshot = await store.snapshot(stream)
    if snapshot is None or snapshot.schema != shape():
        return None
    # The hash of the row it was taken at shows that the snapshot is of this history.
    at = await store.read(stream, snapshot.version - 1, 1)
    if not at or at[0].hash != snapshot.hash:
        return None
    try:
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
    """The rows' events added up. Rows that don't follow one another were tampered with, and nothing goes on."""
    wrong = chain.broken(before, table.version, rows)
    if wrong is not None:
        raise StoreBroken(f"{rows[0].stream}: the chain of hashes is broken at version {wrong}")
    for row in rows:
        table = evolve(table, codec.event(row))
    return table, rows[-1].hash if rows else before
