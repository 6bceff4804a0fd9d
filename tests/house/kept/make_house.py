"""Makes a kept house, once for a version: `python -m tests.house.kept.make_house FOLDER`.

The folder gets the SQLite file, the PostgreSQL database as SQL text, and for each the heads and the answers.
"""

from __future__ import annotations

import asyncio
import lzma
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any, Final, get_args

import asyncpg
import msgspec

from punto.game.events import AnyEvent
from punto.house.audit import stream_heads
from punto.house.audit.run import audit
from punto.house.store.approval import State
from punto.house.store.migrations import upgrade
from punto.house.store.person import AnyPersonEvent
from punto.house.store.reader import opened
from punto.house.store.sqlite.store import file_of
from tests.house.databases import postgres_database
from tests.house.kept.chosen_transcripts import chosen
from tests.house.kept.play_house import play

_TABLES: Final = (
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' "
    "AND table_name <> 'alembic_version' ORDER BY table_name"
)


def make(folder: Path) -> None:
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        url = f"sqlite:///{Path(place) / 'house.db'}"
        _played(url, Path(place), folder / "sqlite")
        whole = Path(place) / "whole.db"
        with closing(sqlite3.connect(file_of(url))) as source:
            source.execute("VACUUM INTO ?", (str(whole),))
        (folder / "house.db.xz").write_bytes(lzma.compress(whole.read_bytes(), preset=9))
    with postgres_database() as url, tempfile.TemporaryDirectory() as place:
        _played(url, Path(place), folder / "postgresql")
        (folder / "house.sql.xz").write_bytes(lzma.compress(asyncio.run(_dump(url)).encode(), preset=9))


def _played(url: str, folder: Path, kept: Path) -> None:
    answers = play(url, folder)
    _whole(url)
    report = audit(url)
    assert report.good, report.findings
    stream_heads.write(kept.with_suffix(".heads.json"), report.heads)
    kept.with_suffix(".answers.json.xz").write_bytes(lzma.compress(msgspec.json.encode(answers), preset=9))


def _whole(url: str) -> None:
    """Check that nothing is missing: events, irregularities, approvals, editions, snapshots, refusals, sessions."""
    with opened(url) as reader:
        events = [msgspec.json.decode(event) for (event,) in reader.rows('SELECT "event" FROM "events"')]
        states = {state for (state,) in reader.rows('SELECT "state" FROM "approvals"')}
        counts = {
            table: next(iter(reader.rows(f'SELECT count(*) FROM "{table}"')))[0]
            for table in ("snapshots", "refusals", "sessions", "wallets", "rounds", "played", "tables")
        }
        waiting = list(reader.rows('SELECT "name" FROM "people" WHERE "waits_until" > 0'))
    tags = {event["event"] for event in events}
    due = {kind.__struct_config__.tag for kind in (*get_args(AnyEvent), *get_args(AnyPersonEvent))}
    assert due <= tags, due - tags  # approvals and snapshots have streams of their own
    shown = [event for transcript in chosen() for step in transcript.steps for event in step.events]
    assert _kinds(shown) <= _kinds(events), _kinds(shown) - _kinds(events)
    assert {event["source"] for event in map(_settings, events) if event} == {"live", "virtual"}
    assert states == {state.value for state in State if state is not State.LAPSED}, states
    assert all(counts.values()), counts
    assert waiting


def _kinds(events: list[dict[str, Any]]) -> set[str]:
    """Kinds of irregularities, and editions."""
    kinds = {event["irregularity"]["kind"] for event in events if event["event"] == "irregularity-reported"}
    return kinds | {event["edition"] for event in events if event["event"] == "betting-opened"}


def _settings(event: dict[str, Any]) -> dict[str, Any]:
    settings: dict[str, Any] = event["settings"] if event["event"] == "table-opened" else {}
    return settings


async def _dump(url: str) -> str:
    """Statements that make the database again: today's migrations, then every row."""
    connection = await asyncpg.connect(url)
    try:
        lines = upgrade.statements("postgresql", None)
        for (table,) in await connection.fetch(_TABLES):
            names = [column.name for column in (await connection.prepare(f'SELECT * FROM "{table}"')).get_attributes()]
            quoted = ", ".join(f'quote_nullable("{name}"::text)' for name in names)
            columns = ", ".join(f'"{name}"' for name in names)
            rows = await connection.fetch(
                f'SELECT {quoted} FROM "{table}" ORDER BY {", ".join(map(str, range(1, len(names) + 1)))}'
            )
            lines += [f'INSERT INTO "{table}" ({columns}) VALUES ({", ".join(row)})' for row in rows]
    finally:
        await connection.close()
    return ";\n\n".join(lines) + ";\n"


if __name__ == "__main__":
    make(Path(sys.argv[1]))
