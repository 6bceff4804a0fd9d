"""The one interface to both databases. `sqlite` and `postgres` answer it alike; one contract test holds them to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from punto.house.store.records import MOST_READ, Answered, Outcome, Row, Snapshot, Transfer, Unit

if TYPE_CHECKING:
    from sqlalchemy.sql import Executable

Wake = Callable[[Sequence[tuple[str, int]]], None]


class Store(Protocol):
    """Streams of events, the money they move, and the back office's tables, in one database."""

    @property
    def broken(self) -> str | None:
        """Why nothing more is written here, if so."""

    @property
    def unsure(self) -> bool:
        """Whether this node has a place among the others and could not prove it lately (`place.py`). It takes no round
        to the deal then: somebody else may be doing so."""

    def append(self, unit: Unit, *also: Executable) -> asyncio.Future[Outcome]:
        """All of the unit or nothing, in one commit with others that wait. Returns once it is flushed to disk. `also`
        are back-office statements that stand or fall with it."""

    async def refuse(self, stream: str, key: str, body: bytes, answer: bytes) -> bytes:
        """Remember a refusal under its key and return the remembered one: the first stays. Raises `KeyTaken` where
        the key stands on an event already."""

    async def forget_refusals(self, before: int, most: int = 1_000) -> int:
        """Take out refusals that were remembered before an instant, the oldest first; how many. Their keys are free
        again. Those of acts of two persons stay: their approvals refer to them."""

    async def answered(self, stream: str, key: str) -> Answered | None:
        """How a key was answered, if it was."""

    async def read(self, stream: str, after: int = 0, limit: int = MOST_READ) -> list[Row]:
        """The rows after a version, in order."""

    async def transfers(self, stream: str, after: int = 0, until: int | None = None) -> list[Transfer]:
        """The transfers of the versions after `after`, up to and with `until`, in order."""

    async def head(self, stream: str) -> tuple[int, bytes]:
        """Version and hash of the newest row; 0 and the chain's start where there is none."""

    async def streams(self, prefix: str = "") -> list[tuple[str, int]]:
        """The streams whose names start so, with their versions, by name."""

    async def round(self, stream: str, number: int) -> tuple[int, int | None] | None:
        """The versions of a round: where its betting opened, and where the next one's did, if it has."""

    async def snapshot(self, stream: str) -> Snapshot | None:
        """The state kept of a stream (`snapshots.keep`)."""

    async def wallet(self, person: str) -> int:
        """Cents in a person's wallet."""

    def on_wake(self, call: Wake) -> None:
        """Call with the streams that moved and their versions, by own commits and other nodes'. An empty sequence
        means: look at everything you follow. Called in the event loop; it must not block."""

    async def alone(self) -> bool:
        """Whether no other node serves this database or might. If so it stays so until `share` or `close`; if not,
        this waits until whoever is alone shares, and shares too, or until it is gone, and is alone then. Raises
        StoreBroken where somebody who is no node holds the lock of the nodes."""

    async def share(self) -> None:
        """Let other nodes in, after recovery."""

    async def claim(self, name: str) -> bool:
        """Whether this node holds the name, now. It is freed by `release`, by `close`, or once the node has not proved
        its place for a while."""

    async def release(self, name: str) -> None: ...

    async def fetch(self, statement: Executable) -> list[Mapping[str, Any]]:
        """Rows of a back-office SELECT, by column."""

    async def execute(self, *statements: Executable) -> list[int]:
        """Back-office statements in one transaction; how many rows each changed. Raises `Clash`, `Away`."""

    async def close(self) -> None: ...


async def open_store(url: str) -> Store:
    """The store behind `sqlite:///path` or `postgresql://…`, its schema brought up to date first."""
    kind = url.partition(":")[0]
    if kind == "sqlite":
        from punto.house.store.sqlite.store import SqliteStore

        return await SqliteStore.open(url)
    if kind in ("postgresql", "postgres"):
        try:
            from punto.house.store.postgres.store import PostgresStore
        except ImportError as error:
            raise ValueError("PostgreSQL needs asyncpg: install punto[postgres]") from error
        return await PostgresStore.open(url)
    raise ValueError(f"{url!r} is no database: expected sqlite:///path or postgresql://…")
