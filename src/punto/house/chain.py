"""The chain of hashes over a stream: a changed, lost, added or moved row shows.

A row's hash is SHA-256 over the hash before it followed by the row's bytes. The hash before a stream's first row is
SHA-256 of the stream's name in UTF-8. A row's bytes are a MessagePack array, every value in its shortest form:

    [1, stream, version, at, actor, key, body, count, rules, schema, event]

1 is the version of this encoding; body and event are binary, a missing key or body is nil.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

import msgspec

from punto.house.stored import Row

ENCODING: Final = 1

_encoder: Final = msgspec.msgpack.Encoder()


def start(stream: str) -> bytes:
    """The hash before a stream's first row."""
    return hashlib.sha256(stream.encode()).digest()


def canonical(row: Row) -> bytes:
    """Everything of a row but its hash."""
    return _encoder.encode(
        (
            ENCODING,
            row.stream,
            row.version,
            row.at,
            row.actor,
            row.key,
            row.body,
            row.count,
            row.rules,
            row.schema,
            row.event,
        )
    )


def link(before: bytes, row: Row) -> bytes:
    """The hash that a row must have after the one before it."""
    return hashlib.sha256(before + canonical(row)).digest()


def chained(before: bytes, rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows with their hashes."""
    linked = []
    for row in rows:
        before = link(before, row)
        linked.append(msgspec.structs.replace(row, hash=before))
    return tuple(linked)


def broken(before: bytes, version: int, rows: Iterable[Row]) -> int | None:
    """The first version at which rows read after `version`, whose hash was `before`, don't follow; None if all do."""
    for row in rows:
        version += 1
        if row.version != version or link(before, row) != row.hash:
            return version
        before = row.hash
    return None
