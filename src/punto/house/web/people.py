"""People over HTTP: guests, logging in and out, and oneself."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, delete, get, post
from litestar.datastructures import Cookie

from punto.codes import Code
from punto.house import metrics
from punto.house.people import passwords
from punto.house.people.accounts import Account, Contended
from punto.house.people.guests import HouseFull
from punto.house.people.passwords import Password, TooBusy
from punto.house.people.sessions import Changed, Session
from punto.house.store.names import ASKERS, Role, is_name
from punto.house.web import strict
from punto.house.web.accounts import contended
from punto.house.web.described import doc
from punto.house.web.guards import cookie_name
from punto.house.web.problems import Stop
from punto.house.web.rooms import caller, rooms, session
from punto.house.web.said import answer
from punto.money import Cents

Asked = Request[Any, Any, Any]
_FULL_SECONDS: Final = 60


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """`csrf` goes into X-CSRF-Token of every unsafe request and into commands over the socket."""

    name: str
    role: Role
    guest: bool
    wallet_cents: Cents = msgspec.field(name="wallet")
    csrf: str
    password_to_be_set: bool = False
    """Somebody else gave the password: until one's own is set every other address refuses."""
    asks: tuple[str, ...] = ()
    """The acts for two persons that this one may ask for."""


class Login(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    password: Annotated[str, msgspec.Meta(min_length=1, max_length=passwords.LONGEST)]


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    old: Annotated[str, msgspec.Meta(min_length=1, max_length=passwords.LONGEST)]
    new: Password


@post(
    "/api/guests",
    status_code=201,
    opt=doc(topic="people", says="Enter as a guest with play chips", answer=Me, status=201),
)
async def enter(request: Asked) -> Response[bytes]:
    body = await request.body()
    if body and strict.plain(body) != {}:
        raise Stop(400, Code.BAD_REQUEST, "nothing is sent with this")
    here = rooms(request)
    if not here.settings.guests:
        raise Stop(403, Code.NO_GUESTS, "this house has no guests: log in with an account")
    wait = here.entries.take(caller(request).address)
    if wait:
        raise Stop(429, Code.TOO_MANY, "too many guests from this address: wait a moment", wait=wait)
    try:
        account = await here.guests.enter(here.settings.guests_in_all)
    except HouseFull:
        text = "the house has as many guests as it takes: come back in a while, or log in with an account"
        raise Stop(503, Code.HOUSE_FULL, text, wait=_FULL_SECONDS) from None
    return await _begun(request, account, 201)


@post(
    "/api/sessions",
    status_code=201,
    opt=doc(topic="people", says="Log in", body=Login, answer=Me, status=201, problems=(401,)),
)
async def log_in(request: Asked) -> Response[bytes]:
    asked = strict.read(await request.body(), Login)
    here = rooms(request)
    wait = here.logins.take(caller(request).address)
    if wait:
        raise Stop(429, Code.TOO_MANY, "too many logins from this address: wait a moment", wait=wait)
    name = asked.name.strip().lower()
    try:
        found = await here.accounts.check(name if is_name(name) else "-", asked.password, caller(request).address)
    except TooBusy:
        raise Stop(503, Code.BUSY, "too many people log in at once: try again") from None
    if isinstance(found, float):
        metrics.logins.labels("locked-out").inc()
        raise Stop(429, Code.LOCKED_OUT, "too many wrong passwords: wait", wait=found)
    if found is None:
        metrics.logins.labels("refused").inc()
        raise Stop(401, Code.BAD_LOGIN, "no such name with this password, or the account is locked")
    metrics.logins.labels("accepted").inc()
    return await _begun(request, found, 201)


async def _begun(request: Asked, account: Account, status: int) -> Response[bytes]:
    """A fresh token at every login; the session that came with the request ends."""
    here = rooms(request)
    old = caller(request).session
    if old is not None:
        await here.sessions.end(old)
    try:
        token, begun = await here.sessions.begin(account)
    except Changed:
        raise Stop(401, Code.BAD_LOGIN, "no such name with this password, or the account is locked") from None
    caller(request).session = begun
    cookie = Cookie(
        key=cookie_name(here.settings),
        value=token,
        path="/",
        httponly=True,
        secure=here.settings.behind_tls,
        samesite="strict",
        max_age=here.sessions.longest // 1_000_000,
    )
    return answer(await _me(request, begun), status, cookies=[cookie])


async def _me(request: Asked, found: Session) -> Me:
    wallet = await rooms(request).guests.wallet(found.name, guest=found.guest)
    return Me(
        name=found.name,
        role=found.role,
        guest=found.guest,
        wallet_cents=Cents(wallet),
        csrf=found.csrf,
        password_to_be_set=not found.own,
        asks=tuple(act for act, roles in ASKERS.items() if found.role in roles),
    )


@delete("/api/sessions/current", status_code=204, opt=doc(topic="people", says="Log out", status=204, session=True))
async def log_out(request: Asked) -> Response[None]:
    here = rooms(request)
    await here.sessions.end(session(request))
    secure = here.settings.behind_tls
    gone = Cookie(
        key=cookie_name(here.settings), value="", path="/", httponly=True, secure=secure, samesite="strict", max_age=0
    )
    return Response(None, status_code=204, cookies=[gone])


@get("/api/me", opt=doc(topic="people", says="Who I am, what I have, and the CSRF token", answer=Me, session=True))
async def me(request: Asked) -> Response[bytes]:
    return answer(await _me(request, session(request)))


@post(
    "/api/me/password",
    status_code=204,
    opt=doc(
        topic="people",
        says="Change my password; every session of mine ends",
        body=NewPassword,
        status=204,
        session=True,
        problems=(409,),
    ),
)
async def change_password(request: Asked) -> Response[None]:
    found = session(request)
    asked = strict.read(await request.body(), NewPassword)
    if asked.new == asked.old:
        raise Stop(409, Code.SAME_PASSWORD, "this is the password that you have: choose another")
    here = rooms(request)
    wait = here.logins.take(caller(request).address)
    if wait:
        raise Stop(429, Code.TOO_MANY, "too many attempts: wait a moment", wait=wait)
    try:
        checked = await here.accounts.check(found.name, asked.old, caller(request).address)
        if isinstance(checked, float):
            raise Stop(429, Code.LOCKED_OUT, "too many wrong passwords: wait", wait=checked)
        if checked is None:
            raise Stop(403, Code.BAD_PASSWORD, "that is not the password")
        session(request)
        await here.accounts.set_password(found.name, asked.new, found.name, caller(request).address)
    except TooBusy:
        raise Stop(503, Code.BUSY, "too many people log in at once: try again") from None
    except Contended:
        raise contended() from None
    here.sessions.end_here(found.name)
    return Response(None, status_code=204)
