"""What every socket of the house does: send with a deadline, and close with a code."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from litestar import WebSocket
from litestar.exceptions import WebSocketException

from punto.house import metrics
from punto.house.people.sessions import Session

Socket = WebSocket[Any, Any, Any]

GONE: Final = 1005
"""The client has left: nobody gets a close code."""
SESSION_ENDED: Final = 4401
NOT_ALLOWED: Final = 4403
DEADLINE_S: Final = 5.0
"""A client that reads nothing for so long is too slow."""
LEAVE_S: Final = 10.0
"""A slow client that reads again within this time still gets the code."""
LOST: Final = (OSError, RuntimeError, WebSocketException)
"""What sending raises if the socket has closed meanwhile."""


class FrameSender:
    """Sends one task's frames to its socket. Raises TimeoutError if the client reads nothing for `DEADLINE_S`.

    A timer for every frame would cost as much as the frame. So a frame sets one only if none is running. When it fires,
    it checks how long the current frame has been on its way.
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


def refusal(session: Session | None) -> int:
    """The close code for somebody without a session, or with one that may not use this socket."""
    return SESSION_ENDED if session is None or session.ended else NOT_ALLOWED


async def close(socket: Socket, code: int) -> None:
    metrics.socket_closes.labels(code).inc()
    with suppress(*LOST, TimeoutError):
        async with asyncio.timeout(LEAVE_S):
            await socket.close(code)
