"""The audit as a whole: every stream, then what must hold between them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final

from punto.game import events as e
from punto.house.audit import between, bounds, file, guarded, heads, indexes
from punto.house.audit.accounts import Kept
from punto.house.audit.approval_streams import ApprovalStream
from punto.house.audit.approvals import Approved
from punto.house.audit.findings import Findings, Report, Seen
from punto.house.audit.indexes import Played, Rounds
from punto.house.audit.lobby import Lobby
from punto.house.audit.persons import PersonStream
from punto.house.audit.reading import Reader, opened, shown
from punto.house.audit.snapshots import RecordStream, Snapshots
from punto.house.audit.steps import StepStream, on_record
from punto.house.audit.tables import TableStream
from punto.house.audit.walk import Replayed, Times, Walk
from punto.house.store.clock_steps import STREAM as CLOCK
from punto.rulebook.library import library
from punto.rulebook.model import Rulebook

Progress = Callable[[int, int], None]
"""(rows done, rows in all)."""

_STEP: Final = 500
_NAMED_IN: Final = ("events", "transfers", "rounds", "snapshots", "refusals")


def audit(url: str, known: heads.Heads | None = None, progress: Progress | None = None) -> Report:
    """Replay everything. `known` are heads that an earlier audit saw. Reads only; memory grows with the number of
    streams and not with their length. Raises `Unreadable`."""
    with opened(url) as reader:
        return audit_of(reader, shown(url), known, progress)


def audit_of(
    reader: Reader, database: str, known: heads.Heads | None = None, progress: Progress | None = None
) -> Report:
    """The same of what a reader sees. `database` is what the report calls it."""
    started = time.perf_counter()
    found = _Audit(reader, known or {}, progress)
    found.run()
    return Report(
        database=database,
        seen=found.seen,
        findings=found.findings.listed,
        counts=dict(found.findings.counts),
        notes=found.times.notes.listed,
        note_counts=dict(found.times.notes.counts),
        heads=found.heads,
        root=heads.root(found.heads),
        seconds=time.perf_counter() - started,
    )


class _Audit:
    def __init__(self, reader: Reader, known: heads.Heads, progress: Progress | None) -> None:
        self.findings, self.seen = Findings(), Seen()
        self.heads: heads.Heads = {}
        self._reader, self._known, self._progress = reader, known, progress
        self._books: dict[str, Rulebook] = library()
        self._played = Played()
        self._wallets: Counter[str] = Counter()
        """What the transfers of all streams leave in each wallet and the cage, in cents."""
        self._whole = file.checked(reader, self.findings)
        steps = on_record(reader)
        self.times = Times(time.time_ns() // 1_000, steps, Findings())
        self._people, self._lobby = between.People(), Lobby(steps)
        self._approved = Approved(reader, self.findings, steps)
        self._kept = Kept(self.findings)
        self._rows = self._shown = 0

    def run(self) -> None:
        self._followed("database", self._streams)
        for compare in (
            lambda: self._played.compare(self._reader, self.findings),
            lambda: between.wallets(self._reader, self._wallets, self.findings),
            lambda: between.keys(self._reader, self.findings),
            lambda: indexes.taken(self._reader, self.findings),
            lambda: between.refusals(self._reader, self.findings, self.seen),
            lambda: self._people.compare(self._reader, self.findings),
            lambda: self._people.compare_closed(self._wallets, self.findings),
            lambda: self._kept.compare(self._approved.staff),
            lambda: between.waiting(self._reader, self.times, self.findings),
            lambda: self._lobby.compare(self._reader, self.heads, self.findings),
            lambda: bounds.bounded(self._reader, self.findings),
            lambda: guarded.guarded(self._reader, self.findings),
            lambda: guarded.migrated(self._reader, self.findings),
            self._approved.compare,
        ):
            self._followed("database", compare)

    def _followed(self, where: str, step: Callable[[], None]) -> None:
        """A file that is torn can break any step. That is said, and what it does not touch is still looked at."""
        try:
            step()
        except Exception as error:
            if self._whole:
                raise
            text = f"it can't be followed any further: {type(error).__name__}"
            self.findings.add(where, 0, "unreadable", text)

    def _streams(self) -> None:
        if self._progress is not None:
            ((self._rows,),) = self._reader.rows('SELECT count(*) FROM "events"')
        names = self._names()
        for stream in sorted(names):
            self.seen.streams += 1
            kind = stream.partition("/")[0]
            if kind == "table":
                self._followed(stream, partial(self._table, stream))
            elif kind == "approval":
                self._followed(stream, partial(self._approval, stream))
            elif kind == "person":
                self._followed(stream, partial(self._person, stream))
            elif stream == CLOCK:
                self._followed(stream, partial(self._clock, stream))
            elif kind == "snapshot" and f"table/{stream.partition('/')[2]}" in names:
                self._followed(stream, partial(self._records, stream))
            else:
                text = "expected a stream of a table or its snapshots, of a person, of an approval or of the clock"
                self.findings.add(stream, 0, "stream", text)
        self._told(1)
        for stream in self._known.keys() - self.heads.keys():
            self.findings.add(stream, 0, "head", "an earlier audit saw this stream, and it is gone")

    def _names(self) -> set[str]:
        """Every stream that anything is kept of, by a jump from name to name."""
        names: set[str] = set()
        for table in _NAMED_IN:
            names |= {name for (name,) in self._reader.rows(between.NAMES.format(table)) if isinstance(name, str)}
        return names

    def _told(self, step: int = _STEP) -> None:
        if self._progress is not None and self.seen.rows - self._shown >= step:
            self._shown = self.seen.rows
            self._progress(self.seen.rows, self._rows)

    def _table(self, stream: str) -> None:
        replayed = TableStream(
            self._reader, stream, self._books, self._approved, self.findings, self.times.notes, self.seen
        )
        walk = Walk(self._reader, stream, self.findings, self.seen, self.times)
        rounds = Rounds(self._reader, stream, self.findings)
        kept = Snapshots(self._reader, stream, self.findings, self.seen)
        number = began = 0
        for rows in walk.commands(replayed):
            began = began or rows[0].at
            self._lobby.written(rows[0].at)
            for row, event in zip(rows, replayed.events, strict=True):
                heads.compare(stream, self._known.get(stream), row.version, row.hash, self.findings)
                if isinstance(event, e.BettingOpened):
                    number = event.round
                    rounds.opened(row.version, event)
                if event is not None:
                    self._played.row(stream, row.version, row.at, number, event)
            kept.row(rows[-1].version, rows[-1].hash, None if replayed.lost else replayed.table)
            self._told()
        rounds.ended()
        kept.ended()
        self._ended(stream, walk)
        if not replayed.lost:
            held = replayed.balances()
            between.balances(stream, walk, held, self.findings)
            self._lobby.table(replayed.id, replayed.table, began)
            self._people.table(stream, replayed.table)

    def _approval(self, stream: str) -> None:
        """These come before all others, by name: acts are looked at by what was approved."""
        replayed = ApprovalStream(stream, self.findings, self.seen)
        self._walked(stream, replayed)
        replayed.ended()
        self._approved.known(replayed)

    def _person(self, stream: str) -> None:
        replayed = PersonStream(stream, self._approved, self._kept, self.findings, self.seen)
        self._walked(stream, replayed)
        self._people.person(replayed.name, replayed.person, replayed.password_by)

    def _walked(self, stream: str, replayed: Replayed) -> None:
        walk = Walk(self._reader, stream, self.findings, self.seen, self.times)
        for rows in walk.commands(replayed):
            self._lobby.written(rows[0].at)
            for row in rows:
                heads.compare(stream, self._known.get(stream), row.version, row.hash, self.findings)
            self._told()
        self._ended(stream, walk)

    def _clock(self, stream: str) -> None:
        self._walked(stream, StepStream(stream, self.findings, self.times.notes, self.seen))

    def _records(self, stream: str) -> None:
        self._walked(stream, RecordStream(stream, self.findings, self.seen))

    def _ended(self, stream: str, walk: Walk) -> None:
        heads.ended(stream, self._known.get(stream), walk.version, self.findings)
        if walk.version:
            self.heads[stream] = (walk.version, walk.hash.hex())
        for account, cents in walk.accounts.items():
            if account == "cage" or account.startswith("wallet/"):
                self._wallets[account] += cents
