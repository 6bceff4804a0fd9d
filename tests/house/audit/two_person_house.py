"""A real house in which two persons did every act that needs two, and functions that forge its approvals."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import msgspec

from punto.house.store.approval import hash_of
from tests.house.audit.sqlite_attacker import rehash
from tests.house.web.running import Person, guest, serving, staff

ACTS = ("adjustment", "rank", "past", "settled", "chips")
"""A balance adjustment, a manager's rank, rulings on a past round and on the settled current one, chips found late."""
DAY = 24 * 3600 * 1_000_000
TIMES = (
    *(("events", "at"), ("played", "at"), ("people", "opened_at"), ("tables", "opened_at")),
    *(("approvals", "asked_at"), ("approvals", "decided_at")),
)
CARDS = ("KH", "2S", "7D", "3C", "4H")
RULING = {"do": "decide-irregularity", "reason": "the camera shows it"}


class Acted(msgspec.Struct, frozen=True):
    """A house, and the acts of two persons in it."""

    path: Path
    acts: dict[str, Act]

    def __getitem__(self, name: str) -> Act:
        return self.acts[name]


class Act(msgspec.Struct, frozen=True):
    """An approval that was carried out, and the row that it led to."""

    id: str
    stream: str
    version: int


def acted(folder: Path) -> dict[str, Act]:
    """Do all the acts over HTTP. The database is left in `house.db`."""
    with (
        serving(folder, "--no-rate-limits", "--no-demo") as server,
        guest(server) as ann,
        staff(server, "pit-manager") as pit,
        staff(server, "shift-manager") as shift,
    ):
        opened = shift.post("/api/people", {"name": "eve", "role": "pit-supervisor"})
        assert opened.status_code == 201, opened.text
        adjustment = {"act": "balance-adjustment", "person": ann.name, "cents": "-12.50", "reason": "paid twice"}
        ids = {
            "adjustment": done(pit, shift, adjustment),
            "rank": done(shift, pit, {"act": "rank", "person": "eve", "role": "pit-manager"}),
            **_at_a_table(ann, pit, shift),
        }
        lowered = shift.put("/api/people/eve/role", {"role": "dealer"})
        assert lowered.status_code == 200, lowered.text
        server.stop()
    _aged(folder / "house.db")
    return {name: _find_act(folder / "house.db", id) for name, id in ids.items()}


def done(asker: Person, second: Person, act: dict[str, Any]) -> str:
    """Ask, approve, and check that the act was done. Returns the approval's id."""
    response = asker.post("/api/approvals", act)
    assert response.status_code == 201, response.text
    answer = second.post(f"/api/approvals/{response.json()['id']}/approve", {"hash": response.json()["hash"]})
    assert answer.json()["state"] == "done", answer.text
    return str(response.json()["id"])


def played(table: str, ann: Person, pit: Person) -> None:
    """Play and settle a round: Player 7 on two cards, Banker 9 on three."""
    pit.must(table, {"do": "open-betting"})
    ann.must(table, {"do": "place-wager", "box": 1, "bet": "banker", "stake": "50.00"})
    pit.must(table, {"do": "close-betting"})
    for card in CARDS:
        pit.must(table, {"do": "draw-card", "card": card})
    pit.must(table, {"do": "settle"})


def _at_a_table(ann: Person, pit: Person, shift: Person) -> dict[str, str]:
    table = "acts"
    pit.open(table)
    ann.must(table, {"do": "join", "chips": "500.00"}, {"do": "sit", "box": 1})
    pit.must(table, {"do": "load-shoe", "count": 416, "shuffled": True})
    played(table, ann, pit)
    chips = {"do": "report-chips", "patron": ann.name, "box": 1, "bet": "player", "stake": "20.00"}
    ids = {"chips": done(pit, shift, {"act": "late-settlement", "table": table, "command": chips})}
    pit.must(table, {"do": "report-irregularity", "kind": "void", "cause": "not-reconstructible"})
    pit.must(table, {**RULING, "action": "unfounded"})  # that takes nobody's money: one person is enough
    pit.must(table, {"do": "report-irregularity", "kind": "void", "cause": "not-reconstructible"})
    ids["settled"] = done(pit, shift, {"act": "late-settlement", "table": table, "command": RULING})
    played(table, ann, pit)
    pit.must(table, {"do": "open-betting"})
    hands = {"player": ["KH", "7D"], "banker": ["2S", "3C"]}
    pit.must(table, {"do": "report-irregularity", "kind": "late-table-of-play", "round": 2, **hands})
    ids["past"] = done(pit, shift, {"act": "late-settlement", "table": table, "command": RULING})
    return ids


def _aged(path: Path) -> None:
    """Move everything two months into the past, so that there is room for later events."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for table, column in TIMES:
            connection.execute(f"UPDATE {table} SET {column} = {column} - ?", (60 * DAY,))
        connection.execute("DELETE FROM snapshots")
        for (stream,) in connection.execute("SELECT DISTINCT stream FROM events").fetchall():
            rehash(connection, stream)
        for _, text in triggers:
            connection.execute(text)
    finally:
        connection.close()


def _find_act(path: Path, id: str) -> Act:
    connection = sqlite3.connect(path)
    try:
        query = "SELECT stream, version FROM events WHERE key LIKE '%approval-' || ?"
        ((stream, version),) = connection.execute(query, (id,)).fetchall()
        return Act(id, stream, version)
    finally:
        connection.close()


# A skilled attacker


def approval(connection: sqlite3.Connection, id: str) -> dict[str, Any]:
    names = ("act", "what", "asked_by", "decided_by", "asked_at", "decided_at", "state")
    query = f"SELECT {', '.join(names)} FROM approvals WHERE id = ?"
    row = dict(zip(names, connection.execute(query, (id,)).fetchone(), strict=True))
    return {**row, "what": msgspec.json.decode(row["what"])}


def rewrite(connection: sqlite3.Connection, act: Act, **changes: Any) -> None:
    """Change an approval, recompute its hash, and put that hash in the event's row."""
    row = {**approval(connection, act.id), **changes}
    digest = hash_of(act.id, row["act"], row["what"], row["asked_by"])
    values = {**row, "what": msgspec.json.encode(row["what"], order="sorted").decode(), "hash": digest}
    names = ", ".join(f"{name} = ?" for name in values)
    connection.execute(f"UPDATE approvals SET {names} WHERE id = ?", (*values.values(), act.id))
    of_event(connection, act, body=bytes.fromhex(digest))


def of_event(connection: sqlite3.Connection, act: Act, **columns: Any) -> None:
    """Change columns of the row that the act led to, and recompute the chain."""
    names = ", ".join(f"{name} = ?" for name in columns)
    where = (act.stream, act.version)
    connection.execute(f"UPDATE events SET {names} WHERE stream = ? AND version = ?", (*columns.values(), *where))
    rehash(connection, act.stream)


def change_event(connection: sqlite3.Connection, stream: str, version: int, **fields: Any) -> None:
    """Change fields of an event, and recompute the chain."""
    where = (stream, version)
    (line,) = connection.execute("SELECT event FROM events WHERE stream = ? AND version = ?", where).fetchone()
    event = msgspec.json.encode({**msgspec.json.decode(line), **fields})
    connection.execute("UPDATE events SET event = ? WHERE stream = ? AND version = ?", (event, *where))
    rehash(connection, stream)
