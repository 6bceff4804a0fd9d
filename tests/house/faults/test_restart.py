"""A node that starts right after another was killed, while PostgreSQL still works for the dead one."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from punto.house.store.interface import Store, open_store
from punto.house.store.postgres import node_lock
from punto.house.store.postgres.node_lock import NODE
from punto.house.store.postgres.store import connected
from tests.house.databases import on, server_url


async def test_a_dead_node_is_not_taken_for_a_live_one(postgres_url: str) -> None:
    """The dead node's session still holds the lock, and may still write. The new node waits until that session ends,
    and then is alone."""
    dead = await connected(postgres_url, "punto dead")
    assert await dead.fetchval("SELECT pg_try_advisory_lock($1)", NODE)
    store = await open_store(postgres_url)
    try:
        alone = asyncio.ensure_future(store.alone())
        await asyncio.sleep(0.2)
        assert not alone.done()
        await dead.close()
        assert await alone
    finally:
        await store.close()


@pytest.mark.parametrize("seconds", [0.2, 1.5])
async def test_a_session_that_still_writes_is_waited_for(postgres_url: str, seconds: float) -> None:
    """The lock is free already, but another session of the dead node still works: for a moment, or until after the new
    node has taken the lock."""
    dead = await connected(postgres_url, "punto dead")
    store = await open_store(postgres_url)
    try:
        alone = asyncio.ensure_future(store.alone())
        await dead.execute(f"SELECT pg_sleep({seconds})")
        assert not alone.done()
        await dead.close()
        assert await alone
    finally:
        await store.close()


@pytest.fixture
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that takes another for dead waits for its sessions, here longer than a test may take."""
    monkeypatch.setattr(node_lock, "_REST_S", 3_600.0)


@pytest.mark.usefixtures("no_rest")
async def test_a_live_node_is_not_waited_for_long(postgres_url: str) -> None:
    first = await open_store(postgres_url)
    assert await first.alone()
    await first.share()
    second = await open_store(postgres_url)
    try:
        assert not await second.alone()
    finally:
        await second.close()
        await first.close()


async def _begun(url: str, count: int) -> list[bool]:
    """Start so many nodes at once: for each, whether it was alone. Each of them runs until all have started."""
    answers: list[bool] = []

    async def node() -> None:
        store: Store = await open_store(url)
        try:
            answers.append(await store.alone())
            await store.share()
            while len(answers) < count:
                await asyncio.sleep(0.01)
        finally:
            await store.close()

    await asyncio.gather(*(node() for _ in range(count)))
    return sorted(answers)


@pytest.mark.usefixtures("no_rest")
async def test_nodes_that_start_at_the_same_moment_are_not_taken_for_dead(postgres_url: str) -> None:
    assert await _begun(postgres_url, 4) == [False, False, False, True]


@pytest.mark.usefixtures("no_rest")
async def test_nor_where_they_find_an_empty_database() -> None:
    server = await asyncpg.connect(server_url())
    await server.execute("CREATE DATABASE punto_begun")
    try:
        assert await _begun(on(server_url(), "punto_begun"), 3) == [False, False, True]
    finally:
        await server.execute("DROP DATABASE punto_begun WITH (FORCE)")
        await server.close()
