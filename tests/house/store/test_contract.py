"""What a store promises, on both engines: the same cases, the same answers."""

from __future__ import annotations

import asyncio
import time
import zlib

import pytest
from sqlalchemy import insert, text

from punto.house import metrics
from punto.house.store import chain, snapshots
from punto.house.store.interface import Store, open_store
from punto.house.store.people_tables import approvals
from punto.house.store.records import Answered, Clash, KeyTaken, Outcome, Snapshot, Transfer
from punto.house.store.schema import APPEND_ONLY, played, tables
from tests.house.store.units import AT, added, granted, opened, unit


async def test_rows_come_back_as_they_went_in(store: Store) -> None:
    first = unit(events=3, key="k1")
    assert await store.append(first) is Outcome.DONE
    second = unit(expected=3, before=first.rows[-1].hash)
    assert await store.append(second) is Outcome.DONE
    rows = [*first.rows, *second.rows]
    assert await store.read("table/T1") == rows
    assert await store.read("table/T1", 1, 2) == rows[1:3]
    assert await store.read("table/T2") == []
    assert chain.broken(chain.start("table/T1"), 0, rows) is None
    assert await store.head("table/T1") == (4, rows[-1].hash)
    assert await store.head("table/T2") == (0, chain.start("table/T2"))


async def test_how_long_a_commit_takes_is_counted(store: Store) -> None:
    def counted() -> tuple[float, float]:
        (family,) = metrics.commit_seconds.collect()
        samples = {sample.name: sample.value for sample in family.samples}
        return samples["punto_commit_seconds_count"], samples["punto_commit_seconds_sum"]

    before = counted()
    await added(store, unit())
    after = counted()
    assert after[0] == before[0] + 1
    assert after[1] > before[1]


async def test_a_version_is_written_once(store: Store) -> None:
    first = unit(actor="ann", moves=(("cage", "house/T1", 5),))
    late = unit(actor="bob", moves=(("cage", "house/T1", 7),))
    assert await store.append(first) is Outcome.DONE
    assert await store.append(late) is Outcome.CONFLICT
    assert await store.read("table/T1") == list(first.rows)
    assert await store.transfers("table/T1") == list(first.transfers)


async def test_a_stream_has_no_gap(store: Store) -> None:
    assert await store.append(unit(expected=1)) is Outcome.CONFLICT
    before = await added(store, unit())
    assert await store.append(unit(expected=2, before=before)) is Outcome.CONFLICT
    assert [row.version for row in await store.read("table/T1")] == [1]


async def test_of_many_at_once_one_goes_in(store: Store) -> None:
    units = [unit(actor=f"p{n}", events=1 + n % 3) for n in range(30)]
    outcomes = await asyncio.gather(*map(store.append, units))
    assert outcomes.count(Outcome.DONE) == 1
    assert outcomes.count(Outcome.CONFLICT) == 29
    assert await store.read("table/T1") == list(units[outcomes.index(Outcome.DONE)].rows)


async def test_a_clash_concerns_nobody_else_in_the_batch(store: Store) -> None:
    before = await added(store, unit("table/taken"))
    await added(store, granted("ann", 100))
    units = [
        unit("table/a", events=2, key="k"),
        unit("table/taken", events=2),
        unit("person/bob", moves=(("wallet/ann", "wallet/bob", 101),)),
        unit("table/b", moves=(("cage", "house/b", 1),)),
        unit("table/taken", expected=1, before=before),
    ]
    outcomes = await asyncio.gather(*map(store.append, units))
    assert outcomes == [Outcome.DONE, Outcome.CONFLICT, Outcome.FUNDS, Outcome.DONE, Outcome.DONE]
    assert await store.streams("") == [("person/ann", 1), ("table/a", 2), ("table/b", 1), ("table/taken", 2)]


async def test_what_goes_beside_a_unit_stands_or_falls_with_it(store: Store) -> None:
    row = {"game": "g", "demo": False, "opened_at": 1}
    first, second = (tables.insert().values(id=name, **row) for name in "ab")
    assert await store.append(unit(), first) is Outcome.DONE
    assert await store.append(unit(), second) is Outcome.CONFLICT
    broke = unit("table/T2", moves=(("cage", "wallet/ann", 5),))
    assert await store.append(broke, second, first) is Outcome.CONFLICT
    short = unit("table/T2", moves=(("wallet/ann", "cage", 5),))
    assert await store.append(short, second) is Outcome.FUNDS
    assert [table["id"] for table in await store.fetch(tables.select())] == ["a"]
    assert await store.streams("") == [("table/T1", 1)]
    assert await store.append(unit("table/T2", expected=1)) is Outcome.CONFLICT, "nothing is taken for written"
    appends = [store.append(unit(f"table/many-{n}"), tables.insert().values(id=f"m{n}", **row)) for n in range(20)]
    plain = [store.append(unit(f"table/plain-{n}")) for n in range(20)]
    assert set(await asyncio.gather(*appends, *plain)) == {Outcome.DONE}
    assert len(await store.fetch(tables.select())) == 21


