"""Several processes on one database: nothing is lost or written twice, and locks end with their process."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from punto.house.store import chain
from punto.house.store.interface import Store
from punto.house.store.nodes import processes
from tests.house.databases import on_postgres
from tests.house.store.child_process import STREAM
from tests.house.store.units import opened, unit, until
from tests.patience import LONG_S

ROOT = Path(__file__).parents[3]
WRITERS, TIMES = 8, 6


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.house.store.child_process", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


async def test_sixteen_writers_in_two_processes_on_one_stream(database_url: str) -> None:
    async with opened(database_url) as store:
        await store.head(STREAM)
    children = [start("writers", database_url, name, str(WRITERS), str(TIMES)) for name in "ab"]
    assert [child.wait(LONG_S) for child in children] == [0, 0]
    for child in children:
        child.communicate()
    async with opened(database_url) as store:
        rows = await store.read(STREAM)
        assert [row.version for row in rows] == list(range(1, len(rows) + 1)), "no gap"
        assert chain.broken(chain.start(STREAM), 0, rows) is None
        keys = Counter(row.key for row in rows if row.key is not None)
        expected = {f"{name}{n}-{at}" for name in "ab" for n in range(WRITERS) for at in range(TIMES)}
        assert keys == dict.fromkeys(expected, 1), "nothing lost, nothing twice"
        assert len(rows) == sum(1 + at % 3 for at in range(TIMES)) * 2 * WRITERS, "every unit whole"
        moved = await store.transfers(STREAM)
        assert Counter(transfer.giver for transfer in moved) == {
            f"by/{name}{n}": TIMES for name in "ab" for n in range(WRITERS)
        }


async def test_locks_die_with_their_process(store: Store, database_url: str) -> None:
    child = start("holder", database_url)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    try:
        assert not await store.claim("dealer/T1")
        waiting = asyncio.ensure_future(store.alone())
        await asyncio.sleep(0.1)
        assert not waiting.done()
    finally:
        child.kill()
        child.communicate()
    assert await waiting, "who died alone had not recovered: whoever waited for it does"
    while not await store.claim("dealer/T1"):
        await asyncio.sleep(0.01)


def test_a_number_that_another_process_has_by_now_is_not_the_one_that_had_it() -> None:
    boot, space, number, began = processes.own_process().split(" ")
    assert processes.is_alive(f"{boot} {space} {number} {began}")
    assert processes.is_alive(f"{boot} {space} {number} {began}0") is False
    assert processes.is_alive(f"elsewhere {space} {number} {began}") is None


async def test_another_process_wakes_this_one(store: Store, database_url: str) -> None:
    woken: list[Sequence[tuple[str, int]]] = []
    store.on_wake(woken.append)
    await store.append(unit())
    await until(lambda: bool(woken))
    child = start("writers", database_url, "a", "1", "1")
    before = len(woken)
    await until(lambda: any(not moved or (STREAM, 1) in moved for moved in woken[before:]))
    assert await asyncio.to_thread(child.wait, 60) == 0
    child.communicate()
    assert (await store.head(STREAM))[0] == 1


@on_postgres
async def test_a_notification_names_the_streams(store: Store, postgres_url: str) -> None:
    async with opened(postgres_url) as other:
        woken: list[list[tuple[str, int]]] = []
        other.on_wake(lambda moved: woken.append(list(moved)))
        await store.append(unit(events=2))
        await until(lambda: [("table/T1", 2)] in woken)
