"""Accounts over HTTP: a shift manager lists, opens, changes and locks them."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import msgspec
from litestar import Response, get, post, put

from punto.codes import Code
from punto.house import logs
from punto.house.people import passwords
from punto.house.people.account_list import page
from punto.house.people.accounts import TRIES, Account, Contended, NameTaken
from punto.house.people.passwords import Password
from punto.house.store.names import MANAGER, SHIFT, PersonName, Role, is_name, may_be_chosen
from punto.house.web import http
from punto.house.web.caller import need
from punto.house.web.http import HttpRequest, answer
from punto.house.web.openapi import doc
from punto.house.web.parts import parts
from punto.house.web.problems import Stop, not_found
from punto.money import Cents

Reason = Annotated[str, msgspec.Meta(max_length=500)]


class PersonShown(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    role: Role
    guest: bool
    locked: bool
    wallet_cents: Cents = msgspec.field(name="wallet")
    opened_at: int
    """Microseconds since 1970."""
    password_by: str | None
    """Who set the password, if anybody. If somebody else did, the person must first set their own."""


class NewPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: PersonName
    role: Role
    password: Password | None = None
    """If left out, the house makes one and shows it once."""


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    role: Role
    password: str | None


class NewRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: Role


class NewLock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    locked: bool
    reason: Reason = ""


class PeopleQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: Annotated[str, msgspec.Meta(max_length=64)] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 100
    guests: bool = False


@get("/api/people", opt=doc("people", "Accounts by name", answer=list[PersonShown], query=PeopleQuery, session=True))
async def people(request: HttpRequest) -> Response[bytes]:
    need(request, SHIFT)
    query = http.query(request, PeopleQuery)
    listed = await page(parts(request).store, query.after, query.limit, guests=query.guests)
    return answer([person_shown(account, cents) for account, cents in listed])


def person_shown(account: Account, cents: int) -> PersonShown:
    names = ("name", "role", "guest", "locked", "opened_at", "password_by")
    return PersonShown(**{name: getattr(account, name) for name in names}, wallet_cents=Cents(cents))


@post("/api/people", opt=doc("people", "Open an account", body=NewPerson, answer=Opened, session=True, problems=(409,)))
async def open_account(request: HttpRequest) -> Response[bytes]:
    user = need(request, SHIFT)
    body = await http.body(request, NewPerson)
    if not may_be_chosen(body.name):
        raise Stop(409, Code.BAD_NAME, "this name is reserved for the house, or does not begin with a letter or digit")
    _alone(body.role)
    made, still = body.password or passwords.random_password(), partial(need, request, SHIFT)
    try:
        account = await parts(request).accounts.open(body.name, body.role, made, user.name, still)
    except NameTaken:
        raise Stop(409, Code.NAME_TAKEN, f"there is already an account {body.name}") from None
    logs.say("account-opened", person=account.name, role=account.role.value, by=user.name)
    return answer(Opened(name=account.name, role=account.role, password=None if body.password else made), 201)


def _alone(role: Role, was: Role = Role.PATRON) -> None:
    """Refuse to give a manager's rank alone: one person could then act as two. Lowering needs no approval."""
    if role in MANAGER and role.rank is not None and not was.may_act_as(role.rank):
        raise Stop(403, Code.NEEDS_APPROVAL, "a manager's rank needs a second person: ask for an approval of `rank`")


async def other(request: HttpRequest, name: str, by: str) -> Account:
    """Somebody else's account: nobody raises, lowers or locks themselves."""
    account = await parts(request).accounts.find(name) if is_name(name) else None
    if account is None:
        raise not_found("person")
    if account.name == by:
        raise Stop(409, Code.YOURSELF, "you can't do this to your own account: somebody else must do it")
    return account


@put(
    "/api/people/{name:str}/role",
    opt=doc("people", "Give a role", body=NewRole, answer=PersonShown, session=True, problems=(409,)),
)
async def set_role(request: HttpRequest, name: str) -> Response[bytes]:
    user = need(request, SHIFT)
    body = await http.body(request, NewRole)
    here = parts(request)
    for _ in range(TRIES):
        account = await other(request, name, user.name)
        if account.guest and body.role is not Role.PATRON:
            raise Stop(409, Code.GUEST, "a guest stays a patron")
        if account.guest:
            break
        person = await here.accounts.on_record(name)
        if person is None:
            raise not_found("person")
        if body.role is account.role is person.role:
            break
        _alone(body.role, person.role)
        if await here.accounts.set_role(name, body.role, user.name, expected=person.version):
            here.sessions.end_here(name)
            break
    else:
        raise Contended(name)
    changed = msgspec.structs.replace(account, role=body.role)
    return answer(person_shown(changed, await here.guests.wallet(name, guest=account.guest)))


@put(
    "/api/people/{name:str}/locked",
    opt=doc("people", "Lock or unlock", body=NewLock, answer=PersonShown, session=True, problems=(409,)),
)
async def set_locked(request: HttpRequest, name: str) -> Response[bytes]:
    user = need(request, SHIFT)
    body = await http.body(request, NewLock)
    account = await other(request, name, user.name)
    here = parts(request)
    if account.guest:
        await here.guests.put_on_record(name)
    person = await here.accounts.on_record(name)
    if not body.locked:
        await here.accounts.unlock(name, user.name)
    elif not (account.locked and person is not None and person.locked):
        await here.accounts.lock(name, user.name, body.reason)
    if body.locked:
        here.sessions.end_here(name)
    changed = msgspec.structs.replace(account, locked=body.locked)
    return answer(person_shown(changed, await here.store.wallet(name)))


class Reset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    password: Password | None = None
    """If left out, the house makes one and shows it once."""


@put(
    "/api/people/{name:str}/password",
    opt=doc(
        "people",
        "Reset the password of a person who forgot it; all of their sessions end",
        body=Reset,
        answer=Opened,
        session=True,
        problems=(409,),
    ),
)
async def reset_password(request: HttpRequest, name: str) -> Response[bytes]:
    user = need(request, SHIFT)
    body = await http.body(request, Reset)
    here = parts(request)
    account = await other(request, name, user.name)
    if account.guest:
        raise Stop(409, Code.GUEST, "a guest has no password")
    made, still = body.password or passwords.random_password(), partial(need, request, SHIFT)
    if not await here.accounts.reset_password(name, made, user.name, still):
        text = (
            "nobody may reset a manager's password alone: give a lower role, reset the password, "
            "then give the rank again with an approval"
        )
        raise Stop(403, Code.NEEDS_APPROVAL, text)
    here.sessions.end_here(name)
    logs.say("password-reset", person=name, by=user.name)
    return answer(Opened(name=name, role=account.role, password=None if body.password else made))
