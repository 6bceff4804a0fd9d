"""The settings of a server."""

from __future__ import annotations

import msgspec

from punto.house.people.absent_patrons import AWAY_MINUTES
from punto.house.people.second_person import RESET_DAYS
from punto.house.web.rate_limits import UNLIMITED, RateLimits


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a server. `punto serve` sets most of them."""

    behind_tls: bool = False
    """A proxy in front speaks TLS and sets X-Forwarded-For, which the house trusts."""
    host_names: tuple[str, ...] = ()
    """Host names that the house answers to, besides `localhost` and IP addresses."""
    origins: tuple[str, ...] = ()
    """Origins besides the server's own that a page may come from."""
    guests: bool = True
    """Whether anybody may enter with play chips."""
    away_minutes: float = AWAY_MINUTES
    """A patron's seat is freed after this time without a wager and without a live socket."""
    reset_days: int = RESET_DAYS
    """For so long, whoever gave a person a new password can't be their second person."""
    metrics_token: str = ""
    """If set, /metrics answers only a client that sends it as a bearer token."""
    rates: RateLimits = RateLimits()
    guests_in_all: int = 10_000
    """Guests on all nodes: the database counts them."""
    sockets_an_address: int = 400
    sockets_in_all: int = 20_000

    def unlimited(self) -> Settings:
        """For benchmarks and tests: no rate limits."""
        return msgspec.structs.replace(self, rates=UNLIMITED, sockets_an_address=1_000_000, sockets_in_all=1_000_000)
