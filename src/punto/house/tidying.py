"""When Python looks for objects that only refer to each other.

By itself it walks through all that is alive every so often: with a thousand tables and some thousand sockets that is a
tenth of a second in which nobody is answered. What was made lately is still looked at as ever; what has lived for
a while only every ten minutes, and what was there at the start never again.
"""

from __future__ import annotations

import asyncio
import gc
from typing import Final

EVERY_S: Final = 600.0
_YOUNG: Final = 2_000
_MIDDLE: Final = 10
_OLD: Final = 1_000_000


async def tidied() -> None:
    """Until cancelled."""
    gc.collect()
    gc.freeze()
    before = gc.get_threshold()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)
    try:
        while True:
            await asyncio.sleep(EVERY_S)
            gc.collect()
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
