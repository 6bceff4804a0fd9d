"""A PostgreSQL connection is lost during statements outside the streams. They are run again until they are committed.
If nobody can know whether they were, the sender is told that."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from punto.house.store.interface import Store
from punto.house.store.people_tables import sessions
from punto.house.store.records import Away
from tests.house.databases import done_by_hand, on_postgres
from tests.house.store.units import opened
from tests.house.web.running import Person, serving

ROW = {"token_hash": b"t", "person": "ann", "csrf": "c", "began_at": 1, "seen_at": 1}
ENTERED = sa.insert(sessions).values(**ROW)
PERSONS = sa.select(sessions.c.person)
ONCE = """
CREATE SEQUENCE tries;
CREATE FUNCTION once() RETURNS trigger LANGUAGE plpgsql AS
  'BEGIN IF nextval(''tries'') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NEW; END';
CREATE TRIGGER once BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION once()"""
LOST = """
CREATE FUNCTION lost() RETURNS trigger LANGUAGE plpgsql AS
  'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
CREATE CONSTRAINT TRIGGER lost AFTER INSERT ON sessions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION lost()"""
FOUND_AGAIN = "DROP TRIGGER lost ON sessions; DROP FUNCTION lost()"


@contextmanager
def lost_at_commit(url: str) -> Iterator[None]:
    """A connection that commits a session of a person is lost during the commit."""
    asyncio.run(done_by_hand(url, LOST))
    yield
    asyncio.run(done_by_hand(url, FOUND_AGAIN))


@on_postgres
async def test_statements_on_a_lost_connection_are_run_again(store: Store, postgres_url: str) -> None:
    await done_by_hand(postgres_url, ONCE)
    assert await store.execute(ENTERED) == [1]
    assert await store.fetch(PERSONS) == [{"person": "ann"}]
    assert await store.fetch(sa.select(sa.text("last_value FROM tries"))) == [{"last_value": 2}]


@on_postgres
async def test_a_commit_that_nobody_can_know_of_is_not_made_twice(store: Store, postgres_url: str) -> None:
    await done_by_hand(postgres_url, LOST)
    with pytest.raises(Away):
        await store.execute(ENTERED)
    assert store.broken is None
    await done_by_hand(postgres_url, FOUND_AGAIN)
    async with opened(postgres_url) as again:
        assert await again.fetch(PERSONS) == []
        assert await again.execute(ENTERED) == [1]


def test_whoever_asked_is_told_to_look(postgres_url: str, tmp_path: Path) -> None:
    with serving(tmp_path, "--no-demo", database=postgres_url) as server, Person(server) as somebody:
        with lost_at_commit(postgres_url):
            answer = somebody.http.post("/api/guests")
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert answer.headers["retry-after"] == "1"
        somebody.enter()
