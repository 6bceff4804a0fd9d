"""The floor over HTTP: every table in one view."""

from __future__ import annotations

import msgspec
from litestar import Response, get

from punto.house.history.floor import FloorTable, day_began
from punto.house.instants import iso
from punto.house.store.names import DESKS
from punto.house.web.approvals import hidden_from
from punto.house.web.caller import need
from punto.house.web.http import HttpRequest, answer
from punto.house.web.openapi import doc
from punto.house.web.parts import parts


class FloorShown(msgspec.Struct, frozen=True, kw_only=True):
    """`day` is when today began, `approvals` how many wait for a second person."""

    now: str
    day: str
    approvals: int
    tables: list[FloorTable]


@get(
    "/api/floor",
    opt=doc("floor", "Every table in one view, for staff", answer=FloorShown, session=True, problems=(403,)),
)
async def floor(request: HttpRequest) -> Response[bytes]:
    user = need(request, DESKS["floor"])
    here = parts(request)
    now = here.house.clock.now()
    waiting = await here.approvals.waiting(hidden_from(user.role))
    lines = await here.floor.tables(tuple(here.directory.known))
    head = {"now": iso(now), "day": iso(day_began(now)), "approvals": waiting}
    return answer(b'%s,"tables":[%s]}' % (msgspec.json.encode(head)[:-1], b",".join(lines)))
