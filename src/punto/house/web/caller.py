"""Who sent a request: their address, also behind a proxy, their session, and the role that a route asks for."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network
from typing import TYPE_CHECKING, Any

import msgspec

from punto.codes import Code
from punto.house.store.names import Role
from punto.house.web import problems

if TYPE_CHECKING:
    from punto.house.people.sessions import Session
    from punto.house.web.parts import Connection
    from punto.house.web.settings import Settings

Headers = dict[bytes, bytes]
Scope = Any


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


def address_of(scope: Scope, headers: Headers, settings: Settings) -> str:
    """The address that limits count for. Behind a proxy: the last in its header, which it saw itself."""
    address = ""
    if settings.behind_tls:
        address = headers.get(b"x-forwarded-for", b"").rpartition(b",")[2].strip().decode("latin-1")[:64]
    client = scope.get("client")
    address = address or (str(client[0]) if client else "local")
    return _network(address) if ":" in address else address


@lru_cache(4096)
def _network(address: str) -> str:
    """The /64 of an IPv6 address: a customer has all of it, and could use a new address for every request. The port,
    which some proxies add, is dropped: it changes with every connection."""
    host = address.removeprefix("[").partition("]")[0]
    if host.count(":") == 1:
        return host.partition(":")[0]
    try:
        parsed = IPv6Address(host.partition("%")[0])
    except ValueError:
        return address
    return str(parsed.ipv4_mapped or IPv6Network((parsed, 64), strict=False))


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
