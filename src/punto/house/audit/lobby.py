"""The list of tables, against their streams. A dealer goes by its pace, and the lobby shows nothing else."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

import msgspec

from punto.game.table import Table
from punto.house.audit.findings import Findings
from punto.house.audit.reading import Reader
from punto.house.store.clock_steps import Steps
from punto.house.table.clock import Pace

TABLES: Final = 'SELECT "id", "game", "pace", "demo", "opened_at" FROM "tables" ORDER BY "id"'


class Opened(msgspec.Struct, frozen=True):
    """A table by its stream."""

    at: int
    game: str
    virtual: bool


class Lobby:
    """Holds a few words for each table."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._opened: dict[str, Opened] = {}
        self._newest = 0

    def written(self, at: int) -> None:
        """Something was written then, in any stream."""
        self._newest = max(self._newest, at)

    def table(self, name: str, table: Table, at: int) -> None:
        """A table as its stream leaves it, which began then."""
        settings = table.settings
        if settings is not None:
            self._opened[name] = Opened(at, settings.edition.partition("/")[0], settings.source == "virtual")

    def compare(self, reader: Reader, streams: Container[str], findings: Findings) -> None:
        left = dict(self._opened)
        for name, *listed in reader.rows(TABLES):
            opened = left.pop(name, None)
            if f"table/{name}" not in streams:
                findings.add(f"table/{name}", 0, "table", "it is listed, and was never opened")
            for text in () if opened is None else _faults(self._steps, opened, *listed):
                findings.add(f"table/{name}", 0, "table", text)
        for name, opened in left.items():
            # Whoever opens a table lists it next, or the next start does: a house that lived on has come to it.
            if self._steps.before(opened.at, self._newest):
                findings.add(f"table/{name}", 0, "table", "it was opened, and is not listed; the next start lists it")


def _faults(steps: Steps, opened: Opened, game: str, pace: str | None, demo: object, opened_at: int) -> Iterator[str]:
    if opened.game != game:
        yield f"it is listed as {game}, and plays {opened.game}"
    if demo not in (0, 1):
        yield "it is listed neither as one for show nor as another"
    if steps.before(opened_at, opened.at):
        yield "it is listed from before it was opened"
    try:
        dealt = pace is not None and msgspec.json.decode(pace, type=Pace) is not None
    except (msgspec.DecodeError, UnicodeDecodeError):
        yield "its pace can't be read"
    else:
        if dealt != opened.virtual:
            yield "a virtual table has a pace, and no other has"
