"""The schema comes from migrations, on both engines, and is the one that the program expects."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import asyncpg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import punto.house.store.migrations
from punto.house.audit.run import audit
from punto.house.people.accounts import Accounts
from punto.house.people.guests import Guests
from punto.house.store import people_tables as people
from punto.house.store import schema
from punto.house.store.interface import Store, open_store
from punto.house.store.migrations import upgrade
from punto.house.store.names import Role
from punto.house.store.postgres.store import migrate
from punto.house.store.records import KeyTaken, Outcome, StoreBroken
from punto.house.store.sqlite.store import connected, file_of, migrated
from tests.house.databases import made_older, on, server_url
from tests.house.store.units import added, opened, unit


def test_the_newest_migration_is_the_one_that_the_program_expects() -> None:
    scripts = ScriptDirectory(str(punto.house.store.migrations.__path__[0]))
    assert scripts.get_heads() == [schema.HEAD]


@pytest.fixture
def no_file(tmp_path: Path) -> Path:
    """A path where there is no file yet. The file of `sqlite_url` has its tables already."""
    return tmp_path / "new.db"


def test_a_new_file_is_read_by_its_owner_alone(no_file: Path) -> None:
    """It holds undealt cards, and so does the log beside it. An existing file keeps its permissions."""
    connection = migrated(no_file)
    try:
        made = [no_file, no_file.with_name(f"{no_file.name}-wal")]
        assert [file.stat().st_mode & 0o077 for file in made] == [0, 0]
    finally:
        connection.close()
    no_file.chmod(0o640)
    migrated(no_file).close()
    assert no_file.stat().st_mode & 0o777 == 0o640


def test_migrated_tables_are_those_of_the_program(no_file: Path) -> None:
    migrated(no_file).close()
    everything = sa.MetaData()
    for metadata in (schema.METADATA, schema.REBUILT, people.METADATA):
        for table in metadata.tables.values():
            table.to_metadata(everything)
    engine = sa.create_engine(f"sqlite:///{no_file}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, everything) == []
    engine.dispose()


async def _columns(url: str) -> set[tuple[str, str, bool]]:
    connection = await asyncpg.connect(url)
    columns = await connection.fetch(
        "SELECT table_name, column_name, is_nullable FROM information_schema.columns WHERE table_schema = 'public'"
    )
    await connection.close()
    return {(table, column, nullable == "YES") for table, column, nullable in columns}


def test_both_engines_have_the_same_tables_but_for_keys(postgres_url: str) -> None:
    expected = {
        (table.name, column.name, bool(column.nullable))
        for metadata in (schema.METADATA, schema.REBUILT, schema.ON_POSTGRESQL, people.METADATA)
        for table in metadata.tables.values()
        for column in table.columns
    }
    assert asyncio.run(_columns(postgres_url)) - {("alembic_version", "version_num", False)} == expected


async def test_opening_again_needs_no_alembic(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        await added(store, unit())
    script = (
        "import asyncio, sys; from punto.house.store.interface import open_store\n"
        "async def run():\n"
        "    store = await open_store(sys.argv[1]); print((await store.head('table/T1'))[0]); await store.close()\n"
        "asyncio.run(run()); print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script, sqlite_url], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "False"]


async def test_nodes_that_start_together_migrate_once(no_file: Path) -> None:
    stores = await asyncio.gather(*(open_store(f"sqlite:///{no_file}") for _ in range(4)))
    for store in stores:
        assert await store.streams() == []
        await store.close()


async def test_nodes_that_start_together_on_postgresql_migrate_once() -> None:
    server, name = server_url(), "punto_test_together"
    connection = await asyncpg.connect(server)
    await connection.execute(f"CREATE DATABASE {name}")
    try:
        await asyncio.gather(*(migrate(on(server, name)) for _ in range(4)))
        async with opened(on(server, name)) as store:
            assert await store.streams() == []
    finally:
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await connection.close()


OF_PASSWORDS = ("ALTER TABLE people ADD COLUMN password_by ", "UPDATE people SET password_by ")


def test_statements_are_found_whole() -> None:
    for dialect in ("sqlite", "postgresql"):
        statements = upgrade.statements(dialect, None)
        whole = ("CREATE ", "INSERT INTO alembic_version", "UPDATE alembic_version", "INSERT INTO keys")
        added_later = ("ALTER TABLE refusals ADD", "UPDATE refusals SET at", "DROP TRIGGER keys_append_only")
        assert all(statement.startswith(whole + added_later + OF_PASSWORDS) for statement in statements)
        assert upgrade.statements(dialect, schema.HEAD) == []


def test_a_file_that_is_no_database_is_refused(sqlite_url: str) -> None:
    file_of(sqlite_url).write_bytes(b"not a database, but long enough to look at" * 50)
    with pytest.raises(StoreBroken, match=r"can't be opened as a database: file is not a database"):
        asyncio.run(open_store(sqlite_url))


def test_a_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(StoreBroken, match="can't be opened"):
        asyncio.run(open_store("postgresql://nobody:secret@127.0.0.1:1/nowhere"))


async def test_a_database_of_a_newer_version_is_left_alone(store: Store, database_url: str) -> None:
    """The error names its migration, and nothing is written to it."""
    await store.execute(sa.text("UPDATE alembic_version SET version_num = '0999'"))
    with pytest.raises(StoreBroken, match=rf"is at migration 0999, .* only up to {schema.HEAD}"):
        await open_store(database_url)


def test_postgresql_without_its_driver_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "asyncpg"]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("store", "node_session", "pool", "writer"):
        monkeypatch.delitem(sys.modules, f"punto.house.store.postgres.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(ValueError, match=r"needs asyncpg: install punto\[postgres\]"):
        asyncio.run(open_store("postgresql://nobody@127.0.0.1:1/nowhere"))


def _now() -> int:
    return time.time_ns() // 1_000


async def test_a_house_from_before_there_were_keys_is_brought_up_to_date(store: Store, database_url: str) -> None:
    """On PostgreSQL the migration lists every answered key in the table `keys`; SQLite has no such table."""
    await added(store, unit(key="k", events=2))
    assert await store.refuse("table/T1", "no", b"", b"no") == b"no"
    await made_older(database_url)
    async with opened(database_url) as again:
        (row,) = await again.fetch(sa.text("SELECT version_num FROM alembic_version"))
        assert row["version_num"] == schema.HEAD
        head = (await again.head("table/T1"))[1]
        for key in ("k", "no"):
            assert await again.append(unit(expected=2, before=head, key=key)) is Outcome.CONFLICT
        with pytest.raises(KeyTaken):
            await again.refuse("table/T1", "k", b"", b"never")
        assert await again.refuse("table/T1", "no", b"", b"never") == b"no"
        if database_url.startswith("postgresql"):
            entries = await again.fetch(sa.select(schema.keys))
            assert {(entry["stream"], entry["key"]) for entry in entries} == {("table/T1", "k"), ("table/T1", "no")}
            with pytest.raises(Exception, match="keys is append-only"):
                await again.execute(sa.update(schema.keys).values(key="other"))
            with pytest.raises(Exception, match="a key that stands on an event is kept"):
                await again.execute(sa.delete(schema.keys))
        assert await again.forget_refusals(_now() - 60_000_000) == 0, "those from before have their age from here"
        assert await again.forget_refusals(_now() + 60_000_000) == 1


async def test_whose_password_it_is_comes_from_the_streams(store: Store, database_url: str) -> None:
    """Also for passwords that somebody else gave before the house recorded who gave them."""
    accounts = Accounts(store)
    givers: dict[str, str | None] = {"own": "own", "first": "shift-manager", "reset": "shift-manager"}
    givers = {**givers, "own-again": "own-again", "none": None, "shift-manager": None}
    await accounts.open("shift-manager", Role.SHIFT_MANAGER, None, "house")
    for name in [name for name in givers if name != "shift-manager"]:
        word = "a-first-password" if name != "none" else None
        await accounts.open(name, Role.DEALER, word, "shift-manager")
    guest = await Guests(accounts).enter(9)
    await accounts.set_password("own", "a-password-of-mine", "own")
    await accounts.lock("own", "shift-manager", '{"event":"password-set","by":"shift-manager"}')
    await accounts.set_password("reset", "a-password-of-mine", "reset")
    assert await accounts.reset_password("reset", "a-new-password", "shift-manager")
    assert await accounts.reset_password("own-again", "a-new-password", "shift-manager")
    await accounts.set_password("own-again", "a-password-of-mine", "own-again")
    now = await store.fetch(sa.select(people.people).order_by(people.people.c.name))
    assert {row["name"]: row["password_by"] for row in now} == {**givers, guest.name: None}
    await made_older(database_url, "0002")
    assert not (await asyncio.to_thread(audit, database_url)).findings, "it can be audited before it is migrated"
    async with opened(database_url) as again:
        assert await again.fetch(sa.select(people.people).order_by(people.people.c.name)) == now
        persons = [await Accounts(again).find(name) for name in (*givers, guest.name)]
        assert [person.name for person in persons if person is not None and person.own] == [
            "own",
            "own-again",
            guest.name,
        ]
        assert not (await asyncio.to_thread(audit, database_url)).findings


def test_processes_that_open_a_new_file_at_the_same_moment_wait_for_each_other(tmp_path: Path) -> None:
    """SQLite itself does not wait when a file gets its log. Over many files, some of the openings collide there."""
    with ThreadPoolExecutor(8) as threads:
        for number in range(200):
            path = tmp_path / f"new{number}.db"
            for connection in threads.map(connected, [path] * 8):
                connection.close()
