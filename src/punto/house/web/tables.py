"""Tables over HTTP: the list, one table, opening one."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, get, post

from punto import money
from punto.codes import Code
from punto.game import audience as seeing
from punto.game import notation
from punto.game.audience import View
from punto.game.commands import OpenTable
from punto.game.table import TableLimits
from punto.house.people import permissions
from punto.house.people.names import Role
from punto.house.people.permissions import SUPERVISOR
from punto.house.table.clock import PACE, Clock, Pace, clock
from punto.house.table.governing import in_use
from punto.house.web import strict
from punto.house.web.commands import Accepted
from punto.house.web.described import doc
from punto.house.web.orders import Key, commanded, opening, state
from punto.house.web.problems import PROBLEM_JSON, Stop
from punto.house.web.rooms import Rooms, caller, need, rooms
from punto.house.web.said import answer

Asked = Request[Any, Any, Any]
LONGEST_PACE: Final = 3600
SHORTEST_ROUND: Final = 0.05
"""Seconds of betting and result together: a table without a pause would keep the whole house writing."""


class Seats(msgspec.Struct, frozen=True, kw_only=True):
    taken: int
    of: int


class TableShown(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the lobby. Nothing of any patron."""

    id: str
    game: str
    edition: str
    layout: str
    currency: str
    limits: TableLimits
    phase: str
    results: str
    seats: Seats
    source: str
    facing: str
    device: str
    decks: int
    private: bool
    high_limit: bool
    shoe: int | None
    hand: int | None
    round: int | None
    clock: Clock | None
    notice: str | None
    version: int


class Myself(msgspec.Struct, frozen=True, kw_only=True):
    """Who looks. `on_duty` is the rank on duty at this table, if any."""

    name: str
    role: Role
    wallet: str
    on_duty: str | None


class TableSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the asker may see it."""

    id: str
    game: str
    version: int
    view: View
    clock: Clock | None
    me: Myself | None = None


class Opening(OpenTable, frozen=True, kw_only=True, tag="open-table", forbid_unknown_fields=True):
    """open-table, with the pace of a virtual table: seconds from 0 to 3600 each, of which betting and result take at
    least 0.05 together."""

    pace: Pace | None = None
    key: Key | None = None


class TablesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: Annotated[str, msgspec.Meta(max_length=64)] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=2000)] = 1000


@get("/api/tables", opt=doc(topic="tables", says="The lobby", answer=list[TableShown], query=TablesQuery))
async def tables(request: Asked) -> Response[bytes]:
    asked = strict.query(request.query_params.multi_items(), TablesQuery)
    here = rooms(request)
    ids = [table for table in here.directory.known if table > asked.after][: asked.limit]
    return answer(b"[" + b",".join([await _listed(here, table) for table in ids]) + b"]")


async def _listed(here: Rooms, table: str) -> bytes:
    """Written once for each version of a table: the lobby of a thousand tables is read from memory."""
    kept = here.directory.shown.get(table)
    if kept is None:
        moves = here.directory.moves.get(table, 0)
        kept = notation.encode(await _shown(here, table))
        if here.directory.moves.get(table, 0) == moves:
            here.directory.shown[table] = kept
    return kept


async def _shown(here: Rooms, table: str) -> TableShown:
    await state(here, table)
    standing = await here.house.standing(table)
    found = standing.table
    settings, rules = found.opened, in_use(found)
    assert rules is not None, "a table that has events was opened"
    seen = seeing.view(rules, found, seeing.Audience.PUBLIC)
    return TableShown(
        id=table,
        game=seen.edition.partition("/")[0],
        edition=seen.edition,
        layout=seen.layout,
        currency=seen.currency,
        limits=settings.limits,
        phase=seen.phase.value,
        results=seen.results,
        seats=Seats(taken=sum(box.occupied for box in seen.boxes), of=settings.positions),
        source=settings.source,
        facing=settings.facing,
        device=settings.device,
        decks=settings.decks,
        private=settings.private,
        high_limit=settings.high_limit,
        shoe=seen.shoe,
        hand=seen.hand,
        round=seen.round,
        clock=clock(found, here.house.shown_since(standing), here.directory.pace_of(table)),
        notice=seen.notice,
        version=found.version,
    )


@get(
    "/api/tables/{table:str}",
    opt=doc(topic="tables", says="A table as you may see it", answer=TableSeen, problems=(404,)),
)
async def one_table(request: Asked, table: str) -> Response[bytes]:
    here, who = rooms(request), caller(request)
    await state(here, table)
    standing = await here.house.standing(table)
    found, rules = standing.table, in_use(standing.table)
    assert rules is not None, "a table that has events was opened"
    me, eyes = None, permissions.audience(who.role)
    view = seeing.view(rules, found, eyes, who.name if who.role is not Role.AUDITOR else None)
    if eyes is not seeing.Audience.PUBLIC:
        on_duty = found.staff.get(who.name or "")
        view = msgspec.structs.replace(view, can=permissions.allowed(found, eyes, on_duty, view.can))
    if who.session is not None:
        wallet = money.amount(await here.guests.wallet(who.session.name, guest=who.session.guest))
        rank = found.staff.get(who.session.name)
        me = Myself(
            name=who.session.name,
            role=who.session.role,
            wallet=wallet,
            on_duty=rank.value if rank is not None else None,
        )
    shown = TableSeen(
        id=table,
        game=rules.source.game,
        version=found.version,
        view=view,
        clock=clock(found, here.house.shown_since(standing), here.directory.pace_of(table)),
        me=me,
    )
    return answer(shown)


@post(
    "/api/tables",
    status_code=201,
    opt=doc(
        topic="tables",
        says="Open a table: the open-table command, with a pace where it is virtual",
        body=Opening,
        answer=Accepted,
        status=201,
        session=True,
        problems=(404, 409),
    ),
)
async def open_table(request: Asked) -> Response[bytes]:
    found = need(request, SUPERVISOR)
    body = strict.plain(await request.body(), seconds=True)
    given = dict(body) if isinstance(body, dict) else strict.converted(body, Opening)
    assert isinstance(given, dict), "anything else was refused"
    key = given.pop("key", None)
    asked = dict(given)
    pace: Pace | None = strict.one_of(given.pop("pace", None), Pace | None)
    if pace is not None and not all(0 <= seconds <= LONGEST_PACE for seconds in msgspec.structs.astuple(pace)):
        raise Stop(400, Code.BAD_PACE, f"seconds of a pace are 0 to {LONGEST_PACE}")
    if pace is not None and pace.betting + pace.result < SHORTEST_ROUND:
        raise Stop(400, Code.BAD_PACE, f"betting and result take at least {SHORTEST_ROUND} seconds together")
    command = opening(found, given)
    key = key or "open-" + hashlib.sha256(msgspec.json.encode(asked, order="sorted")).hexdigest()[:32]
    here = rooms(request)
    told = await commanded(here, found, command.table, [command], strict.converted(key, Key), asked)
    if told.accepted:
        if command.source == "virtual":
            pace = pace if pace is not None else PACE
        else:
            pace = None
        game = (command.edition or command.game or "").partition("/")[0]
        await here.directory.add(command.table, game, pace)
    media = "application/json" if told.accepted else PROBLEM_JSON
    return Response(told.json, status_code=201 if told.accepted else told.status, media_type=media)
