"""A token bucket per key, in memory. The rates are in `web/settings.py`.

Each node counts for itself. An outsider can make the table grow, so it is bounded: the oldest entries go.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

MOST_KEYS: Final = 20_000


class Buckets:
    """`per_second` tokens flow in up to `burst`; `take` returns how long to wait, 0.0 where there is a token."""

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
