"""When Python searches for objects that only refer to each other.

By default the collector walks through all live objects every so often. With a thousand tables and some thousand sockets
that makes pauses of 50 ms and more without a response. It finds next to nothing, since reference counting frees nearly
all objects at once. So live objects are frozen at the start and a few times a second, which costs nothing, and
everything is collected every ten minutes, or once memory has grown by much.
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
"""So many new objects within the quarter of a second are still searched."""


async def tidied(every_s: float = EVERY_S) -> None:
    """Freeze and collect until cancelled. Objects stay frozen then, or the process would search them as it ends."""
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
