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
"""The connection was lost, the server restarts, or it is a standby. A connection that is about to end answers with an
error of the driver's own, and its end is not reported."""


def addresses(url: str) -> list[str]:
    """One for each server that an address names."""
    parts = urlsplit(url)
    login, at, servers = parts.netloc.rpartition("@")
    return [urlunsplit(parts._replace(netloc=f"{login}{at}{server}")) for server in servers.split(",")]


async def connect(url: str, **options: Any) -> Any:
    """A connection to the primary. All servers are tried at once: one whose machine is gone may never answer. Raises
    what may pass, if anything may, else the first error."""
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
    """`target_session_attrs` of the address is what the driver would go by; a house that can't write is none."""
    return await asyncpg.connect(url, target_session_attrs="read-write", **options)


def _drop(attempt: asyncio.Future[Any]) -> None:
    """Connected after another one was, or failed."""
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().terminate()
