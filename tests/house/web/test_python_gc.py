"""Live objects are put aside without a search for garbage, and searched from time to time."""

from __future__ import annotations

import asyncio
import gc
import weakref

from punto.house.python_gc import tidied
from tests.house.store.units import until


class Ring:
    """Refers to itself: only a search finds that nobody else does."""

    def __init__(self) -> None:
        self.ring = self


async def test_a_start_searches_nothing() -> None:
    gc.collect()
    left = weakref.ref(Ring())
    aside = gc.get_freeze_count()
    work = asyncio.ensure_future(tidied())
    await asyncio.sleep(0)
    assert gc.get_freeze_count() > aside
    assert left() is not None
    work.cancel()
    await asyncio.wait([work])
    gc.collect()
    assert left() is not None, "nor does the end, which leaves it aside"
    gc.unfreeze()
    gc.collect()
    assert left() is None
    gc.freeze()


async def test_what_was_put_aside_is_searched_in_time() -> None:
    gc.disable()
    left = weakref.ref(Ring())
    gc.freeze()
    gc.enable()
    gc.collect()
    assert left() is not None, "it is aside, and no usual search finds it"
    thresholds = gc.get_threshold()
    work = asyncio.ensure_future(tidied(every_s=0.01))
    await until(lambda: left() is None)
    work.cancel()
    await asyncio.wait([work])
    assert gc.get_threshold() == thresholds
