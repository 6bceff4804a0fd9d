"""When Python looks for objects that only refer to each other.

By itself it walks through what is alive every so often: with a thousand tables and some thousand sockets those are
pauses of 50 ms and more in which nobody is answered, and next to nothing is found, since nearly all that is dropped
goes at once, without a search. So what lives is put aside from the start and a few times a second, which costs nothing,
and all of it is searched every ten minutes, or once memory has grown by much.
"""

from __future__ import annotations

import asyncio
import gc
import resource
import time
from typing import Final

EVERY_S: Final = 600.0
ASIDE_S: Final = 0.25
_GROWN_KB: Final = 256 * 1024
_YOUNG: Final = 10_000
"""So many new objects within the quarter of a second are searched all the same."""


async def tidied(every_s: float = EVERY_S) -> None:
    """Until cancelled. What lives stays aside then: a process that ends would search it all once more."""
    before = gc.get_threshold()
    gc.set_threshold(_YOUNG, *before[1:])
    try:
        while True:
            until, most = time.monotonic() + every_s, _peak_kb() + _GROWN_KB
            while time.monotonic() < until and _peak_kb() < most:
                gc.freeze()
                await asyncio.sleep(ASIDE_S)
            gc.unfreeze()
            gc.collect()
    finally:
        gc.set_threshold(*before)


def _peak_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
