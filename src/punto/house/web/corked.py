"""A connection whose writes of one turn of the event loop go out in one piece.

An answer's head and body, or what happened at a table and the answer to who asked for it: one call of the system
instead of several, and the other side is woken once.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

MOST_HELD: Final = 64 * 1024


class Corked:
    """A transport as uvicorn's protocols use it."""

    __slots__ = ("_held", "_loop", "_size", "_transport", "is_closing")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self.is_closing = transport.is_closing
        self._loop = loop
        self._held: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> None:
        if not self._held:
            self._loop.call_soon(self._flush)
        self._held.append(data)
        self._size += len(data)
        if self._size > MOST_HELD:
            # A long answer goes out as it comes, so that whoever writes it hears when there is no room.
            self._flush()

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def abort(self) -> None:
        self._held, self._size = [], 0
        self._transport.abort()

    def _flush(self) -> None:
        held, self._held, self._size = self._held, [], 0
        if held:
            self._transport.write(held[0] if len(held) == 1 else b"".join(held))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
