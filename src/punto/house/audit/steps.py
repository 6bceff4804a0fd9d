"""Steps of a clock, as the stream `house/clock` tells them: what they explain, and whether they are written as the
house writes them."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from punto.house.audit.expected import Moves
from punto.house.audit.findings import Findings, Seen
from punto.house.audit.reading import Reader
from punto.house.audit.walk import EVENTS
from punto.house.people.names import HOUSE_CLOCK
from punto.house.store import clock_steps, codec
from punto.house.store.clock_steps import STREAM, ClockStepped, Steps
from punto.house.store.records import Row
from punto.house.table.clock import iso


def on_record(reader: Reader) -> Steps:
    """What explains the times of other streams. One that can't be read explains nothing, and is a finding later."""
    found: list[ClockStepped] = []
    for values in reader.rows(EVENTS, STREAM):
        with suppress(ValueError, KeyError, TypeError):
            found.append(clock_steps.read(codec.raised(Row(*values))))
    return Steps(found)


class StepStream:
    """The stream of the clock. Every step is a note."""

    def __init__(self, stream: str, findings: Findings, notes: Findings, seen: Seen) -> None:
        self._stream, self._findings, self._notes, self._seen = stream, findings, notes, seen

    def command(self, rows: list[Row]) -> list[Moves | None]:
        self._seen.commands += 1
        for row in rows:
            self._add(row)
        return [Counter() for _ in rows]

    def _add(self, row: Row) -> None:
        try:
            event = clock_steps.read(codec.raised(row))
            whole = clock_steps.encode(event) == codec.raised(row)
        except (ValueError, KeyError, TypeError) as error:
            self._fault(row, "unreadable", f"the event can't be read: {error}")
            return
        if not whole:
            self._fault(row, "unreadable", "the event is not written as the house writes events")
        if row.rules:
            self._fault(row, "unknown-rules", "no edition governs a clock, and one is named")
        if not row.actor == event.by == HOUSE_CLOCK or row.key is not None:
            self._fault(row, "actor", "the house itself records a step of its clock, and nobody asks for it")
        if row.at != event.now:
            self._fault(row, "time", "a step is recorded at the time that it led to")
        how = "stepped" if event.why == "stepped" else "was found behind what is on record, and went"
        text = f"the clock of node {event.node} {how} by {event.seconds:+,.1f} s"
        self._notes.add(self._stream, row.version, "clock", f"{text}, from {iso(event.was)} to {iso(event.now)}")

    def _fault(self, row: Row, code: str, message: str) -> None:
        self._findings.add(self._stream, row.version, code, message)
