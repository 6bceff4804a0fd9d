"""A node among others on PostgreSQL: one connection that listens, notifies and holds the node's locks.

It reconnects by itself. Locks are the session's, so they die with the process; after a lost connection they are taken
again, and a name that somebody else took meanwhile is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import asyncpg
import msgspec

from punto.house.postgres_writer import AGAIN
from punto.house.stored import StoreBroken

log = logging.getLogger("punto.node")

CHANNEL: Final = "punto"
LONGEST: Final = 7_900
"""Bytes of a notification; the server takes less than 8,000. What is longer is sent as: look at everything."""
POLL_S: Final = 1.0
_PAUSE_S: Final = 0.25
_PATIENCE_S: Final = 0.005
_GONE_S: Final = 1.0
_DEAD_S: Final = 20.0
"""How long the sessions of a node that died may take to end: the server finishes what it was asked last."""

_NOTIFY: Final = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)"
"""Nothing is stored by it, so nothing is waited for. It follows the commit, and may be lost: hence the poll."""

_OTHERS: Final = (
    "SELECT count(*) FROM pg_stat_activity AS other, pg_stat_activity AS own WHERE own.pid = pg_backend_pid() "
    "AND other.datname = own.datname AND other.application_name LIKE 'punto %' "
    "AND own.application_name NOT IN (other.application_name, other.application_name || ' node') "
)
"""Sessions of other nodes. A node's are called `punto` and its number; the one that holds its locks, `node` besides."""
_OLDER: Final = f"{_OTHERS} AND other.backend_start < own.backend_start"
_DEAD: Final = (
    f"{_OTHERS} AND other.application_name NOT LIKE '% node' AND NOT EXISTS (SELECT FROM pg_stat_activity AS node "
    "WHERE node.datname = own.datname AND node.application_name = other.application_name || ' node')"
)
"""Those whose node has gone. Where no node holds its lock, one that has its own session waits for it, as we do."""

_ALONE_OR_SHARED: Final = (
    "SELECT CASE WHEN pg_try_advisory_lock($1) THEN 'alone' WHEN pg_try_advisory_lock_shared($1) THEN 'shared' END"
)
"""Both at each try: a node that died while it recovered has not done so, and whoever waited for it is alone then."""

Wake = Callable[[Sequence[tuple[str, int]]], None]


