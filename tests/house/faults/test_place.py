"""A node loses its place among the nodes of its database: it notices and comes back by itself, and nobody voids its
rounds meanwhile."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa
import uvloop

from punto.game.table import Phase
from punto.house.dealer.dealers import Dealers
from punto.house.store.nodes import liveness
from punto.house.store.postgres import node_lock as postgres_node_lock
from punto.house.store.postgres import writer as postgres_writer
from punto.house.store.schema import ENDED, claims
from punto.house.store.schema import nodes as rows
from punto.house.table.house import House, Unsure
from punto.house.table.recovery import recover
from tests.house.databases import done_by_hand
from tests.house.table.playing import CLOSE, DRAW, a_house, betting, did, opening, sound, wager
from tests.patience import LONG_S

SESSIONS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
CUT = f"SELECT pg_terminate_backend(pid) {SESSIONS}"
LOCKS = "FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'"
HELD = f"SELECT count(*) {LOCKS} AND pid IN (SELECT pid {SESSIONS})"
AGE = "SELECT floor(extract(epoch FROM clock_timestamp()) - max(seen_at) / 1000000.0) FROM nodes"


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test on an event loop of the server's kind."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(asyncio.wait_for(test, LONG_S))


async def until(fact: Callable[[], Awaitable[object]]) -> None:
    while not await fact():
        await asyncio.sleep(0.02)


async def value_of(url: str, text: str) -> int:
    connection = await asyncpg.connect(url)
    try:
        return int(await connection.fetchval(text))
    finally:
        await connection.close()


async def unheard_end(url: str, house: House) -> None:
    """Every connection ends while the node is busy, and the next thing that the node does is to send a statement. The
    driver then raises an error of its own, and never reports that the connection has ended."""
    await done_by_hand(url, CUT)
    node: Any = house.store._session  # type: ignore[attr-defined]
    time.sleep(0.3)
    node.tell([("table/T1", 1)])


def test_an_end_that_the_driver_never_told_of_is_noticed(postgres_url: str) -> None:
    """The node takes its lock again, and deals at a table that is opened afterwards."""

    async def test() -> None:
        async with a_house(postgres_url) as house:
            await recover(house)
            dealers = Dealers(house)
            for number in range(3):
                await unheard_end(postgres_url, house)

                async def held() -> bool:
                    return await value_of(postgres_url, HELD) == 1

                await until(held)
                table = f"T{number}"
                await did(house, opening(table), table=table)
                await dealers.start_all()
                await house.follow(table)
                await house.wait_past(table, 5)
                house.unfollow(table)
            await dealers.stop()

    run(test())


def test_a_node_that_starts_meanwhile_voids_nothing(postgres_url: str) -> None:
    """The first node has no connection and holds no lock. But it may still live, so nobody recovers its table."""

    async def test() -> None:
        async with a_house(postgres_url) as house:
            await recover(house)
            await betting(house, "ann")
            await did(house, wager("ann", 5_000), CLOSE, DRAW)
            node: Any = house.store._session  # type: ignore[attr-defined]
            connect, node._connect = node._connect, refused
            await done_by_hand(postgres_url, CUT)
            async with a_house(postgres_url) as other:
                assert await recover(other) == []
                node._connect = connect
                table = (await other.newest("T1")).table
                assert (table.phase, table.current.void) == (Phase.DEALING, False)
                await did(house, DRAW)
                await sound(other)

    run(test())


async def refused() -> None:
    raise OSError("no connection")


def test_a_node_that_is_unsure_takes_no_round_to_the_deal(postgres_url: str) -> None:
    async def test() -> None:
        async with a_house(postgres_url) as house:
            await recover(house)
            await betting(house, "ann")
            assert not house.store.unsure
            node: Any = house.store._session  # type: ignore[attr-defined]
            connect, node._connect = node._connect, refused
            node._ended.set()

            async def unsure() -> bool:
                return house.store.unsure

            await until(unsure)
            try:
                await did(house, CLOSE)
            except Unsure:
                node._connect = connect
            else:
                raise AssertionError("it took the round to the deal")
            await did(house, wager("ann", 5_000))

            async def sure() -> bool:
                return not house.store.unsure

            await until(sure)
            await did(house, CLOSE)

    run(test())


def test_another_node_deals_meanwhile(postgres_url: str) -> None:
    """A node that is cut off loses its claims, though it can't give them up. It deals again when the other stops."""

    async def test() -> None:
        async with a_house(postgres_url) as house, a_house(postgres_url) as other:
            await recover(house)
            await recover(other)
            await did(house, opening())
            first, second = Dealers(house, _nap), Dealers(other, _nap)
            await first.start_all()
            await house.follow("T1")
            await house.wait_past("T1", 5)
            await second.start_all()
            node: Any = house.store._session  # type: ignore[attr-defined]
            connect, node._connect = node._connect, refused
            node._ended.set()
            while not second.dealing or first.dealing:
                await asyncio.sleep(0.01)
            node._connect = connect
            version = (await house.newest("T1")).table.version
            await house.wait_past("T1", version + 5)
            await second.stop()
            while not first.dealing:
                await asyncio.sleep(0.01)
            await first.stop()

    async def _nap(seconds: float) -> None:
        await asyncio.sleep(0.01)

    run(test())


