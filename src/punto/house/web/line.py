"""The house's end of the line to the process that holds its sockets (front.py)."""

from __future__ import annotations

import asyncio
import logging
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Any, Final, cast

from punto.house import logs
from punto.house.web import front
from punto.house.web.front import HEAD

log = logging.getLogger("punto.house")

MOST_HELD: Final = 32 * 1024
"""What is said goes out at the end of a turn of the event loop; this much goes at once. While the front writes it and
those who asked ask again, the house says the rest: held until the end, all would work in turns, and wait in turns."""
ASKED_AT: Final = 32 * 1024
FULL_AT: Final = 64 * 1024
"""Bytes of one connection of which it is not known that they have gone out."""
_END_S: Final = 2.0


class Remote(asyncio.Transport):
    """One connection, as uvicorn's protocols use it."""

    __slots__ = ("_asked", "_closing", "_full", "_id", "_line", "_names", "_protocol", "_under_way")

    def __init__(self, line: Line, number: int, names: dict[str, tuple[str, int]], protocol: Any) -> None:
        super().__init__()
        self._line, self._id, self._names, self._protocol = line, number, names, protocol
        self._under_way = self._asked = 0
        self._closing = self._full = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._names.get(name, default)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return cast(asyncio.BaseProtocol, self._protocol)

    def is_closing(self) -> bool:
        return self._closing

    def write(self, data: bytes) -> None:  # type: ignore[override]  # all that is written here
        if self._closing or not data:
            return
        self._line.write(self._id, data)
        self._under_way += len(data)
        if self._under_way > ASKED_AT:
            self._ask()

    def _ask(self) -> None:
        if not self._asked:
            self._asked = self._under_way
            self._line.say(front.ASK, self._id)
        if self._under_way > FULL_AT and not self._full:
            self._full = True
            self._protocol.pause_writing()

    def has_room(self) -> None:
        """What was under way when it was asked has gone out."""
        self._under_way, self._asked = self._under_way - self._asked, 0
        if self._under_way > ASKED_AT:
            self._ask()
        elif self._full:
            self._full = False
            self._protocol.resume_writing()

    def pause_reading(self) -> None:
        self._line.say(front.HOLD, self._id)

    def resume_reading(self) -> None:
        self._line.say(front.READ, self._id)

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._line.say(front.CLOSE, self._id)

    def abort(self) -> None:
        self._closing = True
        self._line.say(front.ABORT, self._id)

    def came(self, data: bytes) -> None:
        if not self._closing:
            self._protocol.data_received(data)

    def ended(self) -> None:
        """Nothing more will come. Who still waits for an answer may read it."""
        if not self._closing and not self._protocol.eof_received():
            self.close()

    def lost(self) -> None:
        self._closing = True
        self._protocol.connection_lost(None)


class Line(asyncio.Protocol):
    """All connections. `made` makes the protocol of a new one; `cut_off`: the front is gone, and was not told to go."""

    cut_off = False
    _closing = _shut = False

    def __init__(self, made: Callable[[], Any]) -> None:
        self._made = made
        self._loop = asyncio.get_running_loop()
        self._all: dict[int, Remote] = {}
        self._rest = b""
        self._written: dict[int, bytes] = {}
        self._said: list[bytes] = []
        self._size = 0
        self._last = b""

    async def open(self, listening: socket.socket) -> None:
        """Start the front, which lets people in from now on."""
        ours, theirs = socket.socketpair()
        with theirs:
            given = listening.fileno(), theirs.fileno()
            command = [sys.executable, "-I", "-S", front.__file__, *map(str, given)]
            nothing = subprocess.DEVNULL
            self._process = subprocess.Popen(
                command, pass_fds=given, stdin=nothing, stdout=nothing, start_new_session=True
            )
        await self._loop.create_unix_connection(lambda: self, sock=ours)

    @property
    def pid(self) -> int:
        return self._process.pid

    def shut(self) -> None:
        """Nobody more is let in."""
        self._shut = True
        self.say(front.SHUT, 0)

    async def close(self) -> None:
        """The front ends, and with it whatever is still open."""
        self._closing = True
        self._flush()
        self._transport.close()
        try:
            await asyncio.to_thread(self._process.wait, _END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            await asyncio.to_thread(self._process.wait)

    # ------------------------------------------------------------------ what the front tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.cut_off = not self._closing
        for number in list(self._all):
            self._safely(front.GONE, number, b"")

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        at, end = 0, len(data)
        while end - at >= HEAD.size:
            what, number, size = HEAD.unpack_from(data, at)
            start = at + HEAD.size
            if start + size > end:
                break
            at = start + size
            self._safely(what, number, data[start:at])
        self._rest = data[at:]

    def _safely(self, what: int, number: int, body: bytes) -> None:
        """One connection's fault is its own, and its end."""
        try:
            self._told(what, number, body)
        except Exception:
            log.exception("a connection is cut off")
            if number in self._all:
                self._all[number].abort()
            else:
                self.say(front.ABORT, number)

    def _told(self, what: int, number: int, body: bytes) -> None:
        if what == front.OPENED:
            self._opened(number, body)
        elif what == front.CROWDED:
            logs.fail("crowded", reason="no descriptor or no memory is left for one more connection")
        elif number not in self._all:
            assert self._shut, "only who came when the door was shut is not known"
        elif what == front.GONE:
            self._all.pop(number).lost()
        elif what == front.CAME:
            self._all[number].came(body)
        elif what == front.ENDED:
            self._all[number].ended()
        else:
            self._all[number].has_room()

    def _opened(self, number: int, body: bytes) -> None:
        if self._shut:
            self.say(front.ABORT, number)
            return
        there, from_port, here, to_port = body.decode().split(" ")
        names = {"peername": (there, int(from_port)), "sockname": (here, int(to_port))}
        one = self._all[number] = Remote(self, number, names, self._made())
        one.get_protocol().connection_made(one)

    # ------------------------------------------------------------------ what the house says

    def write(self, number: int, data: bytes) -> None:
        """All that one connection is sent goes out in one piece."""
        self._soon()
        if number in self._written:
            self._written[number] += data
        else:
            self._written[number] = data
        if data is not self._last:
            self._last = data
            self._size += len(data)
            if self._size > MOST_HELD:
                self._flush()

    def say(self, what: int, number: int) -> None:
        self._soon()
        self._said.append(HEAD.pack(what, number, 0))

    def _soon(self) -> None:
        if not self._written and not self._said:
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        """What is written comes first: whoever is written to and then closed is to read it. What is the same for many
        goes over the line once."""
        pieces: list[bytes] = []
        last = None
        for number, data in self._written.items():
            if data is last:
                pieces.append(HEAD.pack(front.SAME, number, 0))
                continue
            for at in range(0, len(data), MOST_HELD):
                piece = data[at : at + MOST_HELD]
                pieces.append(HEAD.pack(front.WRITE, number, len(piece)))
                pieces.append(piece)
            last = data  # in one piece: one that is longer went out at once
        pieces += self._said
        self._written, self._said, self._size, self._last = {}, [], 0, b""
        if pieces and not self._transport.is_closing():
            self._transport.write(b"".join(pieces))
