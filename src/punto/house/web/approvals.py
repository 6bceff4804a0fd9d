"""Two-person acts over HTTP: ask, preview, list, approve, reject."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, get, post

from punto.codes import Code
from punto.game.refusals import Refusal
from punto.house import logs
from punto.house.people.act_requests import Act, LateSettlement
from punto.house.people.sessions import Session
from punto.house.store.answers import Denied
from punto.house.store.approval import Approval, State
from punto.house.store.names import ASKERS, DEALER, DESKS, END, MANAGER, SURVEILLANCE, Role
from punto.house.table.preview import Preview, preview
from punto.house.web import http, strict_json
from punto.house.web.caller import need
from punto.house.web.http import HttpRequest, answer
from punto.house.web.openapi import doc
from punto.house.web.parts import Parts, parts
from punto.house.web.problems import Stop, not_found


class ApprovalsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`before` is the id of the previous page's last approval."""

    state: State | None = None
    before: Annotated[str, msgspec.Meta(pattern=f"^[0-9a-z]{{1,32}}{END}")] | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 100


class ApprovalShown(Approval, frozen=True, kw_only=True):
    """An approval. `moves` is what it gave each patron or took from them, or would if it were approved now. `can` is
    what the viewer may do with it: approve, reject (their own: take it back)."""

    moves: dict[str, str]
    holds: dict[str, str]
    """While it waits: what the persons concerned have now, in chips at the table or in the wallet."""
    can: tuple[str, ...]


class Hash(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hash of the approval, as it was shown."""

    hash: Annotated[str, msgspec.Meta(pattern=f"^[0-9a-f]{{64}}{END}")]


@post(
    "/api/approvals",
    opt=doc(
        "approvals",
        "Ask for an act that needs a second person",
        body=Act,
        answer=Approval,
        session=True,
        problems=(404, 409),
    ),
)
async def ask(request: HttpRequest) -> Response[bytes]:
    user = need(request, DEALER | SURVEILLANCE)
    act: Act = strict_json.one_of(strict_json.plain(await request.body()), Act)
    need(request, ASKERS[str(act.__struct_config__.tag)])
    here = parts(request)
    whole = await here.acts.completed(act, user)
    if isinstance(whole, Denied | Refusal):
        raise Stop.of(whole)
    name, what = whole
    approval = await here.approvals.ask(name, what, user.name)
    logs.say("approval-asked", approval=approval.id, act=name, by=user.name)
    return answer(approval, 201)


@post(
    "/api/approvals/preview",
    status_code=200,
    opt=doc(
        "approvals",
        "What a ruling would lead to, and whether it needs a second person; nothing is done",
        body=LateSettlement,
        answer=Preview,
        session=True,
        problems=(404, 409),
    ),
)
async def previewed(request: HttpRequest) -> Response[bytes]:
    user = need(request, DEALER)
    act = strict_json.read(await request.body(), LateSettlement)
    ruling = await parts(request).acts.ruling(act, user)
    if isinstance(ruling, Denied | Refusal):
        raise Stop.of(ruling)
    table, command, alone = ruling
    outcome = preview(table, command)
    if isinstance(outcome, Refusal):
        raise Stop.of(outcome)
    return answer(msgspec.structs.replace(outcome, needs_second_person=not alone))


def hidden_from(role: Role) -> tuple[str, ...]:
    """The acts that this role is not shown: what surveillance asks for is for it and for managers."""
    return () if role in DESKS["watch"] | MANAGER else ("watch-thresholds",)


@get(
    "/api/approvals",
    opt=doc(
        "approvals",
        "What was asked, newest first; a dealer sees what they asked for themselves",
        answer=list[ApprovalShown],
        query=ApprovalsQuery,
        session=True,
        problems=(404,),
    ),
)
async def approvals(request: HttpRequest) -> Response[bytes]:
    user = need(request, DEALER | SURVEILLANCE | {Role.AUDITOR})
    # A dealer may see nobody's wallet, and an adjustment shows one. Surveillance asks for thresholds only.
    mine = user.name if user.role in (Role.DEALER, Role.SURVEILLANCE) else None
    query = http.query(request, ApprovalsQuery)
    before = await _approval(request, query.before) if query.before is not None else None
    if before is not None and mine not in (None, before.asked_by):
        raise not_found("approval")
    here = parts(request)
    page = await here.approvals.page(query.state, query.limit, before, mine, hidden_from(user.role))
    return answer(
        [
            ApprovalShown(
                **msgspec.structs.asdict(record),
                moves=(moves := await here.acts.moves(record)),
                holds=await here.acts.holds(record, moves) if mine is None else {},
                can=await _can(here, record, user),
            )
            for record in page
        ]
    )


async def _can(here: Parts, approval: Approval, user: Session) -> tuple[str, ...]:
    """What would be accepted: nobody approves after a day, nor what `Acts.second_person` refuses."""
    if approval.state is not State.ASKED or (approval.asked_by != user.name and user.role not in MANAGER):
        return ()
    if user.role not in MANAGER or not here.approvals.is_open_to(approval, user.name):
        return ("reject",)
    return ("reject",) if await here.acts.second_person(approval, user.name) else ("approve", "reject")


async def _approval(request: HttpRequest, id: str) -> Approval:
    approval = await parts(request).approvals.find(id) if id.isalnum() and len(id) <= 32 else None
    if approval is None:
        raise not_found("approval")
    return approval


@post(
    "/api/approvals/{approval:str}/approve",
    status_code=200,
    opt=doc(
        "approvals",
        "Approve exactly what has this hash; it is carried out at once, and once",
        body=Hash,
        answer=Approval,
        session=True,
        problems=(409,),
    ),
)
async def approve(request: HttpRequest, approval: str) -> Response[bytes]:
    user = need(request, MANAGER)
    body = await http.body(request, Hash)
    here, record = parts(request), await _approval(request, approval)
    refusal = await here.acts.second_person(record, user.name)
    need(request, MANAGER)
    try:
        decided = refusal or await here.approvals.approve(record, user.name, body.hash)
    except msgspec.ValidationError as error:  # another version of the house recorded the request
        raise Stop(400, Code.BAD_REQUEST, str(error)[:300]) from None
    if isinstance(decided, Refusal):
        raise Stop.of(decided, 403 if decided.code == "same-person" else 409)
    logs.say("approval-decided", approval=decided.id, state=decided.state.value, by=user.name)
    return answer(decided)


@post(
    "/api/approvals/{approval:str}/reject",
    status_code=200,
    opt=doc("approvals", "Reject, or take back", answer=Approval, session=True, problems=(409,)),
)
async def reject(request: HttpRequest, approval: str) -> Response[bytes]:
    user = need(request, DEALER | SURVEILLANCE)
    record = await _approval(request, approval)
    await http.no_body(request)
    if record.asked_by != user.name:
        need(request, MANAGER)
    decided = await parts(request).approvals.reject(record, user.name)
    if isinstance(decided, Refusal):
        raise Stop.of(decided)
    return answer(decided)
