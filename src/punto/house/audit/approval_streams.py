"""The streams of approvals: what each says was asked, decided and done, in an order that can be; and the index of rows
beside them, which says the same."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import msgspec

from punto.house.audit.expected import Moves
from punto.house.audit.findings import Findings, Seen
from punto.house.audit.reading import Reader
from punto.house.people import approval_events as e
from punto.house.people.approval import State
from punto.house.store import codec
from punto.house.store.records import Row

APPROVALS: Final = (
    'SELECT "id", "hash", "act", "what", "asked_by", "asked_at", "state", "decided_by", "decided_at", "outcome" '
    'FROM "approvals" ORDER BY "id"'
)
_KEY: Final = "approval-"
_HOUSE: Final = "house"
_FOLLOWS: Final[dict[type, tuple[str | None, str]]] = {
    e.Asked: (None, State.ASKED.value),
    e.Approved: (State.ASKED.value, State.APPROVED.value),
    e.Rejected: (State.ASKED.value, State.REJECTED.value),
    e.Done: (State.APPROVED.value, State.DONE.value),
    e.Failed: (State.APPROVED.value, State.FAILED.value),
}
"""The state that each event finds, and the one that it leaves."""


class Record(msgspec.Struct, frozen=True):
    """An approval by its stream, or by its row where it is from before there were streams (`older`)."""

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
    """The state of an older one from `lapsed_at` on."""
    lapsed_at: int | None = None

    @property
    def about(self) -> dict[str, Any]:
        try:
            found = msgspec.json.decode(self.what)
        except msgspec.DecodeError:
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def place(self) -> tuple[str, str]:
        """The stream and the key under which it is carried out."""
        about = self.about
        if self.act in ("balance-adjustment", "rank") and "person" in about:
            return f"person/{about['person']}", f"{_KEY}{self.id}"
        if "table" in about:
            return f"table/{about['table']}", f"{self.asked_by}/{_KEY}{self.id}"
        return f"{e.PREFIX}{self.id}", ""

    @property
    def indexed(self) -> tuple[object, ...]:
        """The row that must lie beside it."""
        asked = (self.id, self.hash, self.act, self.what, self.asked_by, self.asked_at)
        return (*asked, self.becomes or self.state, self.decided_by, self.decided_at, self.outcome)


class ApprovalStream:
    """One approval, or those from before there were streams."""

    def __init__(self, stream: str, findings: Findings, seen: Seen) -> None:
        self.stream, self.id = stream, stream.removeprefix(e.PREFIX)
        self.records: list[Record] = []
        self._findings, self._seen = findings, seen
        self._due: int | None = None
        self._at = 0

    def command(self, rows: list[Row]) -> list[Moves | None]:
        """No money moves here: it does in the stream of the act."""
        self._seen.commands += 1
        if len(rows) > 1 and self.stream != e.CARRIED_OVER:
            self._fault(rows[0], "impossible", "what happens to an approval happens one by one")
        if rows[0].key is not None:
            self._fault(rows[0], "key", "what happens to an approval has no key")
        for row in rows:
            self._add(row)
        return [Counter() for _ in rows]

    def _fault(self, row: Row, code: str, message: str) -> None:
        self._findings.add(self.stream, row.version, code, message)

    def _add(self, row: Row) -> None:
        try:
            event = e.read(codec.raised(row))
            whole = e.encode(event) == codec.raised(row)
        except (ValueError, KeyError, TypeError) as error:
            self._fault(row, "unreadable", f"the event can't be read: {error}")
            return
        if not whole:
            self._fault(row, "unreadable", "the event is not written as the house writes events")
        if row.actor != event.by:
            self._fault(row, "actor", f"{row.actor} is said to have done it, and the event says {event.by}")
        if row.rules:
            self._fault(row, "unknown-rules", "no edition governs an approval, and one is named")
        if self.stream == e.CARRIED_OVER:
            self._older(row, event)
        else:
            self._happened(row, event)

    def _happened(self, row: Row, event: e.AnyApprovalEvent) -> None:
        found = self.records[0] if self.records else None
        wanted, state = _FOLLOWS.get(type(event), ("", ""))
        if not state or wanted != (found.state if found is not None else None):
            self._fault(row, "impossible", "this does not follow what happened to the approval before")
            return
        if isinstance(event, e.Asked):
            what = msgspec.json.encode(event.what, order="sorted").decode()
            self.records = [Record(self.id, event.hash, event.act, what, event.by, row.at, state)]
            return
        assert found is not None, "only what is asked for follows nothing"
        changes: dict[str, Any] = {"state": state}
        if isinstance(event, e.Approved | e.Rejected):
            changes |= {"decided_by": event.by, "decided_at": row.at}
        if isinstance(event, e.Approved):
            changes["reset_days"] = event.reset_days
            if event.hash != found.hash or event.reset_days < 1:
                self._fault(row, "approval", "it was not given for what was asked, or by no rule of the house")
        if isinstance(event, e.Done | e.Failed):
            changes["outcome"] = msgspec.json.encode(event.outcome).decode()
            if event.by != _HOUSE:
                self._fault(row, "actor", "what was approved is carried out by the house")
        self.records = [msgspec.structs.replace(found, **changes)]

    def _older(self, row: Row, event: e.AnyApprovalEvent) -> None:
        """One commit of the house, which says first how many there are."""
        first = isinstance(event, e.CarryingOver)
        if first != (row.version == 1) or event.by != _HOUSE or (not first and row.at != self._at):
            self._fault(row, "impossible", "what is from before there were streams is put on record once, by the house")
        self._at = row.at
        if isinstance(event, e.CarryingOver):
            self._due = event.count
        elif isinstance(event, e.CarriedOver):
            values = msgspec.structs.asdict(event)
            names = set(Record.__struct_fields__)
            kept = {name: value for name, value in values.items() if name in names}
            self.records.append(Record(**kept, older=True, lapsed_at=row.at))
        if self._due is not None and row.version > self._due + 1:
            self._fault(row, "impossible", f"there were {self._due} when approvals became streams")

    def ended(self) -> None:
        """As many are there as there were."""
        if self._due is not None and len(self.records) < self._due:
            text = f"there were {self._due} when approvals became streams, and {len(self.records)} are on record"
            self._findings.add(self.stream, 0, "impossible", text)


def rows(reader: Reader, findings: Findings) -> list[Record]:
    """The rows as they stand, as if each were all that there is."""
    found: list[Record] = []
    names = Record.__struct_fields__[:10]
    for values in reader.rows(APPROVALS):
        try:
            found.append(msgspec.convert({**dict(zip(names, values, strict=True)), "older": True}, Record))
        except msgspec.ValidationError as error:
            findings.add(f"{e.PREFIX}{values[0]}", 0, "approval", f"its row can't be read: {error}")
    return found


def indexed(found: list[Record], records: dict[str, Record], findings: Findings) -> None:
    """Every row is that of an approval, and every approval has its row."""
    left = dict(records)
    for row in found:
        record = left.pop(row.id, None)
        where = f"{e.PREFIX}{row.id}"
        if record is None:
            findings.add(where, 0, "approval", "there is a row of it, and nobody ever asked: it was put in by hand")
        elif record.indexed != row.indexed:
            findings.add(where, 0, "approval", "the row beside it does not say what the stream says")
    for id in left:
        findings.add(f"{e.PREFIX}{id}", 0, "approval", "the row is gone by which it is found")
