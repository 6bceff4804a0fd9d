"""The lock of the nodes on SQLite: locks on a file beside the database, which end with their process.

Such a lock can only be lost with the file that it is on, so no clock is needed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from punto.house.store.nodes import processes
from punto.house.store.nodes.liveness import NodeRow
from punto.house.store.schema import ENDED, nodes
from punto.house.store.sqlite.file_locks import FileLocks
from punto.house.store.sqlite.replaced_file import identity


class SqliteNodeLock:
    """See `NodeLock`."""

    clock: sa.ColumnElement[int] = sa.literal_column(
        "CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)", sa.BigInteger
    )
    patience_s = 10.0

    def __init__(self, path: Path, fetch: Callable[[sa.Executable], Awaitable[list[Mapping[str, Any]]]]) -> None:
        self._path = path
        self._fetch = fetch
        self._locks = FileLocks(path)
        self.foreign_lock = (
            f"{self._locks.path} is locked by a program that is no node of this house: "
            "see which one has it open (fuser, lsof), end it and start again"
        )

    async def database(self) -> str:
        return str(identity(self._path))

    async def lock(self, *, alone: bool) -> bool:
        return self._locks.lock(alone=alone)

    async def unlock(self) -> None:
        self._locks.unlock()

    async def entered(self, term: int) -> None:
        self._locks.hold(_name(term))

    async def renew(self, term: int, *, alone: bool) -> bool:
        """The row is read, not written: the lock shows that this node lives. If the lock file was deleted, open a new
        one: the caller then takes the locks."""
        if not self._locks.current:
            self._locks.reopen()
            return False
        if not self._locks.lock(alone=alone):
            return False
        self._locks.hold(_name(term))
        own = sa.select(nodes.c.term).where(nodes.c.term == term, nodes.c.state != ENDED)
        return bool(await self._fetch(own))

    def is_alive(self, row: NodeRow, *, renewing: bool) -> bool | None:
        if row.database != str(identity(self._path)):
            return False
        alive = processes.is_alive(row.process)
        if alive is False:
            return False
        if self._locks.held(_name(row.term)):
            return True
        # Its locks may be on a deleted file: within a second it takes them on the current one.
        return None if alive else False

    async def wait_for_writes(self) -> None:
        """Do nothing: a process that has ended writes nothing."""

    def close(self) -> None:
        self._locks.close()


def _name(term: int) -> str:
    return f"node/{term}"
