"""Rate limits: the figures, the buckets that count, and the 429 for whoever sends too much.

Each node counts for itself, in memory. An outsider can add entries, so their number is bounded: the oldest go.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from punto.codes import Code
from punto.house.web.problems import Stop

if TYPE_CHECKING:
    from punto.house.web.caller import Caller
    from punto.house.web.parts import Parts

MOST_KEYS: Final = 20_000


class Rate(msgspec.Struct, frozen=True):
    """So many a second, and so many at once after a pause. 0 a second: no limit."""

    per_second: float
    burst: int


class RateLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of one server. An address is one of IPv4, or a /64 of IPv6."""

    address: Rate = Rate(100.0, 400)
    """Requests, and messages over sockets, from one address."""
    session: Rate = Rate(40.0, 120)
    """The same of one person."""
    login: Rate = Rate(0.5, 20)
    """Passwords that are tried from one address."""
    guest: Rate = Rate(0.1, 60)
    """Guests who enter from one address: some 300 at a time, since those who have gone are removed after some 40
    minutes."""
    handshake: Rate = Rate(20.0, 400)
    """Sockets that are opened from one address."""


UNLIMITED: Final = RateLimits(**dict.fromkeys(RateLimits.__struct_fields__, Rate(0, 0)))


class Buckets:
    """A token bucket per key. `take` returns how long to wait, 0.0 where there are tokens."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._now = rate, now
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, tokens: float = 1.0) -> float:
        per_second, burst = self._rate.per_second, float(self._rate.burst)
        if per_second <= 0:
            return 0.0
        now = self._now()
        held, at = self._held.get(key, (burst, now))
        held = min(burst, held + (now - at) * per_second)
        wait = 0.0
        if held >= tokens:
            held -= tokens
        else:
            wait = (tokens - held) / per_second
        self._held[key] = (held, now)
        self._held.move_to_end(key)
        if len(self._held) > MOST_KEYS:
            self._held.popitem(last=False)
        return wait


def take(buckets: Buckets, key: str, tokens: float = 1.0, what: str = "requests") -> None:
    """Take tokens, or raise 429."""
    if wait := buckets.take(key, tokens):
        raise Stop(429, Code.TOO_MANY, f"too many {what}: wait a moment", wait=wait)


def charge(here: Parts, who: Caller, tokens: int) -> None:
    """Take tokens from the limits of the address and of the session, or raise 429."""
    if not tokens:
        return
    take(here.by_address, who.address, tokens)
    if who.session is not None:
        take(here.by_session, who.session.name, tokens)
