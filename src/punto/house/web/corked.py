"""A connection whose writes of one turn of the event loop go out in one piece.

An answer's head and body, or what happened at a table and the answer to who asked for it: one call of the system
instead of several, and the other side is woken once.
"""

from __future__ import annotations

import asyncio
import logging
from functools import lru_cache
from typing import Any, Final

log = logging.getLogger("punto.house")

MOST_HELD: Final = 64 * 1024


class Turn:
    """What goes out at the end of a turn of the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._held: list[Corked] = []

    def hold(self, one: Corked) -> None:
        if not self._held:
            self._loop.call_soon(self._end)
        self._held.append(one)

    def _end(self) -> None:
        held, self._held = self._held, []
        for one in held:
            try:
                one.flush()
            except Exception:
                # One connection's fault is its own.
                log.exception("a connection could not be written to")


@lru_cache(maxsize=2)
def turn(loop: asyncio.AbstractEventLoop) -> Turn:
    """Of a loop."""
    return Turn(loop)


class Corked:
    """A transport as uvicorn's protocols use it."""

    __slots__ = ("_held", "_size", "_transport", "_turn", "is_closing")

    def __init__(self, transport: asyncio.Transport, until: Turn) -> None:
        self._transport = transport
        self.is_closing = transport.is_closing
        self._turn = until
        self._held: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> None:
        if not self._held:
            self._turn.hold(self)
        self._held.append(data)
        self._size += len(data)
        if self._size > MOST_HELD:
            # A long answer goes out as it comes, so that whoever writes it hears when there is no room.
            self.flush()

    def close(self) -> None:
        self.flush()
        self._transport.close()

    def abort(self) -> None:
        self._held, self._size = [], 0
        self._transport.abort()

    def flush(self) -> None:
        held, self._held, self._size = self._held, [], 0
        if held:
            self._transport.write(held[0] if len(held) == 1 else b"".join(held))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
