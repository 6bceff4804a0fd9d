"""The store on PostgreSQL, through asyncpg: any number of nodes on one database."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

import asyncpg
from sqlalchemy.dialects.postgresql import asyncpg as dialects
from sqlalchemy.engine import Dialect

from punto.house.store import chain
from punto.house.store import statements as backoffice
from punto.house.store.interface import Wake
from punto.house.store.migrations import upgrade
from punto.house.store.place import Place
from punto.house.store.postgres.node import ANSWER_S, Node
from punto.house.store.postgres.place import PostgresGround, lock_of
from punto.house.store.postgres.pool import AGAIN, Connections
from punto.house.store.postgres.writer import CONNECTIONS, Writer, patiently
from punto.house.store.records import (
    MOST_READ,
    OLD_REFUSALS,
    Answered,
    Away,
    Clash,
    KeyTaken,
    Outcome,
    Row,
    Snapshot,
    StoreBroken,
    Transfer,
    Unit,
    check,
    together,
)
from punto.house.store.schema import HEAD, STREAMS

if TYPE_CHECKING:
    from sqlalchemy.sql import Executable

READERS: Final = 4
_DIALECT: Final[Dialect] = dialects.dialect()  # type: ignore[no-untyped-call]
_ENDLESS: Final = 2**62
_SETTINGS: Final = {
    "synchronous_commit": "on",
    "jit": "off",
    # A plan made while a table was small must not read all of it when it has grown.
    "enable_seqscan": "off",
    # The server notices within half a minute that a machine is gone, and ends what it held. Not so on a local socket.
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
_EVENT: Final = "stream, version, at, actor, key, body, count, rules, schema, event, hash"
_REFUSE: Final = (
    "WITH taken AS (INSERT INTO keys (stream, key) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING stream, key) "
    "INSERT INTO refusals (stream, key, body, answer, at) SELECT stream, key, $3, $4, $5 FROM taken"
)
"""A node that is accepting the key is waited for."""
_REFUSED: Final = (
    "SELECT (SELECT true FROM events WHERE stream = $1 AND key = $2), "
    "(SELECT answer FROM refusals WHERE stream = $1 AND key = $2)"
)
_FORGET: Final = (
    f"WITH old AS ({OLD_REFUSALS.format('$1', '$2')} FOR UPDATE SKIP LOCKED), gone AS (DELETE FROM refusals AS r "
    "USING old WHERE r.stream = old.stream AND r.key = old.key RETURNING r.stream, r.key), freed AS (DELETE FROM keys "
    "AS k USING gone WHERE k.stream = gone.stream AND k.key = gone.key AND NOT EXISTS "
    "(SELECT 1 FROM events AS e WHERE e.stream = k.stream AND e.key = k.key)) SELECT count(*) FROM gone"
)
"""What another node is taking out is left to it."""
_ANSWERED: Final = (
    "SELECT body, version, count, NULL FROM events WHERE stream = $1 AND key = $2 "
    "UNION ALL SELECT body, 0, 0, answer FROM refusals WHERE stream = $1 AND key = $2 LIMIT 1"
)


class PostgresStore:
    """See `Store`."""

    def __init__(self, url: str, pool: asyncpg.Pool, name: str) -> None:
        """`name` is what all sessions of this node are called, so that others can tell when it has gone."""
        self._pool = Connections(pool)
        self._calls: list[Wake] = []
        self._node = Node(
            lambda: connected(url, f"{name} node"), lambda: self.streams("table/"), self._woken, self._pool.doubt
        )
        self._place = Place(self, PostgresGround(self._node.ask), lambda: self._woken(()), self._give_up)
        self._node.connected = self._place.hurry
        self._writer = Writer(self._pool, self._node.tell)
        self._closed = False

    @classmethod
    async def open(cls, url: str) -> Self:
        name = f"punto {secrets.token_hex(4)}"
        try:
            pool = await _pool(url, name)
            try:
                current = await _migration(pool)
            except BaseException:
                pool.terminate()
                raise
            if current != HEAD:
                # Whoever waits for another node's migration has no session that could be taken for a dead node's.
                await pool.close()
                await migrate(url)
                pool = await _pool(url, name)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise StoreBroken(f"the PostgreSQL database can't be opened: {error}") from error
        store = cls(url, pool, name)
        await store._node.start()
        return store

    @property
    def broken(self) -> str | None:
        return self._writer.broken

    @property
    def unsure(self) -> bool:
        return self._place.unsure

    def append(self, unit: Unit, *also: Executable) -> asyncio.Future[Outcome]:
        check(unit)
        if also:
            unit = together(unit, tuple(backoffice.written(one, _DIALECT) for one in also))
        return self._writer.put(unit)

    async def refuse(self, stream: str, key: str, body: bytes, answer: bytes) -> bytes:
        self._whole()
        at = time.time_ns() // 1_000
        await patiently(lambda: self._pool.execute(_REFUSE, stream, key, body, answer, at))
        accepted, remembered = await patiently(lambda: self._pool.fetchrow(_REFUSED, stream, key))
        if accepted or remembered is None:
            raise KeyTaken(f"{stream}: {key}")
        return bytes(remembered)

    async def forget_refusals(self, before: int, most: int = 1_000) -> int:
        self._whole()
        (forgotten,) = await patiently(lambda: self._pool.fetchrow(_FORGET, before, most))
        return int(forgotten)

    async def answered(self, stream: str, key: str) -> Answered | None:
        found = await self._row(_ANSWERED, stream, key)
        return None if found is None else Answered(found[0] or b"", found[1], found[2], found[3])

    async def read(self, stream: str, after: int = 0, limit: int = MOST_READ) -> list[Row]:
        text = f"SELECT {_EVENT} FROM events WHERE stream = $1 AND version > $2 ORDER BY version LIMIT $3"
        rows = await self._rows(text, stream, after, min(limit, MOST_READ))
        return [Row(*row) for row in rows]

    async def transfers(self, stream: str, after: int = 0, until: int | None = None) -> list[Transfer]:
        text = (
            "SELECT stream, version, n, giver, taker, cents FROM transfers "
            "WHERE stream = $1 AND version > $2 AND version <= $3 ORDER BY version, n"
        )
        rows = await self._rows(text, stream, after, _ENDLESS if until is None else until)
        return [Transfer(*row) for row in rows]

    async def head(self, stream: str) -> tuple[int, bytes]:
        text = "SELECT version, hash FROM events WHERE stream = $1 ORDER BY version DESC LIMIT 1"
        found = await self._row(text, stream)
        return (0, chain.start(stream)) if found is None else (found[0], found[1])

    async def streams(self, prefix: str = "") -> list[tuple[str, int]]:
        rows = await self._rows(STREAMS.format("$1", "$2"), prefix, prefix + "\U0010ffff")
        return [(row[0], row[1]) for row in rows]

    async def round(self, stream: str, number: int) -> tuple[int, int | None] | None:
        text = "SELECT round, version FROM rounds WHERE stream = $1 AND round >= $2 ORDER BY round LIMIT 2"
        rows = await self._rows(text, stream, number)
        if not rows or rows[0][0] != number:
            return None
        return rows[0][1], rows[1][1] if len(rows) == 2 else None

    async def snapshot(self, stream: str) -> Snapshot | None:
        text = "SELECT stream, version, hash, schema, state FROM snapshots WHERE stream = $1"
        found = await self._row(text, stream)
        return None if found is None else Snapshot(*found)

    async def wallet(self, person: str) -> int:
        found = await self._row("SELECT cents FROM wallets WHERE person = $1", person)
        return 0 if found is None else int(found[0])

    def on_wake(self, call: Wake) -> None:
        self._calls.append(call)

    async def alone(self) -> bool:
        return await self._place.alone()

    async def share(self) -> None:
        await self._place.share()

    async def claim(self, name: str) -> bool:
        return await self._place.claim(name)

    async def release(self, name: str) -> None:
        await self._place.release(name)

    async def fetch(self, statement: Executable) -> list[Mapping[str, Any]]:
        text, values = backoffice.written(statement, _DIALECT)
        return [dict(row) for row in await self._rows(text, *values)]

    async def execute(self, *statements: Executable) -> list[int]:
        self._whole()
        texts = [backoffice.written(statement, _DIALECT) for statement in statements]
        try:
            done: list[str] = await patiently(lambda: self._done(texts))
        except asyncpg.IntegrityConstraintViolationError as error:
            raise Clash(str(error)) from error
        return [int(one.rpartition(" ")[2]) for one in done]

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await self._writer.close()
        await self._place.close()
        await self._node.close()
        await self._pool.close()

    async def _done(self, texts: list[backoffice.Written]) -> list[str]:
        """All of them or none. They may be run again as long as they were not committed."""
        done: list[str] = []
        try:
            async with self._pool.one() as connection, connection.transaction():
                done = [await connection.execute(text, *values) for text, values in texts]
        except AGAIN as error:
            if done:
                raise Away(str(error)) from error
            raise
        return done

    def _whole(self) -> None:
        if self.broken is not None:
            raise StoreBroken(self.broken)

    def _give_up(self, why: object) -> None:
        self._writer.give_up(why)

    def _woken(self, moved: Sequence[tuple[str, int]]) -> None:
        for call in self._calls:
            call(moved)

    async def _row(self, text: str, *values: object) -> Any:
        return await patiently(lambda: self._pool.fetchrow(text, *values))

    async def _rows(self, text: str, *values: object) -> list[Any]:
        rows: list[Any] = await patiently(lambda: self._pool.fetch(text, *values))
        return rows


async def _pool(url: str, name: str) -> asyncpg.Pool:
    return await asyncpg.create_pool(
        url,
        timeout=ANSWER_S,
        min_size=1,
        max_size=CONNECTIONS + READERS,
        server_settings={**_SETTINGS, "application_name": name},
        # Nothing is left behind on a connection of the pool, so nothing needs to be reset.
        reset=_nothing,
    )


async def connected(url: str, name: str = "punto") -> Any:
    return await asyncpg.connect(url, server_settings={**_SETTINGS, "application_name": name})


async def migrate(url: str) -> None:
    """The schema made, or brought up to date, in one transaction; nodes that start together wait for each other."""
    connection = await connected(url)
    try:
        await connection.execute("SELECT pg_advisory_lock($1)", lock_of("punto migration"))
        async with connection.transaction():
            current = await _migration(connection)
            for statement in await asyncio.to_thread(upgrade.statements, "postgresql", current):
                await connection.execute(statement)
    finally:
        await connection.close()


async def _migration(connection: Any) -> str | None:
    """Which the database has come to; None where it is new."""
    if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
        return None
    found: str | None = await connection.fetchval(upgrade.VERSION)
    return found


async def _nothing(_connection: object) -> None:
    """What the pool does when a connection comes back."""
