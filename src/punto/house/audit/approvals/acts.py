"""Checks acts of two persons in the streams of tables, people and the watch: each has an approval on record for exactly
this act, and each approval that is marked as done was carried out.

An act and its approval are linked twice: the key of the command names the approval, and the hash of the request is the
hash that was approved. An approved command, decided again, must lead to the events on record.
"""

from __future__ import annotations

from typing import Final

import msgspec

from punto import money
from punto.game.table import Table
from punto.house.audit.approvals import needs_approval, outcomes
from punto.house.audit.approvals.approval_stream import KEY, ApprovalStream, Record, compare_rows, read_rows
from punto.house.audit.approvals.two_persons import TwoPersons
from punto.house.audit.findings import Context
from punto.house.audit.people.staff import Staff
from punto.house.audit.tables.commands_from_events import Events
from punto.house.store import approval_events as e
from punto.house.store.approval import State
from punto.house.store.names import HOUSE, MANAGER, SHIFT, Role
from punto.house.store.person import AccountOpened, BalanceAdjusted, PasswordReset, RoleChanged
from punto.house.store.records import Row
from punto.house.store.watch_events import ThresholdsSet
from punto.rulebook.model import Rulebook

FIRST_ROW: Final = 'SELECT 1 FROM "events" WHERE "stream" = $1 AND "version" = 1'
CARRIED_OUT: Final = 'SELECT "version", "body" FROM "events" WHERE "stream" = $1 AND "key" = $2'
_MAY_BE_DONE: Final = (State.APPROVED, State.DONE)
"""The process may die between an act and the mark on its approval."""


