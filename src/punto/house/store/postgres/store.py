"""The store on PostgreSQL, through asyncpg: any number of nodes on one database."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Self

import asyncpg
from sqlalchemy import Executable
from sqlalchemy.dialects.postgresql import asyncpg as dialects
from sqlalchemy.engine import Dialect

from punto.house.store import sql_text
from punto.house.store.interface import ANSWERED, Store
from punto.house.store.migrations import upgrade
from punto.house.store.nodes.membership import Membership
from punto.house.store.postgres import primary, writer
from punto.house.store.postgres.node_lock import PostgresNodeLock, lock_of
from punto.house.store.postgres.node_session import ANSWER_S, NodeSession
from punto.house.store.postgres.pool import AGAIN, Connections
from punto.house.store.postgres.writer import CONNECTIONS, ON_STANDBY, Writer, patiently
from punto.house.store.records import (
    OLD_REFUSALS,
    Away,
    Clash,
    KeyTaken,
    StoreBroken,
)
from punto.house.store.schema import HEAD

READERS: Final = 4
_DIALECT: Final[Dialect] = dialects.dialect()  # type: ignore[no-untyped-call]
_SETTINGS: Final = {
    "synchronous_commit": "on",
    "jit": "off",
    # A plan made while a table was small must not scan all of it when it has grown.
    "enable_seqscan": "off",
    # Over TCP only: the server notices within half a minute that a machine is gone, and ends its sessions.
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
_REFUSE: Final = (
    "WITH taken AS (INSERT INTO keys (stream, key) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING stream, key), "
    "refused AS (INSERT INTO refusals (stream, key, body, answer, at) SELECT stream, key, $3, $4, $5 FROM taken) "
    f"SELECT CASE WHEN NOT EXISTS (SELECT FROM taken) THEN {ON_STANDBY} END"
)
"""Waits for a node that is accepting the key. If the key is taken, the row that took it is then on the standby."""
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
"""Skips rows that another node is deleting."""


class PostgresStore(Store):
    """See `Store`."""

    _dialect = _DIALECT
    _answered = f"SELECT known.*, {ON_STANDBY} FROM ({ANSWERED}) AS known"

    def __init__(self, url: str, pool: asyncpg.Pool, name: str, patience_s: float) -> None:
        """All sessions of this node are called `name`, so that others can tell when it has gone."""
        super().__init__()
        self._pool = Connections(pool)
        self._session = NodeSession(
            lambda: connected(url, f"{name} node"), lambda: self.streams("table/"), self._wake, self._pool.doubt
        )
        self._patience_s = patience_s
        self._writer = Writer(self._pool, self._session.tell, patience_s)
        node_lock = PostgresNodeLock(self._session.ask)
        self._membership = Membership(self, node_lock, self._wake, self._writer.give_up)
        self._session.connected = self._membership.renew_now
        self._closed = False
        self._put = self._writer.put

    @classmethod
    async def open(cls, url: str, patience_s: float | None = None) -> Self:
        name = f"punto {secrets.token_hex(4)}"
        try:
            pool = await _pool(url, name)
            try:
                current = await _migration(pool)
            except BaseException:
                pool.terminate()
                raise
            if current != HEAD:
                # While it waits for another's migration, a node must have no session that looks like a dead one's.
                await pool.close()
                await migrate(url)
                pool = await _pool(url, name)
        except (*primary.LOST, asyncpg.PostgresError) as error:
            raise StoreBroken(f"the PostgreSQL database can't be opened: {error}") from error
        store = cls(url, pool, name, writer.PATIENCE_S if patience_s is None else patience_s)
        await store._session.start()
        return store

    @property
    def broken(self) -> str | None:
        return self._writer.broken

    async def refuse(self, stream: str, key: str, body: bytes, answer: bytes) -> bytes:
        self._check_not_broken()
        at = time.time_ns() // 1_000
        await self._patiently(lambda: self._pool.execute(_REFUSE, stream, key, body, answer, at))
        accepted, remembered = await self._patiently(lambda: self._pool.fetchrow(_REFUSED, stream, key))
        if accepted or remembered is None:
            raise KeyTaken(f"{stream}: {key}")
        return bytes(remembered)

    async def forget_refusals(self, before: int, most: int = 1_000) -> int:
        self._check_not_broken()
        (forgotten,) = await self._patiently(lambda: self._pool.fetchrow(_FORGET, before, most))
        return int(forgotten)

    async def fetch(self, statement: Executable) -> list[Mapping[str, Any]]:
        text, values = sql_text.text_and_values(statement, _DIALECT)
        return [dict(row) for row in await self._rows(text, *values)]

    async def execute(self, *statements: Executable) -> list[int]:
        self._check_not_broken()
        texts = [sql_text.text_and_values(statement, _DIALECT) for statement in statements]
        try:
            done: list[str] = await self._patiently(lambda: self._done(texts))
        except asyncpg.IntegrityConstraintViolationError as error:
            raise Clash(str(error)) from error
        return [int(tag.rpartition(" ")[2]) for tag in done]

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await self._writer.close()
        await self._membership.close()
        await self._session.close()
        await self._pool.close()

    async def _done(self, texts: list[sql_text.TextAndValues]) -> list[str]:
        """Run all statements or none. Until all have run, a lost connection is retried by the caller. After that nobody
        knows whether they were committed: Away."""
        done: list[str] = []
        try:
            async with self._pool.lent() as connection, connection.transaction():
                done = [await connection.execute(text, *values) for text, values in texts]
        except AGAIN as error:
            if done:
                raise Away(str(error)) from error
            raise
        return done

    def _check_not_broken(self) -> None:
        if self.broken is not None:
            raise StoreBroken(self.broken)

    async def _rows(self, text: str, *values: object) -> list[Any]:
        rows: list[Any] = await self._patiently(lambda: self._pool.fetch(text, *values))
        return rows

    async def _patiently(self, work: Callable[[], Awaitable[Any]]) -> Any:
        return await patiently(work, self._patience_s)


async def _pool(url: str, name: str) -> asyncpg.Pool:
    return await asyncpg.create_pool(
        url,
        connect=primary.connect,
        timeout=ANSWER_S,
        min_size=1,
        max_size=CONNECTIONS + READERS,
        server_settings={**_SETTINGS, "application_name": name},
        # Users leave no state on a connection, so nothing needs to be reset.
        reset=_nothing,
    )


async def connected(url: str, name: str = "punto") -> Any:
    return await primary.connect(url, server_settings={**_SETTINGS, "application_name": name})


async def migrate(url: str) -> None:
    """Create or upgrade the schema in one transaction. Nodes that start together wait for each other."""
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
    """The database's migration; None where it is new."""
    if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
        return None
    number: str | None = await connection.fetchval(upgrade.VERSION)
    return number


async def _nothing(_connection: object) -> None:
    """Reset a returned connection: nothing to do."""
