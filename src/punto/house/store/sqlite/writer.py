"""The one thread that writes to an SQLite file: all waiting jobs go into one transaction with one flush.

A batch of plain units is first tried as a whole. If one conflicts, or there is other work, each job gets a savepoint.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final
from urllib.parse import quote

from punto.house import metrics
from punto.house.store.records import Outcome, StoreBroken, Unit
from punto.house.store.sqlite import batch_statements
from punto.house.store.sqlite.batch_statements import Written

Work = Callable[[sqlite3.Connection], Any]
Job = tuple[Unit | Work, asyncio.Future[Any]]
Transaction = tuple[list[Job], Written | None]
"""Jobs of one transaction, and the values of a single statement, where one is enough."""

MOST_AT_ONCE: Final = 4_096
"""The most jobs in one transaction."""
POLL_S: Final = 0.05
"""How often an idle writer looks whether another process has written."""
BUSY_MS: Final = 30_000
"""How long another process may lock the file before this one gives up."""
_MOST_KNOWN: Final = 100_000


class Writer(threading.Thread):
    """Takes jobs from the event loop and resolves their futures there, a whole batch in one call."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        loop: asyncio.AbstractEventLoop,
        wake: Callable[[Sequence[tuple[str, int]]], None],
    ) -> None:
        super().__init__(name="punto-writer", daemon=True)
        self.broken: str | None = None
        self._connection = connection
        batch_statements.prepare(connection)
        self._loop = loop
        self._wake = wake
        self._jobs: queue.SimpleQueue[Transaction | None] = queue.SimpleQueue()
        self._next: list[Job] = []
        """Jobs for the next transaction. Only the event loop uses it."""
        self._handed = False
        self._stopping = self._ended = False
        self._known: dict[str, int] = {}
        self._seen_version = _data_version(connection)
        self._looked_at = 0.0
        self._stays: sqlite3.Connection | None = None

    def put(self, work: Unit | Work) -> asyncio.Future[Any]:
        """Queue a job. Its future resolves once it is on disk."""
        if self.broken is not None or self._ended:
            raise StoreBroken(self.broken or "the store is closed")
        future = self._loop.create_future()
        self._next.append((work, future))
        if not self._handed:
            # Not at once: all jobs of this turn of the event loop go together, and wake the thread once.
            self._handed = True
            self._loop.call_soon(self._hand_over)
        return future

    def _hand_over(self) -> None:
        """Give the thread the jobs that fit into one transaction."""
        jobs, self._next = self._next[:MOST_AT_ONCE], self._next[MOST_AT_ONCE:]
        self._handed = bool(jobs)
        if jobs:
            self._jobs.put((jobs, _written(jobs)))
        elif self._stopping:
            self._end()

    def _end(self) -> None:
        self._ended = True
        self._jobs.put(None)

    def stop(self) -> None:
        """Write the waiting jobs, then end."""
        self._stopping = True
        if not self._handed:
            self._end()

    def run(self) -> None:
        connection = self._connection
        while (batch := self._waiting()) is not None:
            jobs, written = batch
            if self.broken is not None:
                self._fail(jobs)
                continue
            try:
                self._others(connection)
                if jobs:
                    began = time.perf_counter()
                    answers = self._commit(connection, jobs, written)
                    self._call(self._committed, jobs, answers, time.perf_counter() - began)
            except Exception as error:
                # Whether the last write is on disk is unknown: fail all waiting jobs, and write nothing more.
                self.broken = f"the database can't be written, and this node stops: {error}"
                self._close_untouched(connection)
                self._fail(jobs)
        connection.close()

    def _close_untouched(self, connection: sqlite3.Connection) -> None:
        """The last connection to close would merge the log into the file. After a failure nothing more is written: a
        reader stays open until the end."""
        with suppress(sqlite3.Error):
            path = connection.execute("PRAGMA database_list").fetchone()[2]
            self._stays = sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True, check_same_thread=False)
            self._stays.execute("SELECT count(*) FROM sqlite_master").fetchone()
        connection.close()

    def _waiting(self) -> Transaction | None:
        """The next batch; an empty one if none comes within `POLL_S`; None at the end."""
        try:
            return self._jobs.get(timeout=POLL_S)
        except queue.Empty:
            return [], None

    def _commit(self, connection: sqlite3.Connection, jobs: list[Job], written: Written | None) -> list[Any]:
        units = [work for work, _ in jobs if isinstance(work, Unit) and not work.also]
        if len(units) == len(jobs) and self._whole(connection, units, written):
            return [Outcome.DONE] * len(jobs)
        connection.execute("BEGIN IMMEDIATE")
        answers: list[Any] = []
        for work, _ in jobs:
            if isinstance(work, Unit):
                answers.append(self._unit(connection, work))
            else:
                answers.append(self._work(connection, work))
        connection.execute("COMMIT")
        return answers

    def _whole(self, connection: sqlite3.Connection, units: list[Unit], written: Written | None) -> bool:
        """Commit all units at once. False where one of them conflicts."""
        if not all(self._follows(connection, unit) for unit in units):
            return False
        try:
            batch_statements.commit(connection, units, written)
        except (sqlite3.IntegrityError, batch_statements.Clash):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            return False
        self._know(units)
        return True

    def _unit(self, connection: sqlite3.Connection, unit: Unit) -> Outcome:
        if not self._follows(connection, unit):
            return Outcome.CONFLICT
        outcome = Outcome.CONFLICT
        connection.execute("SAVEPOINT one")
        try:
            batch_statements.insert(connection, (unit,))
            outcome = Outcome.FUNDS
            batch_statements.change_wallets(connection, (unit,))
            outcome = Outcome.CONFLICT
            for text, values in unit.also:
                connection.execute(text, values)
        except (sqlite3.IntegrityError, batch_statements.Clash):
            _undo(connection, "one")
            return outcome
        connection.execute("RELEASE one")
        self._know((unit,))
        return Outcome.DONE

    def _work(self, connection: sqlite3.Connection, work: Work) -> Any:
        """Run work that is no unit, in a savepoint of its own. Its error goes to the caller of `put`."""
        connection.execute("SAVEPOINT work")
        try:
            answer = work(connection)
        except Exception as error:
            if isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            _undo(connection, "work")
            return error
        connection.execute("RELEASE work")
        return answer

    def _follows(self, connection: sqlite3.Connection, unit: Unit) -> bool:
        """Whether the version that a unit expects exists. A stream has no gaps, and versions stay."""
        if unit.expected <= self._known.get(unit.stream, 0):
            return True
        row = connection.execute(
            "SELECT 1 FROM events WHERE stream = ? AND version = ?", (unit.stream, unit.expected)
        ).fetchone()
        return row is not None

    def _know(self, units: Iterable[Unit]) -> None:
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        self._known.update((unit.stream, unit.rows[-1].version) for unit in units)

    def _others(self, connection: sqlite3.Connection) -> None:
        """Wake if another process has written: only then does `data_version` of this connection change."""
        now = time.monotonic()
        if now - self._looked_at < POLL_S:
            return
        self._looked_at = now
        version = _data_version(connection)
        if version != self._seen_version:
            self._seen_version = version
            self._call(self._wake, ())

    def _committed(self, jobs: list[Job], answers: list[Any], seconds: float) -> None:
        if any(isinstance(work, Unit) for work, _ in jobs):
            metrics.commit_seconds.observe(seconds)
        self._resolve(jobs, answers)

    def _resolve(self, jobs: list[Job], answers: list[Any]) -> None:
        """Resolve a batch, in the event loop."""
        moved: list[tuple[str, int]] = []
        done = Outcome.DONE
        for (work, future), answer in zip(jobs, answers, strict=True):
            if answer is done and isinstance(work, Unit):
                moved.append((work.stream, work.rows[-1].version))
            if future.done():
                continue
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        try:
            if moved:
                self._wake(moved)
        finally:
            # Even if a callback of `_wake` fails, waiting jobs are written, and a stop takes effect.
            # Not at once: callers that were answered may queue more within this turn of the event loop.
            self._loop.call_soon(self._hand_over)

    def _fail(self, jobs: list[Job]) -> None:
        if jobs:
            self._call(self._resolve, jobs, [StoreBroken(self.broken) for _ in jobs])

    def _call(self, call: Callable[..., None], *values: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call, *values)


def _written(jobs: list[Job]) -> Written | None:
    """Runs in the event loop: in the thread, the loop would interrupt it again and again, and then wait for it."""
    units = [work for work, _ in jobs if isinstance(work, Unit) and not work.also]
    try:
        return batch_statements.written(units) if len(units) == len(jobs) else None
    except Exception:
        return None  # the thread gets the same error, and fails the jobs


def _data_version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


def _undo(connection: sqlite3.Connection, savepoint: str) -> None:
    connection.execute(f"ROLLBACK TO {savepoint}")
    connection.execute(f"RELEASE {savepoint}")
