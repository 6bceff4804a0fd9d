"""The one interface to both databases, and the code that `sqlite` and `postgres` share. A contract test checks both."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace
from sqlalchemy import Executable
from sqlalchemy.engine import Dialect

from punto.house.store import chain
from punto.house.store.nodes.membership import Membership
from punto.house.store.records import MOST_READ, Answered, Outcome, Row, Snapshot, Transfer, Unit, check
from punto.house.store.schema import STREAMS
from punto.house.store.sql_text import text_and_values

Wake = Callable[[Sequence[tuple[str, int]]], None]

_ROWS: Final = (
    "SELECT stream, version, at, actor, key, body, count, rules, schema, event, hash FROM events "
    "WHERE stream = $1 AND version > $2 ORDER BY version LIMIT $3"
)
_TRANSFERS: Final = (
    "SELECT stream, version, n, giver, taker, cents FROM transfers "
    "WHERE stream = $1 AND version > $2 AND version <= $3 ORDER BY version, n"
)
ANSWERED: Final = (
    "SELECT body, version, count, NULL FROM events WHERE stream = $1 AND key = $2 "
    "UNION ALL SELECT body, 0, 0, answer FROM refusals WHERE stream = $1 AND key = $2 LIMIT 1"
)
_HEAD: Final = "SELECT version, hash FROM events WHERE stream = $1 ORDER BY version DESC LIMIT 1"
_ROUND: Final = "SELECT round, version FROM rounds WHERE stream = $1 AND round >= $2 ORDER BY round LIMIT 2"
_SNAPSHOT: Final = "SELECT stream, version, hash, schema, state FROM snapshots WHERE stream = $1"
_WALLET: Final = "SELECT cents FROM wallets WHERE person = $1"
_ENDLESS: Final = 2**62


class Store(ABC):
    """Streams of events, the money they move, and the back office's tables, in one database."""

    _dialect: Dialect
    _membership: Membership
    _put: Callable[[Unit], asyncio.Future[Outcome]]
    _answered = ANSWERED

    def __init__(self) -> None:
        self._calls: list[Wake] = []

    @property
    @abstractmethod
    def broken(self) -> str | None:
        """Why this store writes nothing more; None while it does."""

    @property
    def unsure(self) -> bool:
        """Whether this node serves and could not renew its row lately (`nodes/membership.py`). Then it closes no
        betting and does not deal: another node may be doing so."""
        return self._membership.unsure

    def append(self, unit: Unit, *also: Executable) -> asyncio.Future[Outcome]:
        """Append all of the unit or nothing, in one commit with others that wait. The future resolves once that is
        flushed to disk. `also` are back-office statements of the same transaction."""
        check(unit)
        if also:
            unit = replace(unit, also=tuple(text_and_values(statement, self._dialect) for statement in also))
        return self._put(unit)

    @abstractmethod
    async def refuse(self, stream: str, key: str, body: bytes, answer: bytes) -> bytes:
        """Store a refusal under its key and return the stored one: the first stays. Raises `KeyTaken` where an event
        has the key already."""

    @abstractmethod
    async def forget_refusals(self, before: int, most: int = 1_000) -> int:
        """Delete refusals from before an instant, the oldest first; how many. Their keys are free again. Those of late
        settlements stay: approvals refer to them."""

    async def answered(self, stream: str, key: str) -> Answered | None:
        """How a key was answered, if it was. On PostgreSQL this waits for the synchronous standby, as an append does
        (O160)."""
        for body, version, count, refusal, *_ in await self._few_rows(self._answered, stream, key):
            return Answered(body or b"", version, count, refusal)
        return None

    async def read(self, stream: str, after: int = 0, limit: int = MOST_READ) -> list[Row]:
        """The rows after a version, in order."""
        return [Row(*values) for values in await self._rows(_ROWS, stream, after, min(limit, MOST_READ))]

    async def transfers(self, stream: str, after: int = 0, until: int | None = None) -> list[Transfer]:
        """The transfers of the versions after `after`, up to and with `until`, in order."""
        last = _ENDLESS if until is None else until
        return [Transfer(*values) for values in await self._rows(_TRANSFERS, stream, after, last)]

    async def head(self, stream: str) -> tuple[int, bytes]:
        """Version and hash of the newest row; 0 and the chain's start where there is none."""
        for version, digest in await self._few_rows(_HEAD, stream):
            return version, digest
        return 0, chain.start(stream)

    async def streams(self, prefix: str = "") -> list[tuple[str, int]]:
        """The streams whose names start with `prefix`, with their versions, by name."""
        rows = await self._rows(STREAMS.format("$1", "$2"), prefix, prefix + "\U0010ffff")
        return [(name, version) for name, version in rows]

    async def round(self, stream: str, number: int) -> tuple[int, int | None] | None:
        """The versions at which a round's betting opened, and the next round's, if it has."""
        versions = {row[0]: row[1] for row in await self._few_rows(_ROUND, stream, number)}
        first = versions.pop(number, None)
        return None if first is None else (first, next(iter(versions.values()), None))

    async def snapshot(self, stream: str) -> Snapshot | None:
        """The stored state of a stream (`snapshots.keep`)."""
        for values in await self._few_rows(_SNAPSHOT, stream):
            return Snapshot(*values)
        return None

    async def wallet(self, person: str) -> int:
        """Cents in a person's wallet."""
        for (cents,) in await self._few_rows(_WALLET, person):
            return int(cents)
        return 0

    def on_wake(self, call: Wake) -> None:
        """Register a callback. It gets the streams that any node has appended to, with their versions. An empty
        sequence means: look at all that you follow. It runs in the event loop and must not block."""
        self._calls.append(call)

    async def alone(self) -> bool:
        """Whether no other node serves this database or might. If so, it stays so until `share` or `close`. While
        another node is alone, this waits: once that node shares, this one shares too; once it is gone, this one is
        alone. Raises StoreBroken where a program that is no node holds the lock."""
        return await self._membership.alone()

    async def share(self) -> None:
        """Let other nodes in, after recovery."""
        await self._membership.share()

    async def claim(self, name: str) -> bool:
        """Claim a name; whether this node holds it now. It is freed by `release`, by `close`, and after the
        node has died: on SQLite once its process has ended, on PostgreSQL once its row was not renewed for a while."""
        return await self._membership.claim(name)

    async def claimed(self) -> frozenset[str]:
        """All names that this node holds, read at once; none where this node can't tell."""
        return await self._membership.claimed()

    async def release(self, name: str) -> None:
        await self._membership.release(name)

    @abstractmethod
    async def fetch(self, statement: Executable) -> list[Mapping[str, Any]]:
        """Rows of a back-office SELECT, by column."""

    @abstractmethod
    async def execute(self, *statements: Executable) -> list[int]:
        """Back-office statements in one transaction; how many rows each changed. Raises `Clash`, `Away`."""

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    async def _rows(self, text: str, *values: object) -> Sequence[Any]:
        """Rows of a statement that has `$1`, `$2` for its values."""

    async def _few_rows(self, text: str, *values: object) -> Sequence[Any]:
        """A few rows that an index finds."""
        return await self._rows(text, *values)

    def _wake(self, moved: Sequence[tuple[str, int]] = ()) -> None:
        for call in self._calls:
            call(moved)


async def open_store(url: str, patience_s: float | None = None) -> Store:
    """Open the store at `sqlite:///path` or `postgresql://…` and bring its schema up to date. `patience_s`: how long an
    unreachable PostgreSQL server is retried before the store breaks."""
    kind = url.partition(":")[0]
    if kind == "sqlite":
        from punto.house.store.sqlite.store import SqliteStore

        return await SqliteStore.open(url)
    if kind in ("postgresql", "postgres"):
        try:
            from punto.house.store.postgres.store import PostgresStore
        except ImportError as error:
            raise ValueError("PostgreSQL needs asyncpg: install punto[postgres]") from error
        return await PostgresStore.open(url, patience_s)
    raise ValueError(f"{url!r} is no database: expected sqlite:///path or postgresql://…")
