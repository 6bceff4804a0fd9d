"""Which other nodes are alive: by their rows, what the engine knows, and how the rows change."""

from __future__ import annotations

import time
from typing import Final, Protocol

import msgspec
from sqlalchemy import ColumnElement

SURE_S: Final = 5.0
"""How long a renewal is valid: for the node itself, and to others for its claims."""
LEASE_S: Final = 30.0
"""How long a node may be serving after its last renewal, for a node that wants to recover its tables."""


class NoAnswer(Exception):
    """The database gave no answer just now."""


class NodeRow(msgspec.Struct, frozen=True, kw_only=True):
    """A node's row. `now` and `seen_at` are by the database's clock, in microseconds."""

    term: int
    process: str
    database: str
    state: str
    seen_at: int
    now: int

    @property
    def age_s(self) -> float:
        return (self.now - self.seen_at) / 1_000_000


class NodeLock(Protocol):
    """The lock of the nodes on one engine. All but `is_alive` may raise NoAnswer."""

    clock: ColumnElement[int]
    """The database's clock, in SQL."""
    foreign_lock: str
    """The error message for a lock that is held, but by no node."""
    patience_s: float
    """How long the lock of a node that has died may outlive it."""

    async def database(self) -> str:
        """The identity of this database: a copy has another one."""

    async def lock(self, *, alone: bool) -> bool:
        """Take the lock of the nodes, exclusive for `alone`, or make it shared."""

    async def unlock(self) -> None: ...

    async def entered(self, term: int) -> None:
        """This node's row has this term now."""

    async def renew(self, term: int, *, alone: bool) -> bool:
        """Renew the row; on SQLite only check it. False where the lock is lost or the row was ended."""

    def is_alive(self, row: NodeRow, *, renewing: bool) -> bool | None:
        """Whether another node serves; None where it might. `renewing`: its row was seen to be renewed."""

    async def wait_for_writes(self) -> None:
        """Wait until the last writes of dead nodes have ended."""


class Renewals:
    """Tells by this node's own clock alone whether rows that it reads repeatedly are renewed."""

    def __init__(self) -> None:
        self._first_seen_at: dict[int, int] = {}
        self._last_change: dict[int, tuple[int, float]] = {}

    def renewing(self, row: NodeRow) -> bool:
        """Whether the row was renewed since the first read, the last time within `SURE_S`."""
        moved = self._first_seen_at.setdefault(row.term, row.seen_at) != row.seen_at
        if self._last_change.get(row.term, (None, 0.0))[0] != row.seen_at:
            self._last_change[row.term] = (row.seen_at, time.monotonic())
        return moved and time.monotonic() - self._last_change[row.term][1] <= SURE_S

    def stopped(self, row: NodeRow) -> bool:
        """Whether the row was not renewed for `LEASE_S`."""
        return time.monotonic() - self._last_change[row.term][1] > LEASE_S
