"""A command on its way from a session to a table: read strictly, filled in, judged by role, then the house's.

The same for HTTP and for the socket. A key is answered with the same bytes whenever it comes again.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable
from typing import Annotated, Any, Final

import msgspec

from punto.codes import Code
from punto.game import commands as c
from punto.game.refusals import Refusal, refuse
from punto.game.table import NEW, Table
from punto.house import logs, metrics
from punto.house.people import permissions
from punto.house.people.names import END
from punto.house.people.sessions import Session
from punto.house.store.records import StoreBroken
from punto.house.table.answers import Answer
from punto.house.table.deciding import Asked
from punto.house.table.desk import Halted
from punto.house.table.service import Busy, NoSuchTable, Unsure, filling
from punto.house.web import strict
from punto.house.web.problems import Stop, no_session, not_found
from punto.house.web.rooms import Rooms

_KEY: Final = rf"^(?!approval-)[!-~]{{1,64}}{END}"
Key = Annotated[str, msgspec.Meta(pattern=_KEY, min_length=1, max_length=64, examples=["k-1"])]
MOST_COMMANDS: Final = 64
_TABLE_ID: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One command, or a list that is carried out whole or not at all."""

    key: Key
    command: dict[str, Any] | None = None
    commands: Annotated[list[dict[str, Any]], msgspec.Meta(min_length=1, max_length=MOST_COMMANDS)] | None = None

    @property
    def given(self) -> list[dict[str, Any]]:
        if (self.command is None) == (self.commands is None):
            raise Stop(400, Code.BAD_COMMAND, "expected either `command` or `commands`")
        return [self.command] if self.command is not None else list(self.commands or ())


def is_table_id(text: str) -> bool:
    return 0 < len(text) <= 64 and _TABLE_ID.issuperset(text)


async def state(here: Rooms, table: str, *, newest: bool = False) -> Table:
    """The table, with all that other nodes have committed where that is wanted, or 404, or 503."""
    if not is_table_id(table):
        raise not_found("table")
    try:
        return (await here.house.newest(table)).table if newest else await here.house.table(table)
    except NoSuchTable:
        raise not_found("table") from None
    except (Halted, StoreBroken):
        raise Stop(503, Code.STOPPING, "the house takes no commands now") from None


def prepared(session: Session, given: list[dict[str, Any]]) -> list[c.AnyCommand]:
    """The commands with what the session fills in, or why it may not give them."""
    found: list[c.AnyCommand] = []
    for one in given:
        full = permissions.filled(session.name, session.role, one)
        if isinstance(full, permissions.Denied):
            raise Stop(full.status, full.code, full.message)
        found.append(strict.converted(full, permissions.BY_TAG[full["do"]]))
    return found


Taken = Callable[[Answer | Exception], None]


def at_once(here: Rooms, session: Session, table: str, order: Order, take: Taken) -> bool:
    """An order to a table that is in memory: decided now, without waiting for anything but its commit. Whether that
    could be. `take` is called once with the answer or with what went wrong. Raises Stop for what never reaches the
    table."""
    began = time.perf_counter()
    given = order.given
    try:
        commands = prepared(session, given)
        standing = here.house.known(table)
        if standing is None or _denied(session, standing.table, commands) is not None:
            return False
        if _first_chips(session, commands):
            return False
        asked = _asked(session, commands, order.key, given, standing.table if len(commands) == 1 else None)

        def told(answer: Answer | Exception) -> None:
            answer = answer if isinstance(answer, Answer) else _stop(answer)
            _note(given, answer.code if isinstance(answer, (Answer, Stop)) else "bug", session, table, began)
            take(answer)

        return here.house.at_once(table, asked, told)
    except (Stop, Busy, Unsure, Halted) as error:
        stop = _stop(error)
        assert isinstance(stop, Stop), "each of them is one"
        _note(given, stop.code, session, table, began)
        raise stop from None


async def carried_out(here: Rooms, session: Session, table: str, order: Order) -> Answer:
    """Everything of an order. Raises Stop for what never reaches the table."""
    answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
    if at_once(here, session, table, order, filling(answer)):
        return await answer
    return await after_reading(here, session, table, order)


async def after_reading(here: Rooms, session: Session, table: str, order: Order) -> Answer:
    """An order to a table that has to be read first, or whose newest state says whether it may be given."""
    began = time.perf_counter()
    given = order.given
    try:
        commands = prepared(session, given)
        before = await state(here, table)
        denied = _denied(session, before, commands)
        if denied is not None:
            denied = _denied(session, await state(here, table, newest=True), commands)
        if denied is not None and not await _answered_before(here, session, table, order.key):
            raise Stop(denied.status, denied.code, denied.message)
        if session.ended:
            raise no_session()
        if _first_chips(session, commands):
            await _put_on_record(here, session)
        answer = await commanded(here, session, table, commands, order.key, given)
    except Stop as stop:
        _note(given, stop.code, session, table, began)
        raise
    _note(given, answer.code, session, table, began)
    return answer


