"""A node's own connection to PostgreSQL: it listens, notifies and holds the node's lock.

It reconnects by itself, whether the driver reports a lost connection or not. A request that is not answered in time
ends the connection, and a new one is made.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import asyncpg
import msgspec

from punto.house.store.interface import Wake
from punto.house.store.nodes.liveness import NoAnswer
from punto.house.store.postgres.pool import AGAIN, dropped
from punto.house.store.postgres.primary import LOST
from punto.house.store.records import StoreBroken

log = logging.getLogger("punto.node")

CHANNEL: Final = "punto"
LONGEST: Final = 7_900
"""Bytes of a notification; the server takes less than 8,000. A longer one is sent as `*`: look at everything."""
POLL_S: Final = 1.0
_PAUSE_S: Final = 0.25
ANSWER_S: Final = 3.0
"""Timeout for an answer of the server, and for a new connection."""

_NOTIFY: Final = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)"
"""It stores nothing, so it does not wait for disk or standby. It follows the commit and may be lost: hence the poll."""


class NodeSession:
    """Notifies other nodes, listens to them, and holds this node's lock."""

    def __init__(
        self,
        connect: Callable[[], Awaitable[Any]],
        streams: Callable[[], Awaitable[list[tuple[str, int]]]],
        wake: Wake,
        lost: Callable[[], None],
    ) -> None:
        """`streams` reads the tables' streams. `lost` is called when the connection is lost."""
        self._connect = connect
        self._streams = streams
        self._wake = wake
        self._lost = lost
        self.connected: Callable[[], None] = lambda: None
        """Called after every new connection."""
        self._name = secrets.token_hex(8)
        self._connection: Any = None
        self._one_at_a_time = asyncio.Lock()
        self._ended = asyncio.Event()
        self._unsent: dict[str, int] = {}
        self._seen: dict[str, int] = {}
        """The version of each table's stream that `wake` got last."""
        self._send_due = asyncio.Event()
        self._ready = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        self._tasks = [asyncio.create_task(run()) for run in (self._stay, self._poll, self._send)]
        await self._ready.wait()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._connection is not None:
            with contextlib.suppress(*AGAIN):
                await self._connection.close(timeout=ANSWER_S)

    def tell(self, moved: Sequence[tuple[str, int]]) -> None:
        """Announce own commits: to this node at once, to the others as soon as the connection is free."""
        self._saw(moved)
        self._unsent.update(moved)
        self._send_due.set()

    async def ask(self, text: str, *values: object) -> Any:
        """Run a statement and return its value. Raises NoAnswer."""
        async with self._one_at_a_time:
            connection = self._connection
            if connection is None:
                raise NoAnswer("this node is not connected")
            try:
                async with asyncio.timeout(ANSWER_S):
                    return await connection.fetchval(text, *values)
            except (*LOST, TimeoutError) as error:
                self._ended.set()
                raise NoAnswer(str(error) or "no answer in time") from error
            except asyncpg.PostgresError as error:
                log.warning("the database refused a statement of this node: %s", error)
                raise NoAnswer(str(error)) from error

    async def _stay(self) -> None:
        """Stay connected. The driver may never report a lost connection: an unanswered request reveals it."""
        while True:
            self._ended = ended = asyncio.Event()
            connection: Any = None
            try:
                async with asyncio.timeout(ANSWER_S):
                    connection = await self._connect()
                    connection.add_termination_listener(lambda _, ended=ended: ended.set())
                    await connection.add_listener(CHANNEL, self._heard)
            except Exception as error:
                if not isinstance(error, AGAIN):
                    log.warning("the database refuses this node's connection: %s", error)
                if connection is not None:
                    dropped(connection)
                await asyncio.sleep(_PAUSE_S)
                continue
            self._connection = connection
            self._ready.set()
            self._wake(())
            self.connected()
            await ended.wait()
            self._connection = None
            self._lost()
            dropped(connection)

    async def _poll(self) -> None:
        """Find streams that moved since the last poll, in case a notification was lost."""
        while True:
            await asyncio.sleep(POLL_S)
            with contextlib.suppress(*AGAIN, StoreBroken, asyncpg.PostgresError):
                streams = await self._streams()
                moved = [(stream, version) for stream, version in streams if version > self._seen.get(stream, 0)]
                if moved:
                    self._saw(moved)

    def _saw(self, moved: Sequence[tuple[str, int]]) -> None:
        self._seen.update((stream, version) for stream, version in moved if stream.startswith("table/"))
        self._wake(moved)

    async def _send(self) -> None:
        while True:
            await self._send_due.wait()
            self._send_due.clear()
            moved, self._unsent = self._unsent, {}
            with contextlib.suppress(NoAnswer):
                await self.ask(_NOTIFY, CHANNEL, _message(self._name, moved))

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
