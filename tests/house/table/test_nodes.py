"""Several nodes on one database, and faults of one of them. No answer of a node is older than the database."""

from __future__ import annotations

import asyncio
import zlib
from contextlib import suppress
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from punto.game import commands as c
from punto.game.table import Phase
from punto.house import serve
from punto.house.dealer import dealers as dealer
from punto.house.dealer.dealers import Dealers, deal
from punto.house.people.sessions import Session
from punto.house.store import schema, snapshots
from punto.house.store.dealing_pace import PACE
from punto.house.store.names import Role
from punto.house.store.records import Row, Snapshot
from punto.house.table import house as house_module
from punto.house.table.directory import Directory
from punto.house.table.house import House
from punto.house.web.command_requests import CommandRequest, carry_out
from punto.house.web.parts import Parts
from punto.house.web.settings import Settings
from punto.house.web.tables import listed
from punto.rulebook.model import Rank
from tests.house.table.playing import (
    BET,
    CLOSE,
    LOAD,
    Time,
    a_house,
    ask,
    betting,
    did,
    hubs,
    joins,
    opening,
    rich,
    wager,
)
from tests.patience import LONG_S


def deaf(house: House) -> None:
    """The node gets no notice of what others write."""
    house.store._calls.clear()


async def test_a_refusal_is_never_of_an_older_table(database_url: str) -> None:
    """A patron's page learns from one node that betting is open, and sends the wager to another node."""
    async with a_house(database_url) as house, a_house(database_url) as other:
        await rich(house.store, "ann")
        await did(house, opening(), LOAD, joins("ann"), c.Sit(patron="ann", box=1))
        assert (await other.table("T1")).phase is Phase.READY
        deaf(other)
        await did(house, BET)
        answer = await ask(other, wager("ann", 5_000), actor="ann", key="w")
        assert answer.accepted, answer.json
        assert await ask(house, wager("ann", 5_000), actor="ann", key="w") == answer


async def test_nobody_is_turned_away_by_an_older_table(sqlite_url: str) -> None:
    """Whoever started duty at one node gives the next command at another."""
    async with a_house(sqlite_url) as house, a_house(sqlite_url) as other:
        await did(house, opening("t1", source="live"), table="t1")
        assert (await other.table("t1")).version
        deaf(other)
        await did(house, c.StartDuty(name="dan", rank=Rank.DEALER), LOAD, table="t1")
        here = Parts(Settings())
        here.house, here.store = other, other.store
        dan = Session(b"", "dan", Role.DEALER, False, "", 0, 0, 0)
        answer = await carry_out(here, dan, "t1", CommandRequest("k", {"do": "open-betting"}))
        assert answer.accepted, answer.json
        eve = Session(b"", "eve", Role.DEALER, False, "", 0, 0, 0)
        denied = await carry_out(here, eve, "t1", CommandRequest("k", {"do": "close-betting"}))
        assert (denied.status, denied.code) == (403, "not-on-duty")


async def test_the_lobby_follows_a_table_that_another_node_has_moved(sqlite_url: str) -> None:
    """Told to look at all tables, the lobby reads before this node's table has moved. It reads again once it has."""
    async with a_house(sqlite_url) as house, a_house(sqlite_url) as other:
        await did(house, opening("t1"), LOAD, table="t1")
        assert (await other.table("t1")).version
        deaf(other)
        here, moved = Parts(Settings()), list[str | None]()
        here.house, here.store = other, other.store
        here.directory = Directory(other.store, other.clock)
        await here.directory.load()
        other.listeners.append(here.directory.moved)
        here.directory.watchers.add(moved.append)
        await did(house, BET, table="t1")
        here.directory._woken(())
        assert (await listed(here, "t1"))[0].phase == "ready"
        await other.newest("t1")
        assert "t1" in moved
        assert (await listed(here, "t1"))[0].phase == "betting"


