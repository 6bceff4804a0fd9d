"""HTTP as uvicorn speaks it, with an end to patience: a request that is too large or too slow loses its connection.

uvicorn itself reads the head of a request for as long, and for as many bytes, as somebody sends it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from punto.codes import Code
from punto.house.web.problems import PROBLEM_JSON, Stop
from punto.house.web.strict import LARGEST_BODY

LARGEST_HEAD: Final = 64 * 1024
LARGEST: Final = LARGEST_HEAD + 2 * LARGEST_BODY
"""A whole request, with what chunks add to its body."""
MOST_WAITING: Final = 1_000
"""Requests on one connection that wait for the answers before theirs. uvicorn reads on however many wait."""
SLOWEST_S: Final = 20.0
LOOK_S: Final = 5.0


_KEY: Final = re.compile(rb"[A-Za-z0-9+/]{22}==")


def is_handshake(scope: Any, headers: list[tuple[bytes, bytes]]) -> bool:
    """Whether a request that asks for a WebSocket can have one: a GET without a body, one key and the one version."""
    given = dict(headers)
    once = sum(name.startswith((b"sec-websocket-key", b"sec-websocket-version")) for name, _ in headers) == 2
    return (
        once
        and scope["method"] == "GET"
        and float(scope["http_version"]) > 1
        and _KEY.fullmatch(given.get(b"sec-websocket-key", b"")) is not None
        and given.get(b"sec-websocket-version") == b"13"
        and b"content-length" not in given
        and b"transfer-encoding" not in given
    )


def unread(body: bytes) -> bytes:
    """The whole answer to what never reached the door; the connection ends with it."""
    head = b"HTTP/1.1 400 Bad Request\r\ncontent-type: %b\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
    return head % (PROBLEM_JSON.encode(), len(body)) + body


class Patience(HttpToolsProtocol):
    """One connection. `began` is when the request began that is not here whole; None while there is none."""

    began: float | None = None
    size = 0
    in_head = True
    free = True
    """Whether nothing waited for its answer when the newest request came."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self.began = self.loop.time()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.began, self.size, self.in_head = self.loop.time(), 0, True

    def on_headers_complete(self) -> None:
        self.in_head = False
        self.free = not self._waits
        super().on_headers_complete()
        if len(self.pipeline) > MOST_WAITING:
            self.transport.abort()
        if self.parser.should_upgrade() and not self._should_upgrade():
            # The parser hears nothing more on this connection: it ends with the answer.
            self.cycle.keep_alive = False

    def eof_received(self) -> bool:  # type: ignore[override]  # uvicorn's says nothing, and so drops who waits
        """Who has asked in full and says no more is answered first."""
        if not self._waits or not (self.began is None or self.in_head):
            return False
        self.began = None
        self.cycle.keep_alive = False
        return True

    @property
    def _waits(self) -> bool:
        """Whether a request is not answered yet."""
        newest: Any = self.cycle  # None until the first request, whatever uvicorn declares
        return newest is not None and not newest.response_complete

    def _should_upgrade(self) -> bool:
        """Only what is a handshake from beginning to end, with nothing before it that waits for an answer. Anything
        else is a request, judged and answered as one: the WebSocket's own protocol would wait for ever for what it
        can't read, and the answers before it would come in the middle of its frames."""
        return self.free and super()._should_upgrade() and is_handshake(self.scope, self.headers)

    def _unsupported_upgrade_warning(self) -> None:
        """The request has a log line of its own."""

    def send_400_response(self, msg: str) -> None:
        """What can't be read as HTTP is answered like all else that can't be read."""
        if self.eof_received():
            return  # what was asked before in full is answered, and the connection ends with that
        if self._waits and (self.pipeline or self.cycle.response_started):
            self.transport.abort()  # it would stand in the middle of an answer
            return
        body = Stop(400, Code.BAD_REQUEST, "this is no request that can be read").json()
        self.transport.write(unread(body))
        self.transport.close()

    def on_message_complete(self) -> None:
        self.began, self.size, self.in_head = None, 0, True
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.began is None and not self._waits:
            # Empty lines between two requests are no request, and end uvicorn's own patience. Or this was the last of
            # a body that was answered before it was here whole: it is no part of what comes next.
            self.began = self.loop.time()
        elif self.began is not None:
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
