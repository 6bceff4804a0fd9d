"""Approvals are streams. The audit checks them like other streams, compares them with the rows of the table
`approvals`, and accepts a house from before there were such streams."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from punto.game import notation
from punto.house.audit.approvals.approval_stream import MOST_RESET_DAYS
from punto.house.audit.run import audit
from punto.house.people.approvals import Approvals
from punto.house.store import approval_events as e
from punto.house.store.approval import Approval, State
from punto.house.store.interface import open_store
from tests.cli.program import call
from tests.house.audit.sqlite_attacker import attacked, audited, rehash
from tests.house.audit.test_account_hands import messages
from tests.house.audit.two_person_house import ACTS, DAY, Acted, change_event, of_event
from tests.house.databases import older_by_hand
from tests.house.web.running import guest, serving, staff

CARRIED = "approval/carried-over"

# Rows of the table `approvals`


@contextmanager
def changed(url: str) -> Iterator[sqlite3.Connection]:
    """A connection to change the rows alone, as an attacker would who does not know of the streams."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
        yield connection


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("INSERT INTO approvals SELECT 'ff', hash, act, what, asked_by, asked_at, 'approved', decided_by, decided_at, "
         "NULL FROM approvals LIMIT 1", "no stream has the request"),
        ("DELETE FROM approvals WHERE act = 'rank'", "is missing"),
        ("UPDATE approvals SET state = 'approved', outcome = NULL WHERE act = 'rank'", "differs from the stream"),
        ("UPDATE approvals SET asked_at = asked_at + 1 WHERE act = 'rank'", "differs from the stream"),
        ("UPDATE approvals SET decided_by = 'eve' WHERE act = 'rank'", "differs from the stream"),
    ],
)  # fmt: skip
def test_a_row_that_is_not_what_its_stream_says(statement: str, words: str, house: Acted, tmp_path: Path) -> None:
    with attacked(house.path, tmp_path) as (_, url):
        pass
    with changed(url) as connection:
        assert connection.execute(statement).rowcount == 1
    findings = messages(url)
    assert len(findings) == 1, findings
    assert words in findings[0]


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE events SET actor = 'eve' WHERE stream = ? AND version = 2", "actor"),
        ("UPDATE events SET event = CAST(replace(CAST(event AS TEXT), '-approved', '-rejected') AS BLOB) "
         "WHERE stream = ? AND version = 2", "unreadable"),
        ("DELETE FROM events WHERE stream = ? AND version = 1", "impossible"),
        ("UPDATE events SET event = CAST('{}' AS BLOB) WHERE stream = ? AND version = 3", "unreadable"),
        ("UPDATE events SET rules = 'x' WHERE stream = ? AND version = 3", "unknown-rules"),
        ("UPDATE events SET key = 'x', body = zeroblob(32) WHERE stream = ? AND version = 3", "key"),
        ("UPDATE events SET hash = zeroblob(32) WHERE stream = ? AND version = 2", "chain"),
    ],
)  # fmt: skip
def test_an_approval_s_stream_is_walked_like_all_others(
    statement: str, code: str, house: Acted, tmp_path: Path
) -> None:
    stream = f"approval/{house['rank'].id}"
    with attacked(house.path, tmp_path) as (connection, url):
        assert connection.execute(statement, (stream,)).rowcount == 1
        if code != "chain":
            rehash(connection, stream)
    assert code in {finding.code for finding in audited(url).findings if finding.stream == stream}


@pytest.mark.parametrize("days", [0, MOST_RESET_DAYS + 1])
def test_days_that_the_house_does_not_take_are_found(days: int, house: Acted, tmp_path: Path) -> None:
    """With more days nobody could be a second person; with none everybody could."""
    assert call("serve", "--reset-days", str(days)).status == 2
    stream = f"approval/{house['rank'].id}"
    with attacked(house.path, tmp_path) as (connection, url):
        change_event(connection, stream, 2, reset_days=days)
    assert (stream, 2, "approval") in {
        (finding.stream, finding.version, finding.code) for finding in audited(url).findings
    }


def test_what_an_earlier_audit_saw_of_an_approval_stays(house: Acted, tmp_path: Path) -> None:
    known = audit(f"sqlite:///{house.path}").heads
    id = house["rank"].id
    assert known[f"approval/{id}"][0] == 3
    with attacked(house.path, tmp_path) as (connection, url):
        connection.execute("UPDATE approvals SET state = 'approved', outcome = NULL WHERE id = ?", (id,))
    assert audited(url).good
    assert {finding.code for finding in audited(url, known).findings} == {"head"}


# Houses from before there were streams of approvals


def older(source: Path, target: Path, *statements: str) -> None:
    """The same house as the previous version left it: with rows of approvals, and no streams of them."""
    shutil.copyfile(source, target)
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM events WHERE stream LIKE 'approval/%'")
        for statement in older_by_hand("0002", postgresql=False):
            connection.execute(statement)
        for statement in statements:
            assert connection.execute(statement).rowcount == 1
        for _, text in triggers:
            connection.execute(text)


