"""How many units a second the store takes, compared with the bare commit rate in one run; and how fast a table loads.

Bare: one connection, one tiny row in each durable commit. Store: wagers on many streams, each an event and a transfer.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import asyncpg

from bench.decide import script
from punto.game import events as e
from punto.game.decide import apply
from punto.game.refusals import Refusal
from punto.game.table import NEW, Table
from punto.house.store import chain, codec, snapshots
from punto.house.store.interface import Store, open_store
from punto.house.store.records import Outcome, Transfer, Unit
from punto.money import Cents
from punto.rulebook import load
from punto.rulebook.model import Bet
from tests.house.databases import postgres_database

STREAMS = 1_000
BARE_S = 1.0
REPEATS = 3
LONG = 100_000
AT = 1_700_000_000_000_000
RULES = "0123456789abcdef" * 4


def bare_sqlite(file: Path, seconds: float = BARE_S) -> float:
    """Commits a second of one connection, each of one tiny row, with the store's own settings."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS tiny (n INTEGER PRIMARY KEY)")
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        connection.execute("INSERT INTO tiny DEFAULT VALUES")
        done += 1
    connection.close()
    return done / seconds


async def bare_postgres(url: str, seconds: float = BARE_S) -> float:
    connection = await asyncpg.connect(url)
    await connection.execute("CREATE TABLE IF NOT EXISTS tiny (n bigserial PRIMARY KEY)")
    insert = await connection.prepare("INSERT INTO tiny DEFAULT VALUES")
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        await insert.fetch()
        done += 1
    await connection.close()
    return done / seconds


def wagers(count: int) -> list[list[Unit]]:
    """For each stream, the units to append in order. They are made in advance: deciding is not the store's work."""
    lists = []
    for number in range(STREAMS):
        stream = f"table/{number:04}"
        before = chain.start(stream)
        units = []
        for version in range(1, count + 1):
            event = e.WagerPlaced(
                paragraph="0",
                wager=f"w{version}",
                patron="guest-4f2a91",
                box=1 + version % 6,
                bet=Bet.BANKER,
                seated=True,
                stake_cents=Cents(10_000 + version),
            )
            key = f"{number:08x}-{version:08x}"
            said = codec.CommandEvents((event,), "guest-4f2a91", RULES, key, b"b" * 32)
            rows = codec.rows(stream, version - 1, before, AT + version, [said])
            before = rows[-1].hash
            moved = Transfer(stream, version, 1, f"chips/{number:04}/guest-4f2a91", f"escrow/{number:04}", 10_000)
            units.append(Unit(stream, version - 1, rows, (moved,)))
        lists.append(units)
    return lists


async def store_rate(url: str, count: int) -> float:
    """Units a second, with one unit of every stream in flight."""
    store = await open_store(url)
    lists = wagers(count)

    async def play(units: list[Unit]) -> None:
        for unit in units:
            assert await store.append(unit) is Outcome.DONE

    start = time.perf_counter()
    await asyncio.gather(*map(play, lists))
    took = time.perf_counter() - start
    await store.close()
    return STREAMS * count / took


async def long_table(store: Store, stream: str) -> Table:
    """Store a busy table of many events. Its last snapshot is as old as one can get."""
    rules = load.edition("tiger-buffalo-commission", "2025-11-21")
    table, before = NEW, chain.start(stream)
    kept, head = table, before
    units = []
    for command in script(rules, LONG // 22):
        if table.version >= LONG:
            break
        was = table
        table, answer = apply(rules, table, command)
        assert not isinstance(answer, Refusal)
        rows = codec.rows(stream, was.version, before, AT, [codec.CommandEvents(answer, "dan", rules.data_sha256)])
        before = rows[-1].hash
        units.append(Unit(stream, was.version, rows))
        if table.version < LONG - 2 * snapshots.EVERY:
            kept, head = table, before
    assert table.version >= LONG, f"only {table.version} events"
    at = 0
    while at < len(units):
        part = units[at : at + 500]
        at += 500
        rows = tuple(row for unit in part for row in unit.rows)
        assert await store.append(Unit(stream, part[0].expected, rows)) is Outcome.DONE
    last = snapshots.taken(stream, kept, head)
    assert await snapshots.keep(store, last, AT)
    print(f"  snapshot        {len(last.state):>10,} bytes, {table.version - last.version:,} events before the end")
    return table


async def loading(url: str) -> None:
    """Print how long a long table takes to load: the best and the median of several times."""
    store = await open_store(url)
    table = await long_table(store, "table/long")
    times = []
    for _ in range(15):
        start = time.perf_counter()
        loaded, _, _ = await snapshots.load(store, "table/long")
        times.append((time.perf_counter() - start) * 1000)
        assert loaded == table
    await store.close()
    times.sort()
    print(f"  load            {times[0]:>10.1f} ms at best, {times[len(times) // 2]:.1f} ms in the middle, for a table")
    print(f"                             of {LONG:,} events (under 50 wanted)")


def shown(engine: str, rates: list[tuple[float, float]], target: int) -> None:
    """Print the best of each over several turns: other work on the machine slows both."""
    bare, rate = (max(column) for column in zip(*rates, strict=True))
    print(engine)
    print(f"  bare commits    {bare:>10,.0f} a second")
    print(f"  store           {rate:>10,.0f} units a second, {STREAMS:,} streams")
    print(f"  ratio           {rate / bare:>10.1f} (at least {target} wanted)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=60, help="units of each stream")
    parser.add_argument("--engine", choices=("sqlite", "postgresql"), action="append")
    parser.add_argument("--no-load", action="store_true", help="leave the long table out")
    options = parser.parse_args()
    engines = options.engine or ["sqlite", "postgresql"]
    if "sqlite" in engines:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            rates = []
            for turn in range(REPEATS):
                bare = bare_sqlite(folder / f"bare{turn}.db")
                rates.append((bare, asyncio.run(store_rate(f"sqlite:///{folder}/store{turn}.db", options.units))))
            shown("SQLite", rates, 3)
            if not options.no_load:
                asyncio.run(loading(f"sqlite:///{folder}/long.db"))
    if "postgresql" in engines:
        rates = []
        for _ in range(REPEATS):
            with postgres_database() as url:
                rates.append((asyncio.run(bare_postgres(url)), asyncio.run(store_rate(url, options.units))))
        shown("PostgreSQL", rates, 4)
        if not options.no_load:
            with postgres_database() as url:
                asyncio.run(loading(url))


if __name__ == "__main__":
    main()
