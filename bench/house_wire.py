"""Minimal HTTP and WebSocket clients for the load. They do as little as possible, so that the second core, on which
they run, is not what is measured."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

ANSWER = b'{"frame":"answer"'
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_NO_MASK = b"\0\0\0\0"
"""WebSocket clients must send a mask; this one does not change the bytes."""


class Http(asyncio.Protocol):
    """A persistent connection with one request at a time. Each response calls `answered(status, head, body)`."""

    def __init__(self, answered: Callable[[int, bytes, bytes], None]) -> None:
        self.answered = answered
        self._held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        held = self._held + data if self._held else data
        end = held.find(b"\r\n\r\n")
        if end < 0:
            self._held = held
            return
        head = held[:end].lower()
        at = head.find(b"content-length: ")
        size = int(head[at + 16 :].partition(b"\r")[0]) if at >= 0 else 0
        if len(held) < end + 4 + size:
            self._held = held
            return
        self._held = b""
        self.answered(int(held[9:12]), held[:end], held[end + 4 : end + 4 + size])

    def send(self, request: bytes) -> None:
        self.transport.write(request)


class Socket(asyncio.Protocol):
    """A live socket. `heard(socket, is_answer, frame)` is called for each text frame; `code` is set once it closes."""

    def __init__(self, heard: Callable[[Socket, bool, bytes], None], request: bytes) -> None:
        self.heard = heard
        self.code: int | None = None
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        """Done at the first frame, which is the current table."""
        self.closed: asyncio.Future[None] = loop.create_future()
        self._request = request
        self._held = b""
        self._open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the socket was closed before its first frame"))
        if not self.closed.done():
            self.closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        held = self._held + data if self._held else data
        if not self._open:
            head, end, held = held.partition(b"\r\n\r\n")
            if not end:
                self._held = head
                return
            if b" 101 " not in head[:20]:
                self.opened.set_exception(ConnectionError(head[:80].decode("latin-1")))
                return
            self._open = True
        at, size = 0, len(held)
        while size - at >= 2:
            long = held[at + 1] & 127
            start = at + 2
            if long == 126:
                start, long = at + 4, int.from_bytes(held[at + 2 : at + 4])
            elif long == 127:
                start, long = at + 10, int.from_bytes(held[at + 2 : at + 10])
            if size < start + long or size < start:
                break
            self._frame(held[at] & 15, held, start, start + long)
            at = start + long
        self._held = held[at:]

    def _frame(self, kind: int, held: bytes, start: int, end: int) -> None:
        if kind == _TEXT:
            if not self.opened.done():
                self.opened.set_result(None)
            self.heard(self, held.startswith(ANSWER, start), held[start:end])
        elif kind == _PING:
            self._write(_PONG, held[start:end])
        elif kind == _CLOSE:
            self.code = int.from_bytes(held[start : start + 2])
            if not self.closed.done():
                self.closed.set_result(None)
            self._write(_CLOSE, held[start : start + 2])

    def send(self, text: bytes) -> None:
        self._write(_TEXT, text)

    def _write(self, kind: int, data: bytes) -> None:
        size = len(data)
        head = bytes((128 | kind, 128 | size)) if size < 126 else bytes((128 | kind, 254)) + size.to_bytes(2)
        self.transport.write(head + _NO_MASK + data)


def request(
    method: str, path: str, host: str, body: bytes = b"", cookie: str = "", csrf: str = "", more: str = ""
) -> bytes:
    """A request as bytes."""
    head = f"{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {len(body)}\r\n{more}"
    head += "content-type: application/json\r\n" if body else ""
    head += f"cookie: punto_session={cookie}\r\n" if cookie else ""
    head += f"x-csrf-token: {csrf}\r\n" if csrf else ""
    return head.encode() + b"\r\n" + body


def handshake(path: str, host: str, cookie: str) -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    return (
        f"GET {path} HTTP/1.1\r\nhost: {host}\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
        f"sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\ncookie: punto_session={cookie}\r\n\r\n"
    ).encode()
