"""Checks the streams of approvals: requests, decisions and outcomes come in a possible order, and the rows beside the
streams say the same."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import msgspec

from punto.house.audit.expected_transfers import Moves
from punto.house.audit.findings import Context, Findings
from punto.house.audit.stream_rows import own_event
from punto.house.store import approval_events as e
from punto.house.store.approval import State
from punto.house.store.names import HOUSE
from punto.house.store.reader import Reader
from punto.house.store.records import Row
from punto.house.store.watch_events import STREAM as WATCH

APPROVALS: Final = (
    'SELECT "id", "hash", "act", "what", "asked_by", "asked_at", "state", "decided_by", "decided_at", "outcome" '
    'FROM "approvals" ORDER BY "id"'
)
KEY: Final = "approval-"
"""Prefix of the key of an act that was carried out under an approval."""
MOST_RESET_DAYS: Final = 3650
"""The house accepts no longer setting."""
_FOLLOWS: Final[dict[type, tuple[str | None, str]]] = {
    e.Asked: (None, State.ASKED.value),
    e.Approved: (State.ASKED.value, State.APPROVED.value),
    e.Rejected: (State.ASKED.value, State.REJECTED.value),
    e.Done: (State.APPROVED.value, State.DONE.value),
    e.Failed: (State.APPROVED.value, State.FAILED.value),
}
"""The state before each event, and the one after it."""


class Record(msgspec.Struct, frozen=True):
    """An approval by its stream, or by its row if it is from before there were streams (`older`)."""

    id: str
    hash: str
    act: str
    what: str
    asked_by: str
    asked_at: int
    state: str
    decided_by: str | None = None
    decided_at: int | None = None
    outcome: str | None = None
    reset_days: int = 0
    older: bool = False
    becomes: str | None = None
    """The state of an older approval from `lapsed_at` on."""
    lapsed_at: int | None = None

    @property
    def about(self) -> dict[str, Any]:
        """The request as plain values; empty if it can't be parsed."""
        try:
            what = msgspec.json.decode(self.what)
        except msgspec.DecodeError:
            return {}
        return what if isinstance(what, dict) else {}

    @property
    def place(self) -> tuple[str, str]:
        """The stream and the key under which it is carried out."""
        about = self.about
        if self.act in ("balance-adjustment", "rank") and "person" in about:
            return f"person/{about['person']}", f"{KEY}{self.id}"
        if self.act == "watch-thresholds":
            return WATCH, f"{KEY}{self.id}"
        if "table" in about:
            return f"table/{about['table']}", f"{self.asked_by}/{KEY}{self.id}"
        return f"{e.PREFIX}{self.id}", ""

    @property
    def row(self) -> tuple[object, ...]:
        """The row that must exist beside the stream."""
        columns = msgspec.structs.astuple(self)[:10]
        return (*columns[:6], self.becomes or self.state, *columns[7:])


