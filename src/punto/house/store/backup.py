"""Backup and restore. A backup is one file: an SQLite database, or the output of pg_dump.

It holds everything, including undealt cards and password hashes: protect it as you protect the database.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from punto.house.store.people_tables import METADATA as PEOPLE
from punto.house.store.reader import Unreadable, opened, shown, sqlite_path
from punto.house.store.schema import METADATA

SQLITE_MAGIC: Final = b"SQLite format 3\0"
POSTGRES_MAGIC: Final = b"PGDMP"


class BackupError(ValueError):
    """Nothing was written, or nothing usable."""


def backup(url: str, file: Path) -> None:
    """Copy a database to a new file, safely while the house runs. Raises BackupError."""
    if file.exists():
        raise BackupError(f"{file} exists already: a backup never overwrites a file")
    try:
        with opened(url):
            pass
    except Unreadable as error:
        raise BackupError(str(error)) from error
    if _is_sqlite(url):
        _copy(sqlite_path(url), file)
    else:
        _pg_dump(url, file)


def restore(file: Path, url: str) -> None:
    """Create a database from a backup where there is none. Raises BackupError."""
    if not file.is_file():
        raise BackupError(f"there is no backup {file}")
    with file.open("rb") as start:
        magic = start.read(16)
    if _is_sqlite(url):
        path = sqlite_path(url)
        targets = [path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal")]
        if existing := [target for target in targets if target.exists()]:
            raise BackupError(f"{existing[0]} exists already: restore to another path, or move it away first")
        if magic != SQLITE_MAGIC:
            raise BackupError(f"{file} is not a backup of an SQLite database")
        _look_into(file)
        _copy(file, path)
        return
    if not magic.startswith(POSTGRES_MAGIC):
        raise BackupError(
            f"{file} is not a backup of a PostgreSQL database; to restore an SQLite one, give --database sqlite:///path"
        )
    _pg_restore(file, url)


def _look_into(file: Path) -> None:
    """Refuse another program's file before anything is written."""
    try:
        with opened(f"sqlite:///{quote(str(file.absolute()))}") as reader:
            missing = [name for name in sorted((*METADATA.tables, *PEOPLE.tables)) if not reader.has(name)]
    except Unreadable as error:
        raise BackupError(f"{file} is not a backup of a house: {error}") from error
    if missing:
        raise BackupError(f"{file} is not a backup of a house: it has no table {missing[0]}")


def _is_sqlite(url: str) -> bool:
    return url.startswith("sqlite:///")


def _copy(source: Path, target: Path) -> None:
    """Copy the file as of one instant, whatever is written meanwhile. The copy appears whole or not at all."""
    beside = target.with_name(f".{target.name}.part")
    beside.unlink(missing_ok=True)
    try:
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        reader = sqlite3.connect(f"file:{quote(str(source.absolute()))}?mode=ro", uri=True)
        writer = sqlite3.connect(beside)
        try:
            reader.backup(writer, pages=-1)
            writer.execute("PRAGMA journal_mode = DELETE")  # the copy is one file, without a log beside it
        finally:
            writer.close()
            reader.close()
        _flush(beside)
        os.link(beside, target)  # unlike a rename, a link never overwrites a file
        _flush(target.absolute().parent)
    except FileExistsError as error:
        raise BackupError(f"{target} exists already") from error
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"{target} can't be written: {error}") from error
    finally:
        beside.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _pg_dump(url: str, file: Path) -> None:
    beside = file.with_name(f".{file.name}.part")
    words = ["pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={beside}"]
    try:
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _run(words, url, f"--file={file}")
        _flush(beside)
        beside.replace(file)
    except OSError as error:
        raise BackupError(f"{file} can't be written: {error}") from error
    finally:
        beside.unlink(missing_ok=True)


def _pg_restore(file: Path, url: str) -> None:
    try:
        with opened(url):
            raise BackupError(f"{shown(url)} holds a house already: restore to an empty database")
    except Unreadable:
        pass
    _run(["pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges", str(file)], url)


def _run(words: list[str], url: str, shown_file: str = "") -> None:
    """Run a tool of PostgreSQL. The password goes into the environment: anybody can read a process's arguments."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    user = f"{quote(unquote(parts.username))}@" if parts.username else ""
    address = urlunsplit(parts._replace(netloc=f"{user}{host}"))
    full = [*words, f"--dbname={address}"]
    tool = shutil.which(words[0])
    if tool is None:
        line = shlex.join([shown_file if shown_file and word.startswith("--file=") else word for word in full])
        raise BackupError(f"{words[0]} is not installed here. Where it is, run: {line}")
    environment = {**os.environ, **({"PGPASSWORD": unquote(parts.password)} if parts.password else {})}
    done = subprocess.run([tool, *full[1:]], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BackupError(f"{words[0]} failed: {done.stderr.strip() or done.returncode}")
