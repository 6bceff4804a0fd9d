"""What every route uses: the store, the house, its people, and the settings of this server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from litestar.connection import ASGIConnection

from punto.codes import Code
from punto.house.people.absent_patrons import AWAY_MINUTES
from punto.house.people.rate_limits import Buckets
from punto.house.people.second_person import RESET_DAYS
from punto.house.store.names import Role
from punto.house.web import problems

if TYPE_CHECKING:
    from punto.house.history.floor import Floor
    from punto.house.live.hub import Hub
    from punto.house.people.accounts import Accounts
    from punto.house.people.approvals import Approvals
    from punto.house.people.guests import Guests
    from punto.house.people.sessions import Session, Sessions
    from punto.house.people.two_person_acts import Acts
    from punto.house.store.interface import Store
    from punto.house.table.directory import Directory
    from punto.house.table.house import House
    from punto.house.watch.book import WatchBook
    from punto.house.web.tiles import Tiles

Connection = ASGIConnection[Any, Any, Any, Any]


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


class Rooms:
    """One server's parts, made by `serve` and kept while it runs."""

    store: Store
    house: House
    hub: Hub
    floor: Floor
    accounts: Accounts
    guests: Guests
    sessions: Sessions
    approvals: Approvals
    acts: Acts
    directory: Directory
    watch_book: WatchBook

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.ready = False
        self.draining = False
        self.by_address = Buckets(settings.address_rate, settings.address_burst)
        self.by_session = Buckets(settings.session_rate, settings.session_burst)
        self.logins = Buckets(settings.login_rate, settings.login_burst)
        self.entries = Buckets(settings.guest_rate, settings.guest_burst)
        self.handshakes = Buckets(settings.socket_rate, settings.socket_burst)
        self.sockets: dict[str, int] = {}
        self.tiles: set[Tiles] = set()


class Caller(msgspec.Struct):
    """Who sent a request, looked up once before the route. `noted` holds further facts for its log line."""

    id: str
    address: str
    session: Session | None = None
    noted: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def name(self) -> str | None:
        return self.session.name if self.session is not None else None

    @property
    def role(self) -> Role | None:
        return self.session.role if self.session is not None else None


def charge(here: Rooms, who: Caller, tokens: int) -> None:
    """Take tokens from the limits of the address and of the session, or raise 429."""
    if not tokens:
        return
    wait = here.by_address.take(who.address, tokens)
    if not wait and who.session is not None:
        wait = here.by_session.take(who.session.name, tokens)
    if wait:
        raise problems.Stop(429, Code.TOO_MANY, "too many requests: wait a moment", wait=wait)


def rooms(connection: Connection) -> Rooms:
    here: Rooms = connection.app.state.rooms
    return here


def caller(connection: Connection) -> Caller:
    who: Caller = connection.scope["punto"]  # type: ignore[typeddict-item]  # `guards` put it there
    return who


def session(connection: Connection) -> Session:
    """The session; raises 401 if there is none. Call it again after an await: it may have ended."""
    current = caller(connection).session
    if current is None or current.ended:
        raise problems.no_session()
    return current


def need(connection: Connection, roles: frozenset[Role]) -> Session:
    """The session; raises 401, or 403 if it has none of these roles."""
    user = session(connection)
    if user.role not in roles:
        raise problems.Stop(403, Code.NOT_ALLOWED, f"a {user.role.value.replace('-', ' ')} may not do this")
    return user
