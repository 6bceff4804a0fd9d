"""A house that was played in is sound; any changed byte is found, and where it is."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from punto.game import commands as c
from punto.game.table import TableLimits
from punto.house.audit import heads
from punto.house.audit.guarded import due
from punto.house.audit.reading import Unreadable, shown
from punto.house.audit.run import audit
from punto.house.store.interface import open_store
from punto.house.store.schema import APPEND_ONLY
from punto.house.table.service import House
from punto.money import Cents
from punto.rulebook.model import Rank
from tests.house.audit.playing import play
from tests.house.audit.tampering import KEYS as KEYS_INDEX
from tests.house.audit.tampering import altered, attacked, audited, changed, leaves, rehash
from tests.house.databases import done_by_hand
from tests.house.table.playing import actor_of

# Sound


def test_a_played_house_is_sound(database_url: str) -> None:
    answers = asyncio.run(play(database_url, number=3, rounds=4, seed=2))
    done: list[tuple[int, int]] = []
    found = audit(database_url, progress=lambda rows, total: done.append((rows, total)))
    assert found.findings == []
    assert found.good
    assert found.seen.commands > answers["accepted"]  # and those that opened accounts
    assert found.seen.refusals == answers.total() - answers["accepted"]
    assert found.seen.snapshots == 3
    assert min(found.seen.rounds, found.seen.lines, found.seen.shoes, found.seen.transfers) > 0
    assert done[-1][1] == found.seen.rows
    asyncio.run(play(database_url, number=1, rounds=2, seed=3))
    later = audit(database_url, found.heads)
    assert later.good
    assert later.root != found.root


def test_it_only_reads(played: Path) -> None:
    before = played.read_bytes()
    assert audit(f"sqlite:///{played}").good
    assert played.read_bytes() == before


@pytest.mark.parametrize("url", ["sqlite:///nowhere/house.db", "mysql://x", "sqlite:///{file}"])
def test_what_is_no_database_of_the_house_is_said(url: str, tmp_path: Path) -> None:
    (tmp_path / "other.db").write_bytes(b"")
    with pytest.raises(Unreadable):
        audit(url.format(file=tmp_path / "other.db"))


def test_no_password_is_shown() -> None:
    assert shown("postgresql://ann:secret@host/db") == "postgresql://ann@host/db"
    assert shown("sqlite:////tmp/x.db") == "sqlite:////tmp/x.db"


# Changed bytes

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
"""What is covered to the byte. Refusals are only looked at for their shape; sessions and passwords not at all."""


NUMBERED = ("version", "round", "n")
"""Where one more may be another row's number."""


def rows(path: Path, table: str) -> list[dict[str, Any]]:
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")]
    finally:
        connection.close()


def kind(table: str, row: dict[str, Any]) -> object:
    """Rows of one kind are alike in what an audit must do to find a change."""
    if table == "events":
        return msgspec.json.decode(row["event"])["event"], row["count"] > 0
    if table == "transfers":
        return row["giver"].partition("/")[0], row["taker"].partition("/")[0]
    if table == "approvals" and row["state"] != "done":
        return None
    return table


def cases(path: Path) -> list[tuple[str, dict[str, Any], str]]:
    """For every kind of row, one row of it, and a column: all for the first of a table, the telling ones after."""
    found = []
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
            found += [(table, row, column) for column in some]
    return found


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
        found = audited(url)
        said = f"{table}.{column} of {keys}: {value!r}"
        assert not found.good, f"{said} was not noticed"
        named = {one.stream for one in found.findings}
        streams = {stream_of(table, row), stream_of(table, {**row, column: value})}
        assert table == "approvals" or named & streams, f"{said}: {found.findings[0]}"
        if table in ("events", "transfers", "rounds") and column not in ("stream", "version"):
            versions = {one.version for one in found.findings}
            assert versions & {row["version"], row["version"] + 1}, f"{said}: {found.findings[0]}"


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


def test_a_table_that_is_listed_and_was_never_opened_is_found(played: Path, tmp_path: Path) -> None:
    with attacked(played, tmp_path) as (connection, url):
        connection.execute("UPDATE tables SET id = 'nowhere' WHERE id = (SELECT min(id) FROM tables)")
    assert [(one.stream, one.code) for one in audited(url).findings] == [("table/nowhere", "table")]


def test_a_flag_that_is_neither_yes_nor_no_is_found(played: Path, tmp_path: Path) -> None:
    with attacked(played, tmp_path) as (connection, url):
        connection.execute("UPDATE people SET guest = 2 WHERE name = (SELECT min(name) FROM people WHERE guest)")
    assert set(audited(url).counts) == {"account"}


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
            one = connection.execute(
                "SELECT stream, key FROM refusals WHERE key NOT LIKE '%approval-%' LIMIT 1"
            ).fetchone()
            connection.execute(f"UPDATE refusals SET {change} WHERE stream = ? AND key = ?", one)
        assert set(audited(url).counts) == {code}


