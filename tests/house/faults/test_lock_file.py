"""The lock file beside an SQLite database: only its owner may read it; a stranger's lock never counts as a node's."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from punto.game.table import Phase
from punto.house.dealer.dealers import Dealers
from punto.house.store.backup import backup
from punto.house.store.interface import open_store
from punto.house.store.records import StoreBroken
from punto.house.store.sqlite import file_locks as claims
from punto.house.store.sqlite.node_lock import SqliteNodeLock
from punto.house.store.sqlite.store import file_of
from punto.house.table.recovery import recover
from tests.house.store.units import opened
from tests.house.table.playing import CLOSE, a_house, betting, did, opening, wager
from tests.patience import LONG_S

HOLD = """
import fcntl, sys
file = open(sys.argv[1], "rb+")
fcntl.lockf(file, fcntl.LOCK_SH if sys.argv[2] == "shared" else fcntl.LOCK_EX, 1, int(sys.argv[3]))
print("held", flush=True)
sys.stdin.read()
"""
NODE = 0


def lock_file(url: str) -> Path:
    path = file_of(url)
    return path.with_name(path.name + ".lock")


@contextmanager
def a_stranger(url: str, kind: str, byte: int) -> Iterator[None]:
    """A program that holds a lock on a byte of the lock file, and is no node."""
    words = [sys.executable, "-c", HOLD, str(lock_file(url)), kind, str(byte)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield
        finally:
            process.stdin.close()


def left_in_a_round(url: str) -> None:
    async def play() -> None:
        async with a_house(url) as house:
            await recover(house)
            await betting(house, "ann")
            await did(house, wager("ann", 5_000), CLOSE)

    asyncio.run(play())


@pytest.mark.parametrize("older", [False, True])
async def test_nobody_else_reads_it(sqlite_url: str, older: bool) -> None:
    """Also where an older version left a lock file that others may read."""
    if older:
        lock_file(sqlite_url).touch(mode=0o644)
    async with opened(sqlite_url):
        assert lock_file(sqlite_url).stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_one_that_is_another_users_is_refused(sqlite_url: str) -> None:
    lock_file(sqlite_url).touch()
    os.chown(lock_file(sqlite_url), 12_345, -1)
    with pytest.raises(StoreBroken, match=r"house\.db\.lock belongs to another user"):
        asyncio.run(open_store(sqlite_url))


@pytest.mark.parametrize("kind", ["shared", "alone"])
def test_a_strangers_lock_is_said_and_no_recovery_is_left_out(
    kind: str, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SqliteNodeLock, "patience_s", 0.5)
    left_in_a_round(sqlite_url)

    async def start() -> list[str]:
        async with a_house(sqlite_url) as house:
            return await recover(house)

    with a_stranger(sqlite_url, kind, NODE), pytest.raises(StoreBroken, match="no node of this house"):
        asyncio.run(asyncio.wait_for(start(), LONG_S))
    assert asyncio.run(start()) == ["T1"], "the next start puts it right"


def test_the_server_refuses_to_start(sqlite_url: str) -> None:
    left_in_a_round(sqlite_url)
    words = [sys.executable, "-m", "punto.cli.main", "serve", "--port", "0", "--no-demo", "--database", sqlite_url]
    with a_stranger(sqlite_url, "shared", NODE):
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=LONG_S, stdin=subprocess.DEVNULL, check=False
        )
    assert done.returncode == 1
    assert "is locked by a program that is no node of this house" in done.stderr


async def test_a_strangers_lock_stops_no_dealer(sqlite_url: str) -> None:
    """A dealer claims a table by a row of the database, not by a lock on the file."""
    async with a_house(sqlite_url) as house:
        await recover(house)
        await did(house, opening())
        dealers = Dealers(house)
        with a_stranger(sqlite_url, "alone", claims._byte("dealer/T1")):
            await dealers.start_all()
            await house.follow("T1")
            await asyncio.wait_for(house.wait_past("T1", 5), LONG_S)
            house.unfollow("T1")
        await dealers.stop()


async def test_a_lock_file_that_is_deleted_lets_nobody_recover(sqlite_url: str) -> None:
    """The node takes its locks on a new file. A node that starts before that finds the first one's row and process."""
    async with a_house(sqlite_url) as house:
        await recover(house)
        await betting(house, "ann")
        await did(house, wager("ann", 5_000), CLOSE)
        lock_file(sqlite_url).unlink()
        async with a_house(sqlite_url) as other:
            assert await recover(other) == []
            assert (await other.newest("T1")).table.phase is Phase.DEALING


async def test_a_copy_is_another_house(sqlite_url: str, tmp_path: Path) -> None:
    """The copy has the row of a node that serves the original: a node that opens the copy is alone."""
    async with a_house(sqlite_url) as house:
        await recover(house)
        await betting(house, "ann")
        await did(house, wager("ann", 5_000), CLOSE)
        copy = tmp_path / "copy.db"
        backup(sqlite_url, copy)
        async with a_house(f"sqlite:///{copy}") as other:
            assert await recover(other) == ["T1"]