def lock_of(name: str) -> int:
    """A number for a lock's name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)


_NODE: Final = lock_of("punto node")


class Node:
    """What this node tells the others, hears from them, and holds against them."""

    def __init__(
        self,
        connect: Callable[[], Awaitable[Any]],
        streams: Callable[[], Awaitable[list[tuple[str, int]]]],
        wake: Wake,
        lost: Callable[[object], None],
    ) -> None:
        """`streams`: the tables' streams as they stand."""
        self._connect = connect
        self._streams = streams
        self._wake = wake
        self._lost = lost
        self._name = secrets.token_hex(8)
        self._connection: Any = None
        self._one_at_a_time = asyncio.Lock()
        self._held: set[str] = set()
        self._standing: str | None = None
        self._untold: dict[str, int] = {}
        self._seen: dict[str, int] = {}
        """How far each table's stream was told of."""
        self._tell = asyncio.Event()
        self._ready = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        self._tasks = [asyncio.create_task(one()) for one in (self._stay, self._poll, self._telling)]
        await self._ready.wait()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._connection is not None:
            with contextlib.suppress(*AGAIN, TimeoutError):
                await self._connection.close(timeout=5)

    def tell(self, moved: Sequence[tuple[str, int]]) -> None:
        """Own commits: to this node at once, to the others as soon as the connection is free."""
        self._saw(moved)
        self._untold.update(moved)
        self._tell.set()

    async def alone(self) -> bool:
        """A node that was killed is not taken for a live one, and nothing of it is still being written afterwards."""
        if self._standing is None:
            await self._gone(_OLDER, _GONE_S)
        while self._standing is None:
            self._standing = await self._ask(_ALONE_OR_SHARED, _NODE)
            if self._standing is None:
                await asyncio.sleep(_PATIENCE_S)
            elif self._standing == "alone":
                # No node is at work: what one has left behind may still be writing on a slow disk.
                await self._gone(_DEAD, _DEAD_S)
        return self._standing == "alone"

    async def _gone(self, sessions: str, seconds: float) -> None:
        until = asyncio.get_running_loop().time() + seconds
        while await self._ask(sessions) and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(_PATIENCE_S)

    async def share(self) -> None:
        if self._standing != "shared":
            await self._ask("SELECT pg_advisory_lock_shared($1)", _NODE)
        if self._standing == "alone":
            await self._ask("SELECT pg_advisory_unlock($1)", _NODE)
        self._standing = "shared"

    async def claim(self, name: str) -> bool:
        if name not in self._held and await self._ask("SELECT pg_try_advisory_lock($1)", lock_of(name)):
            self._held.add(name)
        return name in self._held

    async def release(self, name: str) -> None:
        if name in self._held:
            self._held.discard(name)
            await self._ask("SELECT pg_advisory_unlock($1)", lock_of(name))

    async def _ask(self, text: str, *values: object) -> Any:
        """A value from the server; None while there is no connection, or where it refuses."""
        try:
            async with self._one_at_a_time:
                return None if self._connection is None else await self._connection.fetchval(text, *values)
        except AGAIN:
            return None
        except asyncpg.PostgresError as error:
            log.warning("the database refuses what nodes tell each other: %s", error)
            return None

    async def _stay(self) -> None:
        """Connected, or trying to be."""
        while True:
            ended = asyncio.Event()
            try:
                connection = await self._connect()
                connection.add_termination_listener(lambda _, ended=ended: ended.set())
                await connection.add_listener(CHANNEL, self._heard)
                await self._taken_again(connection)
            except (*AGAIN, asyncpg.PostgresError) as error:
                if not isinstance(error, AGAIN):
                    log.warning("the database refuses this node's connection: %s", error)
                await asyncio.sleep(_PAUSE_S)
                continue
            self._connection = connection
            self._ready.set()
            self._wake(())
            await ended.wait()
            self._connection = None

    async def _taken_again(self, connection: Any) -> None:
        for name in list(self._held):
            if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", lock_of(name)):
                self._held.discard(name)
        if self._standing == "alone" and not await connection.fetchval("SELECT pg_try_advisory_lock($1)", _NODE):
            self._lost("another node started while this one's connection was lost")
        elif self._standing == "shared":
            await connection.fetchval("SELECT pg_advisory_lock_shared($1)", _NODE)

    async def _poll(self) -> None:
        """What moved since the last look, should a notification have been lost."""
        while True:
            await asyncio.sleep(POLL_S)
            with contextlib.suppress(*AGAIN, StoreBroken, asyncpg.PostgresError):
                found = await self._streams()
                moved = [(stream, version) for stream, version in found if version > self._seen.get(stream, 0)]
                if moved:
                    self._saw(moved)

    def _saw(self, moved: Sequence[tuple[str, int]]) -> None:
        self._seen.update(one for one in moved if one[0].startswith("table/"))
        self._wake(moved)

    async def _telling(self) -> None:
        while True:
            await self._tell.wait()
            self._tell.clear()
            moved, self._untold = self._untold, {}
            await self._ask(_NOTIFY, CHANNEL, _message(self._name, moved))

    def _heard(self, _connection: Any, _pid: int, _channel: str, message: str) -> None:
        name, _, moved = message.partition(" ")
        if name == self._name:
            return
        try:
            self._saw([] if moved == "*" else msgspec.json.decode(moved, type=list[tuple[str, int]]))
        except msgspec.MsgspecError:
            self._wake(())


def _message(name: str, moved: dict[str, int]) -> str:
    text = f"{name} {msgspec.json.encode(list(moved.items())).decode()}"
    return text if len(text.encode()) < LONGEST else f"{name} *"
