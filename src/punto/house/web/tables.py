"""Tables over HTTP: the list, one table, opening one."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Annotated, Final

import msgspec
from litestar import Response, get, post

from punto import money
from punto.codes import Code
from punto.game import audience as seeing
from punto.game import notation, roads
from punto.game.audience import View
from punto.game.commands import OpenTable
from punto.game.events import TableOpened
from punto.game.table import Phase, TableLimits
from punto.house.store import codec
from punto.house.store.dealing_pace import PACE, Pace
from punto.house.store.names import ONLOOKERS, SUPERVISOR, Role
from punto.house.store.records import MOST_READ, Row
from punto.house.table import permissions
from punto.house.table.countdown import Clock, clock
from punto.house.table.governing_edition import in_use, ruled_by
from punto.house.web import http, strict_json
from punto.house.web.caller import caller, need
from punto.house.web.command_requests import Key, give, is_table_id, state
from punto.house.web.commands import Accepted
from punto.house.web.http import HttpRequest, answer
from punto.house.web.openapi import doc
from punto.house.web.parts import Parts, parts
from punto.house.web.problems import PROBLEM_JSON, Stop

LONGEST_PACE: Final = 3600
ROAD_COLUMNS: Final = 24
"""Columns of the Big Road on a tile."""
SHORTEST_ROUND: Final = 0.05
"""Seconds of betting and result together: a table without a pause would keep the whole house writing."""


class Seats(msgspec.Struct, frozen=True, kw_only=True):
    taken: int
    of: int


class Road(msgspec.Struct, frozen=True, kw_only=True):
    """The newest columns of the Big Road as six rows of text, and the ties that lie on its cells."""

    rows: tuple[str, ...]
    ties: tuple[str, ...]


class TableShown(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the lobby, with nothing about any patron."""

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
    name: str | None
    """What people call it. Without a name it goes by its id."""
    road: Road


class Myself(msgspec.Struct, frozen=True, kw_only=True):
    """The viewer. `on_duty` is their rank on duty at this table, if any."""

    name: str
    role: Role
    wallet: str
    on_duty: str | None


class TableSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the viewer may see it."""

    id: str
    game: str
    version: int
    view: View
    clock: Clock | None
    me: Myself | None = None


class Opening(OpenTable, frozen=True, kw_only=True, tag="open-table", forbid_unknown_fields=True):
    """open-table, with the pace of a virtual table: seconds from 0 to 3600 each, and at least 0.05 for betting and
    result together. A live table uses only the seconds of betting, for its clock."""

    pace: Pace | None = None
    key: Key | None = None


class TablesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: Annotated[str, msgspec.Meta(max_length=64)] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=2000)] = 1000


@get("/api/tables", opt=doc("tables", "The lobby", answer=list[TableShown], query=TablesQuery))
async def tables(request: HttpRequest) -> Response[bytes]:
    query = http.query(request, TablesQuery)
    here = parts(request)
    ids = [table for table in here.directory.known if table > query.after][: query.limit]
    return answer(b"[" + b",".join([(await listed(here, table))[1] for table in ids]) + b"]")


async def listed(here: Parts, table: str) -> tuple[TableShown, bytes]:
    """A table and its JSON, cached for each version: the lobby of a thousand tables is read from memory."""
    kept = here.directory.shown.get(table)
    if kept is None:
        moves = here.directory.moves.get(table, 0)
        shown = await _shown(here, table, moves)
        kept = (shown, notation.encode(shown))
        if here.directory.moves.get(table, 0) == moves:
            here.directory.shown[table] = kept
    return kept


async def _shown(here: Parts, table: str, version: int) -> TableShown:
    current = await state(here, table, version)
    now = await here.house.state(table)
    settings, rules = current.opened, in_use(current)
    assert rules is not None, "a table that has events was opened"
    seen = seeing.view(rules, current, seeing.Audience.PUBLIC)
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
        clock=clock(current, here.house.shown_since(now), here.directory.pace_of(table)),
        notice=seen.notice,
        version=current.version,
        name=settings.name,
        road=_road(seen.results),
    )


@lru_cache(maxsize=4_096)
def _road(results: str) -> Road:
    """Cached: a table's results are mostly those of a moment ago."""
    boards = roads.roads(results[-roads.LONGEST :])
    first = max(max((cell.column for cell in boards.big_road), default=0) - ROAD_COLUMNS + 1, 0)
    drawn = roads.to_json(boards)
    rows, ties = (tuple(row[first:] for row in drawn[part]) for part in ("big_road", "ties"))  # type: ignore[attr-defined]
    return Road(rows=rows, ties=ties)


