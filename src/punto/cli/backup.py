"""`punto backup` and `punto restore`: the whole house as one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.screen import fail

if TYPE_CHECKING:
    from punto.house.audit.findings import Report


def backup(
    file: Annotated[Path, typer.Argument(help="The backup to write. It must not exist yet.")],
    database: Annotated[
        str | None, typer.Option(help="sqlite:///path or postgresql://…; default the house's own.")
    ] = None,
    check: Annotated[bool, typer.Option(help="Audit the copy.")] = True,
) -> None:
    """Copy the database to a file while the house runs, and audit the copy. PostgreSQL needs pg_dump.

    Example: punto backup house-2026-01-31.backup --database sqlite:///house.sqlite
    """
    from punto.house.audit.reading import shown
    from punto.house.backup import BackupError
    from punto.house.backup import backup as copy
    from punto.house.places import default_url

    url = database or default_url()
    try:
        copy(url, file)
    except BackupError as error:
        fail(error)
    typer.echo(f"{file}: {file.stat().st_size:,} bytes from {shown(url)}")
    if not url.startswith("sqlite:"):
        typer.echo("A dump is checked by restoring it: punto restore to an empty database audits it.")
    elif check:
        _checked(f"sqlite:///{file.absolute()}", str(file))


def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    database: Annotated[str, typer.Option(help="Where to: a file that does not exist, or an empty database.")],
) -> None:
    """Make a database from a backup, and audit it. An existing one is never written over.

    Example: punto restore house-2026-01-31.backup --database sqlite:///restored.sqlite
    """
    from punto.house.audit.reading import shown
    from punto.house.backup import BackupError
    from punto.house.backup import restore as copy

    try:
        copy(file, database)
    except BackupError as error:
        fail(error)
    typer.echo(f"{shown(database)} restored from {file}")
    _checked(database, shown(database))


def _checked(url: str, name: str) -> Report:
    from punto.cli.audit import progress
    from punto.house.audit.reading import Unreadable
    from punto.house.audit.run import audit

    try:
        with progress() as tell:
            found = audit(url, None, tell)
    except Unreadable as error:
        fail(error)
    if not found.good:
        first = found.findings[0]
        fail(f"{name} is not sound: {sum(found.counts.values())} findings, the first: {first}")
    typer.echo(f"Audited: {found.seen.rows:,} rows, {found.seen.rounds:,} rounds, nothing is wrong. Root {found.root}")
    return found
