"""The connections to PostgreSQL that read and write. A lost connection is dropped and never lent again."""

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
"""Temporary errors: a lost connection, or a deadlock."""


class Connections:
    """Lends the connections of a pool."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool
        self._lent: dict[Any, float] = {}
        """When each was lent, by the event loop's clock."""
        self._expiry: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[Any]:
        async with self._pool.acquire() as connection:
            self._lent[connection] = asyncio.get_running_loop().time()
            try:
                yield connection
            except (*LOST, asyncio.CancelledError):
                # When a task is cancelled, the driver would have the server cancel the statement, and wait for it. A
                # silent server never answers, and one without a standby would show rows that it alone has.
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
        """The node's own connection was lost. Others may be lost unnoticed: those that stay lent for `WAITS_S` more are
        dropped, and their users retry with another. Idle ones are not lent again."""
        loop = asyncio.get_running_loop()
        self._expiry = loop.create_task(self._pool.expire_connections())
        loop.call_later(WAITS_S, self._drop, loop.time())

    def _drop(self, before: float) -> None:
        for connection in [connection for connection, since in self._lent.items() if since <= before]:
            dropped(connection)

    async def close(self) -> None:
        """Close; connections not returned in time are dropped."""
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._pool.close()
        except (*LOST, TimeoutError):
            self._pool.terminate()


def dropped(connection: Any) -> None:
    """Terminate at once, whatever it is doing."""
    with suppress(Exception):
        connection.terminate()
