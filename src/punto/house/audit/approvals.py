"""Acts of two persons: what was carried out is what another person approved, to the letter."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from punto.house.audit.findings import Findings
from punto.house.audit.reading import Reader
from punto.house.people.approvals import State, hash_of
from punto.house.people.events import BalanceAdjusted
from punto.house.stored import Row

APPROVALS: Final = (
    'SELECT "id", "hash", "act", "what", "asked_by", "state", "decided_by" FROM "approvals" ORDER BY "id"'
)
CARRIED_OUT: Final = 'SELECT "version", "body" FROM "events" WHERE "stream" = $1 AND "key" = $2'


class Approved:
    """Adjustments found in people's streams, against the approvals. Two-person acts are few: all are remembered."""

    def __init__(self) -> None:
        self._adjusted: dict[str, tuple[str, int, BalanceAdjusted]] = {}
        self._twice: list[tuple[str, int, str]] = []

    def adjusted(self, row: Row, event: BalanceAdjusted) -> None:
        if event.approval in self._adjusted or row.key != f"approval-{event.approval}":
            self._twice.append((row.stream, row.version, event.approval))
        self._adjusted[event.approval] = (row.stream, row.version, event)

    def compare(self, reader: Reader, findings: Findings) -> None:
        left = dict(self._adjusted)
        for stream, version, id in self._twice:
            findings.add(stream, version, "approval", f"approval {id} was carried out twice, or not under its key")
        for id, digest, act, what, asked_by, state, decided_by in list(reader.rows(APPROVALS)):
            stream, key = _place(id, act, what, asked_by)
            fault = _fault(id, digest, act, what, asked_by, state, decided_by)
            if fault is not None:
                findings.add(stream, 0, "approval", f"approval {id}: {fault}")
                left.pop(id, None)
                continue
            found = left.pop(id, None)
            if found is not None and (found[2].asked_by, found[2].by) != (asked_by, decided_by):
                findings.add(found[0], found[1], "approval", f"approval {id} names other persons than the event")
            if state == State.DONE:
                self._done(reader, findings, id, stream, key, digest)
        for id, (stream, version, _) in left.items():
            findings.add(stream, version, "approval", f"it was carried out under approval {id}, which there is not")

    def _done(self, reader: Reader, findings: Findings, id: str, stream: str, key: str, digest: str) -> None:
        """What was done stands under the approval's key, with its hash as that of what was asked."""
        rows = list(reader.rows(CARRIED_OUT, stream, key))
        if not rows:
            findings.add(stream, 0, "approval", f"approval {id} is marked as done, and nothing was")
        for version, body in rows:
            if body is None or body.hex() != digest:
                findings.add(stream, version, "approval", f"it is not what approval {id} was given for")


def _place(id: str, act: str, what: str, asked_by: str) -> tuple[str, str]:
    """The stream and the key under which an approval is carried out."""
    try:
        about: Any = msgspec.json.decode(what)
        if act in ("balance-adjustment", "rank"):
            return f"person/{about['person']}", f"approval-{id}"
        return f"table/{about['table']}", f"{asked_by}/approval-{id}"
    except (msgspec.DecodeError, KeyError, TypeError):
        return f"approval/{id}", ""


def _fault(id: str, digest: str, act: str, what: str, asked_by: str, state: str, decided_by: str | None) -> str | None:
    try:
        due = hash_of(id, act, msgspec.json.decode(what), asked_by)
    except (msgspec.DecodeError, TypeError):
        return "what was asked can't be read"
    if due != digest:
        return "its hash is not that of what was asked"
    if state not in set(State):
        return f"{state!r} is no state of an approval"
    if state in (State.APPROVED, State.DONE, State.FAILED) and (not decided_by or decided_by == asked_by):
        return "it was not approved by a second person"
    return None
