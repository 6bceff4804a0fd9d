"""Acts of two persons: each has its approval on record, by a second person, for exactly this; and each approval that
is marked as done was carried out.

An act and its approval are tied twice: the key of the command names the approval, and the hash of what was asked is
the hash that was approved. What is approved, carried out again, must lead to the events on record.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from punto import money
from punto.game.table import Table
from punto.house.audit import outcomes, two_persons
from punto.house.audit.approval_streams import ApprovalStream, Record, indexed, rows
from punto.house.audit.asked import Events
from punto.house.audit.findings import Findings
from punto.house.audit.reading import Reader
from punto.house.audit.staff import Staff
from punto.house.people import approval_events as e
from punto.house.people.approval import State, hash_of
from punto.house.people.approvals import OPEN_MICROSECONDS
from punto.house.people.events import AccountOpened, BalanceAdjusted, PasswordReset, RoleChanged
from punto.house.people.names import Role
from punto.house.people.permissions import ASKERS, MANAGER, SHIFT
from punto.house.store.clock_steps import Steps
from punto.house.store.records import Row
from punto.rulebook.model import Rulebook

EVENT: Final = 'SELECT 1 FROM "events" WHERE "stream" = $1 AND "version" = 1'
CARRIED_OUT: Final = 'SELECT "version", "body" FROM "events" WHERE "stream" = $1 AND "key" = $2'
_KEY: Final = "approval-"
_SAID_YES: Final = (State.APPROVED, State.DONE, State.FAILED)
_MAY_BE_DONE: Final = (State.APPROVED, State.DONE)
"""A house may die after it was done and before it is marked so."""


class Approved:
    """The approvals, and the acts as they are found in the streams. Two-person acts are few: all are remembered."""

    def __init__(self, reader: Reader, findings: Findings, steps: Steps) -> None:
        self._reader, self._findings, self._steps = reader, findings, steps
        self._rows = rows(reader, findings)
        self._records: dict[str, Record] = {}
        self._begun = any(reader.rows(EVENT, e.CARRIED_OVER))
        self._streams = False
        """Whether approvals are streams here. Before the first start that makes them so there are only the rows."""
        if not self._begun:
            self._records = {record.id: record for record in self._rows}
        self._done: dict[str, tuple[str, int, int]] = {}
        """Where each was carried out, and when."""
        self._resets: list[tuple[Row, str]] = []
        self.staff = Staff(steps)

    def known(self, found: ApprovalStream) -> None:
        """A stream of approvals, before any act."""
        for record in found.records:
            self._records[record.id] = record
        if not self._begun and not self._streams:
            text = "approvals are streams, and nothing says since when: what is on record of older ones is gone"
            self._findings.add(e.CARRIED_OVER, 0, "approval", text)
        self._streams = True

    def _fault(self, row: Row, message: str) -> None:
        self._findings.add(row.stream, row.version, "approval", message)

    def opened(self, row: Row, event: AccountOpened) -> None:
        """The first start opens an account for each rank and calls it so. Nobody else opens one for a manager."""
        if event.role in MANAGER and (event.by, event.name) != ("house", event.role.value):
            self._fault(row, f"{event.by} opened an account with a manager's rank, which two persons give")

    def reset(self, row: Row, event: PasswordReset, role: Role) -> None:
        """Somebody of the rank gives another a new password, and a manager none: his rank takes two persons."""
        if role in MANAGER or event.by == row.stream.partition("/")[2] or row.actor != event.by:
            self._fault(row, f"{event.by} may not give {role.value} a new password")
        self._resets.append((row, event.by))

    def adjusted(self, row: Row, event: BalanceAdjusted) -> None:
        record = self._record(row, row, _KEY, needed=True)
        if record is None:
            return
        what = record.about
        asked = (record.act, what.get("person"), what.get("cents"), what.get("reason"))
        if asked != ("balance-adjustment", row.stream.partition("/")[2], money.amount(event.cents), event.reason):
            self._fault(row, f"approval {record.id} was given for something else")
        if (event.approval, event.asked_by) != (record.id, record.asked_by):
            self._fault(row, f"approval {record.id} names other persons than the event, or the event another approval")
        self._by(row, record, event.by)

    def ranked(self, row: Row, event: RoleChanged, was: Role) -> None:
        record = self._record(row, row, _KEY, needed=two_persons.of_a_rank(event.role, was))
        if record is None:
            return
        what = record.about
        asked = (record.act, what.get("person"), what.get("role"), what.get("was"))
        if asked != ("rank", row.stream.partition("/")[2], event.role.value, was.value):
            self._fault(row, f"approval {record.id} was given for something else")
        self._by(row, record, event.by)

    def _by(self, row: Row, record: Record, by: str) -> None:
        if not row.actor == by == record.decided_by:
            self._fault(row, f"approval {record.id} names other persons than the event")

    def ruled(self, first: Row, row: Row, rules: Rulebook, table: Table, events: Events) -> None:
        """A command at a table: `first` is the first row of its key, `row` its own, `table` the table before it."""
        needed = two_persons.at_a_table(table, events)
        record = self._record(first, row, f"{first.actor}/{_KEY}", needed=needed)
        if record is None:
            return
        what = record.about
        meant = (record.act, what.get("table")) == ("late-settlement", first.stream.partition("/")[2])
        alone = first.count == len(events)
        if not (meant and alone and two_persons.leads_to(rules, table, what, record.asked_by, events)):
            self._fault(row, f"approval {record.id} was given for something else")
        if first.actor != record.asked_by:
            self._fault(row, f"approval {record.id} names other persons than the event")

    def _record(self, first: Row, row: Row, prefix: str, *, needed: bool) -> Record | None:
        """The approval that an act was carried out under. The house gives a key that names one to nothing else."""
        key = first.key or ""
        id = key.removeprefix(prefix) if key.startswith(prefix) else None
        record = self._records.get(id) if id is not None else None
        same = record is not None and first.body is not None and first.body.hex() == record.hash
        if not needed and id is None:
            return None
        if id is None:
            self._fault(row, "this takes two persons, and was done under no approval")
        elif record is None:
            self._fault(row, f"it was carried out under approval {id}, which there is not")
        elif id in self._done:
            self._fault(row, f"approval {id} was carried out twice")
        else:
            self._done[id] = (row.stream, row.version, row.at)
            if not same:
                self._fault(row, f"it is not what approval {id} was given for")
            if record.decided_at is not None and self._steps.before(row.at, record.decided_at):
                self._fault(row, f"it was done before approval {id} was given")
            if record.lapsed_at is not None and self._steps.before(record.lapsed_at, row.at):
                self._fault(row, f"it was done after approval {id} had lapsed")
            return record
        return None

    def compare(self) -> None:
        """Every approval for itself, once all streams are known."""
        if self._streams:
            indexed(self._rows, self._records, self._findings)
        for id, record in self._records.items():
            stream, key = record.place
            where = self._done.get(id, (stream, 0))[:2]
            for text in self._faults(record):
                self._findings.add(*where, "approval", f"approval {id}: {text}")
            if id in self._done and record.state not in _MAY_BE_DONE:
                self._findings.add(*where, "approval", f"it was carried out, and approval {id} is {record.state}")
            if id not in self._done and record.state == State.DONE:
                self._carried_out(record, stream, key)
                continue
            for text in outcomes.faults(self._reader, record):
                self._findings.add(*where, "approval", f"approval {id}: {text}")
        for stream, key in self._reader.rows(outcomes.UNDER_APPROVAL):
            self._refused(stream, key)
        for row, by in self._resets:
            if not self.staff.held(by, row.at) & SHIFT:
                self._fault(row, f"{by} was no Shift Manager when a new password was given")

    def _refused(self, stream: str, key: str) -> None:
        """A refusal under an approval's key: the house may die before it is marked as failed."""
        _, _, own = key.partition("/")
        if not own.startswith(_KEY):
            return  # somebody's own key, which only looks like it
        id = own.removeprefix(_KEY)
        record = self._records.get(id)
        if record is None:
            self._findings.add(stream, 0, "approval", f"it was refused under approval {id}, which there is not")
        elif record.place != (stream, key) or record.state not in (State.APPROVED, State.FAILED):
            self._findings.add(stream, 0, "approval", f"it was refused, and approval {id} is {record.state}")

    def _carried_out(self, record: Record, stream: str, key: str) -> None:
        """An approval whose act was not come by: the stream is lost, or nothing was done."""
        rows = list(self._reader.rows(CARRIED_OUT, stream, key))
        if not rows:
            self._findings.add(stream, 0, "approval", f"approval {record.id} is marked as done, and nothing was")
        for version, body in rows:
            if body is None or body.hex() != record.hash:
                text = f"it is not what approval {record.id} was given for"
                self._findings.add(stream, version, "approval", text)

    def _faults(self, record: Record) -> Iterator[str]:
        try:
            due = hash_of(record.id, record.act, msgspec.json.decode(record.what), record.asked_by)
        except (msgspec.DecodeError, TypeError):
            yield "what was asked can't be read"
            return
        if due != record.hash:
            yield "its hash is not that of what was asked"
        if msgspec.json.encode(msgspec.json.decode(record.what), order="sorted").decode() != record.what:
            yield "what was asked is not written as the house writes it"
        if record.state not in set(State):
            yield f"{record.state!r} is no state of an approval"
        if record.act not in ASKERS:
            yield f"{record.act!r} is no act of two persons"
        elif not self.staff.held(record.asked_by, record.asked_at) & ASKERS[record.act]:
            yield f"{record.asked_by} may not ask for it"
        for by, at, did in (
            (record.asked_by, record.asked_at, "asked for"),
            (record.decided_by, record.decided_at, "decided"),
        ):
            if by is not None and at is not None and self.staff.locked(by, at):
                yield f"{by} was locked out when it was {did}"
        if record.decided_at is not None and self._steps.before(record.decided_at, record.asked_at):
            yield "it was decided before it was asked for"
        if record.about.get("person") == record.asked_by:
            yield f"{record.asked_by} asked for what is done to himself"
        if record.state == State.REJECTED and not self._may_reject(record):
            yield f"{record.decided_by} may not turn it down"
        if record.state in _SAID_YES:
            yield from self._second(record, record.decided_by or "nobody")
        yield from self._of_before(record) if record.older else self._own(record)

    def _own(self, record: Record) -> Iterator[str]:
        """A password that somebody else gave serves only to set one's own."""
        for by, at in ((record.asked_by, record.asked_at), (record.decided_by, record.decided_at)):
            if by is not None and at is not None and not self.staff.own(by, at):
                yield f"{by} had a password that somebody else gave, and none of their own yet"

    def _of_before(self, record: Record) -> Iterator[str]:
        """What lapsed when approvals became streams was open then; what was found done had been."""
        if record.becomes is None:
            return
        became = State.LAPSED.value if record.state in (State.ASKED, State.APPROVED) else record.state
        if record.state == State.APPROVED and record.id in self._done:
            became = State.DONE.value
        refused = record.state == State.APPROVED and record.becomes == State.FAILED
        if record.becomes != became and not refused:
            yield f"it was {record.state} when approvals became streams, and is told as {record.becomes} since"

    def _may_reject(self, record: Record) -> bool:
        """Who asked may take it back."""
        by, at = record.decided_by or "nobody", record.decided_at or 0
        return by == record.asked_by or bool(self.staff.held(by, at) & MANAGER)

    def _second(self, record: Record, by: str) -> Iterator[str]:
        """Who approved is another one, a manager, whom it does not concern; and neither opened the other's account."""
        if self._steps.before(record.asked_at, record.decided_at or 0, OPEN_MICROSECONDS):
            yield "it was approved more than a day after it was asked for"
        if by == record.asked_by:
            yield "it was not approved by a second person"
        if record.about.get("person") == by:
            yield f"{by} approved what is done to himself"
        if not self.staff.held(by, record.decided_at or 0) & MANAGER:
            yield f"{by} was no manager when it was approved"
        yield from self._knew_both(record, by) if record.older else self._same_hands(record, by)

    def _same_hands(self, record: Record, by: str) -> Iterator[str]:
        at, days = record.decided_at or 0, record.reset_days
        both = self.staff.hands(record.asked_by, at, days) & self.staff.hands(by, at, days)
        if both and by != record.asked_by:
            yield f"the accounts of {record.asked_by} and {by} have both passed through the hands of {min(both)}"

    def _knew_both(self, record: Record, by: str) -> Iterator[str]:
        """What made two persons two before approvals were streams."""
        if self.staff.opened_by(record.asked_by) == by or self.staff.opened_by(by) == record.asked_by:
            yield f"one of {record.asked_by} and {by} opened the account of the other"
        resets = [self.staff.reset_by(one, record.decided_at or 0) for one in (record.asked_by, by)]
        if resets[0] == by or resets[1] == record.asked_by or (resets[0] is not None and resets[0] == resets[1]):
            yield f"one person gave new passwords to one of {record.asked_by} and {by}, or to both"