class ApprovalStream:
    """One approval, or all those from before there were streams."""

    def __init__(self, context: Context, stream: str) -> None:
        self.stream, self.id = stream, stream.removeprefix(e.PREFIX)
        self.records: list[Record] = []
        self._findings = context.findings
        self._older_count: int | None = None
        self._at = 0

    def command(self, rows: list[Row]) -> list[Moves | None]:
        """No money moves in this stream: it moves in the stream of the act."""
        if len(rows) > 1 and self.stream != e.CARRIED_OVER:
            text = f"this command has {len(rows)} events, but each event of an approval must be a command of its own"
            self._findings.at(rows[0], "impossible", text)
        if rows[0].key is not None:
            self._findings.at(rows[0], "key", "this row has a key, but an event of an approval must have none")
        for row in rows:
            event = own_event(row, e.read, self._findings)
            if event is not None:
                (self._add_older if self.stream == e.CARRIED_OVER else self._add)(row, event)
        return [Counter() for _ in rows]

    def _add(self, row: Row, event: e.AnyApprovalEvent) -> None:
        before = self.records[0] if self.records else None
        due, state = _FOLLOWS.get(type(event), ("", ""))
        was = before.state if before is not None else None
        if not state or due != was:
            self._findings.at(row, "impossible", f"this event can't follow: the approval was {was or 'not asked for'}")
            return
        if isinstance(event, e.Asked):
            what = msgspec.json.encode(event.what, order="sorted").decode()
            self.records = [Record(self.id, event.hash, event.act, what, event.by, row.at, state)]
            return
        assert before is not None, "only what is asked for follows nothing"
        changes: dict[str, Any] = {"state": state}
        if isinstance(event, e.Approved | e.Rejected):
            changes |= {"decided_by": event.by, "decided_at": row.at}
        if isinstance(event, e.Approved):
            changes["reset_days"] = event.reset_days
            if event.hash != before.hash or not 1 <= event.reset_days <= MOST_RESET_DAYS:
                text = f"its hash is not the hash of the request, or reset_days is not 1 to {MOST_RESET_DAYS}"
                self._findings.at(row, "approval", text)
        if isinstance(event, e.Done | e.Failed):
            changes["outcome"] = msgspec.json.encode(event.outcome).decode()
            if event.by != HOUSE:
                text = f"{event.by} is named as the actor, but only the house carries out what was approved"
                self._findings.at(row, "actor", text)
        self.records = [msgspec.structs.replace(before, **changes)]

    def _add_older(self, row: Row, event: e.AnyApprovalEvent) -> None:
        """The house records these in one commit. Its first event says how many there are."""
        first = isinstance(event, e.CarryingOver)
        if first != (row.version == 1) or event.by != HOUSE or (not first and row.at != self._at):
            text = "this row does not fit: the house must record older approvals once, all at the same time"
            self._findings.at(row, "impossible", text)
        self._at = row.at
        if isinstance(event, e.CarryingOver):
            self._older_count = event.count
        elif isinstance(event, e.CarriedOver):
            values = msgspec.structs.asdict(event)
            del values["by"]
            self.records.append(Record(**values, older=True, lapsed_at=row.at))
        if self._older_count is not None and row.version > self._older_count + 1:
            text = f"the first row says that {self._older_count} approvals are older than the streams, but more follow"
            self._findings.at(row, "impossible", text)

    def end(self) -> None:
        """Check that no older approval is missing."""
        if self._older_count is not None and len(self.records) < self._older_count:
            text = f"the first row says that {self._older_count} approvals are older than the streams"
            self._findings.add(self.stream, 0, "impossible", f"{text}, but only {len(self.records)} follow")


def read_rows(reader: Reader, findings: Findings) -> list[Record]:
    """The rows of all approvals, each as a record without a stream."""
    records: list[Record] = []
    names = Record.__struct_fields__[:10]
    for values in reader.rows(APPROVALS):
        try:
            records.append(msgspec.convert({**dict(zip(names, values, strict=True)), "older": True}, Record))
        except msgspec.ValidationError as error:
            findings.add(f"{e.PREFIX}{values[0]}", 0, "approval", f"its row can't be read: {error}")
    return records


def compare_rows(rows: list[Record], records: dict[str, Record], findings: Findings) -> None:
    """Every row belongs to an approval, and every approval has its row."""
    unmatched = dict(records)
    for row in rows:
        record = unmatched.pop(row.id, None)
        where = f"{e.PREFIX}{row.id}"
        if record is None:
            text = "the table 'approvals' has a row for it, but no stream has the request: the row was added by hand"
            findings.add(where, 0, "approval", text)
        elif record.row != row.row:
            findings.add(where, 0, "approval", "its row in the table 'approvals' differs from the stream")
    for id in unmatched:
        findings.add(f"{e.PREFIX}{id}", 0, "approval", "its row in the table 'approvals' is missing")
