"""Group commit on PostgreSQL: waiting units go into one statement, over a few connections at a time.

The statement inserts what it can and returns what it inserted. A unit that was inserted only in part lost a race: the
batch is rolled back and run again without it. If another node refuses a key in the same instant, the whole statement
fails and writes nothing; the next run sees the refusal. A unit that changes wallets or has `also` statements gets
its own transaction, so that a wallet that would become negative affects no other unit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final

import asyncpg
from msgspec.structs import astuple

from punto.house import metrics
from punto.house.store.postgres.pool import AGAIN, CLOSE_S, Connections
from punto.house.store.records import Outcome, StoreBroken, Unit

log = logging.getLogger("punto.store")

Job = tuple[Unit, asyncio.Future[Outcome]]

CONNECTIONS: Final = 4
"""Batches that run at once."""
MOST_AT_ONCE: Final = 512
"""The most units in one batch."""
PATIENCE_S: Final = 15.0
"""How long a lost connection is retried before the node gives up, by default."""
_PAUSE_S: Final = 0.25

_APPEND: Final = """
WITH given AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bytea[], $7::int[],
        $8::text[], $9::int[], $10::bytea[], $11::bytea[], $12::bigint[])
    AS g(stream, version, at, actor, key, body, count, rules, schema, event, hash, expected)
), appended AS (
    INSERT INTO events (stream, version, at, actor, key, body, count, rules, schema, event, hash)
    SELECT stream, version, at, actor, key, body, count, rules, schema, event, hash FROM given AS g
    WHERE (expected = 0
            OR (SELECT true FROM events AS e WHERE e.stream = g.stream COLLATE "C" AND e.version = g.expected))
        AND (key IS NULL OR (SELECT true FROM refusals AS r
            WHERE r.stream = g.stream COLLATE "C" AND r.key = g.key COLLATE "C") IS NULL)
    ORDER BY stream COLLATE "C", version
    ON CONFLICT DO NOTHING
    RETURNING stream, version, key
), taken AS (
    INSERT INTO keys (stream, key) SELECT stream, key FROM appended WHERE key IS NOT NULL
), moved AS (
    INSERT INTO transfers (stream, version, n, giver, taker, cents)
    SELECT t.* FROM unnest($13::text[], $14::bigint[], $15::int[], $16::text[], $17::text[], $18::bigint[])
    AS t(stream, version, n, giver, taker, cents)
    JOIN appended AS a ON a.stream = t.stream COLLATE "C" AND a.version = t.version
)
SELECT stream, count(*) FROM appended GROUP BY stream
"""
_ROUNDS: Final = "INSERT INTO rounds (stream, round, version) VALUES ($1, $2, $3)"
_PLAYED: Final = (
    "INSERT INTO played (person, at, stream, round, version) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING"
)
_WALLET: Final = "INSERT INTO wallets (person, cents) VALUES ($1, 0) ON CONFLICT DO NOTHING"
_CHANGE: Final = "UPDATE wallets SET cents = cents + $2 WHERE person = $1"
_TAKEN: Final = "keys_pkey"
"""The constraint that only a refusal of the same key can violate: two appends conflict on `events` before it."""
ON_STANDBY: Final = "pg_logical_emit_message(true, 'punto', '')"
"""Makes a statement that only reads wait for the synchronous standby, as a commit does. After a crash a primary shows
rows that it alone has, and that the next failover would lose: an answer based on them has to wait."""
_HASH: Final = f"SELECT hash, {ON_STANDBY} FROM events WHERE stream = $1 AND version = $2"


class _InPart(Exception):
    """Only some rows of these units were inserted."""

    def __init__(self, streams: set[str]) -> None:
        super().__init__(streams)
        self.streams = streams


class _Beside(Exception):
    """An `also` statement of a unit violated a constraint."""


def _alone(unit: Unit) -> bool:
    """Whether a unit gets its own transaction: an error of its wallets or `also` statements must affect no other."""
    return bool(unit.wallets or unit.also)


class Writer:
    """Queues units and resolves their futures after the commit."""

    def __init__(self, pool: Connections, done: Callable[[Sequence[tuple[str, int]]], None], patience_s: float) -> None:
        self.broken: str | None = None
        self._patience_s = patience_s
        self._pool = pool
        self._done = done
        self._jobs: list[Job] = []
        self._wake = asyncio.Event()
        self._busy: set[str] = set()
        self._tasks = [asyncio.create_task(self._run()) for _ in range(CONNECTIONS)]

    def put(self, unit: Unit) -> asyncio.Future[Outcome]:
        """Queue a unit. The future resolves once it is on disk."""
        if self.broken is not None:
            raise StoreBroken(self.broken)
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._jobs.append((unit, future))
        self._wake.set()
        return future

    async def close(self) -> None:
        """Write the waiting units, then end. Units not confirmed in time, because no standby follows, are given up."""
        loop = asyncio.get_running_loop()
        until = loop.time() + CLOSE_S
        while (self._jobs or self._busy) and loop.time() < until:
            await asyncio.sleep(_PAUSE_S / 50)
        if self._jobs or self._busy:
            self.give_up(f"its last writes were not confirmed within {CLOSE_S:.0f} s after it was told to stop")
            log.warning("%s; the requests that waited got no answer and may be sent again", self.broken)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def give_up(self, why: object) -> None:
        """Stop writing and fail all waiting units."""
        if self.broken is None:
            self.broken = f"the database can't be written, and this node stops: {why}"
        waiting, self._jobs = self._jobs, []
        self._fail(waiting)

    def _fail(self, jobs: list[Job]) -> None:
        """Fail the jobs that have no outcome yet."""
        for _, future in jobs:
            if not future.done():
                future.set_exception(StoreBroken(self.broken))

    async def _run(self) -> None:
        while True:
            jobs = self._next_batch()
            if not jobs:
                self._wake.clear()
                await self._wake.wait()
                # Yield to the event loop once, so that units about to be queued join the batch.
                await asyncio.sleep(0)
                continue
            began = time.perf_counter()
            try:
                await self._write_batch(jobs)
                metrics.commit_seconds.observe(time.perf_counter() - began)
            except Exception as error:
                self.give_up(error)
            finally:
                self._fail(jobs)
                self._busy.difference_update(unit.stream for unit, _ in jobs)
                if self._jobs:
                    self._wake.set()

    def _next_batch(self) -> list[Job]:
        """Waiting jobs, one a stream and none of a stream that is being written; or one that goes alone."""
        batch: list[Job] = []
        left: list[Job] = []
        for at, job in enumerate(self._jobs):
            if len(batch) == MOST_AT_ONCE:
                left += self._jobs[at:]
                break
            unit = job[0]
            if unit.stream in self._busy or (batch and (_alone(unit) or _alone(batch[0][0]))):
                left.append(job)
            else:
                self._busy.add(unit.stream)
                batch.append(job)
        self._jobs = left
        return batch

    async def _write_batch(self, jobs: list[Job]) -> None:
        """Run a batch, again if needed, until every job has an outcome."""
        loop = asyncio.get_running_loop()
        until: float | None = None
        left, doubtful = jobs, False
        while left:
            units = [unit for unit, _ in left]
            lost: set[str] = set()
            try:
                outcomes = await self._commit(units)
            except _InPart as part:
                outcomes, lost = {}, part.streams
            except asyncpg.UniqueViolationError as error:
                until = until or loop.time() + self._patience_s
                if error.constraint_name != _TAKEN or loop.time() > until:
                    raise
                continue
            except AGAIN as error:
                # From the first failure on: a machine that was suspended has only just begun to try.
                until = until or loop.time() + self._patience_s
                if loop.time() > until:
                    raise StoreBroken(f"no connection for {self._patience_s:.0f} s: {error}") from error
                doubtful = doubtful or not isinstance(error, asyncpg.TransactionRollbackError)
                await asyncio.sleep(_PAUSE_S)
                continue
            if doubtful:
                outcomes.update(dict.fromkeys(await self._already_written(units, outcomes), Outcome.DONE))
            outcomes.update({name: Outcome.CONFLICT for name in lost if outcomes.get(name) is not Outcome.DONE})
            self._answer(left, outcomes)
            left = [job for job in left if job[0].stream not in outcomes]

    def _answer(self, jobs: list[Job], outcomes: dict[str, Outcome]) -> None:
        for unit, future in jobs:
            if unit.stream in outcomes and not future.done():
                future.set_result(outcomes[unit.stream])
        moved = [(unit.stream, unit.rows[-1].version) for unit, _ in jobs if outcomes.get(unit.stream) is Outcome.DONE]
        if moved:
            self._done(moved)

    async def _commit(self, units: list[Unit]) -> dict[str, Outcome]:
        async with self._pool.lent() as connection:
            if all(len(unit.rows) == 1 and not (unit.rounds or unit.played or _alone(unit)) for unit in units):
                return await _appended(connection, units)
            try:
                async with connection.transaction():
                    outcomes = await _appended(connection, units)
                    await _others(connection, [unit for unit in units if outcomes[unit.stream] is Outcome.DONE])
            except _Beside:
                return {unit.stream: Outcome.CONFLICT for unit in units}
            except asyncpg.CheckViolationError as error:
                if error.constraint_name != "wallets_never_negative":
                    raise
                return {unit.stream: Outcome.FUNDS for unit in units}
            return outcomes

    async def _already_written(self, units: list[Unit], outcomes: dict[str, Outcome]) -> list[str]:
        """After a lost connection: units that conflict with their own rows, because they had been written."""
        written = []
        for unit in units:
            if outcomes.get(unit.stream) is not Outcome.DONE:
                last = unit.rows[-1]
                kept = await patiently(partial(self._pool.fetchrow, _HASH, last.stream, last.version), self._patience_s)
                if kept is not None and kept[0] == last.hash:
                    written.append(unit.stream)
        return written


async def _appended(connection: Any, units: list[Unit]) -> dict[str, Outcome]:
    """Insert units; the outcome of each. Raises `_InPart` if one was inserted in part: then roll back."""
    rows = [(*astuple(row), unit.expected) for unit in units for row in unit.rows]
    transfers = [astuple(transfer) for unit in units for transfer in unit.transfers]
    inserted = await connection.fetch(_APPEND, *_columns(rows, 12), *_columns(transfers, 6))
    counts: dict[str, int] = dict(inserted)
    if part := {unit.stream for unit in units if 0 < counts.get(unit.stream, 0) < len(unit.rows)}:
        raise _InPart(part)
    return {unit.stream: Outcome.DONE if unit.stream in counts else Outcome.CONFLICT for unit in units}


def _columns(rows: list[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


async def _others(connection: Any, units: list[Unit]) -> None:
    """Write what goes with the events: rounds, who played, wallets by name, then `also`."""
    many: list[tuple[str, list[tuple[Any, ...]]]] = [
        (_ROUNDS, [(unit.stream, *opened) for unit in units for opened in unit.rounds]),
        (
            _PLAYED,
            [(person, unit.rows[-1].at, unit.stream, *ended) for unit in units for person, *ended in unit.played],
        ),
        (_WALLET, [(person,) for unit in units for person, _ in sorted(unit.wallets)]),
        (_CHANGE, [change for unit in units for change in sorted(unit.wallets)]),
    ]
    for text, rows in many:
        if rows:
            await connection.executemany(text, rows)
    try:
        for unit in units:
            for text, values in unit.also:
                await connection.execute(text, *values)
    except asyncpg.IntegrityConstraintViolationError as error:
        raise _Beside from error


async def patiently(work: Callable[[], Awaitable[Any]], patience_s: float) -> Any:
    """Retry work that may be repeated, until the server answers or `patience_s` is over."""
    loop = asyncio.get_running_loop()
    until: float | None = None
    while True:
        try:
            return await work()
        except AGAIN as error:
            until = until or loop.time() + patience_s
            if loop.time() > until:
                raise StoreBroken(f"no connection for {patience_s:.0f} s: {error}") from error
            await asyncio.sleep(_PAUSE_S)
