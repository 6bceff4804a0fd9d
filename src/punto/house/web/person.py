"""One person over HTTP, as a shift manager sees them: account, sessions and their addresses, chips, what was done to
the account, and past rounds."""

from __future__ import annotations

import msgspec
from litestar import Response, delete, get

from punto.house import logs
from punto.house.history import queries
from punto.house.history.past_round import summary
from punto.house.instants import iso
from punto.house.people.accounts import Account
from punto.house.people.session_rows import rows_of
from punto.house.people.sessions import Session
from punto.house.store.names import DESKS, is_name
from punto.house.store.person import AnyPersonEvent
from punto.house.web import http
from punto.house.web.accounts import PersonShown, person_shown
from punto.house.web.caller import caller, need
from punto.house.web.history import Mine, MineQuery
from punto.house.web.http import HttpRequest, answer
from punto.house.web.openapi import doc
from punto.house.web.parts import parts
from punto.house.web.problems import not_found
from punto.house.web.rate_limits import charge
from punto.money import Cents

MOST_EVENTS = 200
"""How many events of an account are shown, the newest first."""


class SessionShown(msgspec.Struct, frozen=True, kw_only=True):
    """`address` is where it was last used from, as this node saw it. It is kept in memory alone: null where another
    node serves the session."""

    began: str
    seen: str
    address: str | None
    this_one: bool


class PersonEventShown(msgspec.Struct, frozen=True, kw_only=True):
    at: str
    event: AnyPersonEvent


class PersonWhole(msgspec.Struct, frozen=True, kw_only=True):
    """`chips` by table; `events` are what was done to the account, the newest first."""

    person: PersonShown
    waits_until: str | None
    sessions: list[SessionShown]
    chips: dict[str, Cents]
    events: list[PersonEventShown]


@get(
    "/api/people/{name:str}",
    opt=doc("people", "One person whole", answer=PersonWhole, session=True, problems=(403, 404)),
)
async def whole_person(request: HttpRequest, name: str) -> Response[bytes]:
    user = need(request, DESKS["people"])
    account = await _account(request, name)
    here = parts(request)
    charge(here, caller(request), 4)
    wallet = await here.guests.wallet(name, guest=account.guest)
    events = [PersonEventShown(at=iso(row.at), event=event) async for row, event in here.accounts.events(name)]
    waits = account.waits_until > here.house.clock.now()
    whole = PersonWhole(
        person=person_shown(account, wallet),
        waits_until=iso(account.waits_until) if waits else None,
        sessions=await _sessions(request, name, user),
        chips=await _chips(request, name),
        events=events[: -MOST_EVENTS - 1 : -1],
    )
    return answer(whole)


async def _account(request: HttpRequest, name: str) -> Account:
    account = await parts(request).accounts.find(name) if is_name(name) else None
    if account is None:
        raise not_found("person")
    return account


async def _sessions(request: HttpRequest, name: str, mine: Session) -> list[SessionShown]:
    here, shown_sessions = parts(request), []
    for token, began, seen in await rows_of(here.store, name):
        known = here.sessions.in_use(token)
        address = known.address or None if known is not None else None
        last = here.house.clock.unix(known.seen_at) if known is not None else seen
        this_one = token == mine.token_hash
        shown_sessions.append(SessionShown(began=iso(began), seen=iso(last), address=address, this_one=this_one))
    return shown_sessions


async def _chips(request: HttpRequest, name: str) -> dict[str, Cents]:
    here = parts(request)
    held: dict[str, Cents] = {}
    for table in here.directory.known:
        patron = (await here.house.table(table)).patrons.get(name)
        if patron is not None and patron.balance_cents:
            held[table] = Cents(patron.balance_cents)
    return held


@delete(
    "/api/people/{name:str}/sessions",
    status_code=204,
    opt=doc("people", "End every session of a person", session=True, problems=(403, 404)),
)
async def end_sessions(request: HttpRequest, name: str) -> Response[None]:
    user = need(request, DESKS["people"])
    await _account(request, name)
    await parts(request).sessions.end_all(name)
    logs.say("sessions-ended", person=name, by=user.name)
    return Response(None, status_code=204)


@get(
    "/api/people/{name:str}/rounds",
    opt=doc("people", "A person's rounds", answer=Mine, query=MineQuery, session=True, problems=(403, 404)),
)
async def rounds(request: HttpRequest, name: str) -> Response[bytes]:
    need(request, DESKS["people"])
    await _account(request, name)
    query = http.query(request, MineQuery)
    charge(parts(request), caller(request), query.limit // 2)
    played, more = await queries.rounds_of(parts(request).store, name, query.before, query.limit)
    return answer(Mine(rounds=[summary(past) for past in played], before=more))
