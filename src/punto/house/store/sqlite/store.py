"""The store on an SQLite file: WAL, every commit flushed, one writer thread, readers beside it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, Self, TypeVar
from urllib.parse import quote, unquote

from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite as dialects

from punto.house.store import sql_text
from punto.house.store.interface import Store
from punto.house.store.migrations import upgrade
from punto.house.store.nodes.membership import Membership
from punto.house.store.records import (
    OLD_REFUSALS,
    Clash,
    KeyTaken,
    StoreBroken,
)
from punto.house.store.schema import HEAD
from punto.house.store.sqlite.node_lock import SqliteNodeLock
from punto.house.store.sqlite.replaced_file import identity, replaced
from punto.house.store.sqlite.writer import BUSY_MS, Writer

T = TypeVar("T")

READERS: Final = 4
CACHE_KIB: Final = 64 * 1024
CHECKPOINT_PAGES: Final = 32_768
_DIALECT: Final = dialects.dialect(paramstyle="qmark")


class SqliteStore(Store):
    """See `Store`. Short look-ups run in the event loop, longer reads in threads."""

    _dialect = _DIALECT

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._path = path
        self._file = identity(path)
        self._local = threading.local()
        self._readers: set[sqlite3.Connection] = set()
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="punto-reader")
        self._node_lock = SqliteNodeLock(path, self.fetch)
        self._membership = Membership(self, self._node_lock, self._wake, self._give_up)
        self._writer = Writer(connection, asyncio.get_running_loop(), self._wake)
        self._closed = False
        self._put = self._writer.put

    @classmethod
    async def open(cls, url: str) -> Self:
        path = file_of(url)
        try:
            connection = await asyncio.to_thread(migrated, path)
        except (OSError, sqlite3.Error) as error:
            raise StoreBroken(f"{path} can't be opened as a database: {error}") from error
        try:
            store = cls(path, connection)
        except BaseException:
            connection.close()
            raise
        store._writer.start()
        return store

    @property
    def broken(self) -> str | None:
        if self._writer.broken is None and not self._closed:
            why = replaced(self._path, self._file)
            if why is not None:  # meanwhile the writer may have set a reason of its own: None must not replace it
                self._writer.broken = why
        return self._writer.broken

    async def refuse(self, stream: str, key: str, body: bytes, answer: bytes) -> bytes:
        def work(connection: sqlite3.Connection) -> bytes:
            if connection.execute("SELECT 1 FROM events WHERE stream = ? AND key = ?", (stream, key)).fetchone():
                raise KeyTaken(f"{stream}: {key}")
            values = (stream, key, body, answer, time.time_ns() // 1_000)
            connection.execute("INSERT OR IGNORE INTO refusals VALUES (?, ?, ?, ?, ?)", values)
            kept: tuple[bytes] = connection.execute(
                "SELECT answer FROM refusals WHERE stream = ? AND key = ?", (stream, key)
            ).fetchone()
            return kept[0]

        remembered: bytes = await self._writer.put(work)
        return remembered

    async def forget_refusals(self, before: int, most: int = 1_000) -> int:
        text = f"DELETE FROM refusals WHERE (stream, key) IN ({OLD_REFUSALS.format('?', '?')})"
        forgotten: int = await self._writer.put(lambda connection: connection.execute(text, (before, most)).rowcount)
        return forgotten

    async def fetch(self, statement: Executable) -> list[Mapping[str, Any]]:
        text, values = sql_text.text_and_values(statement, _DIALECT)
        reads = sql_text.readers(statement, _DIALECT)

        def work() -> list[Mapping[str, Any]]:
            cursor = self._reader().execute(text, values)
            names = [column[0] for column in cursor.description]
            return [
                {name: reads[name](value) if name in reads else value for name, value in zip(names, row, strict=True)}
                for row in cursor
            ]

        return await self._in_thread(work)

    async def execute(self, *statements: Executable) -> list[int]:
        texts = [sql_text.text_and_values(statement, _DIALECT) for statement in statements]

        def work(connection: sqlite3.Connection) -> list[int]:
            try:
                return [connection.execute(text, values).rowcount for text, values in texts]
            except sqlite3.IntegrityError as error:
                raise Clash(str(error)) from error

        changed: list[int] = await self._writer.put(work)
        return changed

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await self._membership.close()
        await asyncio.to_thread(self._pool.shutdown)
        for reader in self._readers:
            reader.close()
        # The writer last: only a connection that may write merges the log into the file when it closes.
        self._writer.stop()
        await asyncio.to_thread(self._writer.join)
        self._node_lock.close()

    def _give_up(self, why: str) -> None:
        self._writer.broken = self._writer.broken or f"this node stops: {why}"

    async def _few_rows(self, text: str, *values: object) -> list[tuple[Any, ...]]:
        """Read in the event loop, for a few rows that an index finds."""
        return self._reader().execute(_numbered(text), values).fetchall()

    async def _rows(self, text: str, *values: object) -> list[tuple[Any, ...]]:
        return await self._in_thread(lambda: self._reader().execute(_numbered(text), values).fetchall())

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def _reader(self) -> sqlite3.Connection:
        """This thread's own read-only connection."""
        reader: sqlite3.Connection | None = getattr(self._local, "reader", None)
        if reader is None:
            place = f"file:{quote(str(self._path))}?mode=ro"
            reader = sqlite3.connect(place, uri=True, isolation_level=None, check_same_thread=False)
            reader.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            self._local.reader = reader
            self._readers.add(reader)
        return reader


@cache
def _numbered(text: str) -> str:
    """A statement with `?1` in place of `$1`, which SQLite takes for a name."""
    return text.replace("$", "?")


def file_of(url: str) -> Path:
    """The file behind sqlite:///relative or sqlite:////absolute."""
    path = unquote(url.removeprefix("sqlite:///"))
    if not url.startswith("sqlite:///") or not path or path == ":memory:":
        raise ValueError(f"{url!r} names no file: expected sqlite:///path")
    return Path(path).absolute()


def connected(path: Path) -> sqlite3.Connection:
    """A connection that writes: each commit is on disk when it returns."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    _with_a_log(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA recursive_triggers = ON")
    # The undo data of a statement is kept in memory, not in a file of its own.
    connection.execute("PRAGMA temp_store = MEMORY")
    # The pages that a thousand streams touch at once stay in memory, and reach the file once for many commits.
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    return connection


def _with_a_log(connection: sqlite3.Connection) -> None:
    """Switch to WAL, with retries: other processes may do so at the same moment, and SQLite does not wait for them."""
    until = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.005)
        else:
            return


def migrated(path: Path) -> sqlite3.Connection:
    """Create or upgrade the file in one transaction that locks others out."""
    with suppress(FileExistsError):
        # It holds undealt cards: only its owner may read a new file. SQLite gives the log beside it the same mode.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    connection = connected(path)
    try:
        if _migration(connection) != HEAD:
            connection.execute("BEGIN IMMEDIATE")
            for statement in upgrade.statements("sqlite", _migration(connection)):
                connection.execute(statement)
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _migration(connection: sqlite3.Connection) -> str | None:
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    row = connection.execute(upgrade.VERSION).fetchone() if known else None
    return None if row is None else str(row[0])
