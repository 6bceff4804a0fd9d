"""A table's state is turned into bytes and back. A table is loaded from its snapshot and the events since."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
import sqlalchemy as sa

from punto.game.audience import Audience, view
from punto.game.notation import encode as shown
from punto.game.table import NEW, Table
from punto.house.store import chain, codec, schema, snapshots
from punto.house.store.interface import Store
from punto.house.store.records import Outcome, Row, Snapshot, StoreBroken, Unit
from punto.house.store.sqlite.store import SqliteStore
from tests.every import of_every
from tests.house.databases import on_sqlite
from tests.house.store import transcript_steps
from tests.house.store.units import AT
from tests.transcripts import reading

LONGEST = max(transcript_steps.names(), key=lambda name: reading.printed(name).stat().st_size)


@of_every(transcript_steps.names())
def test_every_state_of_every_transcript_comes_back(name: str) -> None:
    for step in transcript_steps.steps(name):
        assert snapshots.decode(snapshots.encode(step.after)) == step.after


@of_every(transcript_steps.names())
def test_a_state_read_back_looks_the_same_to_everybody(name: str) -> None:
    """Also where equal values are written differently, such as an amount and a plain number."""
    for step in transcript_steps.steps(name)[:: max(1, len(transcript_steps.steps(name)) // 12)]:
        back = snapshots.decode(snapshots.encode(step.after))
        for audience in (Audience.PUBLIC, Audience.PIT):
            assert shown(view(step.rules, back, audience)) == shown(view(step.rules, step.after, audience))


def unit(name: str, stream: str) -> Unit:
    events = tuple(step.event for step in transcript_steps.steps(name))
    rows = codec.rows(stream, 0, chain.start(stream), AT, [codec.CommandEvents(events, "dan", "rules")])
    return Unit(stream, 0, rows)


class Counting:
    """A store that counts the rows it is asked for."""

    def __init__(self, store: Store) -> None:
        self.store, self.rows = store, 0

    async def read(self, *arguments: int | str) -> list[Row]:
        rows = await self.store.read(*arguments)  # type: ignore[arg-type]
        self.rows += len(rows)
        return rows

    def __getattr__(self, name: str) -> object:
        return getattr(self.store, name)


async def test_a_table_loads_from_its_snapshot_and_the_events_since(store: Store) -> None:
    steps, table_unit = transcript_steps.steps(LONGEST), unit(LONGEST, "table/T1")
    assert await store.append(table_unit) is Outcome.DONE
    at = len(steps) - 5
    kept = snapshots.taken("table/T1", steps[at - 1].after, table_unit.rows[at - 1].hash)
    assert await snapshots.keep(store, kept, AT)
    counting = Counting(store)
    loaded = await snapshots.load(counting, "table/T1")  # type: ignore[arg-type]
    assert loaded == (steps[-1].after, len(steps), table_unit.rows[-1].hash)
    assert counting.rows == 5 + 1 + 1, "the rows since, the one that the snapshot was taken at, and its record"


async def test_a_table_without_a_snapshot_is_added_up(store: Store) -> None:
    steps, table_unit = transcript_steps.steps(LONGEST), unit(LONGEST, "table/T1")
    assert await snapshots.load(store, "table/T1") == (NEW, 0, chain.start("table/T1"))
    assert await store.append(table_unit) is Outcome.DONE
    assert await snapshots.load(store, "table/T1") == (steps[-1].after, len(steps), table_unit.rows[-1].hash)


def wrong(table: Table, head: bytes) -> Iterator[tuple[str, Snapshot]]:
    kept = snapshots.taken("table/T1", msgspec.structs.replace(table, house_cents=-1), head)
    yield "another shape", msgspec.structs.replace(kept, schema=kept.schema + 1)
    yield "another history", msgspec.structs.replace(kept, hash=b"x" * 32)
    yield "later than the stream", msgspec.structs.replace(kept, version=10**6)


@pytest.mark.parametrize("which", [0, 1, 2])
@on_sqlite
async def test_a_snapshot_of_something_else_is_passed_over(store: Store, which: int) -> None:
    steps, table_unit = transcript_steps.steps(LONGEST), unit(LONGEST, "table/T1")
    assert await store.append(table_unit) is Outcome.DONE
    kept = [kept for _, kept in wrong(steps[9].after, table_unit.rows[9].hash)][which]
    assert await snapshots.keep(store, kept, AT)
    assert (await snapshots.load(store, "table/T1"))[0] == steps[-1].after


@pytest.mark.parametrize("change", ["another state", "an earlier state", "nobody recorded it"])
async def test_a_snapshot_is_not_believed_without_its_hash_in_the_chain(
    store: Store, change: str, caplog: pytest.LogCaptureFixture
) -> None:
    """An attacker changes the snapshots alone, and knows their shape and the hash of the row."""
    steps, table_unit = transcript_steps.steps(LONGEST), unit(LONGEST, "table/T1")
    assert await store.append(table_unit) is Outcome.DONE
    kept = [snapshots.taken("table/T1", steps[at].after, table_unit.rows[at].hash) for at in (9, 19)]
    if change != "nobody recorded it":
        for snapshot in kept:
            assert await snapshots.keep(store, snapshot, AT)
        assert await snapshots.newest(store, "table/T1") == (steps[19].after, table_unit.rows[19])
    rich = msgspec.structs.replace(steps[19].after, house_cents=-1)
    forged = kept[0] if change == "an earlier state" else snapshots.taken("table/T1", rich, table_unit.rows[19].hash)
    await store.execute(sa.delete(schema.snapshots))
    await store.execute(sa.insert(schema.snapshots).values(**msgspec.structs.asdict(forged)))
    assert await snapshots.newest(store, "table/T1") is None
    assert ("not the one on record" in caplog.text) == (change != "nobody recorded it")
    assert (await snapshots.load(store, "table/T1"))[0] == steps[-1].after


@on_sqlite
async def test_a_broken_chain_is_not_played_on(store: Store) -> None:
    assert isinstance(store, SqliteStore)
    table_unit = unit(LONGEST, "table/T1")
    rows = (*table_unit.rows[:3], msgspec.structs.replace(table_unit.rows[3], actor="eve"), *table_unit.rows[4:])
    assert await store.append(Unit("table/T1", 0, rows)) is Outcome.DONE
    with pytest.raises(StoreBroken, match="table/T1: the chain of hashes is broken at version 4"):
        await snapshots.load(store, "table/T1")


async def test_a_second_snapshot_that_comes_meanwhile_is_no_broken_chain(store: Store) -> None:
    """Another node keeps a snapshot after this one has read the head and before it reads the head's row."""

    class Behind(Counting):
        async def head(self, stream: str) -> tuple[int, bytes]:
            if not stream.startswith("snapshot/"):
                return await self.store.head(stream)
            first = (await self.store.read(stream, 0, 1))[0]
            return first.version, first.hash

    made = unit(LONGEST, "table/T1")
    assert await store.append(made) is Outcome.DONE
    steps = transcript_steps.steps(LONGEST)
    for number in (1, 2):
        taken = snapshots.taken("table/T1", steps[number - 1].after, made.rows[number - 1].hash)
        assert await snapshots.keep(store, taken, AT)
    assert await snapshots.newest(Behind(store), "table/T1") is None  # type: ignore[arg-type]  # a store by its methods
