"""An attacker who knows that approvals are streams: what they write into the rows they write into the streams too."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec

from punto.house.store import approval_events as e
from punto.house.store import chain, codec
from punto.house.store.records import Row

NAMES = ("id", "hash", "act", "what", "asked_by", "asked_at", "state", "decided_by", "decided_at", "outcome")
Rows = dict[str, dict[str, Any]]


def rows(connection: sqlite3.Connection) -> Rows:
    records = connection.execute(f"SELECT {', '.join(NAMES)} FROM approvals").fetchall()
    return {values[0]: dict(zip(NAMES, values, strict=True)) for values in records}


def follow(connection: sqlite3.Connection, before: Rows) -> None:
    """Rewrite the streams of all approvals whose rows have changed, so that they match the rows."""
    now = rows(connection)
    for id in before.keys() | now.keys():
        if before.get(id) != now.get(id):
            rewritten(connection, id, now.get(id))


def rewritten(connection: sqlite3.Connection, id: str, row: dict[str, Any] | None) -> None:
    stream = f"{e.PREFIX}{id}"
    connection.execute("DELETE FROM events WHERE stream = ?", (stream,))
    hash = chain.start(stream)
    for version, (at, event) in enumerate(_events(row) if row is not None else ()):
        said = codec.CommandEvents((event,), event.by)
        (made,) = codec.rows(stream, version, hash, at, [said])
        hash = made.hash
        insert(connection, made)


def insert(connection: sqlite3.Connection, row: Row) -> None:
    values = msgspec.structs.astuple(row)
    connection.execute(f"INSERT INTO events VALUES ({', '.join('?' * len(values))})", values)


def _events(row: dict[str, Any]) -> list[tuple[int, e.AnyApprovalEvent]]:
    what = _read(row["what"])
    events: list[tuple[int, e.AnyApprovalEvent]] = [
        (row["asked_at"], e.Asked(by=row["asked_by"], act=row["act"], what=what, hash=row["hash"]))
    ]
    by, at = row["decided_by"] or "nobody", row["decided_at"] or row["asked_at"]
    if row["state"] == "rejected":
        events.append((at, e.Rejected(by=by)))
    elif row["state"] != "asked":
        events.append((at, e.Approved(by=by, hash=row["hash"], reset_days=30)))
    outcome = _read(row["outcome"])
    if row["state"] == "done":
        events.append((at, e.Done(by="house", outcome=outcome)))
    if row["state"] == "failed":
        events.append((at, e.Failed(by="house", outcome=outcome)))
    return events


def _read(text: str | None) -> Any:
    try:
        return msgspec.json.decode(text or "{}")
    except msgspec.DecodeError:
        return {}
