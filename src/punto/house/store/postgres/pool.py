"""The connections to PostgreSQL that read and write. One that was lost is dropped, and never lent again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import asyncpg

from punto.house.store.postgres.primary import LOST

CLOSE_S: Final = 3.0
WAITS_S: Final = 3.0
AGAIN: Final = (*LOST, asyncpg.TransactionRollbackError)
"""What may pass: the same, or two transactions waited for each other."""


class Connections:
    """Lends the connections of a pool."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool
        self._lent: dict[Any, float] = {}
        """Since when, by the loop's clock."""
        self._expiry: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[Any]:
        async with self._pool.acquire() as connection:
            self._lent[connection] = asyncio.get_running_loop().time()
            try:
                yield connection
            except (*LOST, asyncio.CancelledError):
                # For a task that is cancelled the driver would have the server cancel the statement, and wait for that:
                # a silent server never answers, and one without a standby would show what it alone has.
                dropped(connection)
                raise
            finally:
                self._lent.pop(connection, None)

    async def fetch(self, text: str, *values: object) -> list[Any]:
        async with self.lent() as connection:
            rows: list[Any] = await connection.fetch(text, *values)
            return rows

    async def fetchrow(self, text: str, *values: object) -> Any:
        async with self.lent() as connection:
            return await connection.fetchrow(text, *values)

    async def execute(self, text: str, *values: object) -> None:
        async with self.lent() as connection:
            await connection.execute(text, *values)

    def doubt(self) -> None:
        """The node's own connection was lost. Whoever waits on one that is as old, and still does in a while, may never
        hear of its end: it is dropped, and they try another. Those that lie idle are not lent again."""
        loop = asyncio.get_running_loop()
        self._expiry = loop.create_task(self._pool.expire_connections())
        loop.call_later(WAITS_S, self._drop, loop.time())

    def _drop(self, before: float) -> None:
        for connection in [connection for connection, since in self._lent.items() if since <= before]:
            dropped(connection)

    async def close(self) -> None:
        """In order; one that is not given back in time is dropped."""
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._pool.close()
        except (*LOST, TimeoutError):
            self._pool.terminate()


def dropped(connection: Any) -> None:
    """At once, whatever it was at."""
    with suppress(Exception):
        connection.terminate()
