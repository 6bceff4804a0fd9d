"""One life as a program: `python -m tests.house.faults.one_life URL` plays the scripts and prints every answer.

If the house halts, the program prints why and ends with status 1, as `punto serve` does.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import resource
import sqlite3
import sys
from pathlib import Path

import msgspec
import pytest

from punto.house.store.records import StoreBroken
from punto.house.store.sqlite import store as sqlite
from punto.house.table.loaded_table import Halted
from tests.house.faults import lives, scripts
from tests.house.faults.lives import Game, Said


def games(rounds: int) -> list[Game]:
    """Each script so many times."""
    every = scripts.every()
    return [Game(f"g{number}", every[number % len(every)]) for number in range(rounds * len(every))]


def say(said: Said) -> None:
    os.write(1, msgspec.json.encode(said) + b"\n")


async def play(url: str, rounds: int, most_bytes: int | None) -> int:
    try:
        async with lives.born(url, say, random.Random(0)) as life:
            await life.begin([])
            say(Said("whole"))
            if most_bytes is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
            try:
                for game in games(rounds):
                    await life.play(game)
            except Halted:
                assert life.house.broken.is_set()
                with pytest.raises(Halted):
                    await life.house.table("g0")
                raise
    except (Halted, StoreBroken) as error:
        say(Said("halted", text=str(error)))
        return 1
    return 0


def fill_up(pages: int) -> None:
    """Every database that is opened from now on has room for so many more pages only."""
    migrated = sqlite.migrated

    def full(path: Path) -> sqlite3.Connection:
        connection = migrated(path)
        (now,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {now + pages}")
        return connection

    sqlite.migrated = full


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bytes", type=int, default=None, help="no file may grow beyond this")
    parser.add_argument("--pages", type=int, default=None, help="so many are left on the disk")
    options = parser.parse_args()
    if options.pages is not None:
        fill_up(options.pages)
    sys.exit(asyncio.run(play(options.url, options.rounds, options.bytes)))


if __name__ == "__main__":
    main()
