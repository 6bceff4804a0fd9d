"""What each act of two persons requires before it is asked for, who may approve it, and how it is carried out once."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any, Final, assert_never

import msgspec

from punto import money
from punto.codes import Code
from punto.game import commands as c
from punto.game import notation
from punto.game.audience import Audience
from punto.game.decide import another_round
from punto.game.refusals import Refusal, refuse
from punto.game.table import Table
from punto.house.people.accounts import TRIES, Accounts, Contended
from punto.house.people.act_requests import Act, BalanceAdjustment, LateSettlement, Rank
from punto.house.people.guests import Guests
from punto.house.people.second_person import DAY_US, RESET_DAYS, common_hand
from punto.house.people.sessions import Session, Sessions
from punto.house.people.watch_thresholds import WatchThresholds, completed_thresholds, set_thresholds
from punto.house.store import answers
from punto.house.store import person as e
from punto.house.store.answers import NO_FUNDS, Denied, Problem
from punto.house.store.approval import Approval, State, command_of, subject
from punto.house.store.names import ASKERS, MANAGER, Role
from punto.house.store.records import KeyTaken, Outcome
from punto.house.table import permissions, request
from punto.house.table.governing_edition import in_use
from punto.house.table.house import House, NoSuchTable
from punto.house.table.ledger import chips
from punto.house.table.preview import preview
from punto.house.table.request import Request
from punto.money import Cents

RulingCommand = tuple[Table, c.AnyCommand, bool]
"""The table, the command, and whether one person may give it alone."""

NO_PERSON: Final = Denied(Code.NOT_FOUND, "there is no such person", 404)
NO_TABLE: Final = Denied(Code.NOT_FOUND, "there is no such table", 404)


class Acts:
    """What each act needs before it is asked for, who approves it, and how it is carried out."""

    def __init__(
        self, house: House, accounts: Accounts, guests: Guests, sessions: Sessions, reset_days: int = RESET_DAYS
    ) -> None:
        self._house, self._accounts, self._guests, self._sessions = house, accounts, guests, sessions
        self._store, self._reset_days = house.store, reset_days

    async def completed(self, act: Act, session: Session) -> tuple[str, dict[str, Any]] | Denied | Refusal:
        """An act by name, complete and validated, so that the second person sees everything that will happen."""
        match act:
            case BalanceAdjustment():
                return await self._adjustment(act, session)
            case Rank():
                return await self._rank(act, session)
            case WatchThresholds():
                return completed_thresholds(act)
            case LateSettlement():
                ruling = await self.ruling(act, session)
                if isinstance(ruling, Denied | Refusal):
                    return ruling
                table, command, alone = ruling
                if alone:
                    text = "this needs no second person: send the command to the table"
                    return Denied(Code.NEEDS_NO_APPROVAL, text, 409)
                what = {"table": act.table, "command": notation.plain(command), **subject(table)}
                return "late-settlement", what
            case _:
                assert_never(act)

    async def ruling(self, act: LateSettlement, session: Session) -> RulingCommand | Denied | Refusal:
        """A ruling that this person may give. Raises Halted."""
        if act.command.get("do") not in ("decide-irregularity", "report-chips"):
            return Denied(Code.BAD_COMMAND, "a late settlement is a decide-irregularity or a report-chips", 400)
        commands = request.read(session.name, session.role, [act.command])
        if isinstance(commands, Denied):
            return commands
        try:
            table, command = await self._house.table(act.table), commands[0]
        except NoSuchTable:
            return NO_TABLE
        rules = in_use(table)
        elsewhere = another_round(rules, table, command) if rules is not None else None
        if elsewhere is not None:
            return elsewhere
        denied = permissions.at_table(session.name, session.role, table, command)
        if denied is not None and denied.code != Code.NEEDS_APPROVAL:
            return denied
        return table, command, denied is None

    async def _adjustment(self, act: BalanceAdjustment, session: Session) -> tuple[str, dict[str, Any]] | Denied:
        cents = e.signed_cents(act.cents)
        if not cents:
            return Denied(Code.BAD_AMOUNT, "an adjustment of 0.00 changes nothing: expected another amount", 400)
        if act.person == session.name:
            return Denied(Code.YOURSELF, "you can't ask for an adjustment of your own balance")
        if await self._accounts.find(act.person) is None:
            return NO_PERSON
        return "balance-adjustment", {"person": act.person, "cents": money.amount(cents), "reason": act.reason}

    async def _rank(self, act: Rank, session: Session) -> tuple[str, dict[str, Any]] | Denied:
        account = await self._accounts.find(act.person)
        if account is None:
            return NO_PERSON
        if account.name == session.name:
            return Denied(Code.YOURSELF, "you can't do this to your own account: somebody else must do it", 409)
        if act.role not in MANAGER or account.guest:
            text = "only a manager's rank needs a second person, and a guest can't have a rank"
            return Denied(Code.NEEDS_NO_APPROVAL, text, 409)
        return "rank", {"person": act.person, "role": act.role.value, "was": account.role.value}

    async def moves(self, approval: Approval) -> dict[str, str]:
        """What a late settlement moved, or would move if approved (O95). Empty where the table would refuse it."""
        what = approval.what
        if approval.act == "late-settlement" and approval.state is State.DONE:
            return await self._moved(what["table"], approval.outcome or {})
        if approval.act != "late-settlement" or approval.state is not State.ASKED:
            return {}
        table = await self._house.table(what["table"])
        if _has_changed(what, table):
            return {}
        try:
            command = _ruling(what)
        except ValueError:  # another version of the house, with other fields, took the request
            return {}
        outcome = preview(table, command)
        return {} if isinstance(outcome, Refusal) else outcome.moves

    async def holds(self, approval: Approval, moves: dict[str, str]) -> dict[str, str]:
        """What those concerned have before an act that waits for approval: the wallet for an adjustment, else chips."""
        what = approval.what
        if approval.state is not State.ASKED:
            return {}
        if approval.act == "balance-adjustment":
            return {what["person"]: money.amount(await self._guests.wallet_of(what["person"]))}
        if not moves:
            return {}
        patrons = (await self._house.table(what["table"])).patrons
        return {name: money.amount(patrons[name].balance_cents) for name in moves if name in patrons}

    async def _moved(self, table: str, answer: dict[str, Any]) -> dict[str, str]:
        """What moved, by the ledger: the chips of each patron, less what they owe since."""
        version, events = answer.get("version", 0), answer.get("events", ())
        sums: Counter[str] = Counter()
        for transfer in await self._store.transfers(f"table/{table}", version - len(events), version):
            sums[transfer.taker] += transfer.cents
            sums[transfer.giver] -= transfer.cents
        for entry in (entry for event in events for entry in event.get("entries", ())):
            cleared, owed = (money.cents(entry.get(name, "0")) for name in ("cleared", "owed"))
            sums[chips(table, entry["patron"])] += cleared - owed
        patron = chips(table, "")
        return {
            name.removeprefix(patron): money.amount(total)
            for name, total in sums.items()
            if total and name.startswith(patron)
        }

    async def second_person(self, approval: Approval, by: str) -> Refusal | None:
        """Why `by` can't approve: it is done to them, the asker may not ask any more, or both accounts have passed
        through the same hands (O67)."""
        if approval.what.get("person") == by:
            return refuse(Code.SAME_PERSON, "you can't approve what is done to your own account")
        asker = await self._accounts.find(approval.asked_by)
        if asker is None or asker.locked or asker.role not in ASKERS[approval.act]:
            text = f"{approval.asked_by} is locked or may no longer ask for this: somebody else must ask again"
            return refuse(Code.NOT_ALLOWED, text)
        since = self._house.clock.cautious() - self._reset_days * DAY_US
        both = await common_hand(self._accounts, approval.asked_by, by, since)
        if both is None:
            return None
        how = "by opening an account or resetting a password"
        text = (
            f"{both} has had access to your account and {approval.asked_by}'s, {how}: somebody else must approve this"
        )
        return refuse(Code.SAME_PERSON, text)

    async def carry_out(self, approval: Approval) -> tuple[bool, dict[str, Any]]:
        """Done under a key made of the approval's id, so that a repeat has no effect. A failure takes the key too:
        nobody can do afterwards what has failed. Raises Contended, Crowded, and ValueError where the command is of
        another version of the house."""
        if approval.act == "balance-adjustment":
            return await self._adjusted(approval)
        if approval.act == "rank":
            return await self._ranked(approval)
        if approval.act == "watch-thresholds":
            return await set_thresholds(self._store, self._house.clock, approval, _key(approval))
        what, command = approval.what, _ruling(approval.what)
        asker = await self._accounts.find(approval.asked_by)

        def permit(table: Table, command: c.AnyCommand) -> Refusal | None:
            if _has_changed(what, table):
                return refuse(
                    Code.ANOTHER_MATTER, "the report or the round that this was about is no longer open at the table"
                )
            if asker is None or asker.locked or table.staff.get(approval.asked_by) is not asker.role.rank:
                return refuse(Code.NOT_ON_DUTY, f"{approval.asked_by} is not on duty at this table with the same rank")
            return None

        body = bytes.fromhex(approval.hash)
        ruling = Request([command], _key(approval), approval.asked_by, body, Audience.PIT, permit)
        answer = await self._house.command(what["table"], ruling)
        return answer.accepted, msgspec.json.decode(answer.json)

    async def _ranked(self, approval: Approval) -> tuple[bool, dict[str, Any]]:
        """Give the role, if the person still has the one they had then."""
        name, role = approval.what["person"], Role(approval.what["role"])
        key, stream = _key(approval), f"person/{name}"
        by, body = approval.decided_by or "", bytes.fromhex(approval.hash)
        for _ in range(TRIES):
            known = await self._store.answered(stream, key)
            if known is not None and known.refusal is not None:
                return False, _outcome(known.refusal)
            account, person = await self._accounts.find(name), await self._accounts.on_record(name)
            if known is not None and (account is None or person is None or account.role is person.role):
                return True, {"role": role.value}
            if account is None or person is None or (known is None and person.role.value != approval.what["was"]):
                await self._fail(approval, refuse(Code.ANOTHER_MATTER, "the person has another role by now"))
                continue
            if known is not None:
                # An older version wrote the stream and died before the row: write the row now.
                done = await self._accounts.set_role(name, person.role, by, expected=person.version)
            else:
                done = await self._accounts.set_role(name, role, by, expected=person.version, key=key, body=body)
            if done:
                self._sessions.end_here(name)
                return True, {"role": role.value}
        raise Contended(name)

    async def _adjusted(self, approval: Approval) -> tuple[bool, dict[str, Any]]:
        person, cents = approval.what["person"], e.signed_cents(approval.what["cents"])
        by, key, body = approval.decided_by or "", _key(approval), bytes.fromhex(approval.hash)
        event = e.BalanceAdjusted(
            by=by,
            cents=Cents(cents),
            reason=approval.what["reason"],
            approval=approval.id,
            asked_by=approval.asked_by,
        )
        stream = f"person/{person}"
        for _ in range(TRIES):
            answer = await self._store.answered(stream, key)
            if answer is not None and answer.refusal is not None:
                return False, _outcome(answer.refusal)
            if answer is not None:
                return True, {"wallet": money.amount(await self._store.wallet(person))}
            known = await self._accounts.find(person)
            if known is not None and known.guest:
                await self._guests.put_on_record(person)
            account = await self._accounts.on_record(person)
            if account is None or account.closed:
                gone = refuse(Code.ANOTHER_MATTER, "the guest has gone, and the account is closed")
                await self._fail(approval, gone)
                continue
            outcome = await self._accounts.append(
                person, [event], by, moved_cents=cents, expected=account.version, key=key, body=body
            )
            if outcome is Outcome.FUNDS:
                await self._fail(approval, NO_FUNDS)
        raise Contended(person)

    async def _fail(self, approval: Approval, refusal: Refusal) -> None:
        """Answer the key with a refusal, unless it has an answer."""
        body, answer = bytes.fromhex(approval.hash), answers.refused(refusal)
        with suppress(KeyTaken):  # somebody else has just carried it out
            await self._store.refuse(f"person/{approval.what['person']}", _key(approval), body, answer.json)


def _key(approval: Approval) -> str:
    return f"approval-{approval.id}"


def _outcome(refusal: bytes) -> dict[str, Any]:
    """What a failed act has for an outcome."""
    problem = msgspec.json.decode(refusal, type=Problem)
    return {"code": problem.code.value, "detail": problem.detail}


def _ruling(what: dict[str, Any]) -> c.AnyCommand:
    """The command of a late settlement. Raises ValueError."""
    command: c.AnyCommand = notation.record(command_of(what["command"]), c.DecideIrregularity | c.ReportChips)
    return command


def _has_changed(what: dict[str, Any], table: Table) -> bool:
    """Whether the matter of the act is not open any more at the table."""
    return any(what.get(name) != value for name, value in subject(table).items())
