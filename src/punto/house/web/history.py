"""What has happened: events by audience, past rounds, shoes, roads, and one's own history."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, get

from punto.game import roads as drawn
from punto.game.audience import Audience, shown
from punto.game.table import Shoe
from punto.house import permissions
from punto.house.audit.shoes import ShoeRecord, records
from punto.house.clock import iso
from punto.house.people.names import END
from punto.house.store import Store
from punto.house.web import reading, recall, strict
from punto.house.web.described import doc
from punto.house.web.marks import marked
from punto.house.web.orders import state
from punto.house.web.pairs import paired
from punto.house.web.problems import not_found
from punto.house.web.recall import Recalled, Told, Whole
from punto.house.web.rooms import Rooms, caller, charge, rooms, session
from punto.house.web.said import answer

Asked = Request[Any, Any, Any]
_SHOE_KINDS: Final = (
    *("shoe-loaded", "shoe-ended", "table-closed", "betting-opened", "cards-burnt", "card-drawn", "card-exposed"),
    *("irregularity-reported", "cards-discarded"),
)


class EventsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: Annotated[int, msgspec.Meta(ge=0, le=10**12)] = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=2000)] = 500


class Events(msgspec.Struct, frozen=True, kw_only=True):
    """`next` is the `after` of what follows; null where nothing does. Events that are not told of are left out."""

    version: int
    events: list[Told]
    next: int | None


class RoundsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    before: Annotated[int, msgspec.Meta(ge=1, le=10**9)] | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 20


class Rounds(msgspec.Struct, frozen=True, kw_only=True):
    """Newest first. `before` gives the next page; null where there is none."""

    rounds: list[Recalled]
    before: int | None


class MineQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    before: Annotated[str, msgspec.Meta(pattern=rf"^[0-9]{{1,18}}{END}")] | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 25


class Mine(msgspec.Struct, frozen=True, kw_only=True):
    rounds: list[Recalled]
    before: str | None


def _costs(request: Asked, tokens: int) -> None:
    """Reading long ago costs more than an ordinary request: else one outsider could keep the house reading."""
    charge(rooms(request), caller(request), tokens)


def _eyes(request: Asked) -> tuple[Audience, str | None]:
    who = caller(request)
    return permissions.audience(who.role), who.name


@get(
    "/api/tables/{table:str}/events",
    opt=doc(topic="history", says="Events as you may see them", answer=Events, query=EventsQuery, problems=(404,)),
)
async def events(request: Asked, table: str) -> Response[bytes]:
    asked = strict.query(request.query_params.multi_items(), EventsQuery)
    _costs(request, asked.limit // 100)
    here = rooms(request)
    version = (await state(here, table)).version
    audience, me = _eyes(request)
    rows = (
        await reading.between(here.store, table, asked.after, asked.after + asked.limit)
        if asked.after < version
        else []
    )
    told = [
        Told(version=number, at=iso(at), event=one)
        for number, at, event in rows
        if (one := shown(event, audience, me)) is not None
    ]
    last = rows[-1][0] if rows else asked.after
    return answer(Events(version=version, events=told, next=last if rows and last < version else None))


@get(
    "/api/tables/{table:str}/rounds",
    opt=doc(topic="history", says="Past rounds, newest first", answer=Rounds, query=RoundsQuery, problems=(404,)),
)
async def past_rounds(request: Asked, table: str) -> Response[bytes]:
    asked = strict.query(request.query_params.multi_items(), RoundsQuery)
    _costs(request, asked.limit // 2)
    here = rooms(request)
    await state(here, table)
    audience, me = _eyes(request)
    numbers = await reading.round_numbers(here.store, table, asked.before, asked.limit)
    found = []
    later = await reading.corrections(here.store, table, numbers[-1][1]) if numbers else []
    for number, version in numbers:
        shoe = await reading.shoe_at(here.store, table, version)
        rows = await reading.round_rows(here.store, table, number)
        one = recall.recalled(table, shoe, rows, audience, me)
        if one is not None:
            recall.corrected(one, [row for row in later if row[0] > rows[-1][0]], audience, me)
            found.append(recall.brief(one))
    before = numbers[-1][0] if len(numbers) == asked.limit and numbers[-1][0] > 1 else None
    return answer(Rounds(rounds=found, before=before))


@get(
    "/api/tables/{table:str}/rounds/{number:str}",
    opt=doc(topic="history", says="Any past round, whole", answer=Whole, problems=(404,)),
)
async def one_round(request: Asked, table: str, number: str) -> Response[bytes]:
    _costs(request, 4)
    here = rooms(request)
    await state(here, table)
    found = await _whole(here, table, _number(number), *_eyes(request))
    if found is None:
        raise not_found("round")
    return answer(found)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise not_found("round or shoe")
    return int(text)


async def _whole(here: Rooms, table: str, number: int, audience: Audience, me: str | None) -> Whole | None:
    rows = await reading.round_rows(here.store, table, number)
    if not rows:
        return None
    shoe = await reading.shoe_at(here.store, table, rows[0][0])
    found = recall.recalled(table, shoe, rows, audience, me)
    if found is not None:
        recall.corrected(found, await reading.corrections(here.store, table, rows[-1][0]), audience, me)
    return found


@get(
    "/api/me/rounds",
    opt=doc(topic="history", says="My own rounds over all tables", answer=Mine, query=MineQuery, session=True),
)
async def my_rounds(request: Asked) -> Response[bytes]:
    found = session(request)
    asked = strict.query(request.query_params.multi_items(), MineQuery)
    _costs(request, asked.limit // 2)
    here = rooms(request)
    before = int(asked.before) if asked.before is not None else None
    rows = await reading.played_by(here.store, found.name, before, asked.limit)
    mine: dict[tuple[str, int], Recalled] = {}
    for row in rows:
        table, number = row["stream"].removeprefix("table/"), row["round"]
        if (table, number) not in mine:
            one = await _whole(here, table, number, Audience.PATRON, found.name)
            if one is not None:
                mine[table, number] = recall.brief(one)
    more = str(rows[-1]["at"]) if len(rows) >= asked.limit else None
    return answer(Mine(rounds=list(mine.values()), before=more))


@get(
    "/api/tables/{table:str}/shoes/{number:str}",
    opt=doc(
        topic="history",
        says="A virtual shoe: its commitment, what was dealt, and once it has ended its salt and order",
        answer=ShoeRecord,
        problems=(404,),
    ),
)
async def one_shoe(request: Asked, table: str, number: str) -> Response[bytes]:
    _costs(request, 10)
    here = rooms(request)
    await state(here, table)
    wanted = _number(number)
    loaded = (await marked(here.store, table)).shoes
    if not 0 < wanted <= len(loaded):
        raise not_found("shoe")
    following = loaded[wanted] - 1 if wanted < len(loaded) else None
    rows = await reading.tagged(here.store, table, _SHOE_KINDS, loaded[wanted - 1] - 1, following)
    public = [told for _, _, event in rows if (told := shown(event, Audience.PUBLIC)) is not None]
    found = next(iter(records(public)), None)
    if found is None:
        raise not_found("virtual shoe")
    return answer(found)


@get(
    "/api/tables/{table:str}/roads",
    opt=doc(topic="history", says="The score boards of the shoe in use", answer=dict[str, Any], problems=(404,)),
)
async def roads(request: Asked, table: str) -> Response[bytes]:
    here = rooms(request)
    shoe = (await state(here, table)).shoe
    _costs(request, min(len(shoe.results), drawn.LONGEST) // 2000 if shoe is not None else 0)
    return answer(await boards(here.store, table, shoe))


async def boards(store: Store, table: str, shoe: Shoe | None) -> dict[str, Any]:
    """The boards of a shoe; of a shuffler that was never loaded anew, those of its newest hands."""
    rounds = list(shoe.results)[-drawn.LONGEST :] if shoe is not None else []
    results = "".join(shoe.results[number] for number in rounds) if shoe is not None else ""
    pairs = await paired(store, table, shoe, rounds) if shoe is not None else []
    counts = {
        "player": results.count("P"),
        "banker": results.count("B"),
        "tie": results.count("T"),
        "player_pair": sum(one.player for one in pairs),
        "banker_pair": sum(one.banker for one in pairs),
    }
    number = shoe.number if shoe is not None else None
    found = drawn.to_json(drawn.roads(results))
    return {**found, "results": results, "pairs": pairs, "counts": counts, "shoe": number}
