"""Read lines as they arrive, in bounded memory: a line that is too long is skipped and not stored."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from select import select
from typing import IO, NamedTuple, NoReturn

from punto.cli.screen import fail

CHUNK_BYTES = 1 << 18

Source = FileIO | IO[bytes]

Batch = list[bytes | None]
"""Whole lines without blank ones. None stands for a line that is too long."""


class ReadFailed(Exception):
    """The input can't be read. No OSError, because the output raises those too."""


class Rest(NamedTuple):
    """The reader's state between two chunks: the start of a line, whether it is skipped, whether any input has come."""

    text: bytes = b""
    skipping: bool = False
    begun: bool = False


def open_lines(file: str) -> Source:
    """Open a file, or standard input for `-`. Python does not buffer it, so that processes share its position and each
    line is answered as it comes. Exit 1 if it can't be opened."""
    try:
        return _standard_input() if file == "-" else Path(file).open("rb", buffering=0)
    except OSError as error:
        cannot_read(file, error.strerror)


def cannot_read(file: str, reason: object) -> NoReturn:
    """Exit 1, with the reason."""
    fail(f"{'standard input' if file == '-' else file}: {reason}")


def _standard_input() -> Source:
    raw = getattr(sys.stdin.buffer, "raw", None)
    # Use a copy, because a forked process closes its standard input.
    return sys.stdin.buffer if raw is None else os.fdopen(os.dup(raw.fileno()), "rb", buffering=0)


def batches_of(file: str, longest: int) -> Iterator[Batch]:
    """The lines of a file. Exit 1 if it can't be opened or read."""
    with open_lines(file) as source:
        try:
            yield from batches(source, longest)
        except ReadFailed as error:
            cannot_read(file, error)


def batches(source: Source, longest: int) -> Iterator[Batch]:
    rest: Rest | None = Rest()
    while rest is not None:
        batch, rest = next_batch(source, rest, longest)
        yield batch


def next_batch(source: Source, rest: Rest, longest: int) -> tuple[Batch, Rest | None]:
    """The lines of the next chunk, and the new state, or None at the end. Raises `ReadFailed`."""
    try:
        while (chunk := source.read(CHUNK_BYTES)) is None:  # the source is non-blocking and has no data yet
            select([source], [], [])
    except OSError as error:
        raise ReadFailed(error.strerror) from None
    if not chunk:
        return [None] if rest.skipping else [rest.text] if rest.text.strip() else [], None
    text, skipping, begun = rest
    text += chunk
    if not begun:  # Some editors put a byte order mark before the first line; it is not part of it.
        if len(text) < len(codecs.BOM_UTF8) and codecs.BOM_UTF8.startswith(text):
            return [], Rest(text)
        text = text.removeprefix(codecs.BOM_UTF8)
    *whole, last = text.split(b"\n")
    batch: Batch = [None if len(line) > longest else line for line in whole]
    if skipping and whole:
        batch[0], skipping = None, False
    if len(last) > longest or (skipping and not whole):
        last, skipping = b"", True
    return [line for line in batch if line is None or line.strip()], Rest(last, skipping, begun=True)