async def test_a_key_is_taken_once_a_stream(store: Store) -> None:
    before = await added(store, unit(key="k1", events=2))
    assert await store.append(unit(expected=2, before=before, key="k1")) is Outcome.CONFLICT
    assert await store.append(unit(expected=2, before=before, key="k1", events=3)) is Outcome.CONFLICT
    assert await store.append(unit("table/T2", key="k1")) is Outcome.DONE
    assert await store.answered("table/T1", "k1") == Answered(b"sha of k1", 1, 2, None)
    assert await store.answered("table/T1", "k2") is None
    assert await store.head("table/T1") == (2, before)


async def test_a_unit_goes_in_whole_or_not_at_all(store: Store) -> None:
    """The second command of a unit has a key that was used before, so its first command must not be stored either."""
    before = await added(store, unit(key="known"))
    first = unit(expected=1, before=before, key="new", moves=(("cage", "house/T1", 5),))
    second = unit(expected=2, before=first.rows[-1].hash, key="known")
    both = unit(expected=1, before=before)
    both = type(both)(both.stream, 1, first.rows + second.rows, first.transfers)
    other = unit("table/T2", events=2)
    outcomes = await asyncio.gather(store.append(both), store.append(other))
    assert list(outcomes) == [Outcome.CONFLICT, Outcome.DONE]
    assert len(await store.read("table/T1")) == 1
    assert await store.transfers("table/T1") == []


async def test_a_wallet_never_goes_below_nothing(store: Store) -> None:
    assert await store.wallet("ann") == 0
    await added(store, granted("ann", 1_000))
    assert await store.wallet("ann") == 1_000
    over = unit(moves=(("wallet/ann", "chips/T1/ann", 1_001),), key="k")
    assert await store.append(over) is Outcome.FUNDS
    assert await store.wallet("ann") == 1_000
    assert await store.read("table/T1") == []
    assert await store.transfers("table/T1") == []
    assert await store.answered("table/T1", "k") is None
    assert await store.append(unit(moves=(("wallet/ann", "chips/T1/ann", 1_000),))) is Outcome.DONE
    assert await store.wallet("ann") == 0
    assert await store.append(unit("table/T2", moves=(("wallet/new", "chips/T2/new", 1),))) is Outcome.FUNDS


async def test_of_many_buying_at_once_none_overdraws(store: Store) -> None:
    await added(store, granted("ann", 100))
    units = [unit(f"table/T{n}", moves=(("wallet/ann", f"chips/T{n}/ann", 30),)) for n in range(10)]
    outcomes = await asyncio.gather(*map(store.append, units))
    assert (outcomes.count(Outcome.DONE), outcomes.count(Outcome.FUNDS)) == (3, 7)
    assert await store.wallet("ann") == 10
    assert len(await store.streams("table/")) == 3


async def test_transfers_come_back_in_order(store: Store) -> None:
    before = await added(store, unit(moves=(("cage", "a", 5), ("a", "b", 4))))
    await added(store, unit(expected=1, before=before, moves=(("b", "a", 3),)))
    transfers = [Transfer("table/T1", 1, 1, "cage", "a", 5), Transfer("table/T1", 1, 2, "a", "b", 4)]
    assert await store.transfers("table/T1", 0, 1) == transfers
    assert await store.transfers("table/T1") == [*transfers, Transfer("table/T1", 2, 1, "b", "a", 3)]


async def test_the_first_refusal_of_a_key_stays(store: Store) -> None:
    assert await store.refuse("table/T1", "k", b"body", b"no") == b"no"
    assert await store.refuse("table/T1", "k", b"other", b"never") == b"no"
    assert await store.answered("table/T1", "k") == Answered(b"body", 0, 0, b"no")
    assert await store.append(unit(key="k")) is Outcome.CONFLICT
    assert await store.append(unit(key="k", events=2)) is Outcome.CONFLICT
    await added(store, unit(key="k2"))
    with pytest.raises(KeyTaken):
        await store.refuse("table/T1", "k2", b"body", b"no")
    assert await store.answered("table/T1", "k2") == Answered(b"sha of k2", 1, 1, None)


async def test_an_old_refusal_is_forgotten_and_its_key_is_free(store: Store, database_url: str) -> None:
    """Refusals are forgotten a few at a time, the oldest first. The key of an event is kept."""
    began = time.time_ns() // 1_000
    head = await added(store, unit(key="done"))
    for key in ("a", "b", "c"):
        await store.refuse("table/T1", key, b"body", b"no")
    assert await store.forget_refusals(began) == 0
    ahead = time.time_ns() // 1_000 + 1
    assert await store.forget_refusals(ahead, 2) == 2
    free = [key for key in ("a", "b", "c", "done") if await store.answered("table/T1", key) is None]
    assert free == ["a", "b"]
    assert await store.forget_refusals(ahead, 2) == 1
    head = await added(store, unit(expected=1, before=head, key="a"))
    with pytest.raises(KeyTaken):
        await store.refuse("table/T1", "a", b"body", b"no")
    assert await store.refuse("table/T1", "b", b"other", b"no again") == b"no again"
    assert await store.append(unit(expected=2, before=head, key="done")) is Outcome.CONFLICT
    if database_url.startswith("postgresql"):
        kept = await store.fetch(text("SELECT key FROM keys"))
        assert sorted(row["key"] for row in kept) == ["a", "b", "done"], "a forgotten refusal leaves no key behind"


