"""A node that starts right after another was killed, while the server still works for the dead one."""

from __future__ import annotations

import asyncio

from punto.house.postgres import connected
from punto.house.postgres_node import _NODE
from punto.house.store import open_store


def test_a_dead_node_is_not_taken_for_a_live_one(postgres_url: str) -> None:
    """Its session still holds the lock, and may still write: the new node waits for its end, and then is alone."""

    async def run() -> None:
        dead = await connected(postgres_url, "punto dead")
        assert await dead.fetchval("SELECT pg_try_advisory_lock($1)", _NODE)
        store = await open_store(postgres_url)
        try:
            alone = asyncio.ensure_future(store.alone())
            await asyncio.sleep(0.2)
            assert not alone.done()
            await dead.close()
            assert await alone
        finally:
            await store.close()

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_session_that_still_writes_is_waited_for(postgres_url: str) -> None:
    """The lock is free already, and another session of the dead node has yet to finish."""

    async def run() -> None:
        dead = await connected(postgres_url, "punto dead")
        store = await open_store(postgres_url)
        try:
            alone = asyncio.ensure_future(store.alone())
            await dead.execute("SELECT pg_sleep(0.2)")
            assert not alone.done()
            await dead.close()
            assert await alone
        finally:
            await store.close()

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_live_node_is_not_waited_for_long(postgres_url: str) -> None:
    async def run() -> None:
        first = await open_store(postgres_url)
        assert await first.alone()
        await first.share()
        second = await open_store(postgres_url)
        try:
            assert not await asyncio.wait_for(second.alone(), 5)
        finally:
            await second.close()
            await first.close()

    asyncio.run(asyncio.wait_for(run(), 30))
