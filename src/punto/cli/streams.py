"""Prepare standard input, output and error for every command, even if the caller has closed one."""

from __future__ import annotations

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper
from select import select
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputLost(Exception):
    """Standard output can't be written. No OSError, because Typer handles those itself."""


class NobodyReads(OutputLost):
    """The reader has closed the pipe, as `head` does when it has enough."""


class _Output(FileIO):
    """Standard output. A non-blocking one waits until it can write; a lost one raises `NobodyReads` or `OutputLost`."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            while (count := super().write(data)) is None:
                select([], [self], [])
            return count
        except BrokenPipeError:
            raise NobodyReads from None
        except OSError as error:
            raise OutputLost(error.strerror) from None


def prepare() -> None:
    """Replace closed streams: using the input or output then fails, errors are discarded. Use `_Output` for output."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")  # an error that nobody can read is no failure
    # A terminal that can't show 閒 shows a question mark instead.
    if isinstance(sys.stderr, TextIOWrapper):
        sys.stderr.reconfigure(errors="replace")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout = TextIOWrapper(
            BufferedWriter(_Output(sys.stdout.fileno(), "w", closefd=False)),
            encoding=sys.stdout.encoding,
            errors="replace",
            line_buffering=sys.stdout.line_buffering,
        )


def drop_output() -> None:
    """Discard the buffered output, or the interpreter would fail on it again when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
