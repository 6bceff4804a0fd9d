"""Run an engine as a process and ask it line by line. Time, memory and the length of a line are limited.

Whatever the engine does becomes a reply or a fault. A fault ends the process; the next question starts a new one.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from typing import Final

import msgspec

from punto.conformance import protocol
from punto.conformance.protocol import Hello, ProtocolError, Reply
from punto.conformance.vectors import Vector

CHUNK: Final = 1 << 16
GRACE_SECONDS: Final = 2.0
"""How long an engine may take to exit after its input is closed."""


class Fault(Exception):
    """The engine gave no reply that can be judged. The message says what it did instead."""


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of an engine. `memory_bytes` limits the writable memory of each of its processes. The shell that
    starts the engine sets it, so child processes inherit it. A system without such a limit limits only the time."""

    answer_seconds: float = 10.0
    hello_seconds: float = 30.0
    memory_bytes: int = 2 << 30


class Engine:
    """A running engine. It is not thread-safe."""

    def __init__(self, command: str, bounds: Bounds, pack: str) -> None:
        self._bounds = bounds
        self._rest = b""
        self._questions = 0
        self._process = subprocess.Popen(
            f"ulimit -d {bounds.memory_bytes >> 10} 2>/dev/null; {command}",
            shell=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        try:
            self.hello = self._greet(pack)
        except BaseException:
            self.kill()
            raise

    def _greet(self, pack: str) -> Hello:
        line = self._exchange(protocol.hello_line(pack), self._bounds.hello_seconds)
        try:
            return protocol.hello(line)
        except ProtocolError as error:
            raise Fault(str(error)) from None

    def ask(self, vector: Vector) -> Reply:
        """The reply to a question. After a Fault this engine can't be used any more."""
        self._questions += 1
        line = self._exchange(protocol.question_line(self._questions, vector), self._bounds.answer_seconds)
        try:
            return protocol.reply(line, self._questions)
        except ProtocolError as error:
            raise Fault(str(error)) from None

    def _exchange(self, question: bytes, seconds: float) -> bytes:
        """Write a line and read a line within the time. Output before the question is a fault."""
        if self._rest:
            raise Fault("the engine wrote more than one line in reply")
        until = time.monotonic() + seconds
        left = memoryview(question)
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            selector.register(self._in, selectors.EVENT_WRITE)
            while b"\n" not in self._rest:
                if len(self._rest) > protocol.LONGEST_LINE:
                    raise Fault(f"a line is longer than {protocol.LONGEST_LINE} bytes")
                wait = until - time.monotonic()
                if wait <= 0:
                    raise Fault(f"no answer within {seconds:g} seconds")
                for key, _ in selector.select(wait):
                    if key.fd == self._out:
                        self._rest += self._read()
                    else:
                        left = left[self._write(left) :]
                        if not left:
                            selector.unregister(self._in)
        line, _, self._rest = self._rest.partition(b"\n")
        if len(line) > protocol.LONGEST_LINE:
            raise Fault(f"a line is longer than {protocol.LONGEST_LINE} bytes")
        if left:
            raise Fault("the engine answered before it had read the question")
        return line

    def _read(self) -> bytes:
        try:
            chunk = os.read(self._out, CHUNK)
        except BlockingIOError:
            return b""
        if not chunk:
            raise self._ended("output")
        return chunk

    def _write(self, left: memoryview) -> int:
        try:
            return os.write(self._in, left)
        except BlockingIOError:
            return 0
        except OSError:
            raise self._ended("input") from None

    def _ended(self, closed: str) -> Fault:
        """The fault of an engine that closed its input or output: how it ended, or that it is still running."""
        try:
            status = self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return Fault(f"the engine closed its {closed} and is still running")
        if status < 0:
            with suppress(ValueError):
                return Fault(f"the engine was ended by signal {signal.Signals(-status).name}")
        return Fault(f"the engine ended with status {status}")

    def close(self) -> None:
        """Let it exit by itself for a while, then kill it."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill the engine and its process group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
