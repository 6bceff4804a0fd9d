"""Commands over HTTP."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, post
from litestar.response.base import ASGIResponse

from punto.game.commands import AnyCommand
from punto.game.events import AnyEvent
from punto.house.web import strict_json
from punto.house.web.caller import caller, session
from punto.house.web.command_requests import CommandRequest, Key, carry_out
from punto.house.web.openapi import doc
from punto.house.web.parts import parts
from punto.house.web.problems import PROBLEM_JSON
from punto.house.web.rate_limits import charge

Sent = Request[Any, Any, Any]


class CommandBody(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """You choose `key`: a retry with it has no second effect and the same answer. Give `command` or `commands`."""

    key: Key
    command: AnyCommand | None = None
    commands: list[AnyCommand] | None = None


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """The events that followed, as you may see them. `version` is the table's after them."""

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
async def command(request: Sent, table: str) -> ASGIResponse:
    """Return bytes that are encoded already, so that nothing processes them again."""
    here, who, known = parts(request), caller(request), session(request)
    who.noted["table"] = table[:64]
    sent = strict_json.read(await request.body(), CommandRequest)
    charge(here, who, len(sent.all) - 1)
    answer = await carry_out(here, known, table, sent)
    media = "application/json" if answer.accepted else PROBLEM_JSON
    return ASGIResponse(body=answer.json, status_code=answer.status, media_type=media)
