"""Disk full, write errors, a cut log, a lost server: the store halts and says so, or comes back to a true state."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from punto.house.store import chain
from punto.house.store.interface import Store
from punto.house.store.postgres.node import LONGEST, _message
from punto.house.store.postgres.store import PostgresStore
from punto.house.store.records import Outcome, StoreBroken, Unit
from punto.house.store.sqlite.store import SqliteStore, file_of
from punto.house.store.sqlite.writer import POLL_S
from tests.house.databases import done_by_hand, on, server_url
from tests.house.store.made import added, granted, opened, unit, until, with_store

ROOT = Path(__file__).parents[3]
PERSON = "person/ann"


async def sound(store: Store) -> int:
    """Chain, transfers and wallet agree; how many events there are."""
    rows = await store.read(PERSON)
    assert chain.broken(chain.start(PERSON), 0, rows) is None
    moved = await store.transfers(PERSON)
    assert [one.version for one in moved] == [row.version for row in rows]
    held: Counter[str] = Counter()
    for one in moved:
        held[one.giver] -= one.cents
        held[one.taker] += one.cents
    assert await store.wallet("ann") == held["wallet/ann"]
    return len(rows)


def grants(count: int) -> list[Unit]:
    """Units that follow one another, each with a transfer into a wallet."""
    units: list[Unit] = []
    before = None
    for version in range(count):
        one = unit(PERSON, version, before, moves=(("cage", "wallet/ann", 1 + version),), actor="x" * 500)
        before = one.rows[-1].hash
        units.append(one)
    return units


async def filled(store: Store) -> tuple[int, str]:
    """Write until it breaks: how many units were acknowledged, and what the error says."""
    done = 0
    try:
        for one in grants(1000):
            assert await store.append(one) is Outcome.DONE
            done += 1
    except StoreBroken as error:
        return done, str(error)
    raise AssertionError("it never broke")


def test_a_full_disk_halts_the_store(sqlite_url: str) -> None:
    async def fill(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        pages = store._writer._connection.execute("PRAGMA page_count").fetchone()[0]
        store._writer._connection.execute(f"PRAGMA max_page_count = {pages + 20}")
        done, error = await filled(store)
        assert done
        assert error == "the database can't be written, and this node stops: database or disk is full"
        assert store.broken is not None
        with pytest.raises(StoreBroken, match="disk is full"):
            await store.append(unit("table/other"))
        with pytest.raises(StoreBroken):
            await store.refuse("table/other", "k", b"", b"")
        assert await sound(store) == done, "what was acknowledged can still be read"
        expected.append(done)

    async def look(store: Store) -> None:
        assert await sound(store) == expected[0]
        assert await store.streams("table/") == []

    expected: list[int] = []
    with_store(sqlite_url, fill)
    with_store(sqlite_url, look)


async def test_all_who_wait_are_told_when_the_disk_is_full(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        assert isinstance(store, SqliteStore)
        pages = store._writer._connection.execute("PRAGMA page_count").fetchone()[0]
        store._writer._connection.execute(f"PRAGMA max_page_count = {pages}")
        units = [unit(f"table/{n}", events=30) for n in range(40)]
        answers = await asyncio.gather(*map(store.append, units), return_exceptions=True)
        assert {type(answer) for answer in answers} == {StoreBroken}
        assert await store.streams() == []


LIMITED = """
import asyncio, resource, sys
from punto.house.store.interface import open_store
from punto.house.store.records import StoreBroken
from tests.house.store.test_broken import grants
async def run():
    store = await open_store(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
    done = 0
    try:
        for one in grants(2000):
            await store.append(one)
            done += 1
    except StoreBroken as error:
        print(done)
        print(error)
    await store.close()
asyncio.run(run())
"""


def test_a_write_error_halts_the_store(sqlite_url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, sqlite_url], cwd=ROOT, capture_output=True, text=True, check=True
    )
    count, message = done.stdout.splitlines()
    assert int(count) > 10
    assert message == "the database can't be written, and this node stops: disk I/O error"

    async def look(store: Store) -> None:
        # A write that was not acknowledged may have reached the disk whole; one that was is there.
        assert await sound(store) in (int(count), int(count) + 1)

    with_store(sqlite_url, look)


def test_a_cut_log_gives_a_true_earlier_state(sqlite_url: str, tmp_path: Path) -> None:
    async def write(store: Store) -> None:
        for one in grants(40):
            await added(store, one)
        source = file_of(sqlite_url)
        for end in ("", "-wal"):
            shutil.copy(f"{source}{end}", f"{tmp_path / 'copy.db'}{end}")

    async def look(store: Store) -> None:
        found.append(await sound(store))

    with_store(sqlite_url, write)
    found: list[int] = []
    log = (tmp_path / "copy.db-wal").read_bytes()
    for part in range(21):
        folder = tmp_path / str(part)
        folder.mkdir()
        shutil.copy(tmp_path / "copy.db", folder / "cut.db")
        # Not only between two pages: seven bytes more than a twentieth each time.
        cut = min(len(log), len(log) * part // 20 + 7 * part)
        (folder / "cut.db-wal").write_bytes(log[:cut])
        with_store(f"sqlite:///{folder / 'cut.db'}", look)
    assert found == sorted(found)
    assert found[0] < 40
    assert found[-1] == 40
    assert len(set(found)) > 5


async def test_a_lost_database_halts_the_store(postgres_url: str) -> None:
    async with opened(postgres_url) as store:
        await added(store, unit())
        name = postgres_url.partition("?")[0].rpartition("/")[2]
        await done_by_hand(server_url(), f"DROP DATABASE {name} WITH (FORCE)")
        with pytest.raises(StoreBroken, match=r"this node stops: .*does not exist"):
            await store.append(unit("table/T2"))
        with pytest.raises(StoreBroken):
            await store.append(unit("table/T3"))
        assert store.broken is not None


async def cut_off(url: str) -> None:
    """Every connection to the database ended by the server."""
    await done_by_hand(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


async def test_a_lost_connection_is_made_again(postgres_url: str) -> None:
    async with opened(postgres_url) as store, opened(postgres_url) as other:
        woken: list[list[tuple[str, int]]] = []
        other.on_wake(lambda moved: woken.append(list(moved)))
        assert await store.claim("dealer/T1")
        await cut_off(postgres_url)
        before = await added(store, unit(events=2))
        await added(store, granted("ann", 5))
        assert await store.wallet("ann") == 5
        version = 2
        while [("table/T1", version)] not in woken:
            before = await added(store, unit(expected=version, before=before))
            version += 1
            await asyncio.sleep(0.05)
        while not await store.claim("dealer/T1"):
            await asyncio.sleep(0.05)
        assert not await other.claim("dealer/T1")


async def test_a_unit_that_loses_a_race_in_part_leaves_nothing(postgres_url: str) -> None:
    """Another node has written fewer rows at the same version and commits while ours waits for it."""
    async with opened(postgres_url) as store:
        ours, theirs = unit(events=3, moves=(("cage", "a", 5),), key="k"), unit(actor="bob")
        rival = await asyncpg.connect(postgres_url)
        race = rival.transaction()
        await race.start()
        row = theirs.rows[0]
        await rival.execute(
            "INSERT INTO events VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            *(getattr(row, name) for name in row.__struct_fields__),
        )
        asked = [asyncio.ensure_future(store.append(one)) for one in (ours, unit("table/T2", events=2))]
        waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        while not await rival.fetchval(waits):
            await asyncio.sleep(0.01)
        await race.commit()
        await rival.close()
        assert [await one for one in asked] == [Outcome.CONFLICT, Outcome.DONE]
        assert await store.read("table/T1") == list(theirs.rows)
        assert await store.transfers("table/T1") == []
        assert len(await store.read("table/T2")) == 2


def test_a_unit_that_was_written_before_its_connection_was_lost_counts_once(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from punto.house.store.postgres import writer as postgres_writer

    appended = postgres_writer._appended
    failed: list[bool] = []

    async def lost_after(connection: object, units: list[Unit]) -> dict[str, Outcome]:
        answer = await appended(connection, units)
        if not failed:
            failed.append(True)
            raise ConnectionResetError("the answer was lost")
        return answer

    async def test(store: Store) -> None:
        assert await store.append(unit()) is Outcome.DONE
        assert failed
        assert len(await store.read("table/T1")) == 1
        assert await store.append(unit(actor="bob")) is Outcome.CONFLICT

    monkeypatch.setattr(postgres_writer, "_appended", lost_after)
    with_store(postgres_url, test)


def test_a_long_notification_says_look_at_everything() -> None:
    assert _message("node", {"table/T1": 7}) == 'node [["table/T1",7]]'
    assert _message("node", {f"table/{n}": n for n in range(1000)}) == "node *"
    most = next(n for n in range(1000) if _message("node", {f"table/{at}": at for at in range(n)}) == "node *")
    assert LONGEST - 30 < len(_message("node", {f"table/{at}": at for at in range(most - 1)}).encode()) < LONGEST


def test_the_addresses_of_tests_are_of_one_server() -> None:
    assert on("postgresql://u:p@h/db?host=x", "other") == "postgresql://u:p@h/other?host=x"


async def test_a_reader_cannot_write(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        assert isinstance(store, SqliteStore)
        with pytest.raises(Exception, match="readonly"):
            store._reader().execute("DELETE FROM wallets")
        assert os.path.exists(f"{file_of(sqlite_url)}-wal")
        mode = store._writer._connection.execute("PRAGMA synchronous").fetchone()[0]
        assert mode == 2, "every commit is flushed"


async def test_wakes_stop_with_the_store(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        woken: list[object] = []
        store.on_wake(woken.append)
        await added(store, unit())
        await until(lambda: bool(woken))
        await store.close()
        await store.close()
        heard: list[object] = []
        before = len(woken)
        async with opened(sqlite_url) as other:
            other.on_wake(heard.append)
            await added(other, unit(stream="table/T2"))
            await until(lambda: bool(heard))
            await asyncio.sleep(3 * POLL_S)
        assert len(woken) == before


def test_a_node_comes_back_whatever_kept_it_away(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also from what is no lost connection: a server that refuses for a while, a full queue of notifications."""

    async def test(store: Store) -> None:
        assert isinstance(store, PostgresStore)
        node: Any = store._node
        connect, tries = node._connect, 0

        async def refused() -> Any:
            nonlocal tries
            tries += 1
            raise asyncpg.InvalidAuthorizationSpecificationError("no entry for this host")

        node._connect = refused
        await node._connection.close()
        while tries < 2:
            await asyncio.sleep(0.01)
        assert not await store.claim("dealer/T1")
        node._connect = connect
        while not await store.claim("dealer/T1"):
            await asyncio.sleep(0.01)
        monkeypatch.setattr("punto.house.store.postgres.node._NOTIFY", "SELECT 1 / 0, $1::text, $2::text")
        before = await added(store, unit())
        await asyncio.sleep(0.1)
        monkeypatch.undo()
        async with opened(postgres_url) as other:
            woken: list[Any] = []
            other.on_wake(woken.append)
            await added(store, unit(expected=1, before=before))
            while [("table/T1", 2)] not in woken:
                await asyncio.sleep(0.01)

    with_store(postgres_url, lambda store: asyncio.wait_for(test(store), 20))


async def test_a_closed_store_takes_nothing_and_leaves_nobody_waiting(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        await store.append(unit())
        await store.close()
        with pytest.raises(StoreBroken, match="closed"):
            await store.append(unit(expected=1))
