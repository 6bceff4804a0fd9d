"""Commands over HTTP."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response, post

from punto.game.commands import AnyCommand
from punto.game.events import AnyEvent
from punto.house.table.answers import Answer
from punto.house.web import strict
from punto.house.web.described import doc
from punto.house.web.orders import Key, Order, carried_out
from punto.house.web.problems import PROBLEM_JSON, no_session
from punto.house.web.rooms import Caller, Rooms, caller, charge, rooms

Asked = Request[Any, Any, Any]


class CommandBody(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """`key` is yours: sent again, it has one effect and the same answer. Give `command` or `commands`."""

    key: Key
    command: AnyCommand | None = None
    commands: list[AnyCommand] | None = None


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """What it led to, as you may see it. `version` is the table's after it."""

    table: str
    version: int
    events: list[AnyEvent]


@post(
    "/api/tables/{table:str}/commands",
    status_code=200,
    opt=doc(
        topic="tables",
        says="Give a command, or a list of them, to a table",
        body=CommandBody,
        answer=Accepted,
        session=True,
        problems=(404, 409),
    ),
)
async def command(request: Asked, table: str) -> Response[bytes]:
    answer = await answered(rooms(request), caller(request), table, await request.body())
    return Response(answer.json, status_code=answer.status, media_type=media(answer))


async def answered(here: Rooms, who: Caller, table: str, body: bytes) -> Answer:
    """The same without Litestar, for the door: this is the one route that is asked all the time."""
    if who.session is None:
        raise no_session()
    who.noted["table"] = table[:64]
    order = strict.read(body, Order)
    charge(here, who, len(order.given) - 1)
    return await carried_out(here, who.session, table, order)


def media(answer: Answer) -> str:
    return "application/json" if answer.accepted else PROBLEM_JSON