async def test_nodes_that_forget_refusals_at_once_do_no_harm(store: Store, database_url: str) -> None:
    async with opened(database_url) as other:
        for number in range(60):
            await store.refuse("table/T1", f"k{number}", b"body", b"no")
        ahead = time.time_ns() // 1_000 + 1
        nodes = [store, other] * 10
        assert sum(await asyncio.gather(*(node.forget_refusals(ahead, 10) for node in nodes))) == 60


async def test_a_refusal_that_an_approval_refers_to_stays(store: Store) -> None:
    """A client's own key may look like that of an approval; its refusal is forgotten all the same."""
    row = {"id": "7", "hash": "", "act": "late-settlement", "what": "{}", "asked_by": "ann", "asked_at": 1}
    await store.execute(insert(approvals).values(**row, state="failed"))
    for key in ("ann/approval-7", "ann/approval-8", "bob/approval-7", "ann/x/approval-7"):
        await store.refuse("table/T1", key, b"body", b"no")
    assert await store.forget_refusals(time.time_ns() // 1_000 + 1) == 3
    assert await store.answered("table/T1", "ann/approval-7") is not None


async def test_streams_are_found_by_the_start_of_their_name(store: Store) -> None:
    names = ["table/a", "table/B", "table/a-1", "person/ann", "table/é"]
    for name in names:
        await added(store, unit(name, events=2))
    assert await store.streams("table/") == [(name, 2) for name in sorted(names) if name.startswith("table/")]
    assert await store.streams("table/a") == [("table/a", 2), ("table/a-1", 2)]
    assert await store.streams("x") == []
    assert await store.streams() == [(name, 2) for name in sorted(names)]


async def test_a_round_and_a_persons_rounds_are_found(store: Store) -> None:
    before = await added(store, unit(events=5, rounds=((1, 2),), played=(("ann", 1, 5),)))
    await added(store, unit(expected=5, before=before, events=3, rounds=((2, 7),)))
    assert await store.round("table/T1", 1) == (2, 7)
    assert await store.round("table/T1", 2) == (7, None)
    assert await store.round("table/T1", 3) is None
    assert await store.round("table/T2", 1) is None
    rounds = await store.fetch(played.select().where(played.c.person == "ann"))
    assert rounds == [{"person": "ann", "at": AT, "stream": "table/T1", "round": 1, "version": 5}]


async def test_the_newest_snapshot_is_kept(store: Store) -> None:
    assert await store.snapshot("table/T1") is None
    new = Snapshot("table/T1", 10, b"h", 1, zlib.compress(b"state at ten"))
    assert await snapshots.keep(store, new, AT)
    older = Snapshot("table/T1", 5, b"h", 1, zlib.compress(b"state at five"))
    assert not await snapshots.keep(store, older, AT)
    assert await store.snapshot("table/T1") == new
    newer = Snapshot("table/T1", 11, b"i", 1, zlib.compress(b"state at eleven"))
    assert await snapshots.keep(store, newer, AT)
    assert await store.snapshot("table/T1") == newer
    rows = await store.read("snapshot/T1")
    assert [snapshots.record(row) for row in rows] == [snapshots.recorded(snapshot) for snapshot in (new, newer)]


@pytest.mark.parametrize("table", APPEND_ONLY)
@pytest.mark.parametrize("act", ["UPDATE {} SET version = 9", "DELETE FROM {}"])
async def test_history_is_never_changed(store: Store, table: str, act: str) -> None:
    await added(store, unit(moves=(("cage", "a", 5),)))
    with pytest.raises(Exception, match=f"{table} is append-only"):
        await store.execute(text(act.format(table)))
    assert len(await store.read("table/T1")) == 1
    assert len(await store.transfers("table/T1")) == 1
    assert store.broken is None


async def test_the_back_office_writes_all_or_nothing(store: Store) -> None:
    a, b = ({"id": name, "game": "g", "demo": name == "a", "opened_at": 3} for name in "ab")
    assert await store.execute(tables.insert().values(**a)) == [1]
    with pytest.raises(Clash):
        await store.execute(tables.insert().values(**b), tables.insert().values(**a))
    assert await store.fetch(tables.select()) == [{**a, "pace": None}]
    moved = tables.update().where(tables.c.id == "a").values(opened_at=4)
    nobody = tables.update().where(tables.c.id == "z").values(opened_at=4)
    assert await store.execute(moved, nobody) == [1, 0]
    rows = await store.fetch(tables.select().where(tables.c.id.in_(["a", "z"])))
    assert [(row["opened_at"], row["demo"]) for row in rows] == [(4, True)]


def test_an_unknown_kind_of_database_is_named() -> None:
    with pytest.raises(ValueError, match="expected sqlite"):
        asyncio.run(open_store("mysql://x"))
    with pytest.raises(ValueError, match="names no file"):
        asyncio.run(open_store("sqlite:///:memory:"))
