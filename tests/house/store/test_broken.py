"""Disk full, write errors, a cut log: the store halts and says so, or comes back to a sound state."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from punto.house.store import chain
from punto.house.store.interface import Store
from punto.house.store.records import Outcome, StoreBroken, Unit
from punto.house.store.sqlite.replaced_file import Identity, identity, replaced
from punto.house.store.sqlite.store import SqliteStore, file_of
from punto.house.store.sqlite.writer import POLL_S
from tests.house.databases import on_sqlite
from tests.house.store.units import added, opened, unit, until

ROOT = Path(__file__).parents[3]
PERSON = "person/ann"


async def sound(store: Store) -> int:
    """Check that chain, transfers and wallet agree. Returns the number of events."""
    rows = await store.read(PERSON)
    assert chain.broken(chain.start(PERSON), 0, rows) is None
    moved = await store.transfers(PERSON)
    assert [move.version for move in moved] == [row.version for row in rows]
    held: Counter[str] = Counter()
    for transfer in moved:
        held[transfer.giver] -= transfer.cents
        held[transfer.taker] += transfer.cents
    assert await store.wallet("ann") == held["wallet/ann"]
    return len(rows)


def grants(count: int) -> list[Unit]:
    """Units that follow one another, each with a transfer into a wallet."""
    units: list[Unit] = []
    before = None
    for version in range(count):
        grant = unit(PERSON, version, before, moves=(("cage", "wallet/ann", 1 + version),), actor="x" * 500)
        before = grant.rows[-1].hash
        units.append(grant)
    return units


async def filled(store: Store) -> tuple[int, str]:
    """Write until the store breaks. Returns how many units were acknowledged, and what the error says."""
    done = 0
    try:
        for grant in grants(1000):
            assert await store.append(grant) is Outcome.DONE
            done += 1
    except StoreBroken as error:
        return done, str(error)
    raise AssertionError("it never broke")


async def test_a_full_disk_halts_the_store(sqlite_url: str) -> None:
    expected: list[int] = []
    async with opened(sqlite_url) as store:
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
    async with opened(sqlite_url) as store:
        assert await sound(store) == expected[0]
        assert await store.streams("table/") == []


@on_sqlite
async def test_a_look_at_the_file_does_not_hide_why_the_writer_stopped(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer fails in its thread while the event loop asks the system which file the path names."""
    assert isinstance(store, SqliteStore)
    writer = store._writer

    def looked(path: Path, opened: Identity | None) -> str | None:
        writer.broken = "the disk is full"
        return replaced(path, opened)

    monkeypatch.setattr("punto.house.store.sqlite.store.replaced", looked)
    assert store.broken == "the disk is full"


def test_a_file_that_is_another_one_now_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    file.touch()
    opened = identity(file)
    assert replaced(file, opened) is None
    file.rename(tmp_path / "moved.db")
    assert "moved, replaced or deleted" in str(replaced(file, opened))
    file.touch()
    assert "moved, replaced or deleted" in str(replaced(file, opened))


@on_sqlite
async def test_all_who_wait_are_told_when_the_disk_is_full(store: Store) -> None:
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


async def test_a_write_error_halts_the_store(sqlite_url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, sqlite_url], cwd=ROOT, capture_output=True, text=True, check=True
    )
    count, message = done.stdout.splitlines()
    assert int(count) > 10
    assert message == "the database can't be written, and this node stops: disk I/O error"
    async with opened(sqlite_url) as store:
        # A write that was not acknowledged may have reached the disk whole; an acknowledged one is there.
        assert await sound(store) in (int(count), int(count) + 1)


async def test_a_cut_log_gives_a_true_earlier_state(sqlite_url: str, tmp_path: Path) -> None:
    async with opened(sqlite_url) as store:
        for grant in grants(40):
            await added(store, grant)
        source = file_of(sqlite_url)
        for end in ("", "-wal"):
            shutil.copy(f"{source}{end}", f"{tmp_path / 'copy.db'}{end}")
    versions: list[int] = []
    log = (tmp_path / "copy.db-wal").read_bytes()
    for part in range(21):
        folder = tmp_path / str(part)
        folder.mkdir()
        shutil.copy(tmp_path / "copy.db", folder / "cut.db")
        # Cut not only between two pages: seven bytes more than a twentieth each time.
        cut = min(len(log), len(log) * part // 20 + 7 * part)
        (folder / "cut.db-wal").write_bytes(log[:cut])
        async with opened(f"sqlite:///{folder / 'cut.db'}") as store:
            versions.append(await sound(store))
    assert versions == sorted(versions)
    assert versions[0] < 40
    assert versions[-1] == 40
    assert len(set(versions)) > 5


@on_sqlite
async def test_a_reader_cannot_write(store: Store, sqlite_url: str) -> None:
    assert isinstance(store, SqliteStore)
    with pytest.raises(Exception, match="readonly"):
        store._reader().execute("DELETE FROM wallets")
    assert os.path.exists(f"{file_of(sqlite_url)}-wal")
    mode = store._writer._connection.execute("PRAGMA synchronous").fetchone()[0]
    assert mode == 2, "every commit is flushed"


@on_sqlite
async def test_wakes_stop_with_the_store(store: Store, sqlite_url: str) -> None:
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


@on_sqlite
async def test_a_closed_store_takes_nothing_and_leaves_nobody_waiting(store: Store) -> None:
    await store.append(unit())
    await store.close()
    with pytest.raises(StoreBroken, match="closed"):
        await store.append(unit(expected=1))
