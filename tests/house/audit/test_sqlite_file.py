"""An SQLite file that something other than the house wrote to: damaged indexes, and values of the wrong type."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from punto.house.audit.run import audit
from punto.house.store.reader import Unreadable
from punto.house.store.schema import events
from tests.house.audit.sqlite_attacker import attacked, audited

ANY = {
    "events": ("version", "at", "actor", "key", "body", "count", "rules", "schema", "event", "hash"),
    "transfers": ("version", "n", "giver", "taker", "cents"),
    "wallets": ("person", "cents"),
    "refusals": ("stream", "key", "body", "answer"),
    "snapshots": ("stream", "version", "hash", "schema", "state"),
    "rounds": ("stream", "round", "version"),
    "played": ("person", "at", "stream", "round", "version"),
    "people": ("name", "role", "guest", "locked", "failures", "waits_until", "opened_at"),
    "approvals": ("hash", "act", "what", "asked_by", "asked_at", "state", "decided_by", "decided_at"),
    "tables": ("id", "game", "demo", "opened_at"),
}


def loosened(connection: sqlite3.Connection, table: str) -> sqlite3.Connection:
    """Remove the column types of the table, so that any value is stored as given."""
    (text,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    for word in ("TEXT", "BIGINT", "INTEGER", "BLOB", "BOOLEAN", "NOT NULL"):
        text = text.replace(f" {word}", "")
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (text, table))
    (file,) = (row[2] for row in connection.execute("PRAGMA database_list"))
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("PRAGMA ignore_check_constraints = ON")
    return other


def tightened(connection: sqlite3.Connection, table: str, text: str) -> None:
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (text, table))
    connection.close()


@pytest.mark.parametrize("table", ANY)
def test_a_value_of_another_kind_is_found_in_any_column(played: Path, tmp_path: Path, table: str) -> None:
    for column in ANY[table]:
        for value in ("CAST({} AS REAL)", "CASE typeof({}) WHEN 'blob' THEN 'x' ELSE X'00' END"):
            with attacked(played, tmp_path) as (connection, url):
                (text,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
                other = loosened(connection, table)
                chosen = f"{column} = (SELECT max({column}) FROM {table})"
                changed = other.execute(f"UPDATE {table} SET {column} = {value.format(column)} WHERE {chosen}")
                assert changed.rowcount
                tightened(other, table, text)
            assert "type" in audited(url).counts, f"{table}.{column}: {value}"


def test_what_a_torn_value_does_not_touch_is_still_looked_at(played: Path, tmp_path: Path) -> None:
    with attacked(played, tmp_path) as (connection, url):
        connection.execute("UPDATE wallets SET cents = 'much' WHERE person = 'ann'")
        connection.execute("UPDATE people SET role = 'auditor' WHERE name = 'bob'")
        connection.execute("UPDATE events SET at = 'now' WHERE stream = 'person/cyd' AND version = 1")
    findings = {(finding.stream, finding.code) for finding in audited(url).findings}
    assert {("wallets/ann", "type"), ("person/bob", "account"), ("person/cyd", "type")} <= findings


def test_text_that_is_none_is_found_where_it_stands(played: Path, tmp_path: Path) -> None:
    with attacked(played, tmp_path) as (connection, url):
        connection.execute(
            "UPDATE events SET actor = CAST(X'73ff65' AS TEXT) WHERE stream = 'person/ann' AND count = 1"
        )
    assert {(finding.stream, finding.code) for finding in audited(url).findings} >= {("person/ann", "chain")}


def test_an_index_that_does_not_say_what_its_table_does_is_found(played: Path, tmp_path: Path) -> None:
    """The house asks the index whether a key was answered. If the index is wrong, a command is carried out twice."""
    file = tmp_path / "torn.db"
    whole = played.read_bytes()
    connection = sqlite3.connect(played)
    key = connection.execute(f"SELECT min(key) FROM {events.name} WHERE key LIKE 'sue/%'").fetchone()[0].encode()
    connection.close()
    codes: set[str] = set()
    for at in [at for at in range(len(whole)) if whole.startswith(key, at)]:
        file.write_bytes(whole[:at] + b"x" + whole[at + 1 :])
        counts = audit(f"sqlite:///{file}").counts
        assert counts, f"byte {at}"
        codes |= counts.keys()
    assert "file" in codes


def test_a_schema_that_cant_be_read_is_said(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "torn.db"
    file.write_bytes(played.read_bytes().replace(b"CREATE TABLE events", b"CREATE TABL\xff events", 1))
    with pytest.raises(Unreadable):
        audit(f"sqlite:///{file}")
