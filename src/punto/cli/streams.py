"""Standard input, output and error as every command finds them, also where the caller closed one."""

from __future__ import annotations

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper
from select import select
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputLost(Exception):
    """Standard output can't be written. No OSError: those the command line's library would answer itself."""


class NobodyReads(OutputLost):
    """The reader has gone, as `head` does once it has enough."""


class _Output(FileIO):
    """Standard output that waits for room where it does not block, and says by which exception it was lost."""

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
    """Put streams in the place of closed ones, where a use of them fails, and have failures of output told apart."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")  # what nobody can hear is no failure
    # A terminal that can't show 閒 shows a question mark.
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
    """What is still in the buffer goes nowhere, or the interpreter would fail over it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
