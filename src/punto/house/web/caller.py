"""Who sent a request, and what they need to have: a session, a role."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from punto.codes import Code
from punto.house.store.names import Role
from punto.house.web import problems

if TYPE_CHECKING:
    from punto.house.people.sessions import Session
    from punto.house.web.parts import Connection


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