def test_a_state_with_something_after_its_end_is_found(played: Path, tmp_path: Path) -> None:
    with attacked(played, tmp_path) as (connection, url):
        stream, state = connection.execute("SELECT stream, state FROM snapshots LIMIT 1").fetchone()
        connection.execute("UPDATE snapshots SET state = ? WHERE stream = ?", (state + b" ", stream))
    assert set(audited(url).counts) == {"snapshot"}


# A chain that was made anew

STATED = {
    *(("irregularity-reported", "irregularity", name) for name in ("cause", "place", "round", "after")),
    ("irregularity-reported", "irregularity", "hands", "*", "*"),
    *(("irregularity-reported", "irregularity", "cards", "*", name) for name in ("face", "exposed")),
    ("cut-card-placed", "after"),
    ("approval-approved", "reset_days"),  # the house's own setting then
    ("snapshot-kept", "schema"),  # a record of another shape is not believed, and harmless
}
WORDS = ("rank", "note", "reason", "asked_by", "shown")
"""What somebody stated and no rule decides: another word there is another legal history. Only heads show that."""


def forgeries(path: Path) -> list[tuple[tuple[Any, ...], dict[str, Any], bytes]]:
    """Every value of every kind of event, changed once: its name, the row, and the event as it would read."""
    found: dict[tuple[Any, ...], tuple[dict[str, Any], bytes]] = {}
    for row in rows(path, "events"):
        document = msgspec.json.decode(row["event"])
        for way in leaves(document):
            name = (document["event"], *("*" if isinstance(step, int) else step for step in way))
            found.setdefault(name, (row, altered(row["event"], way)))
    return [(name, *what) for name, what in found.items()]


def forged(played: Path, folder: Path, some: list[tuple[tuple[Any, ...], dict[str, Any], bytes]]) -> None:
    """All hashes made anew, snapshots thrown away: the rules or the books still tell; heads tell in any case."""
    known = audited(f"sqlite:///{played}").heads
    for name, row, event in some:
        with attacked(played, folder) as (connection, url):
            key = (row["stream"], row["version"])
            connection.execute("UPDATE events SET event = ? WHERE stream = ? AND version = ?", (event, *key))
            rehash(connection, row["stream"])
            connection.execute("DELETE FROM snapshots")
        found = audited(url, known)
        assert "head" in found.counts, name
        if name not in STATED and name[-1] not in WORDS and name[:2] != ("table-opened", "settings"):
            assert set(found.counts) != {"head"}, f"{name} was not noticed without heads"


def test_a_forged_history_breaks_the_rules_or_the_books(played: Path, tmp_path: Path) -> None:
    every = forgeries(played)
    assert len(every) > 150
    forged(played, tmp_path, random.Random(5).sample(every, 50))


@pytest.mark.soak
def test_every_forged_history_breaks_the_rules_or_the_books(played: Path, tmp_path: Path) -> None:
    forged(played, tmp_path, forgeries(played))


# Heads


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "heads.json"


def test_rows_taken_off_the_end_are_found_by_the_heads(played: Path, tmp_path: Path, file: Path) -> None:
    heads.write(file, audited(f"sqlite:///{played}").heads)
    stream = "person/ann"
    with attacked(played, tmp_path) as (connection, url):
        connection.execute("DELETE FROM events WHERE stream = ? AND version > 1", (stream,))
        connection.execute("DELETE FROM transfers WHERE stream = ?", (stream,))
    found = audited(url, heads.read(file))
    assert [(one.stream, one.version) for one in found.findings if one.code == "head"] == [(stream, 1)]


def test_a_stream_taken_out_whole_is_found_by_the_heads(played: Path, tmp_path: Path) -> None:
    known = audited(f"sqlite:///{played}").heads
    stream = max(known)
    with attacked(played, tmp_path) as (connection, url):
        for table in ("events", "transfers", "rounds", "played", "snapshots", "refusals"):
            connection.execute(f"DELETE FROM {table} WHERE stream = ?", (stream,))
    found = audited(url, known)
    assert (stream, 0, "head") in [(one.stream, one.version, one.code) for one in found.findings]


def test_a_file_of_heads_can_be_read_again_and_not_changed(file: Path) -> None:
    assert heads.read(file) == {}
    kept = {"table/a": (3, "00" * 32)}
    heads.write(file, kept)
    assert heads.read(file) == kept
    file.write_text(file.read_text().replace("table/a", "table/b"))
    with pytest.raises(heads.BadHeads, match="was changed"):
        heads.read(file)
    file.write_text("[]")
    with pytest.raises(heads.BadHeads, match="no heads"):
        heads.read(file)


# What random tables do not show


