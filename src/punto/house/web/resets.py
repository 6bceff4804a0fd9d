"""A password that was forgotten: somebody else gives a new one, and is no second person to its owner from then on."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response, put

from punto.codes import Code
from punto.house import logs
from punto.house.people import passwords
from punto.house.people.accounts import Contended
from punto.house.people.passwords import Password, TooBusy
from punto.house.store.names import SHIFT
from punto.house.web import strict
from punto.house.web.accounts import Opened, contended, other
from punto.house.web.described import doc
from punto.house.web.problems import Stop
from punto.house.web.rooms import need, rooms
from punto.house.web.said import answer


class Reset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    password: Password | None = None
    """Left out: the house makes one and says it once."""


@put(
    "/api/people/{name:str}/password",
    opt=doc(
        topic="people",
        says="Give a new password to who forgot theirs; every session of theirs ends",
        body=Reset,
        answer=Opened,
        session=True,
        problems=(404, 409),
    ),
)
async def reset(request: Request[Any, Any, Any], name: str) -> Response[bytes]:
    found = need(request, SHIFT)
    asked = strict.read(await request.body(), Reset)
    here = rooms(request)
    account = await other(request, name, found.name)
    if account.guest:
        raise Stop(409, Code.GUEST, "a guest has no password")
    made = asked.password or passwords.random_password()
    try:
        if not await here.accounts.reset_password(name, made, found.name):
            text = "with a manager's password one person would be two: first a lower role, then the rank again by two"
            raise Stop(403, Code.NEEDS_APPROVAL, text)
    except TooBusy:
        raise Stop(503, Code.BUSY, "too many people log in at once: try again") from None
    except Contended:
        raise contended() from None
    here.sessions.end_here(name)
    logs.say("password-reset", person=name, by=found.name)
    return answer(Opened(name=name, role=account.role, password=None if asked.password else made))
