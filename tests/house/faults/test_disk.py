"""A full disk, an I/O error, a truncated write-ahead log: the house halts and says why, and no balance is wrong."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import struct
from pathlib import Path
from typing import Any

import pytest

from punto.house.store.interface import open_store
from punto.house.store.sqlite import store as sqlite
from punto.house.table.house import House
from punto.house.table.loaded_table import Halted
from punto.house.table.recovery import recover
from tests.house.faults import laws, lives, one_life
from tests.house.faults.breaking import games_of, halted, peopled, run, sound
from tests.house.faults.lives import Game
from tests.house.faults.tracing import needs_injection

HALTED = "the database can't be written, and this node stops: "


@pytest.mark.parametrize("pages", [3, 40])
def test_a_full_disk(pages: int, sqlite_url: str) -> None:
    """With so many pages left the house halts, and says that the disk is full."""
    peopled(sqlite_url)
    status, said = run(sqlite_url, "--pages", str(pages), "--rounds", "20")
    assert status == 1
    assert halted(said) == f"{HALTED}database or disk is full"
    sound(sqlite_url, games_of(said, 20))


@pytest.mark.parametrize("more", [0, 60_001])
def test_a_file_that_cant_grow(more: int, sqlite_url: str) -> None:
    """The limit on the file's size lies at the end of a frame of the log, or inside one."""
    peopled(sqlite_url)
    size = 32 + 80 * (24 + 4096) + more
    status, said = run(sqlite_url, "--bytes", str(size))
    assert status == 1
    assert halted(said).startswith(HALTED)
    sound(sqlite_url, games_of(said))


@needs_injection
@pytest.mark.parametrize(("call", "when"), [("fdatasync", 25), ("fdatasync", 60), ("pwrite64", 300)])
def test_an_io_error_stops_the_house(call: str, when: int, sqlite_url: str, tmp_path: Path) -> None:
    """The disk refuses one write or one flush. The house does not try another."""
    peopled(sqlite_url)
    trace = tmp_path / "trace"
    inject = ["-e", f"trace={call}", "-e", f"inject={call}:error=EIO:when={when}"]
    status, said = run(sqlite_url, under=["strace", "-f", "--seccomp-bpf", "-o", str(trace), *inject])
    assert status == 1
    assert halted(said) == f"{HALTED}disk I/O error"
    lines = trace.read_text().splitlines()
    (at,) = [number for number, line in enumerate(lines) if "INJECTED" in line]
    assert not [line for line in lines[at + 1 :] if "fdatasync(" in line], "something was committed afterwards"
    sound(sqlite_url, games_of(said))


def test_a_house_that_closes_leaves_one_file(sqlite_url: str) -> None:
    """A copy of that file then has everything."""
    peopled(sqlite_url)
    path = sqlite.file_of(sqlite_url)
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, f"{path.name}.lock"]


class Left:
    """The files of a house before its log was folded into the database, and the hashes of its rows at that time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.games: list[Game] = []
        self.rows: dict[str, list[bytes]] = {}

    async def make(self, url: str) -> None:
        async with lives.born(url, lambda said: None, random.Random(0)) as life:
            await life.begin([])
            for game in one_life.games(1)[1:3]:
                await life.play(game)
                self.games.append(game)
                self.rows[game.stream] = [row.hash for row in await life.store.read(game.stream)]
            for name in ("house.db", "house.db-wal"):
                shutil.copy(sqlite.file_of(url).with_name(name), self.folder / name)

    @property
    def log(self) -> bytes:
        return (self.folder / "house.db-wal").read_bytes()

    def frames(self) -> list[int]:
        """Where each frame of the log ends."""
        (size,) = struct.unpack(">I", self.log[8:12])
        return list(range(32, len(self.log) + 1, 24 + size))

    def with_log(self, log: bytes, path: Path) -> str:
        shutil.copy(self.folder / "house.db", path)
        path.with_name(path.name + "-wal").write_bytes(log)
        return f"sqlite:///{path}"

    async def prefix(self, url: str) -> int:
        """How many rows are there. Each stream has the first of its rows; ledger, wallets and chain agree."""
        store = await open_store(url)
        life = lives.Life(store, lambda said: None, random.Random(0))
        try:
            number = 0
            for game in self.games:
                history = await life.commands(game)
                hashes = [row.hash for command in history for row in command.rows]
                assert hashes == self.rows[game.stream][: len(hashes)]
                laws.money(game.table, history, await store.transfers(game.stream))
                number += len(hashes)
            await life.wallets()
            return number
        finally:
            await life.house.close()
            await store.close()


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    folder = tmp_path_factory.mktemp("left")
    (folder / "live").mkdir()
    remains = Left(folder)
    asyncio.run(remains.make(peopled(f"sqlite:///{folder / 'live' / 'house.db'}")))
    return remains


def test_a_log_cut_at_every_frame(left: Left, tmp_path: Path) -> None:
    counts = [_reopened(left, left.log[:end], tmp_path) for end in left.frames()]
    whole = sum(len(rows) for rows in left.rows.values())
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, whole)
    assert len(set(counts)) > 35, "every commit is found, one after the other"


def test_a_log_cut_or_changed_at_any_byte(left: Left, tmp_path: Path) -> None:
    chance = random.Random(8)
    frames = left.frames()
    counts = {end: _reopened(left, left.log[:end], tmp_path) for end in frames[:: len(frames) // 4]}
    for _ in range(40):
        at = chance.randrange(32, len(left.log))
        end = max(end for end in frames if end <= at)
        due = counts.setdefault(end, _reopened(left, left.log[:end], tmp_path))
        assert _reopened(left, left.log[:at], tmp_path) == due
        changed = bytearray(left.log)
        changed[at] ^= 1 << chance.randrange(8)
        assert _reopened(left, bytes(changed), tmp_path) == due


def test_a_cut_log_can_be_gone_on_from(left: Left, tmp_path: Path) -> None:
    """Recovery and play go on from wherever the log was cut. What was answered after the cut is lost."""
    for end in left.frames()[::60]:
        url = left.with_log(left.log[:end], tmp_path / f"{end}.db")
        games = [Game(game.table, game.script) for game in left.games]
        sound(url, games)


async def test_a_damaged_database_is_not_served(left: Left, tmp_path: Path) -> None:
    """An event was changed in the file itself. The chain of hashes shows it, and the house halts."""
    url = left.with_log(left.log, tmp_path / "house.db")
    connection = sqlite3.connect(sqlite.file_of(url))
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("UPDATE events SET actor = 'eve' WHERE stream = 'table/g1' AND version = 2")
    connection.commit()
    connection.close()
    store = await open_store(url)
    house = House(store)
    try:
        with pytest.raises(Halted, match="the chain of hashes is broken at version 2"):
            await recover(house)
        assert house.broken.is_set()
    finally:
        await house.close()
        await store.close()


def _reopened(left: Left, log: bytes, folder: Path) -> int:
    path = folder / "house.db"
    for old in folder.glob("house.db*"):
        os.unlink(old)
    return _run(left.prefix(left.with_log(log, path)))


def _run(work: Any) -> int:
    count: int = asyncio.run(work)
    return count