def test_lists_of_commands_and_a_table_whose_edition_is_not_pinned(database_url: str) -> None:
    """One key over several commands, the edition by the clock, an interruption put right at once."""

    async def play_a_little() -> None:
        store = await open_store(database_url)
        house = House(store)
        opening = c.OpenTable(
            by="sue",
            table="open",
            game="tiger-buffalo-commission",
            layout="A",
            positions=6,
            limits=TableLimits(minimum_cents=Cents(100), maximum_differential_cents=Cents(100_000)),
            source="virtual",
        )
        lists: list[list[c.AnyCommand]] = [
            [opening],
            [c.StartDuty(name="dan", rank=Rank.DEALER), c.LoadShoe(by="dan", count=416, shuffled=True)],
            [c.PlaceCutCard(by="dan", after=300), c.OpenBetting(by="dan"), c.CloseBetting(by="dan")],
            [c.DrawCard(by="dan"), c.DrawCard(by="dan")],
            [
                c.StartDuty(name="house-recovery", rank=Rank.DEALER),
                c.ReportIrregularity(by="house-recovery", kind="interruption", note="a restart"),
                c.EndDuty(name="house-recovery"),
            ],
            [c.EndShoe(by="dan"), c.CloseTable(by="dan")],
        ]
        try:
            for number, commands in enumerate(lists):
                answer = await house.command("open", commands, f"k{number}", actor_of(commands[0]), bytes(32))
                assert answer.accepted, answer.json
        finally:
            await house.close()
            await store.close()

    asyncio.run(play_a_little())
    found = audited(database_url)
    assert found.findings == []
    assert (found.seen.commands, found.seen.rounds) == (6, 1)


@pytest.mark.parametrize("at", [0, -(2**62), 2**62])
def test_a_time_at_which_no_edition_is_in_force_is_found(sqlite_url: str, tmp_path: Path, at: int) -> None:
    """Where the clock says which edition governs, a time that was changed may be one that no calendar has."""

    async def opened() -> None:
        store = await open_store(sqlite_url)
        house = House(store)
        limits = TableLimits(minimum_cents=Cents(100), maximum_differential_cents=Cents(100_000))
        opening = c.OpenTable(
            by="sue", table="open", game="tiger-buffalo-commission", layout="A", positions=6, limits=limits
        )
        try:
            assert (await house.command("open", [opening], "k", "sue", bytes(32))).accepted
        finally:
            await house.close()
            await store.close()

    asyncio.run(opened())
    with attacked(Path(sqlite_url.removeprefix("sqlite:///")), tmp_path) as (connection, url):
        connection.execute("UPDATE events SET at = ?", (at,))
        rehash(connection, "table/open")
    assert "wrong-edition" in audited(url).counts


# What guards the records


@pytest.mark.parametrize("table", ["events", "transfers"])
def test_a_trigger_that_is_gone_or_harmless_is_found(played: Path, tmp_path: Path, table: str) -> None:
    with attacked(played, tmp_path) as (connection, url):
        for text in {text for name in APPEND_ONLY for text in due(name, "sqlite")} - set(due(table, "sqlite")):
            connection.execute(text)
        connection.execute(f"CREATE TRIGGER {table}_no_update BEFORE update ON {table} BEGIN SELECT 1; END")
        connection.execute(KEYS_INDEX)
        assert [(one.stream, one.code) for one in audit(url).findings] == [(table, "trigger")]


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TRIGGER keys_no_truncate ON keys",
        "DROP TRIGGER events_append_only ON events",
        "ALTER TABLE transfers DISABLE TRIGGER transfers_no_truncate",
        "CREATE OR REPLACE FUNCTION punto_append_only() RETURNS trigger LANGUAGE plpgsql "
        "AS $$ BEGIN RETURN NEW; END $$",
        "CREATE OR REPLACE TRIGGER events_append_only BEFORE UPDATE ON events FOR EACH ROW "
        "EXECUTE FUNCTION punto_append_only()",
        "UPDATE alembic_version SET version_num = '0001'",
        "UPDATE alembic_version SET version_num = '9999'",
    ],
)
def test_what_guards_the_records_on_postgresql_is_looked_at(postgres_url: str, statement: str) -> None:
    assert audit(postgres_url).good
    asyncio.run(done_by_hand(postgres_url, statement))
    assert set(audit(postgres_url).counts) == {"migration" if "alembic" in statement else "trigger"}


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "migration"),
        ("DELETE FROM alembic_version", "migration"),
        ("INSERT INTO wallets VALUES ('nobody', 0)", "wallet"),
        ("UPDATE approvals SET decided_at = asked_at - 70000000 WHERE state = 'done'", "approval"),
        ("UPDATE approvals SET asked_at = asked_at - 90000000000 WHERE state = 'done'", "approval"),
        ("DELETE FROM people WHERE guest", "account"),
    ],
)
def test_what_lies_beside_the_events_is_compared_with_them(
    played: Path, tmp_path: Path, statement: str, code: str
) -> None:
    with attacked(played, tmp_path) as (connection, url):
        assert connection.execute(statement).rowcount
    assert code in audited(url).counts
