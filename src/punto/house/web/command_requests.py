"""Command requests from a session to a table, over HTTP or the socket."""

from __future__ import annotations

import hashlib
import time
from typing import Annotated, Any, Final

import msgspec

from punto.codes import Code
from punto.game import commands as c
from punto.game.refusals import Refusal
from punto.game.table import Table
from punto.house import logs, metrics
from punto.house.people.sessions import Session
from punto.house.store.answers import Answer, Denied
from punto.house.store.names import END
from punto.house.store.records import StoreBroken
from punto.house.table import permissions, request
from punto.house.table.house import Busy, NoSuchTable, Unsure
from punto.house.table.loaded_table import Halted
from punto.house.table.request import MOST_COMMANDS, Permit, Request
from punto.house.web.parts import Parts
from punto.house.web.problems import NO_SESSION, Stop, not_found

_KEY: Final = rf"^(?!approval-)[!-~]{{1,64}}{END}"
Key = Annotated[str, msgspec.Meta(pattern=_KEY, min_length=1, max_length=64, examples=["k-1"])]
_TABLE_ID: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")


class CommandRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One command, or a list that is carried out whole or not at all, as it is sent."""

    key: Key
    command: dict[str, Any] | None = None
    commands: Annotated[list[dict[str, Any]], msgspec.Meta(min_length=1, max_length=MOST_COMMANDS)] | None = None

    @property
    def all(self) -> list[dict[str, Any]]:
        if (self.command is None) == (self.commands is None):
            raise Stop(400, Code.BAD_COMMAND, "expected either `command` or `commands`")
        return [self.command] if self.command is not None else list(self.commands or ())


def is_table_id(text: str) -> bool:
    return 0 < len(text) <= 64 and _TABLE_ID.issuperset(text)


async def state(here: Parts, table: str, version: int = 0) -> Table:
    """The table at `version` or later; raises 404 or 503. A commit is announced before the table in memory has it."""
    if not is_table_id(table):
        raise not_found("table")
    try:
        current = await here.house.table(table)
        return current if current.version >= version else (await here.house.newest(table)).table
    except Exception as error:
        raise _stop(error) from None


async def carry_out(
    here: Parts, session: Session, table: str, whole: CommandRequest, further: Permit | None = None
) -> Answer:
    """Carry out and log a request. `further` is a condition of the sender's own. Raises Stop if it never reaches the
    table."""
    sent, began = whole.all, time.perf_counter()
    code: str | None = "bug"
    try:
        if not is_table_id(table):
            raise not_found("table")
        answer = await give(here, session, table, sent, whole.key, sent, further)
        code = answer.code
        return answer
    except Stop as stop:
        code = stop.code
        raise
    finally:
        _note(sent, code, session, table, began)


async def give(
    here: Parts,
    session: Session,
    table: str,
    commands: list[dict[str, Any]],
    key: str,
    sent: Any,
    further: Permit | None = None,
) -> Answer:
    """Give a session's commands to a table. `sent` is all that came under the key. `further` is asked beside the
    permission, in the state in which a command is decided."""
    records = request.read(session.name, session.role, commands)
    if isinstance(records, Denied):
        raise Stop.of(records)

    def permit(at: Table, command: c.AnyCommand) -> Denied | Refusal | None:
        if session.ended:
            return NO_SESSION
        denied = permissions.at_table(session.name, session.role, at, command)
        return further(at, command) if denied is None and further is not None else denied

    body = hashlib.sha256(msgspec.json.encode(sent, order="sorted")).digest()
    audience = permissions.audience(session.role)
    try:
        if _first_chips(session, records):
            await here.house.table(table)  # raises if there is no such table, before anything is recorded
            await here.guests.put_on_record(session.name)
            session.on_record = True
        return await here.house.command(table, Request(records, key, session.name, body, audience, permit))
    except Exception as error:
        raise _stop(error) from error


def _first_chips(session: Session, commands: list[c.AnyCommand]) -> bool:
    """Whether a guest who may not be on record yet buys chips."""
    if not session.guest or session.on_record:
        return False
    return any(isinstance(command, c.Join | c.BuyChips) and bool(command.chips_cents) for command in commands)


def _stop(error: Exception) -> Exception:
    """The house's own errors as problems; any other is a bug and stays as it is."""
    match error:
        case NoSuchTable():
            return not_found("table")
        case Busy():
            return Stop(429, Code.BUSY, "too many commands wait at this table", wait=1)
        case Unsure():
            text = "this node has no sure connection to the database at the moment and closes no betting: try again"
            return Stop(503, Code.UNSURE, text, wait=1)
        case Halted() | StoreBroken():
            return Stop(503, Code.STOPPING, "the house takes no commands now")
        case _:
            return error


def _kind(command: dict[str, Any]) -> str:
    tag = command.get("do")
    return tag if isinstance(tag, str) and tag in permissions.TAGS else "unknown"


def _note(sent: list[dict[str, Any]], code: str | None, session: Session, table: str, began: float) -> None:
    seconds = time.perf_counter() - began
    kinds = kind = _kind(sent[0])
    if len(sent) > 1:
        kinds = ",".join(dict.fromkeys(_kind(command) for command in sent))
        kind = "several" if "," in kinds else kinds
    metrics.command_seconds.observe(seconds)
    metrics.commands.count(kind, code or "accepted")
    facts = {"kind": kinds, "person": session.name, "table": table[:64], "ms": round(seconds * 1000, 1)}
    logs.say("command", **facts if code is None else {**facts, "code": code})
