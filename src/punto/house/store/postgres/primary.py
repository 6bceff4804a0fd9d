"""Which of several PostgreSQL servers is the primary: the one that takes writes.

An address may name several servers, `postgresql://punto@one:5432,two:5432/punto`: a primary and the standbys that may
take its place.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import asyncpg

LOST: Final = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.OperatorInterventionError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
)
"""The connection was lost, the server restarts, or it is a standby. A connection that is about to end raises an error
of the driver itself, and its end is not reported."""


def addresses(url: str) -> list[str]:
    """One address for each server that `url` names."""
    parts = urlsplit(url)
    login, at, servers = parts.netloc.rpartition("@")
    return [urlunsplit(parts._replace(netloc=f"{login}{at}{server}")) for server in servers.split(",")]


async def connect(url: str, **options: Any) -> Any:
    """Connect to the primary. All servers are tried at once: one whose machine is gone may never answer. Raises a
    temporary error (`LOST`) if there is one, else the first error."""
    tries = [asyncio.ensure_future(_connect(address, options)) for address in addresses(url)]
    waiting = set(tries)
    try:
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for attempt in done:
                if attempt.exception() is None:
                    tries.remove(attempt)
                    return attempt.result()
    finally:
        for attempt in tries:
            attempt.add_done_callback(_drop)
            attempt.cancel()
    errors = [attempt.exception() for attempt in tries]
    raise next((error for error in errors if isinstance(error, LOST)), errors[0]) or AssertionError


async def _connect(url: str, options: dict[str, Any]) -> Any:
    """Accept only a server that takes writes, whatever `target_session_attrs` the address has: a house must write."""
    return await asyncpg.connect(url, target_session_attrs="read-write", **options)


def _drop(attempt: asyncio.Future[Any]) -> None:
    """Close a connection that was made after another one."""
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().terminate()
