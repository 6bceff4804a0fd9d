"""The acts that two persons do: what each needs, and how it is carried out once."""

from __future__ import annotations

import re
from collections import Counter
from typing import Annotated, Any, Final

import msgspec

from punto import money
from punto.codes import Code
from punto.game import commands as c
from punto.game.audience import Audience
from punto.game.decide import another_round
from punto.game.refusals import Refusal, refuse
from punto.game.table import Table
from punto.house.people import events as e
from punto.house.people import hands, permissions
from punto.house.people.accounts import TRIES
from punto.house.people.approvals import Approval, State
from punto.house.people.matter import matter, raised
from punto.house.people.names import END, PersonName, Role
from punto.house.people.permissions import ASKERS, MANAGER
from punto.house.store.records import Outcome
from punto.house.table.governing import in_use
from punto.house.table.ledger import chips
from punto.house.table.preview import preview
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
    cents: Annotated[str, msgspec.Meta(pattern=rf"^-?(0|[1-9][0-9]{{0,12}})(\.[0-9]{{1,2}})?{END}", max_length=20)]
    reason: Reason


class LateSettlement(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="late-settlement"
):
    """A decide-irregularity that moves money of a round that is over, or a report-chips after its settlement."""

    table: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    command: dict[str, Any]


class Rank(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="rank"):
    """Give somebody a rank that approves: whoever could do that alone would be both persons of every act."""

    person: PersonName
    role: Role


Act = BalanceAdjustment | LateSettlement | Rank


async def asked(here: Rooms, act: Act, session: Any) -> tuple[str, dict[str, Any]]:
    """What is asked for, whole and checked, so that the second person sees everything that will happen."""
    if isinstance(act, BalanceAdjustment):
        cents = signed_cents(act.cents)
        if not cents:
            raise Stop(400, Code.BAD_AMOUNT, "an adjustment moves something")
        if act.person == session.name:
            raise Stop(403, Code.YOURSELF, "nobody asks for what is paid to himself")
        if await here.accounts.find(act.person) is None:
            raise not_found("person")
        return "balance-adjustment", {"person": act.person, "cents": money.amount(cents), "reason": act.reason}
    if isinstance(act, Rank):
        return await _rank_asked(here, act, session)
    table, command, alone = await ruling(here, act, session)
    if alone:
        raise Stop(409, Code.NEEDS_NO_APPROVAL, "this concerns the current round: give it to the table")
    return "late-settlement", {"table": act.table, "command": strict.written(command), **matter(table)}


async def ruling(here: Rooms, act: LateSettlement, session: Any) -> tuple[Table, c.AnyCommand, bool]:
    """A ruling that this person may give, and whether they may do so alone."""
    from punto.house.web.orders import prepared, state

    if act.command.get("do") not in ("decide-irregularity", "report-chips"):
        raise Stop(400, Code.BAD_COMMAND, "a late settlement is a decide-irregularity or a report-chips")
    command = prepared(session, [act.command])[0]
    table = await state(here, act.table)
    rules = in_use(table)
    elsewhere = another_round(rules, table, command) if rules is not None else None
    if elsewhere is not None:
        raise Stop.refused(elsewhere)
    denied = permissions.at_table(session.name, session.role, table, command)
    if denied is not None and denied.code != "needs-approval":
        raise Stop(denied.status, denied.code, denied.message)
    return table, command, denied is None


async def _rank_asked(here: Rooms, act: Rank, session: Any) -> tuple[str, dict[str, Any]]:
    account = await here.accounts.find(act.person)
    if account is None:
        raise not_found("person")
    if account.name == session.name:
        raise Stop(409, Code.YOURSELF, "this is done by somebody else")
    if act.role not in MANAGER or account.guest:
        raise Stop(409, Code.NEEDS_NO_APPROVAL, "only the rank of a manager takes two, and a guest stays a patron")
    return "rank", {"person": act.person, "role": act.role.value, "was": account.role.value}


async def moves(here: Rooms, approval: Approval) -> dict[str, str]:
    """What a late settlement moved, or one that waits would move (O95). Nothing where the table would refuse it."""
    what = approval.what
    if approval.act == "late-settlement" and approval.state is State.DONE:
        return await _moved(here, what["table"], approval.outcome or {})
    if approval.act != "late-settlement" or approval.state is not State.ASKED:
        return {}
    table = await here.house.table(what["table"])
    if any(what.get(name) != value for name, value in matter(table).items()):
        return {}
    try:
        command: c.AnyCommand = strict.one_of(raised(what["command"]), c.DecideIrregularity | c.ReportChips)
    except Stop:  # asked of another version of the house, which knew other fields
        return {}
    outcome = preview(table, command)
    return {} if isinstance(outcome, Refusal) else outcome.moves


