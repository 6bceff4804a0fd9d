"""Wrong passwords: count failures for each account and address, and serialise login attempts for each.

Each node counts for itself, in memory. An outsider can make the table grow, so it is bounded: the oldest entries go.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from punto.house.people.passwords import TooBusy

MOST_COUNTED: Final = 20_000
MOST_WAITING: Final = 64
"""Attempts that may wait for their turn at one account from one address."""


class Lockout:
    """After `most` failures in a row an account is locked for `seconds` at that address, whether it exists or not.

    Only at that address: an outsider who knows a name must not be able to keep its owner out.
    """

    def __init__(self, most: int = 5, seconds: float = 900.0, now: Callable[[], float] = time.monotonic) -> None:
        self.most, self.seconds, self._now = most, seconds, now
        self._failures: OrderedDict[tuple[str, str], tuple[int, float]] = OrderedDict()

    def waits(self, name: str, address: str) -> float:
        """Seconds until the account may be tried again from there; 0.0 when it may now."""
        count, last = self._failures.get((name, address), (0, 0.0))
        left = last + self.seconds - self._now()
        if count >= self.most and left <= 0:
            del self._failures[name, address]
        return max(0.0, left) if count >= self.most else 0.0

    def failed(self, name: str, address: str) -> None:
        count, _ = self._failures.get((name, address), (0, 0.0))
        self._failures[name, address] = (count + 1, self._now())
        self._failures.move_to_end((name, address))
        if len(self._failures) > MOST_COUNTED:
            self._failures.popitem(last=False)

    def succeeded(self, name: str, address: str) -> None:
        self._failures.pop((name, address), None)

    def forget(self, name: str) -> None:
        """Clear all failures of an account that was unlocked or has a new password."""
        for key in [key for key in self._failures if key[0] == name]:
            del self._failures[key]


class Turns:
    """Serialise login attempts for one account and address: however many come at once, five failures lock it."""

    def __init__(self) -> None:
        self._locks: dict[tuple[str, str], tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def turn(self, name: str, address: str) -> AsyncIterator[None]:
        """Wait for a turn. Raises TooBusy where too many wait."""
        key = name, address
        lock, count = self._locks.get(key, (asyncio.Lock(), 0))
        if count >= MOST_WAITING:
            raise TooBusy
        self._locks[key] = lock, count + 1
        try:
            async with lock:
                yield
        finally:
            _, count = self._locks.pop(key)
            if count > 1:
                self._locks[key] = lock, count - 1
