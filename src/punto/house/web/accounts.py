"""Accounts over HTTP: the people of the house, as a shift manager keeps them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post, put

from punto.codes import Code
from punto.house import logs
from punto.house.people import passwords
from punto.house.people.accounts import TRIES, Account, Contended, NameTaken
from punto.house.people.passwords import Password, TooBusy
from punto.house.store.names import MANAGER, SHIFT, PersonName, Role, is_name, may_be_chosen
from punto.house.web import strict
from punto.house.web.described import doc
from punto.house.web.problems import Stop, not_found
from punto.house.web.rooms import need, rooms
from punto.house.web.said import answer
from punto.money import Cents

Asked = Request[Any, Any, Any]
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
    """Who set the password. Somebody else: it serves only to set one's own. None: there is none."""


class NewPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: PersonName
    role: Role
    password: Password | None = None
    """Left out: the house makes one and says it once."""


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


@get(
    "/api/people",
    opt=doc(
        topic="people",
        says="Accounts by name",
        answer=list[PersonShown],
        query=PeopleQuery,
        session=True,
        problems=(403,),
    ),
)
async def people(request: Asked) -> Response[bytes]:
    need(request, SHIFT)
    asked = strict.query(request.query_params.multi_items(), PeopleQuery)
    found = await rooms(request).accounts.page(asked.after, asked.limit, guests=asked.guests)
    return answer([_shown(account, cents) for account, cents in found])


def _shown(account: Account, cents: int) -> PersonShown:
    return PersonShown(
        name=account.name,
        role=account.role,
        guest=account.guest,
        locked=account.locked,
        wallet_cents=Cents(cents),
        opened_at=account.opened_at,
        password_by=account.password_by,
    )


@post(
    "/api/people",
    status_code=201,
    opt=doc(
        topic="people", says="Open an account", body=NewPerson, answer=Opened, status=201, session=True, problems=(409,)
    ),
)
async def open_account(request: Asked) -> Response[bytes]:
    found = need(request, SHIFT)
    asked = strict.read(await request.body(), NewPerson)
    if not may_be_chosen(asked.name):
        raise Stop(409, Code.BAD_NAME, "the house keeps this name for itself, or it begins with no letter or digit")
    _alone(asked.role)
    made = asked.password or passwords.random_password()
    try:
        account = await rooms(request).accounts.open(asked.name, asked.role, made, found.name)
    except NameTaken:
        raise Stop(409, Code.NAME_TAKEN, f"there is an account {asked.name}") from None
    except TooBusy:
        raise Stop(503, Code.BUSY, "too many people log in at once: try again") from None
    logs.say("account-opened", person=account.name, role=account.role.value, by=found.name)
    return answer(Opened(name=account.name, role=account.role, password=None if asked.password else made), 201)


def _alone(role: Role, was: Role = Role.PATRON) -> None:
    """A rank that approves is given by two: else one person could make themselves a second. Lowering takes one."""
    if role in MANAGER and role.rank is not None and not was.may_act_as(role.rank):
        raise Stop(403, Code.NEEDS_APPROVAL, "a manager's rank needs a second person: ask for an approval of `rank`")


def contended() -> Stop:
    return Stop(503, Code.BUSY, "others change this person at the same time: try again")


async def other(request: Asked, name: str, by: str) -> Account:
    """Somebody else's account: nobody raises, lowers or locks themselves."""
    account = await rooms(request).accounts.find(name) if is_name(name) else None
    if account is None:
        raise not_found("person")
    if account.name == by:
        raise Stop(409, Code.YOURSELF, "this is done by somebody else")
    if account.guest:
        await rooms(request).guests.put_on_record(name)
    return account


@put(
    "/api/people/{name:str}/role",
    opt=doc(topic="people", says="Give a role", body=NewRole, answer=PersonShown, session=True, problems=(404, 409)),
)
async def set_role(request: Asked, name: str) -> Response[bytes]:
    found = need(request, SHIFT)
    asked = strict.read(await request.body(), NewRole)
    here = rooms(request)
    for _ in range(TRIES):
        account = await other(request, name, found.name)
        person = await here.accounts.on_record(name)
        if person is None:
            raise not_found("person")
        if account.guest and asked.role is not Role.PATRON:
            raise Stop(409, Code.GUEST, "a guest stays a patron")
        if asked.role is account.role is person.role:
            break
        _alone(asked.role, person.role)
        if await here.accounts.set_role(name, asked.role, found.name, expected=person.version):
            here.sessions.end_here(name)
            break
    else:
        raise contended()
    shown = msgspec.structs.replace(account, role=asked.role)
    return answer(_shown(shown, await here.store.wallet(name)))


@put(
    "/api/people/{name:str}/locked",
    opt=doc(topic="people", says="Lock or unlock", body=NewLock, answer=PersonShown, session=True, problems=(404, 409)),
)
async def set_locked(request: Asked, name: str) -> Response[bytes]:
    found = need(request, SHIFT)
    asked = strict.read(await request.body(), NewLock)
    account = await other(request, name, found.name)
    here = rooms(request)
    person = await here.accounts.on_record(name)
    try:
        if not asked.locked:
            await here.accounts.unlock(name, found.name)
        elif not (account.locked and person is not None and person.locked):
            await here.accounts.lock(name, found.name, asked.reason)
    except Contended:
        raise contended() from None
    if asked.locked:
        here.sessions.end_here(name)
    shown = msgspec.structs.replace(account, locked=asked.locked)
    return answer(_shown(shown, await here.store.wallet(name)))
