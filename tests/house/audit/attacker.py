"""An attacker who writes to a database of either engine at will: past triggers and checks, with hashes recomputed."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

import asyncpg

from punto.house.audit.findings import Report
from punto.house.audit.run import audit, audit_of
from punto.house.audit.stream_heads import Heads
from punto.house.store import chain
from punto.house.store.records import Row

ROWS = (
    'SELECT "stream", "version", "at", "actor", "key", "body", "count", "rules", "schema", "event", "hash" '
    'FROM "events" WHERE "stream" = $1 ORDER BY "version"'
)


class Attacker(Protocol):
    """Runs statements with `$1`, `$2` for the parameters."""

    engine: str

    def run(self, statement: str, *parameters: Any) -> None: ...

    def rows(self, statement: str, *parameters: Any) -> Iterator[tuple[Any, ...]]: ...


class OnSqlite:
    engine = "sqlite"

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, *parameters: Any) -> None:
        self.rows(statement, *parameters)

    def rows(self, statement: str, *parameters: Any) -> Iterator[tuple[Any, ...]]:
        named = {str(at): value for at, value in enumerate(parameters, 1)}
        return iter(self._connection.execute(statement, named).fetchall())


class OnPostgresql:
    engine = "postgresql"

    def __init__(self, loop: asyncio.AbstractEventLoop, connection: Any) -> None:
        self._loop, self._connection = loop, connection

    def run(self, statement: str, *parameters: Any) -> None:
        self._loop.run_until_complete(self._connection.execute(statement, *parameters))

    def rows(self, statement: str, *parameters: Any) -> Iterator[tuple[Any, ...]]:
        records = self._loop.run_until_complete(self._connection.fetch(statement, *parameters))
        return iter([tuple(row) for row in records])

    def has(self, table: str) -> bool:
        return any(self.rows("SELECT 1 FROM pg_class WHERE oid = to_regclass($1)", table))

    def columns(self, table: str) -> frozenset[str]:
        query = "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped"
        return frozenset(name for (name,) in self.rows(query, table))


@contextmanager
def attacker(url: str, folder: Path) -> Iterator[tuple[Attacker, Callable[..., Report]]]:
    """An attacker whose changes do not last: they work on a copy of the file, or in a transaction that is rolled back.
    With them comes a function that audits the changed house."""
    with _on_sqlite(url, folder) if url.startswith("sqlite:///") else _on_postgresql(url) as attacker_and_audit:
        yield attacker_and_audit


@contextmanager
def _on_sqlite(url: str, folder: Path) -> Iterator[tuple[Attacker, Callable[..., Report]]]:
    file = folder / "copy.db"
    shutil.copyfile(url.removeprefix("sqlite:///"), file)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")

        def audited(known: Heads | None = None) -> Report:
            there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
            for name, text in triggers:
                if name not in there:
                    connection.execute(text)
            return audit(f"sqlite:///{file}", known)

        yield OnSqlite(connection), audited


@contextmanager
def _on_postgresql(url: str) -> Iterator[tuple[Attacker, Callable[..., Report]]]:
    loop = asyncio.new_event_loop()
    connection = loop.run_until_complete(asyncpg.connect(url))
    try:
        hand = OnPostgresql(loop, connection)
        hand.run("SET session_replication_role = replica")
        hand.run("BEGIN")
        yield hand, lambda known=None: audit_of(hand, "tampered", known)
        hand.run("ROLLBACK")
    finally:
        loop.run_until_complete(connection.close())
        loop.close()


def rehash(attacker: Attacker, stream: str) -> None:
    """Recompute the whole chain of a stream."""
    before = chain.start(stream)
    for values in attacker.rows(ROWS, stream):
        row = Row(*values)
        before = chain.link(before, row)
        attacker.run(
            'UPDATE "events" SET "hash" = $1 WHERE "stream" = $2 AND "version" = $3', before, stream, row.version
        )
