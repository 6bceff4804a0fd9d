"""The process that holds the sockets: it accepts, reads and writes them, and understands nothing of what they say.

The house decides in one thread. What the system takes for every read and write of a socket is spent here, on another
processor. Between the two is one line, on which all of a moment goes at once. When the house is gone, so is this.
"""

from __future__ import annotations

import fcntl
import resource
import selectors
import signal
import socket
import struct
import sys
import termios
import time
from contextlib import suppress
from typing import Final

HEAD: Final = struct.Struct("<BQI")
"""Before each message on the line: what it is, of which connection, and how many bytes follow."""

OPENED, CAME, ENDED, GONE, ROOM, CROWDED = range(6)
"""What the house is told: somebody came, with both addresses; bytes came; no more will; the connection is over; what
was written before the question has gone out but for little; nobody more can be let in."""
WRITE, SAME, ASK, CLOSE, ABORT, HOLD, READ, SHUT = range(8)
"""What the house says: write this, or what the message before said; is there room; close when all is written, or now;
read no more, and again; let nobody in any more."""

_INT: Final = struct.Struct("i")
LITTLE: Final = 16 * 1024
_PIECE: Final = 64 * 1024
_LINE_PIECE: Final = 1024 * 1024
_MOST_TOLD: Final = 256 * 1024
_ACCEPTED_AT_ONCE: Final = 64
LEAVES_S: Final = 30.0
"""Who is to go and takes nothing of what is left for so long goes without it."""
_LOOK_S: Final = 0.5
_READS: Final = selectors.EVENT_READ
_WRITES: Final = selectors.EVENT_WRITE


class Held:
    """One connection. `left` is what its other side has not taken yet."""

    __slots__ = ("asked", "closing", "ended", "id", "left", "reads", "socket", "watched")

    def __init__(self, number: int, connection: socket.socket) -> None:
        self.id = number
        self.socket = connection
        self.left = bytearray()
        self.watched = _READS
        self.reads = True
        self.asked = self.closing = self.ended = False


