"""`punto backup` and `punto restore`: the whole house as one file, and back."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from punto.cli.audit import answer, progress
from punto.cli.screen import fail, print_json
from punto.cli.streams import NobodyReads

if TYPE_CHECKING:
    from punto.house.audit.findings import Report

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def backup(
    file: Annotated[Path, typer.Argument(help="The backup to write. It must not exist yet.")],
    database: Annotated[
        str | None,
        typer.Option(help="sqlite:///path or postgresql://…; default: PUNTO_DATABASE, or the file in the data folder."),
    ] = None,
    check: Annotated[bool, typer.Option(help="Audit the copy.")] = True,
    json: Json = False,
) -> None:
    """Copy the database to a file while the house runs, and audit the copy. PostgreSQL needs pg_dump.

    Example: punto backup house-2026-01-31.backup --database sqlite:///house.sqlite
    """
    from punto.house.store.backup import BackupError
    from punto.house.store.backup import backup as copy
    from punto.house.store.default_url import default_url
    from punto.house.store.reader import shown

    url = database or default_url()
    try:
        copy(url, file)
    except BackupError as error:
        fail(error)
    size, dump = file.stat().st_size, not url.startswith("sqlite:")
    if not json:
        _say(f"{file}: {size:,} bytes from {shown(url)}")
        if dump:
            _say("This dump was not audited. To check it, restore it to an empty database: punto restore audits it.")
    report = None if dump or not check else _audited(f"sqlite:///{quote(str(file.absolute()))}")
    if json:
        _print({"file": str(file), "bytes": size, "database": shown(url), "audit": report and answer(report)})
    if report is not None:
        _checked(report, str(file), say=not json)


def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    database: Annotated[
        str,
        typer.Option(help="sqlite:///path of a file that does not exist yet, or postgresql://… of an empty database."),
    ],
    json: Json = False,
) -> None:
    """Make a database from a backup, and audit it. An existing database is never overwritten.

    Example: punto restore house-2026-01-31.backup --database sqlite:///restored.sqlite
    """
    from punto.house.store.backup import BackupError
    from punto.house.store.backup import restore as copy
    from punto.house.store.reader import shown

    try:
        copy(file, database)
    except BackupError as error:
        fail(error)
    if not json:
        _say(f"{shown(database)} restored from {file}")
    report = _audited(database)
    if json:
        _print({"file": str(file), "database": shown(database), "audit": answer(report)})
    _checked(report, shown(database), say=not json)


def _say(text: str) -> None:
    """A closed pipe must not stop the audit of the copy."""
    with suppress(NobodyReads):
        typer.echo(text)


def _print(answer: dict[str, Any]) -> None:
    """A closed pipe must not hide what the audit found."""
    with suppress(NobodyReads):
        print_json(answer)


def _audited(url: str) -> Report:
    from punto.house.audit.run import audit
    from punto.house.store.reader import Unreadable

    try:
        with progress() as tell:
            return audit(url, None, tell)
    except Unreadable as error:
        fail(error)


def _checked(report: Report, name: str, *, say: bool) -> None:
    """Exit 1 if something is wrong."""
    if not report.good:
        count, first = sum(report.counts.values()), report.findings[0]
        fail(f"{name} did not pass the audit: {count} finding{'s' if count > 1 else ''}, the first: {first}")
    if say:
        seen = report.seen
        typer.echo(f"Audited: {seen.rows:,} rows, {seen.rounds:,} rounds, nothing is wrong. Root {report.root}")