def _first_chips(session: Session, commands: list[c.AnyCommand]) -> bool:
    """Whether a guest, who may be on no record yet, buys chips."""
    if not session.guest or session.on_record:
        return False
    return any(isinstance(one, c.Join | c.BuyChips) and bool(one.chips_cents) for one in commands)


async def _put_on_record(here: Rooms, session: Session) -> None:
    try:
        await here.guests.put_on_record(session.name)
    except StoreBroken as error:
        raise _stop(error) from None
    session.on_record = True


async def commanded(
    here: Rooms, session: Session, table: str, commands: list[c.AnyCommand], key: str, given: Any
) -> Answer:
    """To the table's mailbox and back."""
    asked = _asked(session, commands, key, given)
    try:
        return await here.house.command(
            table, commands, key, session.name, asked.body, asked.audience, allowed=asked.allowed
        )
    except (NoSuchTable, Busy, Unsure, Halted, StoreBroken) as error:
        raise _stop(error) from None


def _asked(session: Session, commands: list[c.AnyCommand], key: str, given: Any, judged: Table | None = None) -> Asked:
    """What the table is asked, with the hash of what was sent and the judge of who sent it. `judged` is a table at
    which a single command was allowed already."""
    name, role = session.name, session.role

    def allowed(at: Table, command: c.AnyCommand) -> Refusal | None:
        if at is judged and session.role is role:
            return None
        denied = permissions.at_table(name, session.role, at, command)
        return refuse(denied.code, denied.message) if denied is not None else None

    body = hashlib.sha256(msgspec.json.encode(given, order="sorted")).digest()
    return Asked(tuple(commands), f"{name}/{key}", name, body, permissions.audience(role), allowed)


def _stop(error: Exception) -> Exception:
    """How the house's own errors are told; any other is a bug and stays as it is."""
    match error:
        case NoSuchTable():
            return not_found("table")
        case Busy():
            return Stop(429, Code.BUSY, "too many commands wait at this table", wait=1)
        case Unsure():
            return Stop(503, Code.UNSURE, "this node can't prove its place just now; ask again", wait=1)
        case Halted() | StoreBroken():
            return Stop(503, Code.STOPPING, "the house takes no commands now")
        case _:
            return error


def _denied(session: Session, table: Table, commands: list[c.AnyCommand]) -> permissions.Denied | None:
    """By the state as it is now, so that a plain no is a 403. The table asks again when it decides."""
    seen = table
    for command in commands:
        denied = permissions.at_table(session.name, session.role, seen, command)
        if denied is not None:
            return denied
        if isinstance(command, c.StartDuty) and session.role.rank is not None:
            seen = msgspec.structs.replace(seen, staff={**seen.staff, session.name: session.role.rank})
    return None


async def _answered_before(here: Rooms, session: Session, table: str, key: str) -> bool:
    """Then the answer is given again, whatever the giver may do by now."""
    return await here.store.answered(f"table/{table}", f"{session.name}/{key}") is not None


def opening(session: Session, command: dict[str, Any]) -> c.OpenTable:
    """An open-table by this session."""
    found = prepared(session, [{**command, "do": "open-table"}])[0]
    assert isinstance(found, c.OpenTable), "the tag says so"
    denied = permissions.at_table(session.name, session.role, NEW, found)
    assert denied is None, "opening needs no duty"
    if not is_table_id(found.table) or not found.table[0].isalnum():
        raise Stop(400, Code.BAD_NAME, "a table's id is 1 to 64 of a-z 0-9 . _ - and begins with a letter or digit")
    return found


def _kind(command: dict[str, Any]) -> str:
    tag = command.get("do")
    return tag if isinstance(tag, str) and tag in permissions.TAGS else "unknown"


def _note(given: list[dict[str, Any]], code: str | None, session: Session, table: str, began: float) -> None:
    seconds = time.perf_counter() - began
    kinds = kind = _kind(given[0])
    if len(given) > 1:
        kinds = ",".join(dict.fromkeys(_kind(one) for one in given))
        kind = "several" if "," in kinds else kinds
    metrics.command_seconds.observe(seconds)
    metrics.commands.count(kind, code or "accepted")
    facts = {"kind": kinds, "person": session.name, "table": table[:64], "ms": round(seconds * 1000, 1)}
    logs.say("command", **facts if code is None else {**facts, "code": code})
