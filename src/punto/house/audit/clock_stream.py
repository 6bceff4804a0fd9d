"""The stream `house/clock`: the steps of a node's clock. Which times they explain, and whether the house wrote them."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from punto.house.audit.expected_transfers import Moves
from punto.house.audit.findings import Context
from punto.house.audit.stream_rows import EVENTS, own_event
from punto.house.instants import iso
from punto.house.store import clock_steps, codec
from punto.house.store.clock_steps import STREAM, ClockStepped, Steps
from punto.house.store.names import HOUSE_CLOCK
from punto.house.store.reader import Reader
from punto.house.store.records import Row


def recorded_steps(reader: Reader) -> Steps:
    """The steps that explain times in other streams. An unreadable step explains nothing, and is a finding later."""
    steps: list[ClockStepped] = []
    for values in reader.rows(EVENTS, STREAM):
        with suppress(ValueError, KeyError, TypeError):
            steps.append(clock_steps.read(codec.raised(Row(*values))))
    return Steps(steps)


class ClockStream:
    """Every step becomes a note."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def command(self, rows: list[Row]) -> list[Moves | None]:
        for row in rows:
            self._check(row)
        return [Counter() for _ in rows]

    def _check(self, row: Row) -> None:
        findings = self._context.findings
        event = own_event(row, clock_steps.read, findings)
        if event is None:
            return
        if event.by != HOUSE_CLOCK or row.key is not None:
            text = f"the actor is not {HOUSE_CLOCK}, or the row has a key: only the house records steps of its clock"
            findings.at(row, "actor", text)
        if row.at != event.now:
            findings.at(row, "time", "the row's time is not the time after the step")
        how = "stepped" if event.why == "stepped" else "was behind the times on record and was moved forward"
        text = f"the clock of node {event.node} {how} by {event.seconds:+,.1f} s"
        self._context.notes.at(row, "clock", f"{text}, from {iso(event.was)} to {iso(event.now)}")
