"""The house on several PostgreSQL servers: it finds the primary, and answers only what the standby has too."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from punto.house.store.interface import Store, open_store
from punto.house.store.records import Outcome, StoreBroken
from tests.house.failover.network import running_network
from tests.house.failover.servers import DATABASE, Pair, address, running_pair
from tests.house.store.units import added, unit
from tests.house.web.running import Person, eventually, guest, lines, serving, staff
from tests.patience import LONG_S

WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name LIKE 'punto %'"
ROWS = "SELECT count(*) FROM events WHERE stream = $1"
JOINED = "SELECT count(*) FROM events WHERE stream = 'table/stop' AND key LIKE '%/k'"
REFUSALS = "SELECT count(*) FROM refusals WHERE stream = $1"


@pytest.fixture(scope="module")
def shared_pair() -> Iterator[Pair]:
    with running_pair() as pair:
        yield pair


@pytest.fixture
def pair(shared_pair: Pair) -> Pair:
    """Both servers in step, whatever the test before did."""
    if not shared_pair.standby.processes:
        shared_pair.join()
    shared_pair.in_step()
    return shared_pair


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    """A store that waits for its servers, however long they take to start again."""
    store = await open_store(url, LONG_S)
    try:
        yield store
    finally:
        await store.close()


async def on_standby(pair: Pair, text: str, stream: str) -> int:
    """A count on the standby, once it shows what it has on disk. A commit that waited while the standby was copied is
    taken for unfinished there until the primary lists its transactions again, as a checkpoint does."""
    await pair.primary.ask("CHECKPOINT")
    ((written,),) = await pair.primary.ask("SELECT pg_current_wal_flush_lsn()::text")
    while not (await pair.standby.ask("SELECT pg_last_wal_replay_lsn() >= $1::text::pg_lsn", written))[0][0]:
        await asyncio.sleep(0.02)
    count: int = (await pair.standby.ask(text, stream))[0][0]
    return count


async def waits_for_the_standby(pair: Pair, answer: asyncio.Future[Any], sessions: int = 1) -> bool:
    """Whether sessions of the house wait for a standby before the answer is there."""
    while not answer.done():
        if (await pair.primary.ask(WAITS))[0][0] >= sessions:
            return True
        await asyncio.sleep(0.02)
    return False


async def test_the_primary_is_found_wherever_it_stands(pair: Pair) -> None:
    ports = [pair.primary.port, pair.standby.port]
    for stream, url in (("table/first", address(*ports)), ("table/last", address(*reversed(ports)))):
        async with opened(url) as store:
            await added(store, unit(stream))


async def test_a_server_that_never_answers_keeps_nobody_from_the_primary(pair: Pair) -> None:
    """A machine that lost its power does not refuse a connection: whoever asks for one waits."""
    with socket.create_server(("127.0.0.1", 0)) as gone:
        async with opened(address(gone.getsockname()[1], pair.primary.port)) as store:
            await added(store, unit("table/silent"))


async def test_no_server_that_takes_writes_is_said(pair: Pair) -> None:
    with pytest.raises(StoreBroken, match="can't be opened"):
        await open_store(address(pair.standby.port))


async def test_a_failover_is_survived_and_answers_wait_for_the_next_standby(pair: Pair) -> None:
    async with opened(pair.url) as store:
        before = await added(store, unit("table/over"))
        await asyncio.to_thread(pair.fail_over)
        answer = store.append(unit("table/over", 1, before, key="k"))
        assert await waits_for_the_standby(pair, answer), "answered without a standby"
        await asyncio.to_thread(pair.join)
        assert await answer is Outcome.DONE
        assert [row.key for row in await store.read("table/over")] == [None, "k"]
    assert await on_standby(pair, ROWS, "table/over") == 2


async def test_connections_to_a_machine_that_vanished_are_not_used_again(pair: Pair) -> None:
    """Nobody reports that they have ended. An idle one would keep a command waiting for a quarter of an hour."""
    with running_network([server.port for server in pair.servers]) as network:
        node = network.node()
        async with opened(address(*node.ports)) as store:
            before = await added(store, unit("table/gone"))
            assert await store.claim("dealer/gone"), "a node that serves proves its place, and so notices"
            await asyncio.gather(*(store.head(f"table/{number}") for number in range(8)))
            node.cut(pair.primary.port)
            await asyncio.to_thread(pair.fail_over)
            await asyncio.to_thread(pair.join)
            async with asyncio.timeout(LONG_S):
                await asyncio.gather(*(store.head(f"table/{number}") for number in range(8)))
                assert await store.append(unit("table/gone", 1, before)) is Outcome.DONE
            node.mend()


async def crash_before_it_is_on_the_standby(pair: Pair, work: Awaitable[object], text: str, stream: str) -> None:
    """Only the primary has written a row. It is killed before it answers, and starts again without the standby."""
    answer = asyncio.ensure_future(work)
    assert await waits_for_the_standby(pair, answer)
    await asyncio.to_thread(pair.primary.kill)
    await asyncio.to_thread(pair.primary.start)
    assert (await pair.primary.ask(text, stream))[0][0] == 1, "it is there, on one of two"


async def test_what_only_a_crashed_primary_has_is_no_answer(pair: Pair) -> None:
    """Its rows can be read once it starts again, but the next failover would lose them."""
    async with opened(pair.url) as store:
        await asyncio.to_thread(pair.standby.stop)
        answer = store.append(unit("table/alone", key="k"))
        await crash_before_it_is_on_the_standby(pair, asyncio.shield(answer), ROWS, "table/alone")
        assert await waits_for_the_standby(pair, answer), "the node that wrote it answers too early"
        async with opened(pair.url) as other:
            known = asyncio.ensure_future(other.answered("table/alone", "k"))
            assert await waits_for_the_standby(pair, known, 2), "another node answers too early"
            await asyncio.to_thread(pair.standby.start)
            assert await known is not None
        assert await answer is Outcome.DONE
    assert await on_standby(pair, ROWS, "table/alone") == 1


async def test_nor_is_a_refusal(pair: Pair) -> None:
    async with opened(pair.url) as store:
        await asyncio.to_thread(pair.standby.stop)
        refused = asyncio.ensure_future(store.refuse("table/no", "k", b"body", b"no"))
        await crash_before_it_is_on_the_standby(pair, asyncio.shield(refused), REFUSALS, "table/no")
        assert await waits_for_the_standby(pair, refused), "answered too early"
        await asyncio.to_thread(pair.standby.start)
        assert await refused == b"no"
    assert await on_standby(pair, REFUSALS, "table/no") == 1


async def test_whoever_stops_waiting_does_not_make_the_primary_show_it(pair: Pair) -> None:
    """If the session that waits for the standby were cancelled, the primary would show the refusal."""
    async with opened(pair.url) as store:
        await asyncio.to_thread(pair.standby.stop)
        refused = asyncio.ensure_future(store.refuse("table/left", "k", b"body", b"no"))
        assert await waits_for_the_standby(pair, refused)
        refused.cancel()
        with pytest.raises(asyncio.CancelledError):
            await refused
        assert (await pair.primary.ask(REFUSALS, "table/left"))[0][0] == 0
        await asyncio.to_thread(pair.standby.start)
        assert await store.refuse("table/left", "k", b"body", b"another") == b"no"


async def test_whoever_stops_waiting_does_not_wait_for_a_silent_server(pair: Pair) -> None:
    with running_network([server.port for server in pair.servers]) as network:
        node = network.node()
        async with opened(address(*node.ports)) as store:
            await added(store, unit("table/quiet"))
            node.cut()
            reading = asyncio.ensure_future(store.head("table/quiet"))
            await asyncio.sleep(0.2)
            reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reading


async def test_a_store_that_is_closed_without_a_standby_answers_nothing(pair: Pair) -> None:
    """A unit that was sent may still be committed once a standby follows. Until then nobody sees it."""
    store = await open_store(pair.url)
    await asyncio.to_thread(pair.standby.stop)
    first, second = store.append(unit("table/close", key="a")), store.append(unit("table/close", key="b"))
    assert await waits_for_the_standby(pair, first)
    await store.close()
    for answer in (first, second):
        with pytest.raises(StoreBroken, match="not confirmed"):
            await answer
    assert (await pair.primary.ask(ROWS, "table/close"))[0][0] == 0, "the primary was made to show what it alone has"
    await asyncio.to_thread(pair.standby.start)
    await asyncio.to_thread(pair.in_step)
    async with opened(pair.url) as other:
        assert [row.key for row in await other.read("table/close")] == ["a"]
    assert await on_standby(pair, ROWS, "table/close") == 1


def test_a_node_that_is_stopped_without_a_standby_ends(pair: Pair, tmp_path: Path) -> None:
    """A waiting request is neither accepted nor refused. Sent again to the next node it is accepted, and done once."""
    asyncio.run(pair.primary.ask("CREATE DATABASE served", database="postgres"))
    options, url = ("--no-demo", "--no-rate-limits"), pair.url.removesuffix(DATABASE) + "served"
    request = {"key": "k", "command": {"do": "join", "chips": "100.00"}}
    statuses: list[int] = []

    def sends(person: Person) -> None:
        try:
            statuses.append(person.post("/api/tables/stop/commands", request).status_code)
        except httpx.TransportError:
            statuses.append(0)

    with serving(tmp_path, *options, database=url) as server, guest(server) as person:
        with staff(server, "pit-supervisor") as pit:
            pit.open("stop")
        pair.standby.stop()
        sender = threading.Thread(target=sends, args=[person])
        sender.start()
        assert eventually(lambda: asyncio.run(pair.primary.ask(WAITS))[0][0] > 0)
        server.stop()
        sender.join()
        assert statuses[0] not in (200, 409)
        assert any("not confirmed" in line.get("message", "") for line in lines(server)), server.log.read_text()
    pair.standby.start()
    pair.in_step()
    with serving(tmp_path, *options, database=url) as server, Person(server) as again:
        again.http.cookies, again.csrf = person.http.cookies, person.csrf
        sends(again)
    assert statuses[1] == 200
    assert asyncio.run(pair.standby.ask(JOINED, database="served"))[0][0] == 1
