"""The one thread that writes to an SQLite file: what waits goes into one transaction, and one flush pays for all.

A batch is tried whole first. Only where something in it clashes is it done again, a savepoint for each.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import chain as joined
from typing import Any, Final

from punto.house.stored import Outcome, StoreBroken, Unit

Work = Callable[[sqlite3.Connection], Any]
Job = tuple[Unit | Work | None, asyncio.Future[Any]]

MOST_AT_ONCE: Final = 4_096
"""Jobs of one transaction."""
POLL_S: Final = 0.05
"""How often an idle writer looks whether another process has written."""
BUSY_MS: Final = 30_000
"""How long another process may hold the file before this one gives up."""
_CHUNKS: Final = (64, 8, 1)
"""Rows of one statement. Each statement lets other threads run, so few of them are faster than many."""
_MOST_KNOWN: Final = 100_000

_EVENTS: Final = (
    "INSERT INTO events SELECT * FROM (VALUES {}) AS v WHERE v.column5 IS NULL OR NOT EXISTS "
    "(SELECT 1 FROM refusals AS r WHERE r.stream = v.column1 AND r.key = v.column5)"
)
_TRANSFERS: Final = "INSERT INTO transfers VALUES {}"
_ROUNDS: Final = "INSERT INTO rounds VALUES {}"
_PLAYED: Final = "INSERT OR IGNORE INTO played VALUES {}"


class _Clash(Exception):
    """Not all rows of a statement went in."""


class Writer(threading.Thread):
    """Takes jobs from the event loop and answers them there, all of a batch in one call."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        loop: asyncio.AbstractEventLoop,
        wake: Callable[[Sequence[tuple[str, int]]], None],
    ) -> None:
        super().__init__(name="punto-writer", daemon=True)
        self.broken: str | None = None
        self._connection = connection
        self._loop = loop
        self._wake = wake
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._known: dict[str, int] = {}
        self._seen_version = _data_version(connection)
        self._woken_at = 0.0

    def put(self, work: Unit | Work) -> asyncio.Future[Any]:
        """A job; its future is answered once it is on disk."""
        if self.broken is not None:
            raise StoreBroken(self.broken)
        future = self._loop.create_future()
        self._jobs.put((work, future))
        return future

    def stop(self) -> None:
        """Finish what waits, then end."""
        self._jobs.put(None)

    def run(self) -> None:
        connection, going = self._connection, True
        while going:
            jobs, going = self._waiting()
            if self.broken is not None:
                self._fail(jobs)
                continue
            try:
                self._others(connection)
                if jobs:
                    self._answer(jobs, self._commit(connection, jobs))
            except Exception as error:
                # Whether the last write is on disk is not known: say so to all who wait, and write nothing more.
                self.broken = f"the database can't be written, and this node stops: {error}"
                self._fail(jobs)
                connection.close()
        connection.close()

    def _waiting(self) -> tuple[list[Job], bool]:
        """All that waits; empty after a while without anything."""
        jobs: list[Job] = []
        try:
            job = self._jobs.get(timeout=POLL_S)
            while job is not None:
                jobs.append(job)
                if len(jobs) == MOST_AT_ONCE:
                    return jobs, True
                job = self._jobs.get_nowait()
        except queue.Empty:
            return jobs, True
        return jobs, False

    def _commit(self, connection: sqlite3.Connection, jobs: list[Job]) -> list[Any]:
        connection.execute("BEGIN IMMEDIATE")
        units = [work for work, _ in jobs if isinstance(work, Unit)]
        whole = self._whole(connection, units)
        answers: list[Any] = []
        for work, _ in jobs:
            if isinstance(work, Unit):
                answers.append(Outcome.DONE if whole else self._one(connection, work))
            elif work is not None:
                answers.append(self._work(connection, work))
        connection.execute("COMMIT")
        return answers

    def _whole(self, connection: sqlite3.Connection, units: list[Unit]) -> bool:
        """All units at once, where none of them clashes."""
        if not units or not all(self._follows(connection, unit) for unit in units):
            return False
        connection.execute("SAVEPOINT batch")
        try:
            # By name, so that the pages of the indexes are visited in their order, each once.
            _insert(connection, sorted(units, key=_by_name))
            _change_wallets(connection, units)
        except (sqlite3.IntegrityError, _Clash):
            _undo(connection, "batch")
            return False
        connection.execute("RELEASE batch")
        self._know(units)
        return True

    def _one(self, connection: sqlite3.Connection, unit: Unit) -> Outcome:
        if not self._follows(connection, unit):
            return Outcome.CONFLICT
        outcome = Outcome.CONFLICT
        connection.execute("SAVEPOINT one")
        try:
            _insert(connection, (unit,))
            outcome = Outcome.FUNDS
            _change_wallets(connection, (unit,))
        except (sqlite3.IntegrityError, _Clash):
            _undo(connection, "one")
            return outcome
        connection.execute("RELEASE one")
        self._know((unit,))
        return Outcome.DONE

    def _work(self, connection: sqlite3.Connection, work: Work) -> Any:
        """Something else than a unit, in a savepoint of its own. What is wrong with it goes to whoever asked."""
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
        """Whether the version that a unit expects is there. A stream has no gaps; once there, it stays."""
        if unit.expected <= self._known.get(unit.stream, 0):
            return True
        found = connection.execute(
            "SELECT 1 FROM events WHERE stream = ? AND version = ?", (unit.stream, unit.expected)
        ).fetchone()
        return found is not None

    def _know(self, units: Iterable[Unit]) -> None:
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        self._known.update((unit.stream, unit.expected) for unit in units)

    def _others(self, connection: sqlite3.Connection) -> None:
        """The file's version as this connection sees it moves only when another process has written."""
        version = _data_version(connection)
        now = time.monotonic()
        if version != self._seen_version and now - self._woken_at >= POLL_S:
            self._seen_version, self._woken_at = version, now
            self._call(self._wake, ())

    def _answer(self, jobs: list[Job], answers: list[Any]) -> None:
        moved = [
            (work.stream, work.rows[-1].version)
            for (work, _), answer in zip(jobs, answers, strict=True)
            if answer is Outcome.DONE and isinstance(work, Unit)
        ]
        self._call(self._resolve, jobs, answers, moved)

    def _resolve(self, jobs: list[Job], answers: list[Any], moved: list[tuple[str, int]]) -> None:
        for (_, future), answer in zip(jobs, answers, strict=True):
            if future.done():
                continue
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        if moved:
            self._wake(moved)

    def _fail(self, jobs: list[Job]) -> None:
        if jobs:
            self._call(self._resolve, jobs, [StoreBroken(self.broken) for _ in jobs], [])

    def _call(self, call: Callable[..., None], *values: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call, *values)


