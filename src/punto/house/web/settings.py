"""The settings of a server, and its rate limits."""

from __future__ import annotations

import msgspec

from punto.house.people.absent_patrons import AWAY_MINUTES
from punto.house.people.second_person import RESET_DAYS


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a server. Rates are per second; 0 switches a limit off."""

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
    address_rate: float = 100.0
    address_burst: int = 400
    session_rate: float = 40.0
    session_burst: int = 120
    login_rate: float = 0.5
    login_burst: int = 20
    guest_rate: float = 0.1
    guest_burst: int = 60
    """Guests from one address (IPv6: a /64) on this node: some 300 at a time, since those who have gone are removed
    after some 40 minutes."""
    guests_in_all: int = 10_000
    """Guests on all nodes: the database counts them."""
    socket_rate: float = 20.0
    socket_burst: int = 400
    sockets_an_address: int = 400
    sockets_in_all: int = 20_000

    def unlimited(self) -> Settings:
        """For benchmarks and tests: no rate limits."""
        rates = dict.fromkeys(("address_rate", "session_rate", "login_rate", "guest_rate", "socket_rate"), 0)
        return msgspec.structs.replace(self, **rates, sockets_an_address=1_000_000, sockets_in_all=1_000_000)