async def _moved(here: Rooms, table: str, answer: dict[str, Any]) -> dict[str, str]:
    """By the ledger: the chips of each patron, less what they owe since."""
    version, events = answer.get("version", 0), answer.get("events", ())
    sums: Counter[str] = Counter()
    for one in await here.store.transfers(f"table/{table}", version - len(events), version):
        sums[one.taker] += one.cents
        sums[one.giver] -= one.cents
    for entry in (entry for event in events for entry in event.get("entries", ())):
        sums[chips(table, entry["patron"])] += money.cents(entry.get("cleared", "0")) - money.cents(
            entry.get("owed", "0")
        )
    patron = chips(table, "")
    return {
        name.removeprefix(patron): money.amount(sum) for name, sum in sums.items() if sum and name.startswith(patron)
    }


async def second_person(here: Rooms, approval: Approval, by: str) -> Refusal | None:
    """Why this is no second person: what is done is done to them, or both accounts have passed through the same hands
    (O67)."""
    if approval.what.get("person") == by:
        return refuse(Code.SAME_PERSON, "nobody approves what is done to himself")
    asker = await here.accounts.find(approval.asked_by)
    if asker is None or asker.locked or asker.role not in ASKERS[approval.act]:
        return refuse(Code.NOT_ALLOWED, "who asked may not ask for this any more: somebody else asks again")
    since = here.house.clock.cautious() - here.settings.reset_days * hands.DAY_US
    both = await hands.common(here.accounts, approval.asked_by, by, since)
    if both is None:
        return None
    told = f"the accounts of you and {approval.asked_by} go back to {both}, who opened them or gave a password"
    return refuse(Code.SAME_PERSON, f"{told}: somebody else approves this")


def signed_cents(text: str) -> int:
    if _SIGNED.fullmatch(text) is None:
        raise Stop(400, Code.BAD_AMOUNT, 'expected an amount such as "100.00" or "-100.00"')
    return (-1 if text.startswith("-") else 1) * money.cents(text.removeprefix("-"))


async def carried_out(here: Rooms, approval: Approval) -> tuple[bool, dict[str, Any]]:
    """Under a key made of the approval's id: done again, it has no second effect."""
    if approval.act == "balance-adjustment":
        return await _adjusted(here, approval)
    if approval.act == "rank":
        return await _ranked(here, approval)
    what = approval.what
    command: c.AnyCommand = strict.one_of(raised(what["command"]), c.DecideIrregularity | c.ReportChips)
    asker = await here.accounts.find(approval.asked_by)

    def allowed(table: Table, command: c.AnyCommand) -> Refusal | None:
        if any(what.get(name) != value for name, value in matter(table).items()):
            return refuse(Code.ANOTHER_MATTER, "what was meant is not open any more")
        if asker is None or asker.locked or table.staff.get(approval.asked_by) is not asker.role.rank:
            return refuse(Code.NOT_ON_DUTY, f"{approval.asked_by} is not on duty at this table with the same rank")
        return None

    body = bytes.fromhex(approval.hash)
    key = f"approval-{approval.id}"
    answer = await here.house.command(
        what["table"], [command], key, approval.asked_by, body, Audience.PIT, allowed=allowed
    )
    return answer.accepted, msgspec.json.decode(answer.json)


async def _ranked(here: Rooms, approval: Approval) -> tuple[bool, dict[str, Any]]:
    """The role that was asked for, to the person as he was then."""
    name, role = approval.what["person"], Role(approval.what["role"])
    key, stream = f"approval-{approval.id}", f"person/{name}"
    by, body = approval.decided_by or "", bytes.fromhex(approval.hash)
    for _ in range(TRIES):
        known = await here.store.answered(stream, key)
        account, person = await here.accounts.find(name), await here.accounts.on_record(name)
        if known is not None and (account is None or person is None or account.role is person.role):
            return True, {"role": role.value}
        if account is None or person is None or (known is None and person.role.value != approval.what["was"]):
            return False, {"code": "another-matter", "detail": "the person has another role by now"}
        if known is not None:
            # An older version wrote the stream and died: the row follows it.
            done = await here.accounts.set_role(name, person.role, by, expected=person.version)
        else:
            done = await here.accounts.set_role(name, role, by, expected=person.version, key=key, body=body)
        if done:
            here.sessions.end_here(name)
            return True, {"role": role.value}
    raise Stop(503, Code.BUSY, "somebody else writes to this person's account: approve again")


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
    for _ in range(TRIES):
        if await here.store.answered(stream, key) is not None:
            return True, {"wallet": money.amount(await here.store.wallet(person))}
        known = await here.accounts.find(person)
        if known is not None and known.guest:
            await here.guests.put_on_record(person)
        account = await here.accounts.on_record(person)
        if account is None or account.closed:
            return False, {"code": "another-matter", "detail": "the guest has gone, and the account is closed"}
        outcome = await here.accounts.append(
            person, [event], by, moved_cents=cents, expected=account.version, key=key, body=body
        )
        if outcome is Outcome.FUNDS and await here.store.answered(stream, key) is None:
            return False, {"code": "not-enough-funds", "detail": "the wallet does not hold that much"}
    raise Stop(503, Code.BUSY, "somebody else writes to this person's account: approve again")