class Front:
    """Until the house is gone."""

    def __init__(self, listening: socket.socket, line: socket.socket) -> None:
        self._listening = listening
        self._line = line
        self._select = selectors.DefaultSelector()
        self._held: dict[int, Held] = {}
        self._last = 0
        self._told: list[bytes] = []
        self._told_size = 0
        self._rest = b""
        self._said = memoryview(b"")
        """What was said last to be written."""
        self._open = self._lets_in = True
        self._crowded = False
        self._leaving: dict[int, tuple[float, int]] = {}
        """Who is to go once he has taken what is left: when he last took something, and what the system held then."""
        self._look_at = 0.0
        listening.setblocking(False)
        self._select.register(listening, _READS)
        self._select.register(line, _READS)

    def run(self) -> None:
        while self._open:
            for key, what in self._select.select(_LOOK_S if self._crowded or self._leaving else None):
                held = key.data
                if held is not None:
                    if what & _WRITES:
                        self._flush(held)
                    if what & _READS:
                        self._read(held)
                elif key.fileobj is self._line:
                    self._hear()
                else:
                    self._accept()
                if self._told_size > _MOST_TOLD:
                    self._send()
            if self._crowded or self._leaving:
                self._look()
            if self._told:
                self._send()

    def _look(self) -> None:
        """Now and then: is there room for one more, and has nobody stayed too long?"""
        now = time.monotonic()
        if now < self._look_at:
            return
        self._look_at = now + _LOOK_S
        if self._crowded:
            self._crowded = False
            self._select.register(self._listening, _READS)
        for number, (since, before) in list(self._leaving.items()):
            held = self._held[number]
            if _queued(held.socket) < before:
                self._took(held)
            elif now - since > LEAVES_S:
                self._drop(held)

    def _took(self, held: Held) -> None:
        self._leaving[held.id] = time.monotonic(), _queued(held.socket)

    def _tell(self, what: int, number: int, body: bytes = b"") -> None:
        self._told.append(HEAD.pack(what, number, len(body)) + body)
        self._told_size += len(body)

    def _send(self) -> None:
        """To wait for the house holds up only those who wait for it: it reads, whatever else it does. Once it is gone,
        what it said last is still heard."""
        told, self._told, self._told_size = self._told, [], 0
        with suppress(OSError):
            self._line.sendall(b"".join(told))

    # ------------------------------------------------------------------ the other side of each connection

    def _accept(self) -> None:
        for _ in range(_ACCEPTED_AT_ONCE if self._lets_in else 0):
            try:
                connection, there = self._listening.accept()
            except (BlockingIOError, ConnectionError, InterruptedError):
                return
            except OSError:
                # No descriptor or no memory is left for one more: those who come wait at the door for a moment.
                self._select.unregister(self._listening)
                self._crowded, self._look_at = True, time.monotonic() + _LOOK_S
                self._tell(CROWDED, 0)
                return
            try:
                self._let_in(connection, there)
            except OSError:
                connection.close()

    def _let_in(self, connection: socket.socket, there: tuple[str, int]) -> None:
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        here = connection.getsockname()
        held = Held(self._last + 1, connection)
        self._select.register(connection, _READS, held)
        self._last = held.id
        self._held[held.id] = held
        self._tell(OPENED, held.id, f"{there[0]} {there[1]} {here[0]} {here[1]}".encode())

    def _read(self, held: Held) -> None:
        try:
            data = held.socket.recv(_PIECE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._drop(held)
            return
        if data:
            self._tell(CAME, held.id, data)
        else:
            # Who says no more may still read.
            held.ended = True
            self._watch(held)
            self._tell(ENDED, held.id)

    def _write(self, held: Held, data: memoryview | bytearray) -> int:
        """How much of it went out. One that is broken is dropped."""
        try:
            return held.socket.send(data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError:
            self._drop(held)
            return len(data)

    def _flush(self, held: Held) -> None:
        """There is room again."""
        sent = self._write(held, held.left)
        del held.left[:sent]
        if sent and held.id in self._leaving:
            self._took(held)
        if held.asked and len(held.left) <= LITTLE:
            held.asked = False
            self._tell(ROOM, held.id)
        if held.closing and not held.left:
            self._drop(held)
        else:
            self._watch(held)

    def _watch(self, held: Held) -> None:
        reads = held.reads and not held.ended and not held.closing
        what = (_READS if reads else 0) | (_WRITES if held.left else 0)
        if held.id not in self._held or what == held.watched:
            return
        if not held.watched:
            self._select.register(held.socket, what, held)
        elif what:
            self._select.modify(held.socket, what, held)
        else:
            self._select.unregister(held.socket)
        held.watched = what

    def _drop(self, held: Held) -> None:
        if self._held.pop(held.id, None) is not None:
            held.asked = False
            self._leaving.pop(held.id, None)
            if held.watched:
                self._select.unregister(held.socket)
            held.socket.close()
            self._tell(GONE, held.id)

    # ------------------------------------------------------------------ the house

    def _hear(self) -> None:
        try:
            data = self._line.recv(_LINE_PIECE)
        except OSError:
            data = b""
        if not data:
            self._open = False
            return
        data = self._rest + data
        view, at, end = memoryview(data), 0, len(data)
        while end - at >= HEAD.size:
            what, number, size = HEAD.unpack_from(data, at)
            after = at + HEAD.size + size
            if after > end:
                break
            if what == WRITE:
                self._said = view[at + HEAD.size : after]
            at = after
            held = self._held.get(number)
            if held is not None:
                self._do(what, held)
            elif what == SHUT:
                self._shut()
        self._rest = data[at:]

    def _do(self, what: int, held: Held) -> None:
        if what in (WRITE, SAME):
            if held.left:
                held.left += self._said
                return
            sent = self._write(held, self._said)
            if sent < len(self._said):
                held.left += self._said[sent:]
                self._watch(held)
        elif what == ASK:
            held.asked = len(held.left) > LITTLE
            if not held.asked:
                self._tell(ROOM, held.id)
        elif what == ABORT or (what == CLOSE and not held.left):
            self._drop(held)
        else:
            if what == CLOSE:
                held.closing = True
                self._took(held)
            held.reads = what == READ
            self._watch(held)

    def _shut(self) -> None:
        self._lets_in = False
        if not self._crowded:
            self._select.unregister(self._listening)
        self._crowded = False
        self._listening.close()


def _queued(connection: socket.socket) -> int:
    """Bytes that the system has taken and the other side has not: it asks for more only when much of its own is gone,
    which takes who reads slowly long."""
    with suppress(OSError):
        return int(_INT.unpack(fcntl.ioctl(connection, termios.TIOCOUTQ, b"\0" * _INT.size))[0])
    return 0


def main() -> None:
    # Who stops the house from a terminal stops this too: it is the house's to say when.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    listening, line = (socket.socket(fileno=int(number)) for number in sys.argv[1:3])
    Front(listening, line).run()


if __name__ == "__main__":
    main()
