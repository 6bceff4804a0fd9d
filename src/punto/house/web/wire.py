"""The WebSocket as uvicorn speaks it, with a way to write a frame at once: no task, no queue, nothing awaited.

The hub writes what happens at a table to all its sockets in one go. What does not fit is not written, and the socket
says when there is room again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # the quick one, where there is one
from websockets.protocol import OPEN
from websockets.streams import StreamReader

from punto.codes import Code
from punto.house import logs, metrics
from punto.house.web.patience import unread
from punto.house.web.problems import Stop

if TYPE_CHECKING:
    from websockets.http11 import Request
    from websockets.server import ServerProtocol

NAME: Final = "punto.wire"
"""Where a route finds it in its scope."""
_TEXT: Final = 0x81
_MASKED: Final = 0x80


def _nobody() -> None:
    """Called while no subscription waits for room."""


class Wire(WebSocketsSansIOProtocol):
    """One socket. `room` is called when there is room again, `hear` with each message, once somebody listens."""

    room: Callable[[], None] = staticmethod(_nobody)
    hear: Callable[[bytes], None] | None = None
    _full = False
    _longest = -1
    """Of a message that may begin with what comes next; none may while the protocol is in the middle of one."""

    def data_received(self, data: bytes) -> None:
        """Nearly always one whole message: then there is nothing for the protocol to take apart."""
        if self.hear is not None and self._longest >= 0 and not self.close_sent:
            text = whole(data)
            if text is not None and len(text) <= self._longest:
                self.hear(text)
                return
        super().data_received(data)
        if not self.handshake_initiated:
            self._unread()
            return
        self._longest = (self.conn.max_message_size or 0) if _between_messages(self.conn) else -1

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope[NAME] = self  # type: ignore[typeddict-unknown-key]
        else:
            _note(self.response.status_code)

    def _unread(self) -> None:
        """The head of a handshake comes whole. One that the protocol can't read is answered here: it would wait for
        the rest for ever."""
        self.handshake_initiated = self.close_sent = True
        self.transport.write(unread(Stop(400, Code.BAD_HANDSHAKE, "the handshake can't be read").json()))
        self.transport.close()
        _note(400)

    async def send(self, message: Any) -> None:
        """A refusal ends a handshake as much as a welcome does: uvicorn forgets that, and logs each as an error."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True

    def send_receive_event_to_app(self) -> None:
        """A message is whole: to whom it concerns, without a queue and a task that waits at its end."""
        if self.hear is None:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if not self.close_sent:
            self.hear(bytes(data))

    def handle_ping(self) -> None:
        """Who pings and reads nothing gets no more pongs than fit."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def shutdown(self) -> None:
        """One that is closing already has its code."""
        if not self.transport.is_closing():
            super().shutdown()

    def pause(self) -> None:
        """Read no more: what is sent meanwhile waits at its own end."""
        if not self.read_paused and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    def resume(self) -> None:
        if self.read_paused and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    def write_framed(self, message: bytes) -> bool:
        """A message as `framed` has it. Whether there was room, or nobody is left to read it."""
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return True
        if self._full:
            return False
        self.transport.write(message)
        return True

    def pause_writing(self) -> None:
        super().pause_writing()
        self._full = True

    def resume_writing(self) -> None:
        super().resume_writing()
        self._full = False
        self.room()

    def end(self, code: int) -> bool:
        """Close with a code, whether or not there is room: who reads nothing is cut off a little later. Whether it was
        open."""
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return False
        try:
            self.conn.send_close(code)
        except InvalidState:
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)
        return True


def _note(status: int) -> None:
    """A handshake that never reached the door."""
    metrics.requested("GET", status).inc()
    logs.say("socket-refused", code="bad-handshake", status=status)


def whole(data: bytes) -> bytes | None:
    """The text of what is one message and nothing else; None for all that is not, or not certainly."""
    size = len(data)
    if size < 6 or data[0] != _TEXT:
        return None
    length, start = data[1] - _MASKED, 2
    if length == 126:
        length, start = int.from_bytes(data[2:4], "big"), 4
    elif not 0 <= length < 126:
        return None
    if size != start + 4 + length:
        return None
    return apply_mask(data[start + 4 :], data[start : start + 4])


def _between_messages(conn: ServerProtocol) -> bool:
    """Whether the protocol is open and waits for the first byte of a message."""
    waits: Any = conn.parser
    while waits.gi_yieldfrom is not None:
        waits = waits.gi_yieldfrom
    return conn.state is OPEN and conn.current_size is None and waits.gi_code is StreamReader.at_eof.__code__


def framed(text: bytes, more: bytes = b"") -> bytes:
    """A text message as it goes over the wire: whole, and, from a server, without a mask."""
    size = len(text) + len(more)
    if size < 126:
        return bytes((_TEXT, size)) + text + more
    if size < 65_536:
        return b"\x81\x7e%b%b%b" % (size.to_bytes(2, "big"), text, more)
    return b"\x81\x7f%b%b%b" % (size.to_bytes(8, "big"), text, more)


def of(scope: Any) -> Wire:
    """The wire of a socket."""
    found: Wire = scope[NAME]
    return found
