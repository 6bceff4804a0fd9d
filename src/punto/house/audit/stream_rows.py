"""One stream, row by row: versions, the chain of hashes, commands, times, and the transfers beside the events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, Protocol, TypeVar

from punto.game import notation
from punto.house.audit.expected_transfers import Moves
from punto.house.audit.findings import Context, Findings
from punto.house.instants import iso
from punto.house.store import chain, codec
from punto.house.store.clock_steps import SKEW_US, STREAM
from punto.house.store.records import SCHEMA, Row, Transfer

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
"""The beginning of 2020. No house is as old as that."""


class _Event(Protocol):
    @property
    def by(self) -> str: ...


AnyOwnEvent = TypeVar("AnyOwnEvent", bound=_Event)


def own_event(row: Row, read: Callable[[bytes], AnyOwnEvent], findings: Findings) -> AnyOwnEvent | None:
    """The event of a row that no edition governs: of a person, an approval, the clock or the watch. None if it
    can't be read."""
    try:
        event = read(codec.raised(row))
        canonical = notation.encode(event) == codec.raised(row)
    except (ValueError, KeyError, TypeError) as error:
        findings.at(row, "unreadable", f"the event can't be read: {error}")
        return None
    if not canonical:
        findings.at(row, "unreadable", "the event is not written as the house writes events")
    if row.actor != event.by:
        findings.at(row, "actor", f"the row names {row.actor} as the actor, but the event names {event.by}")
    if row.rules:
        findings.at(row, "unknown-rules", "the row names an edition, but no edition governs this stream")
    return event


class Replay(Protocol):
    """Takes commands one by one and returns the transfers that each row must have; None if unknown."""

    def command(self, rows: list[Row]) -> list[Moves | None]: ...


