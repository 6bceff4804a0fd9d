"""HTTP as uvicorn speaks it, with an end to patience: a request that is too large or too slow loses its connection.

uvicorn itself reads the head of a request for as long, and for as many bytes, as somebody sends it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from punto.house.web.corked import Corked, turn
from punto.house.web.strict import LARGEST_BODY

LARGEST_HEAD: Final = 64 * 1024
LARGEST: Final = LARGEST_HEAD + 2 * LARGEST_BODY
"""A whole request, with what chunks add to its body."""
SLOWEST_S: Final = 20.0
LOOK_S: Final = 5.0


class Patience(HttpToolsProtocol):
    """One connection. `began` is when the request began that is not here whole; None while there is none."""

    began: float | None = None
    size = 0
    in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(Corked(transport, turn(self.loop)))  # type: ignore[arg-type]  # all of one that is used
        self.began = self.loop.time()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.began, self.size, self.in_head = self.loop.time(), 0, True

    def on_headers_complete(self) -> None:
        self.in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.began, self.size, self.in_head = None, 0, True
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        answered: Any = self.cycle  # None until the first request, whatever uvicorn declares
        if self.began is None and answered is not None and answered.response_complete:
            # Empty lines between two requests are no request, and end uvicorn's own patience.
            self.began = self.loop.time()
        if self.began is not None:
            self.size += len(data)
            if self.size > (LARGEST_HEAD if self.in_head else LARGEST):
                self.transport.abort()

    def late(self, now: float) -> bool:
        return self.began is not None and now - self.began > SLOWEST_S


async def hurried(connections: Callable[[], Iterable[Any]]) -> None:
    """Cut off whoever lets the house wait for the rest of a request, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(LOOK_S)
        for one in list(connections()):
            if isinstance(one, Patience) and one.late(loop.time()):
                one.transport.abort()