def test_a_node_that_was_taken_for_gone_begins_anew(database_url: str) -> None:
    """A node stood still for so long that another one ended its row. It gets a new term before it is sure again."""

    async def test() -> None:
        async with a_house(database_url) as house:
            await recover(house)
            (before,) = await house.store.fetch(sa.select(rows.c.term).where(rows.c.state != ENDED))
            await house.store.execute(sa.update(rows).values(state=ENDED))

            async def anew() -> bool:
                live_nodes = await house.store.fetch(sa.select(rows.c.term).where(rows.c.state != ENDED))
                return [node["term"] > before["term"] for node in live_nodes] == [True]

            await until(anew)
            assert await house.store.claim("dealer/T1")
            assert not house.store.unsure

    run(test())


@pytest.mark.parametrize("ahead_s", [3_600, -3_600])
def test_the_claims_of_a_node_that_died_are_free_whatever_the_servers_clock_says(
    ahead_s: int, database_url: str
) -> None:
    """The dead node was on another machine, and the server's clock has been set since: the node's last sign of life is
    an hour ahead or an hour back."""

    async def test() -> None:
        async with a_house(database_url) as house:
            await recover(house)
            (own,) = await house.store.fetch(sa.select(rows))
            died = {**own, "term": own["term"] + 1, "process": "elsewhere pid:[1] 7 7"}
            died["seen_at"] += ahead_s * 1_000_000
            claimed = sa.insert(claims).values(name="dealer/T1", term=died["term"])
            await house.store.execute(sa.insert(rows).values(**died), claimed)
            assert await house.store.claim("dealer/T1")

    run(test())


def test_a_start_that_is_cut_off_does_not_wait_for_itself(postgres_url: str) -> None:
    """The connection is lost when the node has its place and is still looking for sessions of dead nodes."""

    async def test() -> None:
        async with a_house(postgres_url) as house:
            ground: Any = house.store._membership._lock
            ask = ground._ask
            cuts: list[int] = []

            async def cut_off(text: str, *values: object) -> Any:
                if text == postgres_node_lock._DEAD and not cuts:
                    cuts.append(1)
                    raise liveness.NoAnswer("the connection was lost")
                return await ask(text, *values)

            ground._ask = cut_off
            async with asyncio.timeout(liveness.LEASE_S / 2):
                assert await house.store.alone()
            assert cuts
            assert await value_of(postgres_url, "SELECT count(*) FROM nodes") == 1

    run(test())


def test_a_node_that_stands_still_is_waited_for(postgres_url: str) -> None:
    """A process that is stopped for a while gives no sign of life, but it has not gone: its round is not voided."""

    async def test() -> None:
        reads, writes = os.pipe()
        child = os.fork()
        if child == 0:
            _serves(postgres_url, writes)
        try:
            assert os.read(reads, 1) == b"."
            os.kill(child, signal.SIGSTOP)
            await done_by_hand(postgres_url, CUT)
            async with a_house(postgres_url) as other:

                async def long_unseen() -> bool:
                    return await value_of(postgres_url, AGE) > liveness.SURE_S

                await until(long_unseen)
                started = asyncio.ensure_future(recover(other))
                await asyncio.sleep(1)
                assert not started.done()
                os.kill(child, signal.SIGCONT)
                assert await started == []
                assert (await other.newest("T1")).table.phase is Phase.DEALING
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)

    run(test())


def _serves(url: str, pipe: int) -> None:
    async def serve() -> None:
        async with a_house(url) as house:
            await recover(house)
            await betting(house, "ann")
            await did(house, wager("ann", 5_000), CLOSE, DRAW)
            os.write(pipe, b".")
            await asyncio.Event().wait()

    try:
        asyncio.run(serve())
    finally:
        os._exit(1)


def test_a_node_that_was_killed_here_is_not_waited_for(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next node sees that the process has ended, and recovers without waiting for the lease to end."""
    monkeypatch.setattr(liveness, "LEASE_S", 2 * LONG_S)

    async def test() -> None:
        reads, writes = os.pipe()
        child = os.fork()
        if child == 0:
            _serves(database_url, writes)
        try:
            assert os.read(reads, 1) == b"."
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        async with a_house(database_url) as house:
            assert await recover(house) == ["T1"]

    run(test())


def test_patience_begins_with_the_first_failure() -> None:
    """A machine that stood still in the middle of a statement has not been trying for all that time."""
    tries = []

    async def work() -> str:
        tries.append(1)
        if len(tries) == 1:
            time.sleep(0.3)
            raise OSError("the connection was closed meanwhile")
        return "done"

    assert asyncio.run(postgres_writer.patiently(work, 0.1)) == "done"


def test_a_batch_outlives_a_pause(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_writer, "PATIENCE_S", 1.0)

    async def test() -> None:
        async with a_house(postgres_url) as house:
            await betting(house, "ann")
            writer: Any = house.store._writer  # type: ignore[attr-defined]
            written = writer._commit
            failed: list[int] = []

            async def stood_still(units: list[Any]) -> Any:
                if not failed:
                    failed.append(1)
                    time.sleep(1.5)
                    raise OSError("the connection was closed meanwhile")
                return await written(units)

            monkeypatch.setattr(writer, "_commit", stood_still)
            await did(house, wager("ann", 5_000))

    run(test())
