"""An attacker with the database file: triggers dropped, checks off, any value changed, hashes recomputed."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from punto.house.audit import stream_heads
from punto.house.audit.database.triggers import due
from punto.house.audit.findings import Report
from punto.house.audit.run import audit
from punto.house.store.schema import APPEND_ONLY
from tests.house.audit import approval_forgery, attacker

KEYS = 'CREATE UNIQUE INDEX events_key ON events (stream, "key") WHERE key IS NOT NULL'
FACES = ("AS", "2H", "5D", "8C", "KH", "9S")


@contextmanager
def attacked(source: Path, folder: Path) -> Iterator[tuple[sqlite3.Connection, str]]:
    """A copy of the database that can be written freely, and its address. At the end, changes to the rows of approvals
    are made in their streams too."""
    copy = folder / "attacked.db"
    for end in ("", "-wal", "-shm"):
        copy.with_name(copy.name + end).unlink(missing_ok=True)
    shutil.copyfile(source, copy)
    connection = sqlite3.connect(copy, isolation_level=None)
    try:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("PRAGMA synchronous = OFF")
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DROP INDEX events_key")
        before = approval_forgery.rows(connection)
        yield connection, f"sqlite:///{copy}"
        approval_forgery.follow(connection, before)
    finally:
        connection.close()


def audited(url: str, known: stream_heads.Heads | None = None) -> Report:
    """Audit as if the attacker had put back the triggers and the index that were in the way."""
    if not url.startswith("sqlite:///"):
        return audit(url, known)
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        there = {text for (text,) in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'")}
        gone = [text for table in APPEND_ONLY for text in due(table, "sqlite") if text not in there]
        for text in gone:
            connection.execute(text)
        known_keys = "SELECT 1 FROM sqlite_master WHERE name = 'events_key'"
        if lacks_index := connection.execute(known_keys).fetchone() is None:
            with suppress(sqlite3.IntegrityError):  # a key that was used twice prevents it
                connection.execute(KEYS)
        try:
            return audit(url, known)
        finally:
            if lacks_index:
                connection.execute("DROP INDEX IF EXISTS events_key")
            for text in gone:
                connection.execute(f"DROP TRIGGER {text.split()[2]}")
    finally:
        connection.close()


def changed(value: Any, chance: random.Random) -> Any:
    """The value with one bit, one letter or one unit of it changed."""
    if value is None:
        return "x" * 8
    if isinstance(value, bytes):
        at = chance.randrange(len(value))
        return value[:at] + bytes([value[at] ^ (1 << chance.randrange(8))]) + value[at + 1 :]
    if isinstance(value, int):
        return value + 1
    at = chance.randrange(len(value)) if value else 0
    return f"{value[:at]}{'x' if value[at : at + 1] != 'x' else 'y'}{value[at + 1 :]}"


def rehash(connection: sqlite3.Connection, stream: str) -> None:
    """Recompute the whole chain of a stream, as a skilled attacker would do."""
    attacker.rehash(attacker.OnSqlite(connection), stream)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to the values in a JSON document; of a list, only those in the first three items."""
    if isinstance(value, dict):
        for name, child in value.items():
            yield from leaves(child, (*path, name))
    elif isinstance(value, list):
        for at, child in enumerate(value[:3]):
            yield from leaves(child, (*path, at))
    elif value is not None:
        yield path


def altered(event: bytes, path: tuple[Any, ...]) -> bytes:
    """The event with the value at a path replaced by another plausible one."""
    document = msgspec.json.decode(event)
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = _other(place[path[-1]])
    return msgspec.json.encode(document)


def _other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if len(value) == 2 and value[1] in "SHDC":
        return next(face for face in FACES if face != value)
    if value.replace(".", "").isdigit() and value.endswith(("0", "1", "2", "3", "4", "5", "6", "7", "8")):
        return value[:-1] + str(int(value[-1]) + 1)
    return f"{value}x"
