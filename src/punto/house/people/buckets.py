"""Rate limits and lockout in memory: a token bucket per key, and failures counted per account.

Each node counts for itself. Both tables are bounded: what an outsider can grow is thrown out oldest first.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

MOST_KEYS: Final = 20_000


class Buckets:
    """`per_second` tokens flow in up to `burst`; `take` says how long to wait, 0.0 where there is a token."""

    def __init__(self, per_second: float, burst: int, now: Callable[[], float] = time.monotonic) -> None:
        self.per_second, self.burst, self._now = per_second, burst, now
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, tokens: float = 1.0) -> float:
        if self.per_second <= 0:
            return 0.0
        now = self._now()
        held, at = self._held.get(key, (float(self.burst), now))
        held = min(float(self.burst), held + (now - at) * self.per_second)
        wait = 0.0
        if held >= tokens:
            held -= tokens
        else:
            wait = (tokens - held) / self.per_second
        self._held[key] = (held, now)
        self._held.move_to_end(key)
        if len(self._held) > MOST_KEYS:
            self._held.popitem(last=False)
        return wait


class Lockout:
    """After `most` failures in a row an account waits `seconds`, whoever asks and whether it exists or not."""

    def __init__(self, most: int = 5, seconds: float = 900.0, now: Callable[[], float] = time.monotonic) -> None:
        self.most, self.seconds, self._now = most, seconds, now
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def waits(self, name: str) -> float:
        """Seconds until the account may try again; 0.0 when it may now."""
        count, last = self._failures.get(name, (0, 0.0))
        left = last + self.seconds - self._now()
        if count >= self.most and left <= 0:
            del self._failures[name]
        return max(0.0, left) if count >= self.most else 0.0

    def failed(self, name: str) -> None:
        count, _ = self._failures.get(name, (0, 0.0))
        self._failures[name] = (count + 1, self._now())
        self._failures.move_to_end(name)
        if len(self._failures) > MOST_KEYS:
            self._failures.popitem(last=False)

    def succeeded(self, name: str) -> None:
        self._failures.pop(name, None)