class Acts:
    """The approvals, and the acts of two persons in the streams. They are few, so all stay in memory."""

    def __init__(self, context: Context) -> None:
        self._context, self._findings = context, context.findings
        self._rows = read_rows(context.reader, self._findings)
        self._began = any(context.reader.rows(FIRST_ROW, e.CARRIED_OVER))
        """Whether the record says since when approvals are streams. Older approvals are rows only."""
        self._streams = False
        self._records = {} if self._began else {record.id: record for record in self._rows}
        self._done: dict[str, Row] = {}
        """The row of each act, by its approval."""
        self._resets: list[tuple[Row, str]] = []
        self.staff = Staff(context.steps)

    def add_approvals(self, stream: ApprovalStream) -> None:
        """Add a stream of approvals. All of these are added before any act."""
        for record in stream.records:
            self._records[record.id] = record
        if not self._began and not self._streams:
            text = "this stream or its first row is missing: it lists the approvals that are older than the streams"
            self._findings.add(e.CARRIED_OVER, 0, "approval", text)
        self._streams = True

    def _fault(self, row: Row, message: str) -> None:
        self._findings.at(row, "approval", message)

    def account_opened(self, row: Row, event: AccountOpened) -> None:
        """The first start opens an account for each rank, named after it. Nobody else opens one for a manager."""
        if event.role in MANAGER and (event.by, event.name) != (HOUSE, event.role.value):
            self._fault(row, f"{event.by} opened an account with a manager's rank, which needs two persons")

    def password_reset(self, row: Row, event: PasswordReset, role: Role) -> None:
        """A Shift Manager may give another person a new password, but never a manager: that rank takes two persons."""
        if role in MANAGER or event.by == row.stream.partition("/")[2] or row.actor != event.by:
            self._fault(row, f"{event.by} may not give {role.value} a new password")
        self._resets.append((row, event.by))

    def balance_adjusted(self, row: Row, event: BalanceAdjusted) -> None:
        expected = ("balance-adjustment", money.amount(event.cents), event.reason)
        record = self._of_a_person(row, event.by, needed=True, words=("cents", "reason"), expected=expected)
        if record is not None and (event.approval, event.asked_by) != (record.id, record.asked_by):
            self._fault(row, f"approval {record.id} and the event do not agree on the persons or the approval")

    def thresholds_set(self, row: Row, event: ThresholdsSet) -> None:
        record = self._approval(row, row, KEY, needed=True)
        if record is None:
            return
        said = msgspec.json.decode(msgspec.json.encode(event.thresholds))
        if (record.act, record.about) != ("watch-thresholds", said):
            self._fault(row, f"approval {record.id} was given for something else")
        if (event.by, event.approval, event.asked_by) != (record.decided_by, record.id, record.asked_by):
            self._fault(row, f"approval {record.id} and the event do not agree on the persons or the approval")

    def role_changed(self, row: Row, event: RoleChanged, before: Role) -> None:
        needed = needs_approval.for_role(event.role, before)
        expected = ("rank", event.role.value, before.value)
        self._of_a_person(row, event.by, needed=needed, words=("role", "was"), expected=expected)

    def _of_a_person(
        self, row: Row, by: str, *, needed: bool, words: tuple[str, str], expected: tuple[str, ...]
    ) -> Record | None:
        """An act on an account. `expected`: its name, then the values that the approval must have for `words`."""
        record = self._approval(row, row, KEY, needed=needed)
        if record is None:
            return None
        what = record.about
        if (record.act, *(what.get(word) for word in words), what.get("person")) != (
            *expected,
            row.stream.partition("/")[2],
        ):
            self._fault(row, f"approval {record.id} was given for something else")
        if not row.actor == by == record.decided_by:
            self._fault(row, f"approval {record.id} names other persons than the event")
        return record

    def table_command(self, first: Row, row: Row, rules: Rulebook, table: Table, events: Events) -> None:
        """A command at a table: `first` is the first row of its key, `row` its own, `table` the table before it."""
        needed = needs_approval.for_command(table, events)
        record = self._approval(first, row, f"{first.actor}/{KEY}", needed=needed)
        if record is None:
            return
        what = record.about
        here = (record.act, what.get("table")) == ("late-settlement", first.stream.partition("/")[2])
        alone = first.count == len(events)
        if not (here and alone and needs_approval.leads_to(rules, table, what, record.asked_by, events)):
            self._fault(row, f"approval {record.id} was given for something else")
        if first.actor != record.asked_by:
            self._fault(row, f"approval {record.id} names other persons than the event")

    def _approval(self, first: Row, row: Row, prefix: str, *, needed: bool) -> Record | None:
        """The approval under which an act was carried out. The house uses such a key for nothing else."""
        key = first.key or ""
        if not key.startswith(prefix):
            if needed:
                self._fault(row, "this needs two persons, but was done without an approval")
            return None
        id = key.removeprefix(prefix)
        record = self._records.get(id)
        if record is None:
            self._fault(row, f"it was carried out under approval {id}, which does not exist")
            return None
        if id in self._done:
            self._fault(row, f"approval {id} was carried out twice")
            return None
        self._done[id] = row
        before = self._context.steps.before
        if first.body is None or first.body.hex() != record.hash:
            self._fault(row, f"it is not what approval {id} was given for")
        if record.decided_at is not None and before(row.at, record.decided_at):
            self._fault(row, f"it was done before approval {id} was given")
        if record.lapsed_at is not None and before(record.lapsed_at, row.at):
            self._fault(row, f"it was done after approval {id} had lapsed")
        return record

    def compare(self) -> None:
        """Check every approval, once all streams are known."""
        if self._streams:
            compare_rows(self._rows, self._records, self._findings)
        two_persons = TwoPersons(self.staff, self._context.steps)
        for record in self._records.values():
            self._compare_record(record, two_persons)
        for stream, key in self._context.reader.rows(outcomes.UNDER_APPROVAL):
            self._compare_refusal(stream, key)
        for row, by in self._resets:
            if not self.staff.roles(by, row.at) & SHIFT:
                self._fault(row, f"{by} was not a Shift Manager when the new password was given")

    def _compare_record(self, record: Record, two_persons: TwoPersons) -> None:
        act = self._done.get(record.id)
        where = (record.place[0], 0) if act is None else (act.stream, act.version)
        faults = [f"approval {record.id}: {text}" for text in two_persons.faults(record, done=act is not None)]
        if act is not None and record.state not in _MAY_BE_DONE:
            faults.append(f"it was carried out, but approval {record.id} is {record.state}")
        if act is None and record.state == State.DONE:
            self._find_act(record)
        else:
            faults += [f"approval {record.id}: {text}" for text in outcomes.faults(self._context.reader, record)]
        for text in faults:
            self._findings.add(*where, "approval", text)

    def _compare_refusal(self, stream: str, key: str) -> None:
        """A refusal under an approval's key. The process may die before the approval is marked as failed."""
        _, _, own = key.partition("/")
        if not own.startswith(KEY):
            return  # a person's own key that looks similar
        id = own.removeprefix(KEY)
        record = self._records.get(id)
        if record is None:
            text = f"a command was refused under approval {id}, which does not exist"
            self._findings.add(stream, 0, "approval", text)
        elif record.place != (stream, key) or record.state not in (State.APPROVED, State.FAILED):
            text = f"a command was refused under approval {id}, which is {record.state} or for something else"
            self._findings.add(stream, 0, "approval", text)

    def _find_act(self, record: Record) -> None:
        """Find an act that the replay did not reach: the stream can't be followed, or nothing was done."""
        stream, key = record.place
        rows = list(self._context.reader.rows(CARRIED_OUT, stream, key))
        if not rows:
            self._findings.add(stream, 0, "approval", f"approval {record.id} is marked as done, but nothing was done")
        for version, body in rows:
            if body is None or body.hex() != record.hash:
                text = f"it is not what approval {record.id} was given for"
                self._findings.add(stream, version, "approval", text)
