"""Lines as they arrive, in bounded memory: one that is too long is skipped to its end without being kept."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

CHUNK_BYTES = 1 << 18


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