@get("/api/tables/{table:str}", opt=doc("tables", "A table as you may see it", answer=TableSeen))
async def table_view(request: HttpRequest, table: str) -> Response[bytes]:
    here, who = parts(request), caller(request)
    current = await state(here, table)
    now, rules = await here.house.state(table), in_use(current)
    assert rules is not None, "a table that has events was opened"
    me, eyes = None, permissions.audience(who.role)
    named = who.name if who.role not in ONLOOKERS else None
    view = seeing.view(rules, current, eyes, named, ruled_by=ruled_by(current))
    if eyes is not seeing.Audience.PUBLIC:
        on_duty = current.staff.get(who.name or "")
        view = msgspec.structs.replace(view, can=permissions.allowed(current, eyes, on_duty, view.can))
    if who.session is not None:
        wallet = money.amount(await here.guests.wallet(who.session.name, guest=who.session.guest))
        rank = current.staff.get(who.session.name)
        me = Myself(
            name=who.session.name,
            role=who.session.role,
            wallet=wallet,
            on_duty=rank.value if rank is not None else None,
        )
    shown = TableSeen(
        id=table,
        game=rules.source.game,
        version=current.version,
        view=view,
        clock=clock(current, here.house.shown_since(now), here.directory.pace_of(table)),
        me=me,
    )
    return answer(shown)


@post(
    "/api/tables",
    opt=doc(
        "tables",
        "Open a table: the open-table command, with its pace",
        body=Opening,
        answer=Accepted,
        session=True,
        problems=(404, 409),
    ),
)
async def open_table(request: HttpRequest) -> Response[bytes]:
    user = need(request, SUPERVISOR)
    body = strict_json.plain(await request.body(), seconds=True)
    command = dict(body) if isinstance(body, dict) else strict_json.converted(body, Opening)
    assert isinstance(command, dict), "anything else was refused"
    key = command.pop("key", None)
    sent = dict(command)
    pace: Pace | None = strict_json.one_of(command.pop("pace", None), Pace | None)
    if pace is not None and not all(0 <= seconds <= LONGEST_PACE for seconds in msgspec.structs.astuple(pace)):
        raise Stop(400, Code.BAD_PACE, f"seconds of a pace are 0 to {LONGEST_PACE}")
    if pace is not None and pace.betting + pace.result < SHORTEST_ROUND:
        raise Stop(400, Code.BAD_PACE, f"betting and result take at least {SHORTEST_ROUND} seconds together")
    command["do"] = "open-table"
    table, here = command.get("table"), parts(request)
    if isinstance(table, str) and (not is_table_id(table) or not table[0].isalnum()):
        raise Stop(400, Code.BAD_NAME, "a table's id is 1 to 64 of a-z 0-9 . _ - and begins with a letter or digit")
    key = key or await _default_key(here, str(table), sent)
    answer = await give(here, user, str(table), [command], strict_json.converted(key, Key), sent)
    if answer.accepted and await _is_newest(here, str(table), msgspec.json.decode(answer.json)["version"]):
        virtual = command.get("source") == "virtual"
        game = str(command.get("edition") or command.get("game") or "").partition("/")[0]
        await here.directory.add(str(table), game, pace or (PACE if virtual else None))
    media = "application/json" if answer.accepted else PROBLEM_JSON
    return Response(answer.json, status_code=201 if answer.accepted else answer.status, media_type=media)


async def _default_key(here: Parts, table: str, sent: dict[str, object]) -> str:
    """The key of a request that has none: the same while the table is open, and another after each close. So what is
    sent again has one effect, and a closed table can be opened with the same settings."""
    before, _ = await here.store.head(f"table/{table}")
    if before and (await state(here, table, before)).phase is not Phase.CLOSED:
        rows = await here.store.read(f"table/{table}", max(before - MOST_READ, 0))
        before = max((row.version - 1 for row in rows if _opens(row)), default=before)
    return f"open-{before}-" + hashlib.sha256(msgspec.json.encode(sent, order="sorted")).hexdigest()[:32]


async def _is_newest(here: Parts, table: str, version: int) -> bool:
    """Whether the opening that led to this version is the table's newest. One that lies far back was listed then."""
    rows = await here.store.read(f"table/{table}", version)
    return len(rows) < MOST_READ and not any(map(_opens, rows))


def _opens(row: Row) -> bool:
    return isinstance(codec.event(row), TableOpened)
