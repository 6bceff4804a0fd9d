"""One stream, walked row by row: versions, chain, commands, and the transfers beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, Protocol

import msgspec

from punto.house.audit.expected import Moves
from punto.house.audit.findings import Findings, Seen
from punto.house.audit.reading import Reader
from punto.house.store import chain
from punto.house.store.clock_steps import SKEW_US, STREAM, Steps
from punto.house.store.records import SCHEMA, Row, Transfer
from punto.house.table.clock import iso

EVENTS: Final = (
    'SELECT "stream", "version", "at", "actor", "key", "body", "count", "rules", "schema", "event", "hash" '
    'FROM "events" WHERE "stream" = $1 ORDER BY "version"'
)
TRANSFERS: Final = (
    'SELECT "stream", "version", "n", "giver", "taker", "cents" FROM "transfers" '
    'WHERE "stream" = $1 ORDER BY "version", "n"'
)
MOST_ROWS: Final = 10_000
"""One command leads to no more rows than this."""
EARLIEST_US: Final = 1_577_836_800 * 1_000_000
"""2020 began. No house is as old as that."""


class Times(msgspec.Struct, frozen=True):
    """What the times of rows are judged by: the audit's own, and the steps on record, which are told as notes."""

    now: int
    steps: Steps
    notes: Findings


class Replayed(Protocol):
    """A stream that takes commands one by one and says what each row must have moved."""

    def command(self, rows: list[Row]) -> list[Moves | None]: ...