async def test_a_dealer_waits_where_too_many_wait(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dealer must not ask again and again without letting other tasks run."""
    async with a_house(sqlite_url) as house:
        await did(house, opening())
        dealing = asyncio.ensure_future(deal(house, "T1"))
        with monkeypatch.context() as full:
            full.setattr(house_module, "MOST_WAITING", 0)
            await asyncio.sleep(0.05)
            assert not dealing.done()
        await house.follow("T1")
        await house.wait_past("T1", 5)
        house.unfollow("T1")
        dealing.cancel()
        await asyncio.gather(dealing, return_exceptions=True)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_dealer_that_fell_over_is_put_up_again(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The running server does that by itself."""
    began: list[str] = []
    again = asyncio.Event()

    async def falls(house: House, table: str, sleep: dealer.Sleep = asyncio.sleep) -> None:
        began.append(table)
        if began.count(table) == 1:
            raise RuntimeError("the store could not be asked")
        again.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(dealer, "deal", falls)
    monkeypatch.setattr(dealer, "LOOK_AGAIN_S", 0.05)

    async def run() -> None:
        options = serve.Options(port=0, database=sqlite_url)
        serving = asyncio.ensure_future(serve._served(options, lambda _: None))
        waiting = asyncio.ensure_future(again.wait())
        await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
        assert not serving.done(), serving
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(asyncio.wait_for(run(), LONG_S))
    assert "crashed and is restarted" in caplog.text


async def test_dealers_go_on_looking_after_a_look_that_failed(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_house(sqlite_url) as house:
        looks = 0

        async def fails(prefix: str = "") -> list[tuple[str, int]]:
            nonlocal looks
            looks += 1
            raise OSError("no connection")

        monkeypatch.setattr(house.store, "streams", fails)
        keeping = asyncio.ensure_future(Dealers(house, lambda _: asyncio.sleep(0)).keep())
        while looks < 3 and not keeping.done():
            await asyncio.sleep(0.01)
        assert not keeping.done()
        keeping.cancel()


async def test_a_dealer_whose_claim_went_with_its_connection_gives_way(postgres_url: str) -> None:
    """The node lives on and reconnects, but another node has taken the table meanwhile. Only one of them deals."""

    async def nap(seconds: float) -> None:
        await asyncio.sleep(0.01)

    async def refused() -> None:
        raise OSError("no connection")

    async with a_house(postgres_url) as house, a_house(postgres_url) as other:
        await did(house, opening())
        first, second = Dealers(house, nap), Dealers(other, nap)
        await first.start_all()
        await house.follow("T1")
        await house.wait_past("T1", 5)
        await second.start_all()
        node: Any = house.store._session  # type: ignore[attr-defined]
        connect, node._connect = node._connect, refused
        await node._connection.close()
        while not second.dealing:
            await asyncio.sleep(0.01)
        node._connect = connect
        keeping = asyncio.ensure_future(first.keep())
        while first.dealing:
            await asyncio.sleep(0.01)
        version = (await house.newest("T1")).table.version
        await house.wait_past("T1", version + 5)
        assert (first.dealing, second.dealing) == (set(), {"T1"})
        await second.stop()
        while not first.dealing:
            await asyncio.sleep(0.01)
        keeping.cancel()
        await first.stop()
        house.unfollow("T1")


async def test_a_worker_that_falls_over_leaves_nobody_waiting(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The node can't read the rows, as if a newer version wrote them. Whoever asks gets the error at once."""
    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        tries = 0

        async def fails(stream: str, after: int = 0, limit: int = 1) -> list[Row]:
            nonlocal tries
            tries += 1
            raise ValueError("schema 2 is not known here")

        with monkeypatch.context() as broken:
            broken.setattr(house.store, "read", fails)
            house.look("T1", 99)
            with pytest.raises(ValueError, match="schema 2"):
                await ask(house, wager("ann", 5_000), actor="ann")
            assert tries < 5
        assert (await ask(house, wager("ann", 5_000), actor="ann")).accepted


@pytest.mark.parametrize(
    "change",
    [
        {"state": b""},
        {"state": b"not squeezed"},
        {"state": zlib.compress(b"\xc1")},
        {"state": zlib.compress(msgspec.msgpack.encode({"version": "many"}))},
        {"version": -1},
    ],
    ids=["empty", "garbage", "no message", "another shape", "of another version"],
)
async def test_a_broken_snapshot_is_passed_over(change: dict[str, Any], sqlite_url: str) -> None:
    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        await did(house, wager("ann", 5_000), CLOSE)
        table = await house.table("T1")
        rows = await house.store.read("table/T1")
        at = table.version + change.pop("version", 0)
        good = snapshots.taken("table/T1", table, rows[at - 1].hash)
        kept: Snapshot = msgspec.structs.replace(good, version=at, **change)
        assert await snapshots.keep(house.store, good, rows[-1].at)
        put = sa.update(schema.snapshots).values(**msgspec.structs.asdict(kept))
        assert await house.store.execute(put) == [1]
        assert (await snapshots.load(house.store, "table/T1"))[0] == table
        async with a_house(sqlite_url) as other:
            assert await other.table("T1") == table


@pytest.mark.parametrize("after", [(), (wager("ann", 5_000),), (CLOSE, *[c.DrawCard(by="sue")] * 4)])
async def test_a_snapshot_keeps_the_clock(
    after: tuple[c.AnyCommand, ...], sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that loads a snapshot taken in the middle of betting runs the same clock."""
    monkeypatch.setattr(snapshots, "EVERY", 1)
    time = Time()

    async with a_house(sqlite_url, now=time, pace_of=lambda table: PACE) as house:
        await betting(house, "ann")
        for command in (wager("ann", 5_000, bet="banker"), joins("bob", 0), *after):
            time.pass_by(1)
            await did(house, command)
        await asyncio.gather(*house._workers._errands)
        async with a_house(sqlite_url, now=time) as other:
            assert (await other.state("T1")).since == (await house.state("T1")).since


DUTY = c.StartDuty(name="bob", rank=Rank.DEALER)


async def caught_up(house: House, other: House) -> bool:
    """Whether the other node reaches the version of this one by itself."""
    version = (await house.table("T1")).version
    with suppress(TimeoutError):
        async with asyncio.timeout(5):
            while other._tables["T1"].version < version:
                await asyncio.sleep(0.02)
    return other._tables["T1"].version == version


async def test_a_table_that_moves_while_it_is_read_is_not_left_behind(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(database_url) as house, a_house(database_url) as other:
        await did(house, opening())
        read, reading, news = other.store.read, asyncio.Event(), asyncio.Event()

        async def slowly(*arguments: Any) -> list[Row]:
            rows = await read(*arguments)
            monkeypatch.undo()
            reading.set()
            await news.wait()
            return rows

        monkeypatch.setattr(other.store, "read", slowly)
        watching = asyncio.ensure_future(hubs[other].subscribe("T1"))
        await reading.wait()
        await did(house, DUTY)
        async with asyncio.timeout(LONG_S):
            while other._tables["T1"].known_version < (await house.table("T1")).version:
                await asyncio.sleep(0.02)
        news.set()
        (await watching).close()
        assert await caught_up(house, other)


async def test_a_reading_that_fails_once_leaves_no_table_behind(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(database_url) as house, a_house(database_url) as other:
        await did(house, opening())
        watching = await hubs[other].subscribe("T1")

        async def fails(*arguments: Any) -> list[Row]:
            monkeypatch.undo()
            raise OSError("the database is away for a moment")

        monkeypatch.setattr(other.store, "read", fails)
        await did(house, DUTY)
        assert await caught_up(house, other)
        watching.close()
