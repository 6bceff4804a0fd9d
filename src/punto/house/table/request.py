"""A request: the commands that one person gives under one key. All of them are carried out, or none.

A person's commands are parsed from plain JSON here, and what the house knows of the person is filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec

from punto.codes import Code
from punto.game import commands as c
from punto.game import notation
from punto.game.audience import Audience
from punto.game.refusals import Refusal
from punto.game.table import Table
from punto.house.store.answers import Denied
from punto.house.store.names import HOUSE_PREFIX, SUPERVISOR, Role
from punto.house.table.permissions import BY_TAG, MAY

MOST_COMMANDS: Final = 64

Permit = Callable[[Table, c.AnyCommand], Denied | Refusal | None]
"""Why this command may not be given to a table in this state; None where it may. A refusal is remembered under the
request's key, a denial is not."""


class Request(msgspec.Struct, frozen=True, eq=False):
    """`key` is the actor's own: another person may use the same one. `body` is the SHA-256 of what was sent: a key that
    has an answer gets the identical bytes again, or `key-reused` if the body differs. `audience` is what the actor may
    see of the events. `permit` is called for each command when it is decided."""

    commands: Sequence[c.AnyCommand]
    key: str
    actor: str
    body: bytes
    audience: Audience = Audience.PATRON
    permit: Permit | None = None

    @property
    def stored_key(self) -> str:
        """The key, unique in the table."""
        return f"{self.actor}/{self.key}"


def by_house(commands: Sequence[c.AnyCommand], key: str, actor: str, permit: Permit | None = None) -> Request:
    """A request of the house itself: of a virtual table's dealer, of recovery, of the cage."""
    return Request(commands, key, actor, body_of(commands), Audience.PIT, permit)


def body_of(commands: Sequence[c.AnyCommand]) -> bytes:
    """The hash that tells one list of commands from another under the same key."""
    return sha256(notation.encode(commands)).digest()


FROM_SERVER: Final[dict[str, tuple[str, ...]]] = {
    "load-shoe": ("order", "salt", "commitment"),
    "open-betting": ("on",),
    "open-table": ("on",),
}
"""Fields that only the house itself fills in: cards to come, and the date that chooses the edition."""

CURRENCY: Final = "SGD"
"""The only currency: a wallet is good at every table, so chips of two would be changed at par."""


def read(name: str, role: Role, commands: Sequence[dict[str, Any]]) -> list[c.AnyCommand] | Denied:
    """A person's commands, or why they may not give them."""
    records: list[c.AnyCommand] = []
    for command in commands:
        full = filled(name, role, command)
        if isinstance(full, Denied):
            return full
        try:
            records.append(notation.record(full, BY_TAG[full["do"]]))
        except (ValueError, TypeError) as error:
            return Denied(Code.BAD_REQUEST, str(error)[:300], 400)
    return records


def filled(name: str, role: Role, command: dict[str, Any]) -> dict[str, Any] | Denied:
    """The command with `by`, `patron`, `name` and `rank` filled in from the session, or why it may not be given."""
    tag = command.get("do")
    kind = BY_TAG.get(tag) if isinstance(tag, str) else None
    if kind is None:
        return Denied(Code.BAD_COMMAND, "`do` names no command", 400)
    if role not in MAY[kind]:
        return Denied(Code.NOT_ALLOWED, f"a {role.value.replace('-', ' ')} may not give {tag}")
    for field in FROM_SERVER.get(str(tag), ()):
        if command.get(field) is not None:
            return Denied(Code.FROM_SERVER, f"`{field}` of {tag} is filled in by the house, never by a client")
    if kind is c.OpenTable and command.get("currency", CURRENCY) != CURRENCY:
        return Denied(Code.BAD_CURRENCY, f"this house plays in {CURRENCY}", 400)
    full = dict(command)
    return _as_patron(name, kind, full) if role is Role.PATRON else _as_staff(name, role, kind, full)


def _as_patron(name: str, kind: type, full: dict[str, Any]) -> dict[str, Any] | Denied:
    field = "by" if kind is c.ExposeCard else "patron"
    if full.setdefault(field, name) != name:
        return Denied(Code.NOT_YOURS, f"`{field}` names somebody else")
    if field == "patron" and full.get("by") is not None:
        return Denied(Code.NOT_YOURS, "`by` names staff, and you are a patron")
    return full


def _as_staff(name: str, role: Role, kind: type, full: dict[str, Any]) -> dict[str, Any] | Denied:
    if kind in (c.StartDuty, c.EndDuty):
        named = full.setdefault("name", name)
        if named != name and not (kind is c.EndDuty and role in SUPERVISOR):
            return Denied(Code.NOT_YOURS, "`name` names somebody else")
        if kind is c.EndDuty and str(named).startswith(HOUSE_PREFIX):
            return Denied(Code.NOT_YOURS, f"{named} is the house's own")
    elif kind is c.ChooseOption:
        return full
    elif full.get("by") is None:
        full["by"] = name
    elif full["by"] != name and kind is not c.ExposeCard:
        return Denied(Code.NOT_YOURS, "`by` names somebody else")
    if kind in (c.StartDuty, c.OpenTable):
        rank = role.rank
        assert rank is not None, "MAY lets only ranks through here"
        if full.setdefault("rank", rank.value) != rank.value:
            return Denied(Code.NOT_YOURS, f"your rank is {rank.value}")
    return full
