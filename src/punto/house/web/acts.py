"""The acts that two persons do: what each needs, and how it is carried out once."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

import msgspec

from punto import money
from punto.game import commands as c
from punto.game.audience import Audience
from punto.game.refusals import Refusal, refuse
from punto.game.table import Table
from punto.house import permissions
from punto.house.people import events as e
from punto.house.people.approvals import Approval
from punto.house.people.names import PersonName
from punto.house.stored import Outcome
from punto.house.web import strict
from punto.house.web.problems import Stop, not_found
from punto.house.web.rooms import Rooms
from punto.money import Cents

_SIGNED: Final = re.compile(r"-?(0|[1-9][0-9]{0,12})(\.[0-9]{1,2})?", re.ASCII)
Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class BalanceAdjustment(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="balance-adjustment"
):
    """Move `cents` (a decimal string, also negative) from the cage to a wallet."""

    person: PersonName
    cents: Annotated[str, msgspec.Meta(pattern=r"^-?(0|[1-9][0-9]{0,12})(\.[0-9]{1,2})?$", max_length=20)]
    reason: Reason


class LateSettlement(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="late-settlement"
):
    """A decide-irregularity that moves money of a past round."""

    table: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    command: dict[str, Any]


Act = BalanceAdjustment | LateSettlement


async def asked(here: Rooms, act: Act, session: Any) -> tuple[str, dict[str, Any]]:
    """What is asked for, whole and checked, so that the second person sees everything that will happen."""
    if isinstance(act, BalanceAdjustment):
        cents = signed_cents(act.cents)
        if not cents:
            raise Stop(400, "bad-amount", "an adjustment moves something")
        if await here.accounts.find(act.person) is None:
            raise not_found("person")
        return "balance-adjustment", {"person": act.person, "cents": money.amount(cents), "reason": act.reason}
    from punto.house.web.orders import prepared, state

    if act.command.get("do") != "decide-irregularity":
        raise Stop(400, "bad-command", "a late settlement is a decide-irregularity")
    command = prepared(session, [act.command])[0]
    table = await state(here, act.table)
    denied = permissions.at_table(session.name, session.role, table, command)
    if denied is not None and denied.code != "needs-approval":
        raise Stop(denied.status, denied.code, denied.message)
    if denied is None or table.irregularity is None:
        raise Stop(409, "needs-no-approval", "this ruling concerns the current round: give it to the table")
    return "late-settlement", {
        "table": act.table,
        "command": strict.written(command),
        "irregularity": {
            "kind": table.irregularity.kind,
            "paragraph": table.irregularity.paragraph,
            "round": table.irregularity.round,
        },
    }


def signed_cents(text: str) -> int:
    if _SIGNED.fullmatch(text) is None:
        raise Stop(400, "bad-amount", 'expected an amount such as "100.00" or "-100.00"')
    return (-1 if text.startswith("-") else 1) * money.cents(text.removeprefix("-"))


async def carried_out(here: Rooms, approval: Approval) -> tuple[bool, dict[str, Any]]:
    """Under a key made of the approval's id: done again, it has no second effect."""
    if approval.act == "balance-adjustment":
        return await _adjusted(here, approval)
    what = approval.what
    command = strict.converted(what["command"], c.DecideIrregularity)
    asker = await here.accounts.find(approval.asked_by)

    def allowed(table: Table, command: c.AnyCommand) -> Refusal | None:
        found = table.irregularity
        meant = what["irregularity"]
        if found is None or (found.kind, found.round) != (meant["kind"], meant["round"]):
            return refuse("another-matter", "the irregularity that was meant is not open any more")
        if asker is None or asker.locked or table.staff.get(approval.asked_by) is not asker.role.rank:
            return refuse("not-on-duty", f"{approval.asked_by} is not on duty at this table with the same rank")
        return None

    body = bytes.fromhex(approval.hash)
    key = f"approval-{approval.id}"
    answer = await here.house.command(
        what["table"], [command], key, approval.asked_by, body, Audience.PIT, allowed=allowed
    )
    return answer.accepted, msgspec.json.decode(answer.json)


async def _adjusted(here: Rooms, approval: Approval) -> tuple[bool, dict[str, Any]]:
    person, cents = approval.what["person"], signed_cents(approval.what["cents"])
    by = approval.decided_by or ""
    event = e.BalanceAdjusted(
        by=by,
        cents=Cents(cents),
        reason=approval.what["reason"],
        approval=approval.id,
        asked_by=approval.asked_by,
    )
    key = f"approval-{approval.id}"
    body = bytes.fromhex(approval.hash)
    stream = f"person/{person}"
    if await here.store.answered(stream, key) is None:
        outcome = await here.accounts.append(person, [event], by, moved_cents=cents, key=key, body=body)
        if outcome is Outcome.FUNDS:
            return False, {"code": "not-enough-funds", "detail": "the wallet does not hold that much"}
        if outcome is Outcome.CONFLICT and await here.store.answered(stream, key) is None:
            raise Stop(503, "busy", "somebody else writes to this person's account: approve again")
    return True, {"wallet": money.amount(await here.store.wallet(person))}