class StreamRows:
    """Reads a stream's rows and transfers side by side. Memory holds one command at a time."""

    def __init__(self, context: Context, stream: str) -> None:
        self.stream, self.version, self.hash = stream, 0, chain.start(stream)
        self.accounts: Counter[str] = Counter()
        """What the transfers of this stream add up to, by account."""
        self._context = context
        self._transfers = self._read_transfers()
        self._transfer: Transfer | None = next(self._transfers, None)
        """The next transfer, which is not matched to a row yet."""
        self._at = 0
        self._ahead: list[Row] = []
        """The first and the newest row with a time after the audit that a step on record explains."""

    def commands(self, replay: Replay) -> Iterator[list[Row]]:
        """Every command's rows, once they are checked."""
        for rows in self._grouped():
            self._context.seen.commands += 1
            for row, moves in zip(rows, replay.command(rows), strict=True):
                self._compare_transfers(row, moves)
            yield rows
        while self._transfer is not None:
            self._count_transfer(self._transfer)
        if self._ahead:
            text = f"from here on times run ahead of this audit, to {iso(self._ahead[-1].at)}"
            self._explained(self._ahead[0], text)

    def _fault(self, version: int, code: str, message: str) -> None:
        self._context.findings.add(self.stream, version, code, message)

    def _explained(self, row: Row, text: str) -> None:
        message = f"{text}: a step of a clock on record explains it"
        self._context.notes.add(self.stream, row.version, "time", message)

    # ------------------------------------------------------------------ rows

    def _grouped(self) -> Iterator[list[Row]]:
        """The rows, command by command."""
        rows: list[Row] = []
        count = 0
        for values in self._context.reader.rows(EVENTS, self.stream):
            row = Row(*values)
            self._context.seen.rows += 1
            self._check_link(row)
            if not rows:
                count = self._check_first(row)
            else:
                self._check_following(rows[0], row)
            rows.append(row)
            if len(rows) >= count:
                yield rows
                rows = []
        if rows:
            self._fault(rows[0].version, "count", f"the command led to {count} rows, but only {len(rows)} are there")
            yield rows

    def _check_link(self, row: Row) -> None:
        """Check that version and hash follow from the row before."""
        if row.version != self.version + 1:
            self._fault(row.version, "version", f"version {self.version + 1} is missing before it")
        try:
            if chain.link(self.hash, row) != row.hash:
                text = "the hash does not follow from this row and the hash of the row before it"
                self._fault(row.version, "chain", text)
        except (TypeError, OverflowError) as error:
            self._fault(row.version, "chain", f"the row can't be hashed: {error}")
        if not 0 < row.schema <= SCHEMA:
            self._fault(row.version, "schema", f"schema {row.schema} is not known here")
        self.version, self.hash = row.version, row.hash

    def _check_first(self, row: Row) -> int:
        """Check a command's first row. Returns how many rows it has."""
        if not 0 < row.count <= MOST_ROWS:
            text = f"a command begins here, but its count is {row.count}: expected 1 to {MOST_ROWS}"
            self._fault(row.version, "count", text)
        if (row.key is None) != (row.body is None):
            text = "the row has a key without the hash of the request, or the hash without a key"
            self._fault(row.version, "key", text)
        elif row.body is not None and len(row.body) != 32:
            self._fault(row.version, "key", "the hash of the request is not 32 bytes long")
        if self.stream != STREAM:  # steps of a clock explain themselves
            self._check_order(row)
            self._check_calendar(row)
            self._at = row.at
        return min(max(row.count, 1), MOST_ROWS)

    def _check_following(self, first: Row, row: Row) -> None:
        if row.count or row.key is not None or row.body is not None:
            text = f"it belongs to the command that began at version {first.version}, but also begins a command"
            self._fault(row.version, "count", text)
        if (row.at, row.actor) != (first.at, first.actor):
            self._fault(row.version, "command", "actor or time differs from the first row of its command")

    def _check_order(self, row: Row) -> None:
        """Times of a table never go back. Those of other streams may, by no more than the clocks of two nodes differ. A
        step of a clock on record explains more."""
        slack = 0 if self.stream.startswith("table/") else SKEW_US
        if row.at >= self._at - slack:
            return
        if self._context.steps.explain(row.at, self._at):
            self._explained(row, f"its time is {iso(row.at)}, but the row before it has {iso(self._at)}")
        else:
            text = "its time is earlier than that of the row before it, and no step of a clock on record explains it"
            self._fault(row.version, "time", text)

    def _check_calendar(self, row: Row) -> None:
        steps, now = self._context.steps, self._context.now
        if row.at < EARLIEST_US and not steps.explain(row.at, EARLIEST_US):
            self._fault(row.version, "time", "its time is before 2020, when there was no house yet")
        if row.at > now + SKEW_US:
            if steps.ahead(row.at, now):
                self._ahead = [*self._ahead[:1], row]
            else:
                text = "its time is later than this audit, and no step of a clock on record explains it"
                self._fault(row.version, "time", text)

    # ------------------------------------------------------------------ transfers

    def _read_transfers(self) -> Iterator[Transfer]:
        for values in self._context.reader.rows(TRANSFERS, self.stream):
            self._context.seen.transfers += 1
            yield Transfer(*values)

    def _count_transfer(self, transfer: Transfer, row: Row | None = None) -> None:
        """Add a transfer to its accounts and go to the next one. `row` is that of its event."""
        if row is None or transfer.version < row.version:
            self._fault(transfer.version, "ledger", f"transfer {transfer.n} belongs to no event")
        elif transfer.cents <= 0 or transfer.giver == transfer.taker:
            text = f"transfer {transfer.n} has no positive amount, or the same account on both sides"
            self._fault(row.version, "ledger", text)
        self.accounts[transfer.giver] -= transfer.cents
        self.accounts[transfer.taker] += transfer.cents
        self._transfer = next(self._transfers, None)

    def _compare_transfers(self, row: Row, expected: Moves | None) -> None:
        """The transfers of one event against what the event itself says."""
        recorded: Moves = Counter()
        number = 0
        while self._transfer is not None and self._transfer.version <= row.version:
            transfer = self._transfer
            if transfer.version == row.version:
                number += 1
                recorded[transfer.giver, transfer.taker, transfer.cents] += 1
                if transfer.n != number:
                    self._fault(row.version, "ledger", f"transfer {number} is numbered {transfer.n}")
            self._count_transfer(transfer, row)
        if expected is None:
            return
        if recorded == expected and [*recorded] != [*expected]:
            self._fault(row.version, "ledger", "its transfers are numbered in another order")
        for giver, taker, cents in (expected - recorded).elements():
            self._fault(row.version, "ledger", f"a transfer of {cents} cents from {giver} to {taker} is missing")
        for giver, taker, cents in (recorded - expected).elements():
            text = f"a transfer of {cents} cents from {giver} to {taker} does not follow from the event"
            self._fault(row.version, "ledger", text)
