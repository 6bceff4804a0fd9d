"""Guests, login, logout and the caller's account over HTTP."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from litestar import Response, delete, get, post
from litestar.datastructures import Cookie

from punto.codes import Code
from punto.house import metrics
from punto.house.people import passwords
from punto.house.people.accounts import Account
from punto.house.people.guests import HouseFull
from punto.house.people.passwords import Password
from punto.house.people.sessions import Changed, Session
from punto.house.store.names import ASKERS, DESKS, Role, is_name
from punto.house.web import http
from punto.house.web.caller import caller, session
from punto.house.web.guards import cookie_name
from punto.house.web.http import HttpRequest, answer
from punto.house.web.openapi import doc
from punto.house.web.parts import parts
from punto.house.web.problems import Stop, no_session
from punto.house.web.rate_limits import take
from punto.house.web.settings import Settings
from punto.money import Cents

_FULL_SECONDS: Final = 60


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """`csrf` goes into X-CSRF-Token of every unsafe request and into commands over the socket."""

    name: str
    role: Role
    guest: bool
    wallet_cents: Cents = msgspec.field(name="wallet")
    csrf: str
    password_to_be_set: bool = False
    """Somebody else gave the password: every other route refuses until they set their own."""
    asks: tuple[str, ...] = ()
    """The two-person acts that this person may ask for."""
    desks: tuple[str, ...] = ()
    """The desks of the page that this person may open."""


class Login(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    password: Annotated[str, msgspec.Meta(min_length=1, max_length=passwords.LONGEST)]


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    old: Annotated[str, msgspec.Meta(min_length=1, max_length=passwords.LONGEST)]
    new: Password


@post("/api/guests", opt=doc("people", "Enter as a guest with play chips", answer=Me))
async def enter(request: HttpRequest) -> Response[bytes]:
    await http.no_body(request)
    here = parts(request)
    if not here.settings.guests:
        raise Stop(403, Code.NO_GUESTS, "this house has no guests: log in with an account")
    take(here.entries, caller(request).address, what="guests from this address")
    try:
        account = await here.guests.enter(here.settings.guests_in_all)
    except HouseFull:
        text = "the house has as many guests as it takes: come back in a while, or log in with an account"
        raise Stop(503, Code.HOUSE_FULL, text, wait=_FULL_SECONDS) from None
    return await _begin(request, account)


@post("/api/sessions", opt=doc("people", "Log in", body=Login, answer=Me, problems=(401,)))
async def log_in(request: HttpRequest) -> Response[bytes]:
    body = await http.body(request, Login)
    here = parts(request)
    take(here.logins, caller(request).address, what="logins from this address")
    name = body.name.strip().lower()
    account = await here.accounts.check(name if is_name(name) else "-", body.password, caller(request).address)
    if isinstance(account, float):
        metrics.logins.labels("locked-out").inc()
        raise Stop(429, Code.LOCKED_OUT, "too many wrong passwords: wait", wait=account)
    if account is None:
        metrics.logins.labels("refused").inc()
        raise Stop(401, Code.BAD_LOGIN, "wrong name or password, or the account is locked")
    metrics.logins.labels("accepted").inc()
    return await _begin(request, account)


async def _begin(request: HttpRequest, account: Account) -> Response[bytes]:
    """Begin a session with a fresh token, and end the one that came with the request."""
    here = parts(request)
    old = caller(request).session
    if old is not None:
        await here.sessions.end(old)
    try:
        token, begun = await here.sessions.begin(account)
    except Changed:
        raise Stop(401, Code.BAD_LOGIN, "wrong name or password, or the account is locked") from None
    caller(request).session = begun
    begun.address = caller(request).address
    cookie = _cookie(here.settings, token, here.sessions.longest // 1_000_000)
    return answer(await _me(request, begun), 201, cookies=[cookie])


def _cookie(settings: Settings, token: str, max_age: int) -> Cookie:
    """The session's cookie. With `max_age` 0 the browser deletes it."""
    key, secure = cookie_name(settings), settings.behind_tls
    return Cookie(key=key, value=token, max_age=max_age, secure=secure, httponly=True, samesite="strict")


async def _me(request: HttpRequest, user: Session) -> Me:
    wallet = await parts(request).guests.wallet(user.name, guest=user.guest)
    return Me(
        name=user.name,
        role=user.role,
        guest=user.guest,
        wallet_cents=Cents(wallet),
        csrf=user.csrf,
        password_to_be_set=not user.own,
        asks=tuple(act for act, roles in ASKERS.items() if user.role in roles),
        desks=tuple(desk for desk, roles in DESKS.items() if user.role in roles),
    )


@delete("/api/sessions/current", opt=doc("people", "Log out", session=True))
async def log_out(request: HttpRequest) -> Response[None]:
    here = parts(request)
    await here.sessions.end(session(request))
    return Response(None, status_code=204, cookies=[_cookie(here.settings, "", 0)])


@get("/api/me", opt=doc("people", "Who I am, what I have, and the CSRF token", answer=Me, session=True))
async def me(request: HttpRequest) -> Response[bytes]:
    return answer(await _me(request, session(request)))


@get(
    "/api/sessions/current",
    opt=doc("people", "What /api/me says, or null where nobody is signed in", answer=Me | None),
)
async def signed_in(request: HttpRequest) -> Response[bytes]:
    """For the page: on a first visit it is no error that nobody is signed in."""
    session = caller(request).session
    return answer(None if session is None or session.ended else await _me(request, session))


@post(
    "/api/me/password",
    status_code=204,
    opt=doc(
        "people", "Change my password; every session of mine ends", body=NewPassword, session=True, problems=(409,)
    ),
)
async def change_password(request: HttpRequest) -> Response[None]:
    user = session(request)
    body = await http.body(request, NewPassword)
    if body.new == body.old:
        raise Stop(409, Code.SAME_PASSWORD, "this is the password that you have: choose another")
    here = parts(request)
    take(here.logins, caller(request).address, what="attempts")
    hashed = await passwords.hashed(body.new)  # before the check: it takes long, and the check must not be old
    session(request)
    account = await here.accounts.check(user.name, body.old, caller(request).address)
    session(request)
    if isinstance(account, float):
        raise Stop(429, Code.LOCKED_OUT, "too many wrong passwords: wait", wait=account)
    if account is None:
        raise Stop(403, Code.BAD_PASSWORD, "the old password is wrong")
    if not await here.accounts.replace_password(account, hashed, caller(request).address):
        raise no_session()  # what changed the account has ended its sessions
    here.sessions.end_here(user.name)
    return Response(None, status_code=204)
