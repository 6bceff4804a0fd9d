"""The chain of hashes over a stream. It reveals changed, lost, added or moved rows.

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
from msgspec.structs import astuple

from punto.house.store.records import Row

ENCODING: Final = 1

Fields = tuple[str, int, int, str, str | None, bytes | None, int, str, int, bytes]
"""The fields of a row in order, without its hash."""

_encoder: Final = msgspec.msgpack.Encoder()


def start(stream: str) -> bytes:
    """The hash before a stream's first row."""
    return hashlib.sha256(stream.encode()).digest()


def canonical(row: Row) -> bytes:
    """The bytes of a row without its hash."""
    return _encoder.encode((ENCODING, *astuple(row)[:-1]))


def link(before: bytes, row: Row) -> bytes:
    """The hash that a row must have after the hash `before`."""
    return hashlib.sha256(before + canonical(row)).digest()


def linked(before: bytes, fields: Fields) -> Row:
    """A row with its hash after the hash `before`."""
    return Row(*fields, hashlib.sha256(before + _encoder.encode((ENCODING, *fields))).digest())


def broken(before: bytes, version: int, rows: Iterable[Row]) -> int | None:
    """The first version at which the chain breaks, or None. Rows are read after `version`, whose hash is `before`."""
    for row in rows:
        version += 1
        if row.version != version or link(before, row) != row.hash:
            return version
        before = row.hash
    return None
