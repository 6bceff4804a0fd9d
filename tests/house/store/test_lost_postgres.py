"""A PostgreSQL server or connection that is lost: the store halts and says so, or goes on where it was."""

from __future__ import annotations

import asyncio
from typing import Any

import asyncpg
import pytest

from punto.house.store.interface import Store
from punto.house.store.postgres.node_session import LONGEST, _message
from punto.house.store.postgres.store import PostgresStore
from punto.house.store.records import Outcome, StoreBroken, Unit
from tests.house.databases import done_by_hand, on, on_postgres, server_url
from tests.house.store.units import added, granted, opened, unit


@on_postgres
async def test_a_lost_database_halts_the_store(store: Store, postgres_url: str) -> None:
    await added(store, unit())
    name = postgres_url.partition("?")[0].rpartition("/")[2]
    await done_by_hand(server_url(), f"DROP DATABASE {name} WITH (FORCE)")
    with pytest.raises(StoreBroken, match=r"this node stops: .*does not exist"):
        await store.append(unit("table/T2"))
    with pytest.raises(StoreBroken):
        await store.append(unit("table/T3"))
    assert store.broken is not None


async def cut_off(url: str) -> None:
    """Let the server end every connection to the database."""
    await done_by_hand(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


@on_postgres
async def test_a_lost_connection_is_made_again(store: Store, postgres_url: str) -> None:
    async with opened(postgres_url) as other:
        woken: list[list[tuple[str, int]]] = []
        other.on_wake(lambda moved: woken.append(list(moved)))
        assert await store.claim("dealer/T1")
        await cut_off(postgres_url)
        before = await added(store, unit(events=2))
        await added(store, granted("ann", 5))
        assert await store.wallet("ann") == 5
        version = 2
        while [("table/T1", version)] not in woken:
            before = await added(store, unit(expected=version, before=before))
            version += 1
            await asyncio.sleep(0.05)
        while not await store.claim("dealer/T1"):
            await asyncio.sleep(0.05)
        assert not await other.claim("dealer/T1")


@on_postgres
async def test_a_unit_that_loses_a_race_in_part_leaves_nothing(store: Store, postgres_url: str) -> None:
    """Another node has written fewer rows at the same version and commits while ours waits for it."""
    ours, theirs = unit(events=3, moves=(("cage", "a", 5),), key="k"), unit(actor="bob")
    rival = await asyncpg.connect(postgres_url)
    race = rival.transaction()
    await race.start()
    row = theirs.rows[0]
    await rival.execute(
        "INSERT INTO events VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        *(getattr(row, name) for name in row.__struct_fields__),
    )
    appends = [asyncio.ensure_future(store.append(new_unit)) for new_unit in (ours, unit("table/T2", events=2))]
    waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    while not await rival.fetchval(waits):
        await asyncio.sleep(0.01)
    await race.commit()
    await rival.close()
    assert [await append for append in appends] == [Outcome.CONFLICT, Outcome.DONE]
    assert await store.read("table/T1") == list(theirs.rows)
    assert await store.transfers("table/T1") == []
    assert len(await store.read("table/T2")) == 2


@on_postgres
async def test_a_unit_that_was_written_before_its_connection_was_lost_counts_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    from punto.house.store.postgres import writer as postgres_writer

    appended = postgres_writer._appended
    failed: list[bool] = []

    async def lost_after(connection: object, units: list[Unit]) -> dict[str, Outcome]:
        answer = await appended(connection, units)
        if not failed:
            failed.append(True)
            raise ConnectionResetError("the answer was lost")
        return answer

    monkeypatch.setattr(postgres_writer, "_appended", lost_after)
    assert await store.append(unit()) is Outcome.DONE
    assert failed
    assert len(await store.read("table/T1")) == 1
    assert await store.append(unit(actor="bob")) is Outcome.CONFLICT


def test_a_long_notification_says_look_at_everything() -> None:
    assert _message("node", {"table/T1": 7}) == 'node [["table/T1",7]]'
    assert _message("node", {f"table/{n}": n for n in range(1000)}) == "node *"
    most = next(n for n in range(1000) if _message("node", {f"table/{at}": at for at in range(n)}) == "node *")
    assert LONGEST - 30 < len(_message("node", {f"table/{at}": at for at in range(most - 1)}).encode()) < LONGEST


def test_the_addresses_of_tests_are_of_one_server() -> None:
    assert on("postgresql://u:p@h/db?host=x", "other") == "postgresql://u:p@h/other?host=x"


@on_postgres
async def test_a_node_comes_back_whatever_kept_it_away(
    store: Store, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after errors other than a lost connection: a server that refuses for a while, a notification that fails."""
    assert isinstance(store, PostgresStore)
    node: Any = store._session
    connect, tries = node._connect, 0

    async def refused() -> Any:
        nonlocal tries
        tries += 1
        raise asyncpg.InvalidAuthorizationSpecificationError("no entry for this host")

    node._connect = refused
    await node._connection.close()
    while tries < 2:
        await asyncio.sleep(0.01)
    assert not await store.claim("dealer/T1")
    node._connect = connect
    while not await store.claim("dealer/T1"):
        await asyncio.sleep(0.01)
    monkeypatch.setattr("punto.house.store.postgres.node_session._NOTIFY", "SELECT 1 / 0, $1::text, $2::text")
    before = await added(store, unit())
    await asyncio.sleep(0.1)
    monkeypatch.undo()
    async with opened(postgres_url) as other:
        woken: list[Any] = []
        other.on_wake(woken.append)
        await added(store, unit(expected=1, before=before))
        while [("table/T1", 2)] not in woken:
            await asyncio.sleep(0.01)
