"""A commit of the SQLite writer costs one statement. Each further one costs thread switches while the loop waits."""

from __future__ import annotations

import pytest

from punto.house.store.interface import Store
from punto.house.store.records import Outcome
from punto.house.store.sqlite import batch_statements
from punto.house.store.sqlite.store import SqliteStore
from tests.house.databases import on_sqlite
from tests.house.store.units import added, unit

pytestmark = on_sqlite


async def test_a_stream_that_was_written_to_is_not_asked_after_again(store: Store) -> None:
    assert isinstance(store, SqliteStore)
    before = await added(store, unit(key="first"))
    said: list[str] = []
    store._writer._connection.set_trace_callback(said.append)
    for version in range(1, 5):
        before = await added(store, unit(expected=version, before=before, key=f"k{version}"))
    store._writer._connection.set_trace_callback(None)
    # The trace shows the steps of a trigger under the statement's own text, once for each step.
    statements = {text for text in said if not text.startswith("PRAGMA data_version")}
    assert len(statements) == 4, statements
    assert all(text.startswith("INSERT INTO at_once") for text in statements)


async def test_a_version_that_is_not_there_is_a_conflict_all_the_same(store: Store) -> None:
    before = await added(store, unit(events=3))
    assert await store.append(unit(expected=4, before=before)) is Outcome.CONFLICT
    assert await store.append(unit(expected=2, before=before)) is Outcome.CONFLICT
    assert await store.append(unit(expected=3, before=before)) is Outcome.DONE
    assert await store.head("table/T1") == (4, (await store.read("table/T1"))[-1].hash)


async def test_a_batch_that_can_not_be_written_down_is_answered_all_the_same(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug there must not leave anybody waiting: the thread then uses other statements."""

    def broken(units: object) -> None:
        raise UnicodeEncodeError("utf-8", "", 0, 1, "no such letter")

    monkeypatch.setattr(batch_statements, "written", broken)
    before = await added(store, unit(key="first"))
    await added(store, unit(expected=1, before=before, key="second"))
