"""Write units as rows of an SQLite file.

Each statement releases and takes Python's global interpreter lock (GIL) a few times, and the thread that decides
commands keeps it for as long as it can. So a small batch is one statement, its own transaction, with a trigger that
does the rest. A large batch is a few statements of many rows.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache
from itertools import chain as joined
from typing import Any, Final

import msgspec
from msgspec.structs import astuple

from punto.house.store.records import Unit

_SMALL: Final = 48
"""Up to so many rows one statement, which reads JSON, is quicker."""
_SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128)
"""Rows of one statement: the smallest number that fits. Surplus rows are NULL."""

_EVENTS: Final = (
    "INSERT INTO events SELECT * FROM (VALUES {}) AS v WHERE v.column1 IS NOT NULL AND (v.column5 IS NULL OR NOT "
    "EXISTS (SELECT 1 FROM refusals AS r WHERE r.stream = v.column1 AND r.key = v.column5))"
)
_TRANSFERS: Final = "INSERT INTO transfers SELECT * FROM (VALUES {}) AS v WHERE v.column1 IS NOT NULL"
_ROUNDS: Final = "INSERT INTO rounds SELECT * FROM (VALUES {}) AS v WHERE v.column1 IS NOT NULL"
_PLAYED: Final = "INSERT OR IGNORE INTO played SELECT * FROM (VALUES {}) AS v WHERE v.column1 IS NOT NULL"


def _columns(count: int) -> str:
    return ", ".join(f"json_extract(value, '$[{at}]')" for at in range(count))


_AT_ONCE: Final = (
    "CREATE TEMP VIEW at_once AS SELECT '' AS events, x'' AS bytes, '' AS transfers, '' AS rounds, '' AS played",
    "CREATE TEMP TRIGGER at_once_all INSTEAD OF INSERT ON at_once BEGIN "
    "SELECT RAISE(ABORT, 'the key was refused') FROM json_each(NEW.events) JOIN refusals AS r "
    "ON r.stream = json_extract(value, '$[0]') AND r.key = json_extract(value, '$[4]'); "
    # stream, version, at, actor, key, count, rules, schema, offset in the bytes, sizes of body, event and hash.
    "INSERT INTO events SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), "
    "json_extract(value, '$[3]'), json_extract(value, '$[4]'), "
    "CASE WHEN json_extract(value, '$[9]') THEN substr(NEW.bytes, json_extract(value, '$[8]'), "
    "json_extract(value, '$[9]')) END, "
    "json_extract(value, '$[5]'), json_extract(value, '$[6]'), json_extract(value, '$[7]'), "
    "substr(NEW.bytes, json_extract(value, '$[8]') + json_extract(value, '$[9]'), json_extract(value, '$[10]')), "
    "substr(NEW.bytes, json_extract(value, '$[8]') + json_extract(value, '$[9]') + json_extract(value, '$[10]'), "
    "json_extract(value, '$[11]')) FROM json_each(NEW.events); "
    f"INSERT INTO transfers SELECT {_columns(6)} FROM json_each(NEW.transfers); "
    f"INSERT INTO rounds SELECT {_columns(3)} FROM json_each(NEW.rounds); "
    f"INSERT OR IGNORE INTO played SELECT {_columns(5)} FROM json_each(NEW.played); END",
)
"""A view that takes a whole batch."""


Written = tuple[str, bytes, str, str, str]


class Clash(Exception):
    """A statement did not insert all its rows."""


def prepare(connection: sqlite3.Connection) -> None:
    """Create the temporary view and trigger for `commit`."""
    for statement in _AT_ONCE:
        connection.execute(statement)


def written(units: Sequence[Unit]) -> Written | None:
    """The values of the one statement for a small batch; None where the batch is large, or changes wallets."""
    if sum([len(unit.rows) for unit in units]) > _SMALL or any(unit.wallets for unit in units):
        return None
    return _at_once(sorted(units, key=_by_name))


def commit(connection: sqlite3.Connection, units: Sequence[Unit], small: Written | None) -> None:
    """Write all units in one transaction; `small` comes from `written`. Raises IntegrityError or Clash, and may leave
    the transaction open."""
    if small is not None:
        # Not `execute`: that also asks for the id of the last row, and releases the GIL for it.
        connection.executemany("INSERT INTO at_once VALUES (?, ?, ?, ?, ?)", (small,))
        return
    # Sorted by name, so that the pages of the indexes are visited in order, each once.
    units = sorted(units, key=_by_name)
    connection.execute("BEGIN IMMEDIATE")
    insert(connection, units)
    change_wallets(connection, units)
    connection.execute("COMMIT")


def _by_name(unit: Unit) -> tuple[str, int]:
    return unit.stream, unit.expected


def _at_once(units: Sequence[Unit]) -> Written:
    events: list[tuple[Any, ...]] = []
    pieces: list[bytes] = []
    at = 1
    for unit in units:
        for row in unit.rows:
            body = row.body or b""
            pieces += (body, row.event, row.hash)
            sizes = (len(body), len(row.event), len(row.hash))
            events.append(
                (row.stream, row.version, row.at, row.actor, row.key, row.count, row.rules, row.schema, at, *sizes)
            )
            at += sum(sizes)
    return _json(events), b"".join(pieces), _json(_transfers(units)), _json(_rounds(units)), _json(_played(units))


def _json(rows: list[tuple[Any, ...]]) -> str:
    return msgspec.json.encode(rows).decode() if rows else "[]"


def _transfers(units: Sequence[Unit]) -> list[tuple[Any, ...]]:
    return [astuple(transfer) for unit in units for transfer in unit.transfers]


def _rounds(units: Sequence[Unit]) -> list[tuple[Any, ...]]:
    return [(unit.stream, number, version) for unit in units for number, version in unit.rounds]


def _played(units: Sequence[Unit]) -> list[tuple[Any, ...]]:
    return [
        (person, unit.rows[-1].at, unit.stream, number, version)
        for unit in units
        for person, number, version in unit.played
    ]


def insert(connection: sqlite3.Connection, units: Sequence[Unit]) -> None:
    """Insert inside a transaction. Rows and transfers have their fields in the order of their tables' columns."""
    _fill(connection, _EVENTS, [astuple(row) for unit in units for row in unit.rows])
    _fill(connection, _TRANSFERS, _transfers(units))
    _fill(connection, _ROUNDS, _rounds(units))
    _fill(connection, _PLAYED, _played(units), ignored=True)


def _fill(
    connection: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]], *, ignored: bool = False
) -> None:
    """Insert many rows with few statements of a few sizes, so that compiled statements are reused."""
    for at in range(0, len(rows), _SIZES[-1]):
        part = rows[at : at + _SIZES[-1]]
        width = len(part[0])
        size = next(size for size in _SIZES if size >= len(part))
        values = [*joined.from_iterable(part), *[None] * (width * (size - len(part)))]
        done = connection.execute(_text(statement, width, size), values).rowcount
        if done != len(part) and not ignored:
            raise Clash


@cache
def _text(statement: str, width: int, size: int) -> str:
    return statement.format(",".join(["(" + ",".join("?" * width) + ")"] * size))


def change_wallets(connection: sqlite3.Connection, units: Sequence[Unit]) -> None:
    changes = [change for unit in units for change in unit.wallets]
    if changes:
        connection.executemany("INSERT OR IGNORE INTO wallets VALUES (?, 0)", [(person,) for person, _ in changes])
        connection.executemany(
            "UPDATE wallets SET cents = cents + ? WHERE person = ?", [(cents, person) for person, cents in changes]
        )
