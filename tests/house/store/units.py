"""Units for tests of the store: small made-up events on named streams, with their transfers and keys."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from punto.house.store import chain, codec
from punto.house.store.interface import Store, open_store
from punto.house.store.records import Outcome, Transfer, Unit
from punto.house.table import ledger

AT = 1_700_000_000_000_000


def unit(
    stream: str = "table/T1",
    expected: int = 0,
    before: bytes | None = None,
    *,
    events: int = 1,
    key: str | None = None,
    actor: str = "ann",
    moves: tuple[tuple[str, str, int], ...] = (),
    rounds: tuple[tuple[int, int], ...] = (),
    played: tuple[tuple[str, int, int], ...] = (),
) -> Unit:
    """A unit of so many events under one key; `moves` (giver, taker, cents) belong to the first of them."""
    body = None if key is None else b"sha of " + key.encode()
    made = tuple({"event": "made-up", "n": n} for n in range(events))
    said = codec.CommandEvents(made, actor, "rules", key, body)
    rows = codec.rows(stream, expected, chain.start(stream) if before is None else before, AT, [said])
    transfers = tuple(Transfer(stream, expected + 1, n, *move) for n, move in enumerate(moves, 1))
    return Unit(stream, expected, rows, transfers, ledger.wallets(transfers), rounds, played)


def granted(person: str, cents: int, stream: str | None = None) -> Unit:
    """Cents from the cage into a person's wallet."""
    name = stream or f"person/{person}"
    return unit(name, moves=((ledger.CAGE, ledger.wallet(person), cents),))


async def added(store: Store, new_unit: Unit) -> bytes:
    """Append the unit and return the hash to go on from."""
    assert await store.append(new_unit) is Outcome.DONE
    return new_unit.rows[-1].hash


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = await open_store(url)
    try:
        yield store
    finally:
        await store.close()


async def until(true: Callable[[], bool]) -> None:
    """Wait for something that must come. The hook in `conftest.py` ends a test that waits for too long."""
    while not true():
        await asyncio.sleep(0.01)
