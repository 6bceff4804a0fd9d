"""One key, one answer, on PostgreSQL: nodes that refuse and accept it in the same instant can't both be recorded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from punto.house.store.interface import Store
from punto.house.store.postgres.store import _REFUSE
from punto.house.store.postgres.writer import _appended
from punto.house.store.records import KeyTaken, Outcome, Unit
from tests.house.databases import on_postgres
from tests.house.store.units import added, granted, opened, unit

PAIRS = 150
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
EVENTS = "SELECT stream, key FROM events WHERE key IS NOT NULL"
REFUSALS = "SELECT stream, key FROM refusals"
KEYS = "SELECT stream, key FROM keys"


@asynccontextmanager
async def rival(url: str, *, gives_up: bool = False) -> AsyncIterator[Any]:
    """Another node's connection, in a transaction that is committed, or rolled back, at the end of the block."""
    connection = await asyncpg.connect(url)
    try:
        transaction = connection.transaction()
        await transaction.start()
        yield connection
        await (transaction.rollback() if gives_up else transaction.commit())
    finally:
        await connection.close()


async def waits(connection: Any, answer: asyncio.Future[Any]) -> None:
    """Wait until somebody waits for a lock of this connection, or the answer is there."""
    while not answer.done() and not await connection.fetchval(WAITS):
        await asyncio.sleep(0.01)


async def once(url: str) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The keys of events and of refusals. None is in both, and the table `keys` holds exactly these."""
    connection = await asyncpg.connect(url)
    try:
        events, refusals = [{tuple(row) for row in await connection.fetch(text)} for text in (EVENTS, REFUSALS)]
        assert not events & refusals, f"answered twice: {sorted(events & refusals)}"
        assert {tuple(row) for row in await connection.fetch(KEYS)} == events | refusals
    finally:
        await connection.close()
    return events, refusals


def accepts(new_unit: Unit) -> Callable[[Any], Awaitable[Any]]:
    return lambda connection: _appended(connection, [new_unit])


async def refuses(connection: Any) -> None:
    await connection.execute(_REFUSE, "table/T1", "k", b"body", b"no", 1)


@pytest.mark.parametrize("events", [1, 2])
@on_postgres
async def test_a_key_that_another_node_is_refusing_is_not_accepted(
    store: Store, postgres_url: str, events: int
) -> None:
    async with rival(postgres_url) as other:
        await refuses(other)
        outcome = asyncio.ensure_future(store.append(unit(key="k", events=events, moves=(("cage", "a", 5),))))
        await waits(other, outcome)
    assert await outcome is Outcome.CONFLICT
    assert await store.read("table/T1") == []
    assert await store.transfers("table/T1") == []
    assert await once(postgres_url) == (set(), {("table/T1", "k")})


@on_postgres
async def test_a_key_that_another_node_is_accepting_is_not_refused(store: Store, postgres_url: str) -> None:
    async with rival(postgres_url) as other:
        await accepts(unit(key="k"))(other)
        refusal = asyncio.ensure_future(store.refuse("table/T1", "k", b"body", b"no"))
        await waits(other, refusal)
    with pytest.raises(KeyTaken):
        await refusal
    assert await once(postgres_url) == ({("table/T1", "k")}, set())


@pytest.mark.parametrize("answers", [refuses, accepts(unit(key="k"))])
@on_postgres
async def test_a_key_that_another_node_gave_up_is_free(
    store: Store, postgres_url: str, answers: Callable[[Any], Awaitable[Any]]
) -> None:
    async with rival(postgres_url, gives_up=True) as other:
        await answers(other)
        outcome = asyncio.ensure_future(store.append(unit(key="k")))
        await waits(other, outcome)
    assert await outcome is Outcome.DONE
    assert await once(postgres_url) == ({("table/T1", "k")}, set())


@on_postgres
async def test_of_a_batch_only_the_refused_ones_stay_out(store: Store, postgres_url: str) -> None:
    """Several commands a unit, several units a batch; one of them has a key that another node is refusing."""
    first = unit("table/T1", key="new")
    second = unit("table/T1", 1, first.rows[-1].hash, key="k", events=2)
    both = Unit("table/T1", 0, first.rows + second.rows)
    taken = unit("table/T4", key="taken")
    before = await added(store, taken)
    units = [unit("table/T0", key="k"), both, unit("table/T2", key="k"), unit("table/T3")]
    late = unit("table/T4", 1, before, key="taken")
    async with rival(postgres_url) as other:
        await refuses(other)
        outcomes = asyncio.gather(*map(store.append, [*units, late]))
        await waits(other, outcomes)
    done, lost = Outcome.DONE, Outcome.CONFLICT
    assert await outcomes == [done, lost, done, done, lost]
    assert await store.streams() == [("table/T0", 1), ("table/T2", 1), ("table/T3", 1), ("table/T4", 1)]
    accepted = {("table/T0", "k"), ("table/T2", "k"), ("table/T4", "taken")}
    assert await once(postgres_url) == (accepted, {("table/T1", "k")})
    assert await store.append(first) is done, "the other key of the unit is free"


@on_postgres
async def test_what_does_not_go_in_takes_no_key(store: Store, postgres_url: str) -> None:
    """A version that is taken, a gap, a wallet that holds too little, a unit of which only a part could go in."""
    await added(store, granted("ann", 100))
    before = await added(store, unit(key="first"))
    half = unit(expected=1, before=before, key="half")
    again = unit(expected=2, before=half.rows[-1].hash, key="first")
    assert await store.append(unit(key="version")) is Outcome.CONFLICT
    assert await store.append(unit(expected=7, key="gap")) is Outcome.CONFLICT
    poor = unit(expected=1, before=before, key="funds", moves=(("wallet/ann", "a", 101),))
    assert await store.append(poor) is Outcome.FUNDS
    assert await store.append(Unit("table/T1", 1, half.rows + again.rows)) is Outcome.CONFLICT
    with pytest.raises(KeyTaken):
        await store.refuse("table/T1", "first", b"body", b"no")
    assert await once(postgres_url) == ({("table/T1", "first")}, set())


@on_postgres
async def test_two_nodes_refuse_and_accept_the_same_keys_at_once(store: Store, postgres_url: str) -> None:
    """Over and over, on many streams. What each node answers is what is stored."""

    async def refused(store: Store, stream: str) -> bool:
        try:
            return await store.refuse(stream, "k", b"body", b"no") == b"no"
        except KeyTaken:
            return False

    async with opened(postgres_url) as other:
        accepted = refusals = 0
        for start in range(0, PAIRS, 5):
            names = [f"table/{number:03}" for number in range(start, start + 5)]
            appends = asyncio.gather(*(store.append(unit(name, key="k")) for name in names))
            attempts = asyncio.gather(*(refused(other, name) for name in names))
            for name, outcome, no in zip(names, await appends, await attempts, strict=True):
                assert (outcome is Outcome.DONE) != no, f"{name}: {outcome}, refused: {no}"
                answer = await store.answered(name, "k")
                assert answer is not None
                assert (answer.refusal is not None) is no
                accepted += not no
                refusals += no
        assert accepted + refusals == PAIRS
    assert tuple(map(len, await once(postgres_url))) == (accepted, refusals)
