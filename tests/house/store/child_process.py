"""What the tests run in separate processes: writers on one stream, and a node that is killed while it holds locks."""

from __future__ import annotations

import asyncio
import sys
import time

from punto.house.store.interface import Store, open_store
from punto.house.store.records import Outcome
from tests.house.store.units import unit

STREAM = "table/contended"


async def write(store: Store, name: str, times: int) -> None:
    """Add events one after the other, whatever others add. Every unit moves a cent from the writer's own account."""
    for n in range(times):
        while True:
            version, before = await store.head(STREAM)
            moves = ((f"by/{name}", "till", 1),)
            next_unit = unit(STREAM, version, before, events=1 + n % 3, key=f"{name}-{n}", actor=name, moves=moves)
            if await store.append(next_unit) is Outcome.DONE:
                break


async def writers(url: str, name: str, count: int, times: int) -> None:
    store = await open_store(url)
    await asyncio.gather(*(write(store, f"{name}{number}", times) for number in range(count)))
    await store.close()


async def holder(url: str) -> None:
    store = await open_store(url)
    held = await store.alone() and await store.claim("dealer/T1")
    print("held" if held else "refused", flush=True)
    time.sleep(60)  # the test kills it meanwhile


if __name__ == "__main__":
    what, address, *rest = sys.argv[1:]
    if what == "writers":
        asyncio.run(writers(address, rest[0], int(rest[1]), int(rest[2])))
    else:
        asyncio.run(holder(address))