def test_a_house_from_before_goes_on(house: Acted, tmp_path: Path) -> None:
    """Acts that were done but not marked as done are found done; nothing is carried out again. New approvals work."""
    adjustment, past, rank = house["adjustment"].id, house["past"].id, house["rank"].id
    older(
        house.path,
        tmp_path / "house.db",
        f"UPDATE approvals SET state = 'approved', outcome = NULL WHERE id = '{past}'",
        f"UPDATE approvals SET state = 'approved', outcome = NULL WHERE id = '{rank}'",
    )
    url = f"sqlite:///{tmp_path / 'house.db'}"
    assert audit(url).findings == [], "before it is migrated"

    async def migrated() -> None:
        await (await open_store(url)).close()

    asyncio.run(migrated())
    assert audit(url).findings == [], "after that, and before the house has been opened"
    with serving(tmp_path, "--no-rate-limits", "--no-demo") as server:
        with guest(server) as ann, staff(server, "shift-manager") as shift, staff(server, "pit-manager") as second:
            states = {row["id"]: row["state"] for row in shift.get("/api/approvals").json()}
            assert {states[adjustment], states[past], states[rank]} == {"done"}
            approval = shift.post(
                "/api/approvals", {"act": "balance-adjustment", "person": ann.name, "cents": "1.00", "reason": "r"}
            ).json()
            done = second.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]})
            assert done.json()["state"] == "done"
        server.stop()
    assert audit(url).findings == []
    heads = audit(url).heads
    assert heads[CARRIED][0] == 1 + len(ACTS)


def test_what_was_open_when_the_house_was_updated_lapses(house: Acted, tmp_path: Path) -> None:
    """Also a row that somebody had put in by hand before: it looks like any other."""
    source = tmp_path / "source.db"
    shutil.copyfile(house.path, source)

    async def ask() -> list[Approval]:
        store = await open_store(f"sqlite:///{source}")
        try:
            held = Approvals(store, _never)
            what = {"person": "eve", "cents": "1.00", "reason": "r"}
            return [await held.ask("balance-adjustment", what, "pit-manager") for _ in range(2)]
        finally:
            await store.close()

    pending, approved = asyncio.run(ask())
    yes = "UPDATE approvals SET state = 'approved', decided_by = 'shift-manager', decided_at = asked_at + 1"
    older(source, tmp_path / "house.db", f"{yes} WHERE id = '{approved.id}'")
    url = f"sqlite:///{tmp_path / 'house.db'}"
    assert audit(url).findings == []
    with serving(tmp_path, "--no-rate-limits", "--no-demo") as server:
        with staff(server, "shift-manager") as shift:
            states = {row["id"]: row["state"] for row in shift.get("/api/approvals?state=lapsed").json()}
            assert states == {pending.id: State.LAPSED, approved.id: State.LAPSED}
            answer = shift.post(f"/api/approvals/{pending.id}/approve", {"hash": pending.hash})
            assert (answer.status_code, answer.json()["code"]) == (409, "lapsed")
        server.stop()
    report = audit(url)
    assert report.findings == []
    assert not any(head.endswith(("/eve",)) and version > 6 for head, (version, _) in report.heads.items())


async def _never(approval: Approval) -> tuple[bool, dict[str, object]]:
    raise AssertionError("nothing is carried out here")


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("DELETE FROM events WHERE stream = ?", "approval"),
        ("UPDATE events SET actor = 'eve' WHERE stream = ?", "actor"),
    ],
)  # fmt: skip
def test_since_when_approvals_are_streams_is_on_record(statement: str, code: str, house: Acted, tmp_path: Path) -> None:
    with attacked(house.path, tmp_path) as (connection, url):
        assert connection.execute(statement, (CARRIED,)).rowcount == 1
        rehash(connection, CARRIED)
    assert code in audited(url).counts


def carried(connection: sqlite3.Connection, id: str) -> int:
    """Record an approval as carried over from before, and delete its own stream. Returns the time of that record."""
    names = ("id", "hash", "act", "what", "asked_by", "asked_at", "decided_by", "decided_at", "outcome")
    row = connection.execute(f"SELECT {', '.join(names)} FROM approvals WHERE id = ?", (id,)).fetchone()
    event = e.CarriedOver(by="house", **dict(zip(names, row, strict=True)), state="done", becomes="done")
    (at,) = connection.execute("SELECT at FROM events WHERE stream = ?", (CARRIED,)).fetchone()
    values = (CARRIED, 2, at, "house", None, None, 1, "", 1, notation.encode(event), b"")
    connection.execute(f"INSERT INTO events VALUES ({', '.join('?' * len(values))})", values)
    rehash(connection, CARRIED)
    connection.execute("DELETE FROM events WHERE stream = ?", (f"approval/{id}",))
    return int(at)


def test_nothing_is_added_to_what_was_carried_over(house: Acted, tmp_path: Path) -> None:
    with attacked(house.path, tmp_path) as (connection, url):
        carried(connection, house["rank"].id)
    assert any("0 approvals are older than the streams, but more follow" in message for message in messages(url))
    with attacked(house.path, tmp_path) as (connection, url):
        change_event(connection, CARRIED, 1, count=1)
    assert any("but only 0 follow" in message for message in messages(url))


def test_nothing_is_done_under_an_approval_that_has_lapsed(house: Acted, tmp_path: Path) -> None:
    """All hashes and the count are recomputed, but the act's own row has a time after the carry-over."""
    act = house["rank"]
    with attacked(house.path, tmp_path) as (connection, url):
        at = carried(connection, act.id)
        change_event(connection, CARRIED, 1, count=1)
        of_event(connection, act, at=at + DAY)
    findings = messages(url)
    assert any(f"it was done after approval {act.id} had lapsed" in finding for finding in findings), findings
