"""The audit as a whole: every stream, then what must hold between them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final

from punto.game import events as e
from punto.house.audit import keys, stream_heads, wallets
from punto.house.audit.approvals.acts import Acts
from punto.house.audit.approvals.approval_stream import ApprovalStream
from punto.house.audit.clock_stream import ClockStream, recorded_steps
from punto.house.audit.database import constraints, migration, sqlite_file, triggers
from punto.house.audit.findings import Context, Findings, Report, Seen
from punto.house.audit.people import account_rows
from punto.house.audit.people.account_rows import AccountRows
from punto.house.audit.people.accounts import AccountActs
from punto.house.audit.people.person_stream import PersonStream
from punto.house.audit.snapshots import SnapshotStream, TableSnapshots
from punto.house.audit.stream_rows import Replay, StreamRows
from punto.house.audit.tables.round_indexes import PlayedIndex, RoundIndex
from punto.house.audit.tables.table_list import TableList
from punto.house.audit.tables.table_stream import TableStream
from punto.house.audit.watch_stream import WatchStream
from punto.house.store.clock_steps import STREAM as CLOCK
from punto.house.store.reader import Reader, opened, shown
from punto.house.store.records import Row
from punto.house.store.watch_events import STREAM as WATCH
from punto.rulebook.library import library

Progress = Callable[[int, int], None]
"""(rows done, rows in all)."""

NAMES: Final = (
    'WITH RECURSIVE names(stream) AS (SELECT min(stream) FROM "{0}" UNION ALL '
    'SELECT (SELECT min(stream) FROM "{0}" WHERE stream > names.stream) FROM names WHERE names.stream IS NOT NULL) '
    "SELECT stream FROM names WHERE stream IS NOT NULL"
)
_NAMED_IN: Final = ("events", "transfers", "rounds", "snapshots", "refusals")
_PROGRESS_ROWS: Final = 500


def audit(url: str, known: stream_heads.Heads | None = None, progress: Progress | None = None) -> Report:
    """Replay everything. `known` are heads that an earlier audit saw. It only reads. Memory grows with the number
    of streams and not with their length. Raises `Unreadable`."""
    with opened(url) as reader:
        return audit_of(reader, shown(url), known, progress)


def audit_of(
    reader: Reader, database: str, known: stream_heads.Heads | None = None, progress: Progress | None = None
) -> Report:
    """The same with an open reader. `database` names it in the report."""
    started = time.perf_counter()
    run = _Audit(reader, known or {}, progress)
    run.run()
    context = run.context
    return Report(
        database=database,
        seen=context.seen,
        findings=context.findings.listed,
        counts=dict(context.findings.counts),
        notes=context.notes.listed,
        note_counts=dict(context.notes.counts),
        heads=run.heads,
        root=stream_heads.root(run.heads),
        seconds=time.perf_counter() - started,
    )


class _Audit:
    def __init__(self, reader: Reader, known: stream_heads.Heads, progress: Progress | None) -> None:
        findings = Findings()
        self._file_is_whole = sqlite_file.check(reader, findings)
        steps, now = recorded_steps(reader), time.time_ns() // 1_000
        self.context = Context(reader=reader, findings=findings, notes=Findings(), seen=Seen(), steps=steps, now=now)
        self.heads: stream_heads.Heads = {}
        self._known, self._progress = known, progress
        self._books = library()
        self._accounts: Counter[str] = Counter()
        """Cents in each wallet by the transfers of all streams."""
        self._acts, self._account_acts = Acts(self.context), AccountActs(findings)
        self._account_rows, self._table_list, self._played = AccountRows(self.context), TableList(), PlayedIndex()
        self._rows = self._rows_shown = 0

    def run(self) -> None:
        context = self.context
        for check in (
            self._streams,
            lambda: self._played.compare(context),
            lambda: wallets.compare_wallets(context, self._accounts),
            lambda: keys.compare_keys(context),
            lambda: keys.check_refusals(context),
            self._account_rows.compare,
            lambda: self._account_rows.compare_closed(self._accounts),
            lambda: self._account_acts.compare(self._acts.staff),
            lambda: account_rows.check_waiting(context),
            lambda: self._table_list.compare(context, self.heads),
            lambda: constraints.check(context),
            lambda: triggers.check(context),
            lambda: migration.check(context),
            self._acts.compare,
        ):
            self._attempt("database", check)

    def _attempt(self, where: str, check: Callable[[], None]) -> None:
        """A corrupt file can break any check. That is a finding, and the other checks go on."""
        try:
            check()
        except Exception as error:
            if self._file_is_whole:
                raise
            text = f"it can't be followed any further: {type(error).__name__}"
            self.context.findings.add(where, 0, "unreadable", text)

    def _streams(self) -> None:
        """Check all streams in the order of their names, which is relied on: `approval/` comes before `person/`, as
        acts are judged by approvals, and `person/` before `table/` and `watch`, as actors are judged by roles."""
        if self._progress is not None:
            ((self._rows,),) = self.context.reader.rows('SELECT count(*) FROM "events"')
        names = self._names()
        for stream in sorted(names):
            self.context.seen.streams += 1
            self._attempt(stream, partial(self._stream, stream, names))
        self._show_progress(1)
        for stream in self._known.keys() - self.heads.keys():
            self.context.findings.add(stream, 0, "head", "an earlier audit saw this stream, but it is gone")

    def _names(self) -> set[str]:
        """Every stream in these tables. The query skips from name to name."""
        names: set[str] = set()
        for table in _NAMED_IN:
            names |= {name for (name,) in self.context.reader.rows(NAMES.format(table)) if isinstance(name, str)}
        return names

    def _stream(self, stream: str, names: set[str]) -> None:
        kind, _, name = stream.partition("/")
        if kind == "table":
            self._table(stream)
        elif kind == "approval":
            approvals = ApprovalStream(self.context, stream)
            self._replay(stream, approvals)
            approvals.end()
            self._acts.add_approvals(approvals)
        elif kind == "person":
            person = PersonStream(self.context, stream, self._acts, self._account_acts)
            self._replay(stream, person)
            self._account_rows.add_person(person.name, person.person, person.password_by)
        elif stream == CLOCK:
            self._replay(stream, ClockStream(self.context))
        elif stream == WATCH:
            self._replay(stream, WatchStream(self.context, self._acts, names))
        elif kind == "snapshot" and f"table/{name}" in names:
            self._replay(stream, SnapshotStream(self.context))
        else:
            text = "expected a stream of a table, its snapshots, a person, an approval, the clock or the watch"
            self.context.findings.add(stream, 0, "stream", text)

    def _table(self, stream: str) -> None:
        replay = TableStream(self.context, stream, self._books, self._acts)
        rounds, snapshots = RoundIndex(self.context, stream), TableSnapshots(self.context, stream)
        number = began = 0

        def after(rows: list[Row]) -> None:
            nonlocal number, began
            began = began or rows[0].at
            for row, event in zip(rows, replay.events, strict=True):
                if isinstance(event, e.BettingOpened):
                    number = event.round
                    rounds.opened(row.version, event)
                if event is not None:
                    self._played.add(stream, row.version, row.at, number, event)
            snapshots.compare(rows[-1].version, rows[-1].hash, None if replay.lost else replay.table)

        stream_rows = self._replay(stream, replay, after)
        rounds.end()
        snapshots.end()
        if not replay.lost:
            wallets.compare_table(self.context, stream_rows, replay.balances())
            self._table_list.add_table(replay.id, replay.table, began)
            self._account_rows.add_table(stream, replay.table)

    def _replay(self, stream: str, replay: Replay, after: Callable[[list[Row]], None] | None = None) -> StreamRows:
        """Go through a stream. `after` is called with the rows of each command."""
        known, findings = self._known.get(stream), self.context.findings
        stream_rows = StreamRows(self.context, stream)
        for rows in stream_rows.commands(replay):
            self._table_list.add_time(rows[0].at)
            for row in rows:
                stream_heads.compare(stream, known, row.version, row.hash, findings)
            if after is not None:
                after(rows)
            self._show_progress()
        stream_heads.compare_length(stream, known, stream_rows.version, findings)
        if stream_rows.version:
            self.heads[stream] = (stream_rows.version, stream_rows.hash.hex())
        for account, cents in stream_rows.accounts.items():
            if account.startswith("wallet/"):
                self._accounts[account] += cents
        return stream_rows

    def _show_progress(self, step: int = _PROGRESS_ROWS) -> None:
        rows = self.context.seen.rows
        if self._progress is not None and rows - self._rows_shown >= step:
            self._rows_shown = rows
            self._progress(rows, self._rows)