class Walk:
    """A stream's rows and transfers in step. Memory holds one command at a time."""

    def __init__(self, reader: Reader, stream: str, findings: Findings, seen: Seen, times: Times) -> None:
        self.stream, self.version, self.hash = stream, 0, chain.start(stream)
        self.accounts: Counter[str] = Counter()
        """What the transfers of this stream add up to, by account."""
        self._reader, self._findings, self._seen = reader, findings, seen
        self._transfers = self._moved()
        self._waiting: Transfer | None = next(self._transfers, None)
        self._at, self._times = 0, times
        self._ahead: list[Row] = []
        """The first and the newest row whose time lies after the audit, as a step on record explains."""

    def commands(self, replayed: Replayed) -> Iterator[list[Row]]:
        """Every command's rows, once they are checked."""
        for rows in self._groups():
            due = replayed.command(rows)
            for row, moves in zip(rows, due, strict=True):
                self._compare(row, moves)
            yield rows
        while self._waiting is not None:
            one = self._waiting
            self._fault(one.version, "ledger", f"transfer {one.n} belongs to no event")
            self._take(one)
        if self._ahead:
            text = f"from here on times run ahead of this audit, to {iso(self._ahead[-1].at)}"
            self._note(self._ahead[0].version, f"{text}: a step of a clock on record explains it")

    def _note(self, version: int, message: str) -> None:
        self._times.notes.add(self.stream, version, "time", message)

    def _fault(self, version: int, code: str, message: str) -> None:
        self._findings.add(self.stream, version, code, message)

    def _groups(self) -> Iterator[list[Row]]:
        rows: list[Row] = []
        wanted = 0
        for values in self._reader.rows(EVENTS, self.stream):
            row = Row(*values)
            self._seen.rows += 1
            self._link(row)
            if not rows:
                wanted = self._first(row)
            else:
                self._next(rows[0], row)
            rows.append(row)
            if len(rows) >= wanted:
                yield rows
                rows = []
        if rows:
            self._fault(rows[0].version, "count", f"the command led to {wanted} rows, and {len(rows)} are there")
            yield rows

    def _link(self, row: Row) -> None:
        """The version and hash that follow from the row before."""
        if row.version != self.version + 1:
            self._fault(row.version, "version", f"version {self.version + 1} is missing before it")
        try:
            due = chain.link(self.hash, row)
        except (TypeError, OverflowError) as error:
            self._fault(row.version, "chain", f"the row can't be hashed: {error}")
            due = row.hash
        if due != row.hash:
            self._fault(row.version, "chain", "the hash is not that of this row after the one before it")
        if row.schema != SCHEMA and not 0 < row.schema < SCHEMA:
            self._fault(row.version, "schema", f"schema {row.schema} is not known here")
        self.version, self.hash = row.version, row.hash

    def _first(self, row: Row) -> int:
        """How many rows the command has that begins here."""
        if not 0 < row.count <= MOST_ROWS:
            self._fault(row.version, "count", f"a command begins here, and its count is {row.count}")
        if (row.key is None) != (row.body is None):
            self._fault(row.version, "key", "a key and the hash of what was asked go together")
        elif row.body is not None and len(row.body) != 32:
            self._fault(row.version, "key", "the hash of what was asked has 32 bytes")
        self._timed(row)
        return min(max(row.count, 1), MOST_ROWS)

    def _timed(self, row: Row) -> None:
        """Times of a table never run back, those of a person by no more than clocks of two nodes differ, but where a
        clock stepped and that is on record. Steps explain themselves."""
        steps, now = self._times.steps, self._times.now
        slack = 0 if self.stream.startswith("table/") else SKEW_US
        if self.stream == STREAM:
            return
        if row.at < self._at - slack:
            if steps.explain(row.at, self._at):
                text = f"it is of {iso(row.at)}, and the row before it of {iso(self._at)}"
                self._note(row.version, f"{text}: a step of a clock on record explains it")
            else:
                self._fault(
                    row.version, "time", "it is earlier than the row before it, and no step of a clock is known"
                )
        if row.at < EARLIEST_US and not steps.explain(row.at, EARLIEST_US):
            self._fault(row.version, "time", "it is earlier than any house")
        if row.at > now + SKEW_US:
            if steps.ahead(row.at, now):
                self._ahead = [*self._ahead[:1], row]
            else:
                self._fault(row.version, "time", "it is later than this audit, and no step of a clock is known")
        self._at = row.at

    def _next(self, first: Row, row: Row) -> None:
        if row.count or row.key is not None or row.body is not None:
            self._fault(row.version, "count", f"it is of the command that began at {first.version}, and begins one too")
        if (row.at, row.actor) != (first.at, first.actor):
            self._fault(row.version, "command", "actor and time are those of its command's first row")

    def _moved(self) -> Iterator[Transfer]:
        for values in self._reader.rows(TRANSFERS, self.stream):
            self._seen.transfers += 1
            yield Transfer(*values)

    def _take(self, one: Transfer) -> None:
        self.accounts[one.giver] -= one.cents
        self.accounts[one.taker] += one.cents
        self._waiting = next(self._transfers, None)

    def _compare(self, row: Row, due: Moves | None) -> None:
        """The transfers of one event against what the event itself says."""
        found: Moves = Counter()
        number = 0
        while self._waiting is not None and self._waiting.version <= row.version:
            one = self._waiting
            if one.version < row.version:
                self._fault(one.version, "ledger", f"transfer {one.n} belongs to no event")
            else:
                number += 1
                found[one.giver, one.taker, one.cents] += 1
                if one.n != number:
                    self._fault(row.version, "ledger", f"transfer {number} is numbered {one.n}")
                if one.cents <= 0 or one.giver == one.taker:
                    self._fault(row.version, "ledger", f"transfer {one.n} moves nothing from one to another")
            self._take(one)
        if due is not None and found == due and [*found] != [*due]:
            self._fault(row.version, "ledger", "its transfers are numbered in another order")
        if due is None or found == due:
            return
        for giver, taker, cents in (due - found).elements():
            self._fault(row.version, "ledger", f"a transfer of {cents} cents from {giver} to {taker} is missing")
        for giver, taker, cents in (found - due).elements():
            self._fault(row.version, "ledger", f"{cents} cents from {giver} to {taker} follow from no event")
