"""History over HTTP: events by audience, past rounds, shoes, roads, and the caller's rounds."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import Response, get

from punto.game import roads as drawn
from punto.game.audience import Audience, shown
from punto.house.history import queries
from punto.house.history.past_round import EventShown, PastRound, RoundSummary, summary
from punto.house.history.published_shoe import ShoeRecord, records
from punto.house.history.round_frames import frames
from punto.house.history.score_boards import boards
from punto.house.history.stream_index import stream_index
from punto.house.instants import iso
from punto.house.store.names import END
from punto.house.table import permissions
from punto.house.web import http
from punto.house.web.caller import caller, session
from punto.house.web.command_requests import state
from punto.house.web.http import HttpRequest, answer
from punto.house.web.openapi import doc
from punto.house.web.parts import parts
from punto.house.web.problems import not_found
from punto.house.web.rate_limits import charge

_SHOE_KINDS: Final = (
    *("shoe-loaded", "shoe-ended", "table-closed", "betting-opened", "cards-burnt", "card-drawn", "card-exposed"),
    *("irregularity-reported", "cards-discarded"),
)


class EventsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: Annotated[int, msgspec.Meta(ge=0, le=10**12)] = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=2000)] = 500


class Events(msgspec.Struct, frozen=True, kw_only=True):
    """`next` is the `after` of the next page, null on the last one. Events that the caller may not see are left out."""

    version: int
    events: list[EventShown]
    next: int | None


class RoundsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    before: Annotated[int, msgspec.Meta(ge=1, le=10**9)] | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 20


class Rounds(msgspec.Struct, frozen=True, kw_only=True):
    """Newest first. `before` gives the next page; null where there is none."""

    rounds: list[RoundSummary]
    before: int | None


class FramesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: Annotated[int, msgspec.Meta(ge=0, le=10**12)] = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = 100


class Frames(msgspec.Struct, frozen=True, kw_only=True):
    """The round after each of its events, with that event in `events` and the points that lay open then. `next` is
    the `after` of the next page, null on the last one."""

    frames: list[PastRound]
    next: int | None


class MineQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    before: Annotated[str, msgspec.Meta(pattern=rf"^[0-9]{{1,18}}{END}")] | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 25


class Mine(msgspec.Struct, frozen=True, kw_only=True):
    rounds: list[RoundSummary]
    before: str | None


def _costs(request: HttpRequest, tokens: int) -> None:
    """Charge more than for an ordinary request: otherwise one outsider could keep the house reading history."""
    charge(parts(request), caller(request), tokens)


def _eyes(request: HttpRequest) -> tuple[Audience, str | None]:
    who = caller(request)
    return permissions.audience(who.role), who.name


@get(
    "/api/tables/{table:str}/events", opt=doc("history", "Events as you may see them", answer=Events, query=EventsQuery)
)
async def events(request: HttpRequest, table: str) -> Response[bytes]:
    query = http.query(request, EventsQuery)
    _costs(request, query.limit // 100)
    here = parts(request)
    version = (await state(here, table)).version
    audience, me = _eyes(request)
    rows = (
        await queries.between(here.store, table, query.after, query.after + query.limit)
        if query.after < version
        else []
    )
    visible = [
        EventShown(version=number, at=iso(at), event=seen)
        for number, at, event in rows
        if (seen := shown(event, audience, me)) is not None
    ]
    last = rows[-1][0] if rows else query.after
    return answer(Events(version=version, events=visible, next=last if rows and last < version else None))


@get(
    "/api/tables/{table:str}/rounds", opt=doc("history", "Past rounds, newest first", answer=Rounds, query=RoundsQuery)
)
async def past_rounds(request: HttpRequest, table: str) -> Response[bytes]:
    query = http.query(request, RoundsQuery)
    _costs(request, query.limit // 2)
    here = parts(request)
    await state(here, table)
    audience, me = _eyes(request)
    numbers = await queries.round_numbers(here.store, table, query.before, query.limit)
    later = await queries.corrections(here.store, table, numbers[-1][1]) if numbers else {}
    summaries = []
    for number, _ in numbers:
        past = await queries.past_round(here.store, table, number, audience, me, later)
        if past is not None:
            summaries.append(summary(past))
    before = numbers[-1][0] if len(numbers) == query.limit and numbers[-1][0] > 1 else None
    return answer(Rounds(rounds=summaries, before=before))


@get("/api/tables/{table:str}/rounds/{number:str}", opt=doc("history", "Any past round, whole", answer=PastRound))
async def whole_round(request: HttpRequest, table: str, number: str) -> Response[bytes]:
    _costs(request, 4)
    here = parts(request)
    await state(here, table)
    past = await queries.past_round(here.store, table, _number(number), *_eyes(request))
    if past is None:
        raise not_found("round")
    return answer(past)


@get(
    "/api/tables/{table:str}/rounds/{number:str}/frames",
    opt=doc("history", "A round step by step", answer=Frames, query=FramesQuery),
)
async def round_frames(request: HttpRequest, table: str, number: str) -> Response[bytes]:
    query = http.query(request, FramesQuery)
    _costs(request, 4 + query.limit // 20)
    here = parts(request)
    await state(here, table)
    rows = await queries.whole_rows(here.store, table, _number(number))
    if not rows:
        raise not_found("round")
    every = [past for past in frames(rows, *_eyes(request)) if past.events[0].version > query.after]
    page = every[: query.limit]
    return answer(Frames(frames=page, next=page[-1].events[0].version if len(page) < len(every) else None))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise not_found("round or shoe")
    return int(text)


@get("/api/me/rounds", opt=doc("history", "My own rounds over all tables", answer=Mine, query=MineQuery, session=True))
async def my_rounds(request: HttpRequest) -> Response[bytes]:
    user = session(request)
    query = http.query(request, MineQuery)
    _costs(request, query.limit // 2)
    mine, more = await queries.rounds_of(parts(request).store, user.name, query.before, query.limit)
    return answer(Mine(rounds=[summary(past) for past in mine], before=more))


@get(
    "/api/tables/{table:str}/shoes/{number:str}",
    opt=doc(
        "history",
        "A virtual shoe: its commitment, what was dealt, and once it has ended its salt and order",
        answer=ShoeRecord,
    ),
)
async def virtual_shoe(request: HttpRequest, table: str, number: str) -> Response[bytes]:
    _costs(request, 10)
    here = parts(request)
    await state(here, table)
    wanted = _number(number)
    loaded = (await stream_index(here.store, table)).shoes
    if not 0 < wanted <= len(loaded):
        raise not_found("shoe")
    following = loaded[wanted] - 1 if wanted < len(loaded) else None
    rows = await queries.events_tagged(here.store, table, _SHOE_KINDS, loaded[wanted - 1] - 1, following)
    public = [seen for _, _, event in rows if (seen := shown(event, Audience.PUBLIC)) is not None]
    record = next(iter(records(public)), None)
    if record is None:
        raise not_found("virtual shoe")
    return answer(record)


@get("/api/tables/{table:str}/roads", opt=doc("history", "The score boards of the shoe in use", answer=dict[str, Any]))
async def roads(request: HttpRequest, table: str) -> Response[bytes]:
    here = parts(request)
    shoe = (await state(here, table)).shoe
    _costs(request, min(len(shoe.results), drawn.LONGEST) // 2000 if shoe is not None else 0)
    return answer(await boards(here.store, table, shoe))
