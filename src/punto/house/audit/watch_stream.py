"""The stream `watch/house`: the house raises an alarm once, somebody of surveillance acknowledges it, and two persons
set thresholds."""

from __future__ import annotations

from collections import Counter

from punto.house.audit.approvals.acts import Acts
from punto.house.audit.expected_transfers import Moves
from punto.house.audit.findings import Context
from punto.house.audit.stream_rows import own_event
from punto.house.store import watch_events as w
from punto.house.store.names import HOUSE_WATCH, SURVEILLANCE
from punto.house.store.records import Row


class WatchStream:
    """`streams` are the names of all streams."""

    def __init__(self, context: Context, acts: Acts, streams: set[str]) -> None:
        self._findings, self._acts, self._streams = context.findings, acts, streams
        self._lengths: dict[str, int] = {}

    def command(self, rows: list[Row]) -> list[Moves | None]:
        for row in rows:
            event = own_event(row, w.read, self._findings)
            if event is not None:
                self._check(row, event)
        return [Counter() for _ in rows]

    def _check(self, row: Row, event: w.AnyWatchEvent) -> None:
        match event:
            case w.AlarmRaised() | w.AlarmGrew():
                self._alarm(row, event)
            case w.AlarmAcknowledged():
                if event.id not in self._lengths:
                    self._fault(row, "impossible", f"alarm {event.id} was never raised")
                if row.key is not None:
                    self._fault(row, "key", "the row has a key, but an acknowledgement must have none")
                if not self._acts.staff.roles(event.by, row.at) & SURVEILLANCE:
                    self._fault(row, "actor", f"{event.by} was not of surveillance when it was acknowledged")
                if self._acts.staff.locked(event.by, row.at):
                    self._fault(row, "actor", f"{event.by} was locked out when it was acknowledged")
            case w.ThresholdsSet():
                self._acts.thresholds_set(row, event)

    def _alarm(self, row: Row, event: w.AlarmRaised | w.AlarmGrew) -> None:
        grew, alarm = isinstance(event, w.AlarmGrew), event.alarm
        before = self._lengths.get(event.id)
        if event.by != HOUSE_WATCH:
            self._fault(row, "actor", f"{event.by} is named as the actor, but only the house raises alarms")
        if event.id != w.alarm_id(alarm) or row.key != f"{'grew' if grew else 'alarm'}-{event.id}":
            self._fault(row, "key", "its id or key does not match the cards of the alarm")
        if f"table/{alarm.table}" not in self._streams:
            self._fault(row, "wrong-table", f"there is no table {alarm.table!r}")
        if grew != (before is not None) or (before is not None and alarm.length <= before):
            self._fault(row, "impossible", "the alarm was raised twice, grew before it was raised, or did not grow")
        self._lengths[event.id] = alarm.length

    def _fault(self, row: Row, code: str, message: str) -> None:
        self._findings.at(row, code, message)
