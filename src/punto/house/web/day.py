"""The day over HTTP: what the tables made in a span, as JSON, CSV and a workbook."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Response, get

from punto.codes import Code
from punto.house import logs
from punto.house.history import day_files
from punto.house.history.day_sheet import DaySheet, day_sheet
from punto.house.history.export import Span
from punto.house.history.floor import day_began
from punto.house.store.names import DESKS
from punto.house.web import http
from punto.house.web.caller import caller, need
from punto.house.web.command_requests import is_table_id
from punto.house.web.http import HttpRequest, answer
from punto.house.web.openapi import doc
from punto.house.web.parts import parts
from punto.house.web.problems import Stop, not_found
from punto.house.web.rate_limits import charge

_COSTS = 10
"""Rate-limit tokens: a span of many tables is read from the store."""


class DayQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from", "until": "to"}):
    """`from` and `to` are instants, or dates: the day begins at 08:00 +08:00 (E5). Without them it is today until
    now."""

    table: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    since: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    until: Annotated[str, msgspec.Meta(max_length=40)] | None = None


def _doc(says: str, kind: Any = bytes, media: str = "application/json") -> dict[str, Any]:
    return doc("floor", says, answer=kind, media=media, query=DayQuery, session=True, problems=(403, 404, 406))


@get("/api/day", opt=_doc("What the tables made in a span, and what they should have made", DaySheet))
async def day(request: HttpRequest) -> Response[bytes]:
    return answer(await _sheet(request))


@get("/api/day.csv", opt=_doc("The same as CSV", media="text/csv"))
async def day_csv(request: HttpRequest) -> Response[bytes]:
    made = await _sheet(request)
    return _file(day_files.as_csv(made), "text/csv", "day.csv")


@get("/api/day.xlsx", opt=_doc("The same as a workbook", media=day_files.XLSX))
async def day_xlsx(request: HttpRequest) -> Response[bytes]:
    made = await _sheet(request)
    try:
        body = await asyncio.to_thread(day_files.as_xlsx, made)
    except ImportError:
        text = "a workbook needs xlsxwriter: install punto[reports], or take the CSV"
        raise Stop(406, Code.NOT_INSTALLED, text) from None
    return _file(body, day_files.XLSX, "day.xlsx")


async def _sheet(request: HttpRequest) -> DaySheet:
    user = need(request, DESKS["day"])
    query = http.query(request, DayQuery)
    here, now = parts(request), parts(request).house.clock.now()
    if query.table is not None and (not is_table_id(query.table) or query.table not in here.directory.known):
        raise not_found("table")
    charge(here, caller(request), _COSTS)
    until = min(http.instant(query.until, now + 1), now + 1)
    since = http.instant(query.since, day_began(now))
    if since >= until:
        raise Stop(400, Code.BAD_QUERY, "`from` is not before `to`, or is in the future")
    tables = (query.table,) if query.table is not None else tuple(here.directory.known)
    logs.say("day", person=user.name, table=query.table)
    return await day_sheet(here.store, Span(tables, since, until))


def _file(body: bytes, media: str, name: str) -> Response[bytes]:
    return Response(body, media_type=media, headers={"content-disposition": f'attachment; filename="{name}"'})
