"""Nodes on one database, on both engines: who is alone, who holds a claim, who is woken."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from punto.house.store.interface import Store
from tests.house.store.units import added, opened, unit, until


async def test_a_commit_wakes_this_store_and_others(store: Store, database_url: str) -> None:
    own: list[Sequence[tuple[str, int]]] = []
    others: list[Sequence[tuple[str, int]]] = []
    async with opened(database_url) as other:
        store.on_wake(own.append)
        other.on_wake(others.append)
        await added(store, unit(events=3))
        await until(lambda: [("table/T1", 3)] in own)
        await until(lambda: bool(others))


async def test_only_the_first_node_is_alone(store: Store, database_url: str) -> None:
    assert await store.alone()
    async with opened(database_url) as other:
        answer = asyncio.ensure_future(other.alone())
        await asyncio.sleep(0.1)
        assert not answer.done(), "nobody comes in while a node recovers"
        await store.share()
        assert await answer is False
        await other.share()


async def test_a_renewal_while_a_node_begins_to_share_keeps_nobody_out(
    store: Store, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The commit that lets others in takes long: the node renews its row meanwhile. No lock was lost."""
    assert await store.alone()
    membership: Any = store._membership
    execute, renew, renewed = store.execute, membership._renew, asyncio.Event()

    async def renewing() -> None:
        await renew()
        renewed.set()

    async def slowly(*statements: sa.Executable) -> list[int]:
        membership.renew_now()
        await renewed.wait()
        return await execute(*statements)

    membership._renew, membership._store = renewing, SimpleNamespace(fetch=store.fetch, execute=slowly)
    await store.share()
    assert renewed.is_set()
    membership._store = store
    assert "lock was lost" not in caplog.text
    async with opened(database_url) as other:
        assert await other.alone() is False


async def test_a_renewal_that_began_before_a_node_shares_and_ends_after_it_loses_no_lock(
    store: Store, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert await store.alone()
    membership: Any = store._membership
    renew, prove = membership._renew, membership._lock.renew
    began, shares, renewed = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def renewing() -> None:
        await renew()
        renewed.set()

    async def late(term: int, *, alone: bool) -> bool:
        began.set()
        await shares.wait()
        answer: bool = await prove(term, alone=alone)
        return answer

    membership._renew, membership._lock.renew = renewing, late
    membership.renew_now()
    await began.wait()
    await store.share()
    shares.set()
    await renewed.wait()
    assert "lock was lost" not in caplog.text
    assert not store.unsure
    async with opened(database_url) as other:
        assert await other.alone() is False


async def test_who_opens_after_all_have_closed_is_alone(database_url: str) -> None:
    for _ in range(2):
        async with opened(database_url) as store:
            assert await store.alone()


async def test_a_claim_is_held_by_one(store: Store, database_url: str) -> None:
    assert await store.claim("dealer/T1")
    assert await store.claim("dealer/T1"), "who holds it may ask again"
    async with opened(database_url) as other:
        assert not await other.claim("dealer/T1")
        assert await other.claim("dealer/T2")
        assert await store.claimed() == {"dealer/T1"}
        assert await other.claimed() == {"dealer/T2"}
        await store.release("dealer/T1")
        assert await other.claim("dealer/T1")
        assert not await store.claim("dealer/T1")
        assert not await store.claimed()
        assert await other.claimed() == {"dealer/T1", "dealer/T2"}
    assert await store.claim("dealer/T1")


async def test_who_waits_for_a_node_that_dies_while_it_recovers_recovers_itself(database_url: str) -> None:
    async with opened(database_url) as first:
        assert await first.alone()
        async with opened(database_url) as second, opened(database_url) as third:
            answers = [asyncio.ensure_future(store.alone()) for store in (second, third)]
            await asyncio.sleep(0.1)
            await first.close()
            done, waiting = await asyncio.wait(answers, return_when=asyncio.FIRST_COMPLETED)
            assert [answer.result() for answer in done] == [True], "one of them, and the other waits for it"
            assert len(waiting) == 1
            await (second if answers[0] in done else third).share()
            assert [await answer for answer in waiting] == [False]
