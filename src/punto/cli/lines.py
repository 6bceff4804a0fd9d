"""Lines as they arrive, in bounded memory: one that is too long is skipped to its end without being kept."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from punto.cli.screen import fail

CHUNK_BYTES = 1 << 18


def batches_of(file: str, longest: int) -> Iterator[list[bytes | None]]:
    """The lines of a file, of standard input where it is `-`; exit 1 where it can't be opened or read."""
    try:
        with _standard_input() if file == "-" else Path(file).open("rb") as source:
            yield from batches(source, longest)
    except OSError as error:
        fail(f"{'standard input' if file == '-' else file}: {error.strerror}")


def batches(source: IO[bytes], longest: int) -> Iterator[list[bytes | None]]:
    """Whole lines, blank ones left out, a chunk at a time; None stands for a line that is too long."""
    rest, skipping, begun = b"", False, False
    read = getattr(source, "read1", source.read)
    while chunk := read(CHUNK_BYTES):
        if not begun:  # Some editors put a mark before the first line of a file; it is no part of the line.
            chunk, rest = rest + chunk, b""
            if len(chunk) < len(codecs.BOM_UTF8) and codecs.BOM_UTF8.startswith(chunk):
                rest = chunk
                continue
            chunk, begun = chunk.removeprefix(codecs.BOM_UTF8), True
        *whole, rest = (rest + chunk).split(b"\n")
        batch: list[bytes | None] = [None if len(line) > longest else line for line in whole]
        if skipping and whole:
            batch[0], skipping = None, False
        if len(rest) > longest or (skipping and not whole):
            rest, skipping = b"", True
        yield [line for line in batch if line is None or line.strip()]
    if skipping or rest.strip():
        yield [None if skipping else rest]


def _standard_input() -> IO[bytes]:
    """Without Python's buffer, whose lock a thread that waits for input would hold beyond the end of the program."""
    source: IO[bytes] = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    return source
