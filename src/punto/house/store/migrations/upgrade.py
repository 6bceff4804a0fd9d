"""The statements that bring a database from one migration to the newest."""

from __future__ import annotations

import io
from importlib.resources import files
from typing import Final

from punto.house.store.records import StoreBroken
from punto.house.store.schema import HEAD

VERSION: Final = "SELECT version_num FROM alembic_version"
"""Reads a database's migration number."""


def statements(dialect: str, current: str | None, until: str = "head") -> list[str]:
    """The statements in order, including the one that sets the migration number."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    buffer = io.StringIO()
    config = Config(output_buffer=buffer)
    config.set_main_option("script_location", str(files("punto.house.store") / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes.update(dialect=dialect, buffer=buffer)
    try:
        command.upgrade(config, f"{current}:{until}" if current else until, sql=True)
    except CommandError as error:
        text = f"the database is at migration {current}, but this version of Punto knows migrations only up to {HEAD}"
        raise StoreBroken(f"{text}: start the version that wrote it, or a newer one") from error
    return _split(buffer.getvalue())


def _split(script: str) -> list[str]:
    """Split SQL text into its statements: Alembic ends each with a semicolon and a blank line."""
    lines = (line for line in script.splitlines() if not line.startswith("--"))
    parts = (part.strip() for part in "\n".join(lines).split(";\n\n"))
    return [part.removesuffix(";") for part in parts if part]
