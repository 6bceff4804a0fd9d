"""Compares the list of tables with streams. Dealers take their pace from it, and the lobby shows only listed tables."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

import msgspec

from punto.game.table import Table
from punto.house.audit.findings import Context
from punto.house.store.clock_steps import Steps
from punto.house.store.dealing_pace import Pace

TABLES: Final = 'SELECT "id", "game", "pace", "demo", "opened_at" FROM "tables" ORDER BY "id"'


class OpenedTable(msgspec.Struct, frozen=True):
    """A table as its stream opened it."""

    at: int
    game: str
    virtual: bool


class TableList:
    """Keeps a few values for each table in memory."""

    def __init__(self) -> None:
        self._opened: dict[str, OpenedTable] = {}
        self._newest = 0

    def add_time(self, at: int) -> None:
        """Note the time of a command in any stream."""
        self._newest = max(self._newest, at)

    def add_table(self, name: str, table: Table, at: int) -> None:
        """A table at the end of its stream, which began at `at`."""
        settings = table.settings
        if settings is not None:
            self._opened[name] = OpenedTable(at, settings.edition.partition("/")[0], settings.source == "virtual")

    def compare(self, context: Context, streams: Container[str]) -> None:
        def fault(name: str, message: str) -> None:
            context.findings.add(f"table/{name}", 0, "table", message)

        unmatched = dict(self._opened)
        for name, *values in context.reader.rows(TABLES):
            opened = unmatched.pop(name, None)
            if f"table/{name}" not in streams:
                fault(name, "it is in the list of tables, but was never opened")
            for text in () if opened is None else _faults(context.steps, opened, *values):
                fault(name, text)
        for name, opened in unmatched.items():
            # Whoever opens a table lists it next, or the next start does. A house that ran on has listed it.
            if context.steps.before(opened.at, self._newest):
                fault(name, "it was opened, but is not listed; the next start lists it")


def _faults(
    steps: Steps, opened: OpenedTable, game: str, pace: str | None, demo: object, opened_at: int
) -> Iterator[str]:
    if opened.game != game:
        yield f"it is listed as {game}, but plays {opened.game}"
    if demo not in (0, 1):
        yield "its demo value in the list of tables is neither 0 nor 1"
    if steps.before(opened_at, opened.at):
        yield "its opening time in the list of tables is earlier than its opening"
    try:
        dealt = pace is not None and msgspec.json.decode(pace, type=Pace) is not None
    except (msgspec.DecodeError, UnicodeDecodeError):
        yield "its pace can't be read"
    else:
        # A live table may have a pace: the clock of its betting.
        if opened.virtual and not dealt:
            yield "the table is virtual, but has no pace"
