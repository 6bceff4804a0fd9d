"""Any changed byte is found and located. A forged history with recomputed hashes breaks the rules or the books."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.house.audit.sqlite_attacker import altered, attacked, audited, changed, leaves, rehash

KEYS = {
    "events": ("stream", "version"),
    "transfers": ("stream", "version", "n"),
    "wallets": ("person",),
    "snapshots": ("stream",),
    "rounds": ("stream", "round"),
    "played": ("person", "at", "stream", "round"),
    "people": ("name",),
    "tables": ("id",),
    "approvals": ("id",),
}
COLUMNS = {
    "events": ("stream", "version", "at", "actor", "key", "body", "count", "rules", "schema", "event", "hash"),
    "transfers": ("stream", "version", "n", "giver", "taker", "cents"),
    "wallets": ("person", "cents"),
    "snapshots": ("stream", "version", "hash", "schema", "state"),
    "rounds": ("stream", "round", "version"),
    "played": ("person", "at", "stream", "round", "version"),
    "people": ("name", "role", "guest", "locked", "opened_at"),
    "tables": ("game",),
    "approvals": ("id", "hash", "act", "what", "asked_by", "state", "decided_by", "outcome"),
}
"""The columns that an audit covers to the byte. It checks only the shape of refusals, and no sessions or passwords."""


NUMBERED = ("version", "round", "n")
"""Columns in which the next number may belong to another row."""


def rows(path: Path, table: str) -> list[dict[str, Any]]:
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")]
    finally:
        connection.close()


def kind(table: str, row: dict[str, Any]) -> object:
    """The kind of a row. A change in rows of one kind is found by the same checks."""
    if table == "events":
        return msgspec.json.decode(row["event"])["event"], row["count"] > 0
    if table == "transfers":
        return row["giver"].partition("/")[0], row["taker"].partition("/")[0]
    if table == "approvals" and row["state"] != "done":
        return None
    return table


def cases(path: Path) -> list[tuple[str, dict[str, Any], str]]:
    """One row of every kind with a column: every column for the first two kinds of a table, one for the others."""
    cells = []
    chance = random.Random(7)
    for table, columns in COLUMNS.items():
        kinds: dict[object, list[dict[str, Any]]] = {}
        for row in rows(path, table):
            if (alike := kind(table, row)) is not None:
                kinds.setdefault(alike, []).append(row)
        assert kinds, table
        for number, same in enumerate(kinds.values()):
            row = chance.choice(same)
            some = columns if number < 2 else ("event",) if table == "events" else columns[-1:]
            cells += [(table, row, column) for column in some]
    return cells


def stream_of(table: str, row: dict[str, Any]) -> str:
    if table in ("wallets", "people"):
        return f"person/{row['person' if table == 'wallets' else 'name']}"
    return f"table/{row['id']}" if table == "tables" else str(row.get("stream"))


def test_any_changed_byte_is_found_and_named(played: Path, tmp_path: Path) -> None:
    chance = random.Random(11)
    every = cases(played)
    assert len(every) > 90
    for table, row, column in every:
        with attacked(played, tmp_path) as (connection, url):
            where = " AND ".join(f"{name} = ?" for name in KEYS[table])
            keys = [row[name] for name in KEYS[table]]
            value = changed(row[column], chance) if column not in NUMBERED else row[column] + 10**6
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *keys))
        report = audited(url)
        said = f"{table}.{column} of {keys}: {value!r}"
        assert not report.good, f"{said} was not noticed"
        named = {finding.stream for finding in report.findings}
        streams = {stream_of(table, row), stream_of(table, {**row, column: value})}
        assert table == "approvals" or named & streams, f"{said}: {report.findings[0]}"
        if table in ("events", "transfers", "rounds") and column not in ("stream", "version"):
            versions = {finding.version for finding in report.findings}
            assert versions & {row["version"], row["version"] + 1}, f"{said}: {report.findings[0]}"


@pytest.mark.parametrize("table", KEYS)
def test_a_row_taken_out_is_found(table: str, played: Path, tmp_path: Path) -> None:
    done = [row for row in rows(played, table) if kind(table, row) is not None]
    row = next(row for row in done if row.get("act", "rank") == "rank")  # a ruling may have moved nothing
    with attacked(played, tmp_path) as (connection, url):
        where = " AND ".join(f"{name} = ?" for name in KEYS[table])
        connection.execute(f"DELETE FROM {table} WHERE {where}", [row[name] for name in KEYS[table]])
    if table in ("snapshots", "tables"):  # shortcuts: without them the house only takes longer, or lists less
        assert audited(url).good
    else:
        assert not audited(url).good


def test_a_refusal_that_cant_be_sent_again_is_found(played: Path, tmp_path: Path) -> None:
    known = next(row for row in rows(played, "events") if row["key"] is not None)
    same = f"stream = '{known['stream']}', key = '{known['key']}'"
    for change, code in (
        ("body = X'00'", "refusal"),
        ("answer = X'7B'", "refusal"),
        ("answer = CAST(answer || ' ' AS BLOB)", "refusal"),
        (same, "key"),
    ):
        with attacked(played, tmp_path) as (connection, url):
            refusal = connection.execute(
                "SELECT stream, key FROM refusals WHERE key NOT LIKE '%approval-%' LIMIT 1"
            ).fetchone()
            connection.execute(f"UPDATE refusals SET {change} WHERE stream = ? AND key = ?", refusal)
        assert set(audited(url).counts) == {code}


def test_a_state_with_something_after_its_end_is_found(played: Path, tmp_path: Path) -> None:
    with attacked(played, tmp_path) as (connection, url):
        stream, state = connection.execute("SELECT stream, state FROM snapshots LIMIT 1").fetchone()
        connection.execute("UPDATE snapshots SET state = ? WHERE stream = ?", (state + b" ", stream))
    assert set(audited(url).counts) == {"snapshot"}


# A recomputed chain

FREE_VALUES = {
    *(("irregularity-reported", "irregularity", name) for name in ("cause", "place", "round", "after")),
    ("irregularity-reported", "irregularity", "hands", "*", "*"),
    *(("irregularity-reported", "irregularity", "cards", "*", name) for name in ("face", "exposed")),
    ("cut-card-placed", "after"),
    ("approval-approved", "reset_days"),  # the house's own setting at that time
    ("snapshot-kept", "schema"),  # a record of another shape is ignored, so it does no harm
}
WORDS = ("rank", "note", "reason", "asked_by", "shown")
"""Values that somebody stated and no rule decides: another value is another legal history, and only heads show it."""


def forgeries(path: Path) -> list[tuple[tuple[Any, ...], dict[str, Any], bytes]]:
    """Every value of every kind of event, changed once: the value's name, the row, and the changed event."""
    forged_by_name: dict[tuple[Any, ...], tuple[dict[str, Any], bytes]] = {}
    for row in rows(path, "events"):
        document = msgspec.json.decode(row["event"])
        for way in leaves(document):
            name = (document["event"], *("*" if isinstance(step, int) else step for step in way))
            forged_by_name.setdefault(name, (row, altered(row["event"], way)))
    return [(name, *what) for name, what in forged_by_name.items()]


def forged(played: Path, folder: Path, some: list[tuple[tuple[Any, ...], dict[str, Any], bytes]]) -> None:
    """Recompute all hashes and drop the snapshots. The rules or the books still show the forgery; heads always do."""
    known = audited(f"sqlite:///{played}").heads
    for name, row, event in some:
        with attacked(played, folder) as (connection, url):
            key = (row["stream"], row["version"])
            connection.execute("UPDATE events SET event = ? WHERE stream = ? AND version = ?", (event, *key))
            rehash(connection, row["stream"])
            connection.execute("DELETE FROM snapshots")
        report = audited(url, known)
        assert "head" in report.counts, name
        if name not in FREE_VALUES and name[-1] not in WORDS and name[:2] != ("table-opened", "settings"):
            assert set(report.counts) != {"head"}, f"{name} was not noticed without heads"


def test_a_forged_history_breaks_the_rules_or_the_books(played: Path, tmp_path: Path) -> None:
    every = forgeries(played)
    assert len(every) > 150
    forged(played, tmp_path, random.Random(5).sample(every, 50))


@pytest.mark.soak
def test_every_forged_history_breaks_the_rules_or_the_books(played: Path, tmp_path: Path) -> None:
    forged(played, tmp_path, forgeries(played))
