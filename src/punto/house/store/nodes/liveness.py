"""Which other nodes are alive: their rows, what an engine knows of them, and what watching their rows shows."""

from __future__ import annotations

import time
from typing import Final, Protocol

import msgspec
from sqlalchemy import ColumnElement

SURE_S: Final = 5.0
"""How long a renewal holds for the node itself, and for its claims in the eyes of others."""
LEASE_S: Final = 30.0
"""How long a node may be serving after its last renewal, for whoever wants to recover its tables."""


class NoAnswer(Exception):
    """The database could not be asked just now."""


class NodeRow(msgspec.Struct, frozen=True, kw_only=True):
    """A node as others see it. `now` is the database's clock, as `seen_at` is: microseconds."""

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
    """What an engine knows of nodes. All but `is_alive` may raise NoAnswer."""

    clock: ColumnElement[int]
    """The database's own, in SQL."""
    foreign_lock: str
    """The message where a lock is held and no node is there that could hold it."""
    patience_s: float
    """How long the lock of a node that has died may outlive it."""

    async def database(self) -> str:
        """Which database this is: a copy is another one."""

    async def lock(self, *, alone: bool) -> bool:
        """Take the lock of all nodes, or let others in where it was held alone."""

    async def unlock(self) -> None: ...

    async def entered(self, term: int) -> None:
        """This node has that term now."""

    async def renew(self, term: int, *, alone: bool) -> bool:
        """Renew the row. False where the lock is lost or the row was ended."""

    def is_alive(self, row: NodeRow, *, renewing: bool) -> bool | None:
        """Whether another node serves; None where it might. `renewing`: it renews its row while it is watched."""

    async def wait_for_writes(self) -> None:
        """Wait until nothing is being written that dead nodes have left."""


class Watch:
    """Rows that are read again and again: what is known of them by this node's own clock alone."""

    def __init__(self) -> None:
        self._first_seen_at: dict[int, int] = {}
        self._last_change: dict[int, tuple[int, float]] = {}

    def renewing(self, row: NodeRow) -> bool:
        """Whether it has been renewed since the first reading, the last time a moment ago."""
        moved = self._first_seen_at.setdefault(row.term, row.seen_at) != row.seen_at
        if self._last_change.get(row.term, (None, 0.0))[0] != row.seen_at:
            self._last_change[row.term] = (row.seen_at, time.monotonic())
        return moved and time.monotonic() - self._last_change[row.term][1] <= SURE_S

    def stopped(self, row: NodeRow) -> bool:
        """Whether it was not renewed for as long as a node may take."""
        return time.monotonic() - self._last_change[row.term][1] > LEASE_S
