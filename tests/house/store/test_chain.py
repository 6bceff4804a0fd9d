"""The chain of hashes: its encoding is implemented twice, and every change of a row shows."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import pytest

from punto.house.store import chain
from punto.house.store.records import Row
from tests.house.store.units import unit


def packed(value: Any) -> bytes:
    """MessagePack by its specification, implemented again without the library."""
    if value is None:
        return b"\xc0"
    if isinstance(value, int):
        if value < 128:
            return bytes([value])
        for size, mark in ((1, 0xCC), (2, 0xCD), (4, 0xCE), (8, 0xCF)):
            if value < 1 << 8 * size:
                return bytes([mark]) + value.to_bytes(size, "big")
        raise ValueError(value)
    if isinstance(value, str):
        data = value.encode()
        if len(data) < 32:
            return bytes([0xA0 | len(data)]) + data
        mark, size = (0xD9, 1) if len(data) < 256 else (0xDA, 2)
        return bytes([mark]) + len(data).to_bytes(size, "big") + data
    assert isinstance(value, bytes)
    mark, size = (0xC4, 1) if len(value) < 256 else (0xC5, 2)
    return bytes([mark]) + len(value).to_bytes(size, "big") + value


@pytest.mark.parametrize("size", [0, 31, 32, 255, 256, 60_000])
def test_the_encoding_is_the_one_written_down(size: int) -> None:
    row = Row(
        "table/é", 70_000, 1_700_000_000_000_000, "a" * (size % 5_000), None, b"b" * 32, 3, "", 1, b"e" * size, b""
    )
    fields = (1, row.stream, row.version, row.at, row.actor, row.key, row.body, row.count, row.rules, row.schema)
    assert chain.canonical(row) == b"\x9b" + b"".join(map(packed, fields)) + packed(row.event)
    before = hashlib.sha256("table/é".encode()).digest()
    assert chain.start("table/é") == before
    assert chain.link(before, row) == hashlib.sha256(before + chain.canonical(row)).digest()


def test_a_hash_of_today_is_the_hash_of_tomorrow() -> None:
    fields = msgspec.structs.astuple(msgspec.structs.replace(unit("table/T1", key="k1").rows[0], schema=1))[:-1]
    row = chain.linked(chain.start("table/T1"), fields)
    assert row.hash.hex() == "089d9c4f8cd6a3904a21413ac70468d9b64b60f13b11e6596ce5a0630f56348d"


ROWS = unit("table/T1", events=4, key="k1").rows
CHANGES: dict[str, Any] = {
    "stream": "table/T2",
    "version": 9,
    "at": 1,
    "actor": "bob",
    "key": "k2",
    "body": b"other",
    "count": 3,
    "rules": "others",
    "schema": 99,
    "event": b"{}",
    "hash": b"h" * 32,
}


def test_an_untouched_stream_holds() -> None:
    assert chain.broken(chain.start("table/T1"), 0, ROWS) is None
    assert chain.broken(ROWS[1].hash, 2, ROWS[2:]) is None


@pytest.mark.parametrize("field", [field.name for field in msgspec.structs.fields(Row)])
@pytest.mark.parametrize("at", range(4))
def test_a_changed_field_shows(field: str, at: int) -> None:
    changed = msgspec.structs.replace(ROWS[at], **{field: CHANGES[field]})
    assert changed != ROWS[at]
    assert chain.broken(chain.start("table/T1"), 0, [*ROWS[:at], changed, *ROWS[at + 1 :]]) == at + 1


def test_a_lost_an_added_and_a_moved_row_show() -> None:
    start = chain.start("table/T1")
    assert chain.broken(start, 0, [ROWS[0], *ROWS[2:]]) == 2
    assert chain.broken(start, 0, [ROWS[0], ROWS[0], *ROWS[1:]]) == 2
    assert chain.broken(start, 0, [ROWS[0], ROWS[2], ROWS[1], ROWS[3]]) == 2
    assert chain.broken(chain.start("table/T2"), 0, ROWS) == 1