def _data_version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


def _undo(connection: sqlite3.Connection, savepoint: str) -> None:
    connection.execute(f"ROLLBACK TO {savepoint}")
    connection.execute(f"RELEASE {savepoint}")


def _by_name(unit: Unit) -> tuple[str, int]:
    return unit.stream, unit.expected


def _insert(connection: sqlite3.Connection, units: Sequence[Unit]) -> None:
    rows = [
        (
            row.stream,
            row.version,
            row.at,
            row.actor,
            row.key,
            row.body,
            row.count,
            row.rules,
            row.schema,
            row.event,
            row.hash,
        )
        for unit in units
        for row in unit.rows
    ]
    _fill(connection, _EVENTS, rows)
    _fill(
        connection,
        _TRANSFERS,
        [(one.stream, one.version, one.n, one.giver, one.taker, one.cents) for unit in units for one in unit.transfers],
    )
    _fill(connection, _ROUNDS, [(unit.stream, number, version) for unit in units for number, version in unit.rounds])
    played = [
        (person, unit.rows[-1].at, unit.stream, number, version)
        for unit in units
        for person, number, version in unit.played
    ]
    _fill(connection, _PLAYED, played, ignored=True)


def _fill(
    connection: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]], *, ignored: bool = False
) -> None:
    """Insert many rows with few statements of a few sizes, so that their compiled forms are used again."""
    at = 0
    for size in _CHUNKS:
        while len(rows) - at >= size:
            part = rows[at : at + size]
            at += size
            marks = "(" + ",".join("?" * len(part[0])) + ")"
            text = statement.format(",".join([marks] * size))
            done = connection.execute(text, tuple(joined.from_iterable(part))).rowcount
            if done != size and not ignored:
                raise _Clash


def _change_wallets(connection: sqlite3.Connection, units: Sequence[Unit]) -> None:
    changes = [change for unit in units for change in unit.wallets]
    if changes:
        connection.executemany("INSERT OR IGNORE INTO wallets VALUES (?, 0)", [(person,) for person, _ in changes])
        connection.executemany(
            "UPDATE wallets SET cents = cents + ? WHERE person = ?", [(cents, person) for person, cents in changes]
        )
