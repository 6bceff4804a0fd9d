"""Nodes as others see them: their rows, what an engine knows of them, and what watching them tells."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

if TYPE_CHECKING:
    from sqlalchemy.sql import ColumnElement

SURE_S: Final = 5.0
"""How long a proof holds for the node itself, and for its claims in the eyes of others."""
LEASE_S: Final = 30.0
"""How long a node that was seen may still be serving, for whoever wants to recover its tables."""


class NoAnswer(Exception):
    """The database could not be asked just now."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
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


class Ground(Protocol):
    """What an engine knows of nodes. All but `living` may raise NoAnswer."""

    clock: ColumnElement[int]
    """The database's own, in SQL."""
    stranger: str
    """What is said where a lock is held and no node is there that could hold it."""
    patience_s: float
    """How long the lock of a node that has died may outlive it."""

    async def database(self) -> str:
        """Which database this is: a copy is another one."""

    async def lock(self, *, alone: bool) -> bool:
        """Take the lock of all nodes, or let others in where it was had alone."""

    async def unlock(self) -> None: ...

    async def entered(self, term: int) -> None:
        """This node has that term now."""

    async def prove(self, term: int, *, alone: bool) -> bool:
        """Whether the lock is had and the row stands; if so, it is seen to."""

    def living(self, row: Row, *, moves: bool) -> bool | None:
        """Whether another node serves; None where it might. `moves`: it proves its place while it is watched."""

    async def rest(self) -> None:
        """Wait until nothing is being written that dead nodes have left."""


class Watch:
    """Rows that are looked at again and again: what is known of them without anybody's clock but this node's own."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}
        self._last: dict[int, tuple[int, float]] = {}

    def moves(self, row: Row) -> bool:
        """Whether it has proved its place since the first look, a moment ago for the last time."""
        moved = self._first.setdefault(row.term, row.seen_at) != row.seen_at
        if self._last.get(row.term, (None, 0.0))[0] != row.seen_at:
            self._last[row.term] = (row.seen_at, time.monotonic())
        return moved and time.monotonic() - self._last[row.term][1] <= SURE_S

    def still(self, row: Row) -> bool:
        """Whether it has stood still for as long as a node may."""
        return time.monotonic() - self._last[row.term][1] > LEASE_S
