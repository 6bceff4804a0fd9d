"""Read a database for an audit or a backup: read only, row by row, everything as it stood at one instant.

Statements are plain SQL that SQLite and PostgreSQL both read, with `$1`, `$2` for the values.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import quote, unquote

CHUNK: Final = 2_000
"""Rows that are fetched at a time."""

Values = tuple[Any, ...]


class Unreadable(ValueError):
    """There is no database of the house there, or it can't be read."""


class Reader(Protocol):
    """Several queries may run at once; all see the same instant."""

    @property
    def engine(self) -> str:
        """sqlite or postgresql."""

    def rows(self, statement: str, *values: object) -> Iterator[Values]: ...

    def has(self, table: str) -> bool: ...

    def columns(self, table: str) -> frozenset[str]: ...


@contextmanager
def opened(url: str) -> Iterator[Reader]:
    """A reader of `sqlite:///path` or `postgresql://…`."""
    kind = url.partition("://")[0]
    if url.startswith("sqlite:///"):
        with _sqlite(sqlite_path(url)) as reader:
            yield reader
    elif kind in ("postgresql", "postgres"):
        with _postgres(url) as reader:
            yield reader
    else:
        raise Unreadable(f"{shown(url)!r} is no database: expected sqlite:///path or postgresql://…")


def sqlite_path(url: str) -> Path:
    """The file behind sqlite:///relative or sqlite:////absolute."""
    return Path(unquote(url.removeprefix("sqlite:///"))).absolute()


def shown(url: str) -> str:
    """A database's address without its password."""
    scheme, slashes, rest = url.partition("://")
    login, at, host = rest.rpartition("@")
    return f"{scheme}{slashes}{login.partition(':')[0]}{at}{host}"


class _Sqlite:
    engine = "sqlite"

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, *values: object) -> Iterator[Values]:
        cursor = self._connection.cursor()
        cursor.arraysize = CHUNK
        try:
            cursor.execute(statement, {str(at): value for at, value in enumerate(values, 1)})
            while rows := cursor.fetchmany():
                yield from rows
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Unreadable(f"the database can't be read: {error}") from error
        finally:
            with suppress(sqlite3.Error):  # an abandoned query may outlive its connection
                cursor.close()

    def has(self, table: str) -> bool:
        return any(self.rows('SELECT 1 FROM "sqlite_master" WHERE "type" = \'table\' AND "name" = $1', table))

    def columns(self, table: str) -> frozenset[str]:
        return frozenset(name for (name,) in self.rows("SELECT name FROM pragma_table_info($1)", table))


_text: Final = partial(str, encoding="utf-8", errors="replace")
"""Replaces invalid UTF-8 instead of failing: whoever compares the text reports it."""


@contextmanager
def _sqlite(path: Path) -> Iterator[Reader]:
    if not path.is_file():
        raise Unreadable(f"there is no database {path}")
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, isolation_level=None)
    connection.text_factory = _text
    try:
        try:
            connection.execute("BEGIN")
            connection.execute("SELECT 1 FROM events LIMIT 1")
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Unreadable(f"{path} is no database of the house: {error}") from error
        yield _Sqlite(connection)
    finally:
        connection.close()


class _Postgres:
    """Runs asyncpg from synchronous code."""

    engine = "postgresql"

    def __init__(self, loop: asyncio.AbstractEventLoop, connection: Any) -> None:
        self._loop, self._connection = loop, connection

    def rows(self, statement: str, *values: object) -> Iterator[Values]:
        cursor = aiter(self._connection.cursor(statement, *values, prefetch=CHUNK))
        while rows := self._loop.run_until_complete(_next_rows(cursor)):
            yield from rows

    def has(self, table: str) -> bool:
        return any(self.rows("SELECT 1 FROM pg_class WHERE oid = to_regclass($1)", table))

    def columns(self, table: str) -> frozenset[str]:
        own = "attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped"
        return frozenset(name for (name,) in self.rows(f"SELECT attname FROM pg_attribute WHERE {own}", table))


async def _next_rows(cursor: AsyncIterator[Any]) -> list[Values]:
    """The next rows. The server closes the cursor after the last row."""
    rows: list[Values] = []
    async for row in cursor:
        rows.append(tuple(row))
        if len(rows) == CHUNK:
            break
    return rows


@contextmanager
def _postgres(url: str) -> Iterator[Reader]:
    try:
        import asyncpg
    except ImportError as error:
        raise Unreadable("PostgreSQL needs asyncpg: install punto[postgres]") from error
    loop = asyncio.new_event_loop()
    connection: Any = None
    try:
        try:
            connection = loop.run_until_complete(asyncpg.connect(url))
        except (ValueError, OverflowError) as error:  # the address is invalid
            raise Unreadable(f"{shown(url)} can't be read: {error}") from error
        loop.run_until_complete(connection.transaction(isolation="repeatable_read", readonly=True).start())
        loop.run_until_complete(connection.fetch("SELECT 1 FROM events LIMIT 1"))
        yield _Postgres(loop, connection)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise Unreadable(f"{shown(url)} can't be read: {error}") from error
    finally:
        if connection is not None:
            loop.run_until_complete(connection.close())
        loop.close()
