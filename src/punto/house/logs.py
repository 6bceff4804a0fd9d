"""Structured logs: one JSON object a line on standard error. Callers name each fact, so no secret slips in.

A line says who asked what of which table and how it was answered. It never holds a password, a token, a card that is
not dealt, or the order of a shoe: callers pass single facts, never whole requests, commands or events.
"""

from __future__ import annotations

import asyncio
import atexit
import io
import logging
import sys
import time
from contextlib import suppress
from typing import Any, Final

import msgspec

from punto.house.instants import iso

_encoder: Final = msgspec.json.Encoder(enc_hook=str)
_quiet = False


def configure(*, quiet: bool = False) -> None:
    """Send the server's own log lines the same way. `quiet`: only warnings and errors are written."""
    global _quiet
    _quiet = quiet
    root = logging.getLogger()
    root.handlers[:] = [_Lines()]
    root.setLevel(logging.WARNING)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True


def say(what: str, **facts: Any) -> None:
    """Write a line of level info."""
    if not _quiet:
        _write("info", what, facts)


def warn(what: str, **facts: Any) -> None:
    _write("warning", what, facts)


def fail(what: str, **facts: Any) -> None:
    _write("error", what, facts)


def _write(level: str, what: str, facts: dict[str, Any]) -> None:
    if None in facts.values():
        facts = {name: value for name, value in facts.items() if value is not None}
    line = {"at": iso(time.time_ns() // 1_000), "level": level, "what": what, **facts}
    _lines.append(_encoder.encode(line))
    if len(_lines) > 1 and level == "info":
        return
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        _out()
        return
    if level == "info":
        loop.call_soon(_out)
    else:
        _out()


_lines: Final[list[bytes]] = []
"""`_out` writes the info lines of one turn of the event loop at its end, in one piece."""


def _out() -> None:
    """A line that can't be written, because nobody reads it or the disk is full, is lost: the tables go on."""
    lines = _lines.copy()
    _lines.clear()
    if lines:
        with suppress(OSError, ValueError):
            sys.stderr.write(b"\n".join(lines).decode() + "\n")


@atexit.register
def _last() -> None:
    _out()
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        # A failed flush must not change the exit status either.
        sys.stderr = io.StringIO()


class _Lines(logging.Handler):
    """Write the log records of libraries as lines of the same kind."""

    def emit(self, record: logging.LogRecord) -> None:
        facts: dict[str, Any] = {"logger": record.name, "message": record.getMessage()}
        if record.exc_info is not None and record.exc_info[0] is not None:
            facts["error"] = record.exc_info[0].__name__
        _write(record.levelname.lower(), "log", facts)
