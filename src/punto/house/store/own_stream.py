"""Append an event to a stream of the house itself, which no edition governs. An event with a key is written once."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

from punto.house.store import codec
from punto.house.store.interface import Store
from punto.house.store.records import Outcome, Unit

TRIES: Final = 20
"""How often an append is tried while others append too."""

Explain = Callable[[int], Awaitable[None]]
"""Records why a time on record lies ahead of this node's clock (`NodeClock.explain`)."""


class Crowded(Exception):
    """Others were quicker at every try. Nothing was written."""


async def append_event(
    store: Store,
    stream: str,
    event: Any,
    now: Callable[[], int],
    explain: Explain,
    *,
    key: str | None = None,
    body: bytes | None = None,
) -> bool:
    """Append at the end of the stream. False where the key was answered before. Raises Crowded."""
    if key is not None and body is None:
        body = hashlib.sha256(key.encode()).digest()
    for _ in range(TRIES):
        if key is not None and await store.answered(stream, key) is not None:
            return False
        version, before = await store.head(stream)
        if version:
            (newest,) = await store.read(stream, version - 1, 1)
            await explain(newest.at)
        rows = codec.rows(stream, version, before, now(), [codec.CommandEvents((event,), event.by, key=key, body=body)])
        if await store.append(Unit(stream, version, rows)) is Outcome.DONE:
            return True
    raise Crowded(stream)
