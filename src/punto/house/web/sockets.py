"""What every socket of the house does: send with a deadline, and close with a code."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from litestar import WebSocket
from litestar.exceptions import WebSocketException

from punto.house import metrics

Socket = WebSocket[Any, Any, Any]

GONE: Final = 1005
"""The other side has left: there is nobody to tell a code."""
NOT_ALLOWED: Final = 4403
DEADLINE_S: Final = 5.0
"""Who takes nothing for so long is too slow."""
LEAVE_S: Final = 10.0
"""Who reads again within this time after that still gets the code."""
LOST: Final = (OSError, RuntimeError, WebSocketException)
"""What sending to a socket raises that has closed meanwhile."""


class Outlet:
    """One task's way out to its socket. Who takes nothing for `DEADLINE_S` ends it with TimeoutError.

    A timer for every frame would cost as much as the frame. One is set with the first, and when it is up it looks for
    how long the frame that is on its way then has been so.
    """

    def __init__(self, socket: Socket) -> None:
        self._socket, self._loop = socket, asyncio.get_running_loop()
        self._limit = asyncio.timeout(None)
        self._began: float | None = None
        """When the frame that is on its way was given to the server, by the loop's clock."""
        self._timer: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> Self:
        await self._limit.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        await self._limit.__aexit__(kind, error, trace)

    async def put(self, frame: bytes) -> None:
        self._began = self._loop.time()
        if self._timer is None:
            self._timer = self._loop.call_later(DEADLINE_S, self._look)
        await self._socket.send({"type": "websocket.send", "bytes": None, "text": frame.decode()})
        self._began = None

    def _look(self) -> None:
        self._timer = None
        if self._began is not None:
            left = self._began + DEADLINE_S - self._loop.time()
            if left > 0:
                self._timer = self._loop.call_later(left, self._look)
            else:
                self._limit.reschedule(self._loop.time())


async def close(socket: Socket, code: int) -> None:
    metrics.socket_closes.labels(code).inc()
    with suppress(*LOST, TimeoutError):
        async with asyncio.timeout(LEAVE_S):
            await socket.close(code)
