"""Acts of two persons over HTTP: ask, look, approve, reject."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post

from punto.codes import Code
from punto.game.refusals import Refusal
from punto.house import logs
from punto.house.people import two_person_acts
from punto.house.people.accounts import Contended
from punto.house.people.sessions import Session
from punto.house.store.answers import Denied
from punto.house.store.approval import Approval, State
from punto.house.store.names import ASKERS, DEALER, END, MANAGER, Role
from punto.house.table.preview import Preview, preview
from punto.house.web import strict
from punto.house.web.accounts import contended
from punto.house.web.described import doc
from punto.house.web.problems import Stop, not_found
from punto.house.web.rooms import need, rooms
from punto.house.web.said import answer

Asked = Request[Any, Any, Any]


class ApprovalsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`before` is the id of the last one of the page before."""

    state: State | None = None
    before: Annotated[str, msgspec.Meta(pattern=f"^[0-9a-z]{{1,32}}{END}")] | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 100


class ApprovalShown(Approval, frozen=True, kw_only=True):
    """An approval with what it `moves`: whom it gave chips or took them from, or would if it were approved now, and
    what the one who looks `can` do with it: approve, reject (one's own: take it back)."""

    moves: dict[str, str]
    can: tuple[str, ...]


class Hash(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hash of what is approved, as it was shown."""

    hash: Annotated[str, msgspec.Meta(pattern=f"^[0-9a-f]{{64}}{END}")]


@post(
    "/api/approvals",
    status_code=201,
    opt=doc(
        topic="approvals",
        says="Ask for an act that needs a second person",
        body=two_person_acts.Act,
        answer=Approval,
        status=201,
        session=True,
        problems=(404, 409),
    ),
)
async def ask(request: Asked) -> Response[bytes]:
    found = need(request, DEALER)
    act: two_person_acts.Act = strict.one_of(strict.plain(await request.body()), two_person_acts.Act)
    need(request, ASKERS[str(act.__struct_config__.tag)])
    here = rooms(request)
    whole = await here.acts.whole(act, found)
    if isinstance(whole, Denied | Refusal):
        raise Stop.of(whole)
    name, what = whole
    approval = await here.approvals.ask(name, what, found.name)
    logs.say("approval-asked", approval=approval.id, act=name, by=found.name)
    return answer(approval, 201)


@post(
    "/api/approvals/preview",
    status_code=200,
    opt=doc(
        topic="approvals",
        says="What a ruling would lead to, and whether it needs a second person; nothing is done",
        body=two_person_acts.LateSettlement,
        answer=Preview,
        session=True,
        problems=(404, 409),
    ),
)
async def previewed(request: Asked) -> Response[bytes]:
    found = need(request, DEALER)
    act = strict.read(await request.body(), two_person_acts.LateSettlement)
    ruling = await rooms(request).acts.ruling(act, found)
    if isinstance(ruling, Denied | Refusal):
        raise Stop.of(ruling)
    table, command, alone = ruling
    outcome = preview(table, command)
    if isinstance(outcome, Refusal):
        raise Stop.of(outcome)
    return answer(msgspec.structs.replace(outcome, needs_second_person=not alone))


@get(
    "/api/approvals",
    opt=doc(
        topic="approvals",
        says="What was asked, newest first; a dealer sees what they asked for themselves",
        answer=list[ApprovalShown],
        query=ApprovalsQuery,
        session=True,
        problems=(403, 404),
    ),
)
async def approvals(request: Asked) -> Response[bytes]:
    found = need(request, DEALER | {Role.AUDITOR})
    # A dealer sees nobody's wallet, and an adjustment tells one.
    mine = found.name if found.role is Role.DEALER else None
    asked = strict.query(request.query_params.multi_items(), ApprovalsQuery)
    before = await _found(request, asked.before) if asked.before is not None else None
    if before is not None and mine not in (None, before.asked_by):
        raise not_found("approval")
    here = rooms(request)
    page = await here.approvals.page(asked.state, asked.limit, before, mine)
    return answer(
        [
            ApprovalShown(**msgspec.structs.asdict(one), moves=await here.acts.moves(one), can=_can(one, found))
            for one in page
        ]
    )


def _can(one: Approval, found: Session) -> tuple[str, ...]:
    """Whether the two accounts are of two persons is judged when it is approved."""
    if one.state is not State.ASKED or (one.asked_by != found.name and found.role not in MANAGER):
        return ()
    return ("reject",) if one.asked_by == found.name else ("approve", "reject")


async def _found(request: Asked, approval: str) -> Approval:
    found = await rooms(request).approvals.find(approval) if approval.isalnum() and len(approval) <= 32 else None
    if found is None:
        raise not_found("approval")
    return found


@post(
    "/api/approvals/{approval:str}/approve",
    status_code=200,
    opt=doc(
        topic="approvals",
        says="Approve exactly what has this hash; it is carried out at once, and once",
        body=Hash,
        answer=Approval,
        session=True,
        problems=(404, 409),
    ),
)
async def approve(request: Asked, approval: str) -> Response[bytes]:
    found = need(request, MANAGER)
    asked = strict.read(await request.body(), Hash)
    here, one = rooms(request), await _found(request, approval)
    no = await here.acts.second_person(one, found.name)
    need(request, MANAGER)
    try:
        decided = no if no is not None else await here.approvals.approve(one, found.name, asked.hash)
    except Contended:
        raise contended() from None
    except msgspec.ValidationError as error:  # what was asked is of another version of the house
        raise Stop(400, Code.BAD_REQUEST, str(error)[:300]) from None
    if isinstance(decided, Refusal):
        raise Stop.of(decided, 403 if decided.code == "same-person" else 409)
    logs.say("approval-decided", approval=decided.id, state=decided.state.value, by=found.name)
    return answer(decided)


@post(
    "/api/approvals/{approval:str}/reject",
    status_code=200,
    opt=doc(topic="approvals", says="Reject, or take back", answer=Approval, session=True, problems=(404, 409)),
)
async def reject(request: Asked, approval: str) -> Response[bytes]:
    found = need(request, DEALER)
    one = await _found(request, approval)
    body = await request.body()
    if body and strict.plain(body) != {}:
        raise Stop(400, Code.BAD_REQUEST, "nothing is sent with this")
    if one.asked_by != found.name:
        need(request, MANAGER)
    decided = await rooms(request).approvals.reject(one, found.name)
    if isinstance(decided, Refusal):
        raise Stop.of(decided)
    return answer(decided)
