"""Which nodes serve one database, and which of them recovers its tables: by a lock, and a row with a term for each.

The lock ends with its holder or with a lost connection; the row does not. A node that wants to recover tables must hold
the lock alone, and no row may belong to a node that might still be serving. Each node renews its row every second (on
SQLite it only checks that row and lock are still its own). A node that could not do so for a while is unsure: it closes
no betting and does not deal, and others take its tables. It comes back by itself.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol

import msgspec
import sqlalchemy as sa

from punto.house import metrics
from punto.house.store.nodes import processes
from punto.house.store.nodes.liveness import SURE_S, NoAnswer, NodeLock, NodeRow, Renewals
from punto.house.store.records import Away, Clash, StoreBroken
from punto.house.store.schema import ENDED, RECOVERING, SERVING, claims, nodes

log = logging.getLogger("punto.node")

RENEW_S: Final = 1.0
"""How often a node renews its row."""
_POLL_S: Final = 0.02
_CLOSE_S: Final = 2.0
_MOST_TRIES: Final = 100


class Tables(Protocol):
    """The back-office tables of a store."""

    async def fetch(self, statement: sa.Executable) -> list[Mapping[str, Any]]: ...

    async def execute(self, *statements: sa.Executable) -> list[int]: ...


class Membership:
    """This node's row and lock among those of the others. `alone`, `share` or the first claim takes it."""

    def __init__(self, store: Tables, lock: NodeLock, wake: Callable[[], None], give_up: Callable[[str], None]) -> None:
        """`wake` is called when others may have written, `give_up` when this node can't go on."""
        self._store = store
        self._lock = lock
        self._wake = wake
        self._give_up = give_up
        self._term: int | None = None
        self._state = ENDED
        self._locked_alone = False
        """Whether this node's lock is exclusive. It is shared a moment before the row says so."""
        self._renewed_at = 0.0
        self._holders: set[int] = set()
        self._taking = asyncio.Lock()
        self._renewal_due = asyncio.Event()
        self._heartbeat: asyncio.Task[None] | None = None
        self._logged_unsure = False

    @property
    def unsure(self) -> bool:
        """Whether this node has a row that it could not renew lately, by the monotonic clock."""
        return self._term is not None and time.monotonic() - self._renewed_at > SURE_S

    # ------------------------------------------------------------------ joining

    async def alone(self) -> bool:
        """See `Store.alone`. Raises StoreBroken where a program that is no node holds the lock."""
        if self._term is not None:
            return self._state == RECOVERING
        renewals = Renewals()
        blocked = time.monotonic()
        while True:
            try:
                await self._lock.database()
                others = await self._serving_nodes(renewals)
                if not others:
                    if await self._take_alone(renewals):
                        return True
                elif any(alive for _, alive in others) and not _recovering(others):
                    if await self._lock.lock(alone=False):
                        await self._insert_row(SERVING)
                        return False
                else:
                    blocked = time.monotonic()
            except (NoAnswer, Away):
                blocked = time.monotonic()
            if time.monotonic() - blocked > self._lock.patience_s:
                raise StoreBroken(self._lock.foreign_lock)
            await asyncio.sleep(_POLL_S)

    async def _take_alone(self, renewals: Renewals) -> bool:
        """Take the lock, then read again: a node has the lock before it inserts a row."""
        if self._term is None:
            if not await self._lock.lock(alone=True):
                return False
            rows = await self._rows()
            if self._serving(rows, renewals) or not await self._end_rows(rows):
                await self._lock.unlock()
                return False
            await self._insert_row(RECOVERING)
        await self._lock.wait_for_writes()
        return True

    async def _end_rows(self, rows: Sequence[NodeRow]) -> bool:
        """Mark the rows of dead nodes as ended. False where one of them was renewed at this moment."""
        ends = [
            sa.update(nodes).where(nodes.c.term == row.term, nodes.c.seen_at == row.seen_at).values(state=ENDED)
            for row in rows
        ]
        return all(await self._store.execute(*ends)) if ends else True

    async def share(self) -> None:
        async with self._taking:
            while not await self._try_share():
                await asyncio.sleep(_POLL_S)

    async def _try_share(self) -> bool:
        if self._state == SERVING:
            return True
        try:
            if not await self._lock.lock(alone=False):
                return False
            self._locked_alone = False
            if self._term is None:
                await self._insert_row(SERVING)
            else:
                await self._store.execute(sa.update(nodes).where(nodes.c.term == self._term).values(state=SERVING))
        except (NoAnswer, Away):
            return False
        self._state = SERVING
        return True

    async def _insert_row(self, state: str) -> None:
        process, database = processes.own_process(), await self._lock.database()
        for _ in range(_MOST_TRIES):
            asked_at = time.monotonic()
            (top,) = await self._store.fetch(sa.select(sa.func.max(nodes.c.term).label("term")))
            term = (top["term"] or 0) + 1
            row = {"term": term, "process": process, "database": database, "state": state}
            entered = sa.insert(nodes).values(**row, seen_at=self._lock.clock)
            with suppress(Clash, Away):
                await self._store.execute(entered, sa.delete(nodes).where(nodes.c.state == ENDED, nodes.c.term < term))
                await self._lock.entered(term)
                self._term, self._state, self._renewed_at = term, state, asked_at
                self._locked_alone = state == RECOVERING
                if self._heartbeat is None:
                    self._heartbeat = asyncio.create_task(self._run_heartbeat(), name="heartbeat")
                return
        raise StoreBroken(f"this node could not insert its row in the database in {_MOST_TRIES} tries")

    # ------------------------------------------------------------------ renewing

    def renew_now(self) -> None:
        """Renew at once: the connection is new."""
        self._renewal_due.set()

    async def _run_heartbeat(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(RENEW_S):
                    await self._renewal_due.wait()
            self._renewal_due.clear()
            self._log_unsure()
            try:
                await self._renew()
            except (NoAnswer, TimeoutError, Away, StoreBroken):
                pass  # it is logged once the node is unsure
            except Exception:
                log.exception("one renewal of this node's row failed")
            self._log_unsure()

    async def _renew(self) -> None:
        assert self._term is not None, "only a row that was inserted is renewed"
        asked_at, alone = time.monotonic(), self._locked_alone
        if await self._lock.renew(self._term, alone=alone):
            self._renewed_at = asked_at
        elif alone and not self._locked_alone:  # meanwhile this node began to share: nothing is lost
            self.renew_now()
        else:
            await self._retake()
        async with asyncio.timeout(SURE_S):
            self._holders = await self._claim_holders()

    async def _retake(self) -> None:
        """Recover from a lock that was lost with its connection, or a row that another node ended."""
        alone = self._locked_alone
        asked_at = time.monotonic()
        assert self._term is not None
        if await self._lock.lock(alone=alone) and await self._lock.renew(self._term, alone=alone):
            self._renewed_at = asked_at
            log.warning("this node's lock was lost with its connection, and is taken again")
        elif alone and self.unsure:
            self._give_up("another node started while this one recovered tables and had lost its connection")
        elif not alone and self._term not in {row.term for row in await self._rows(own=True)}:  # the row was ended
            self._renewed_at = float("-inf")
            self._log_unsure()
            if not _recovering(await self._serving_nodes(Renewals())) and await self._lock.lock(alone=False):
                await self._insert_row(SERVING)
                log.warning("another node took this one for dead; this one has a new row, with term %d", self._term)
                self._wake()

    def _log_unsure(self) -> None:
        """Log when this node becomes unsure, and when that ends."""
        if self.unsure == self._logged_unsure:
            return
        self._logged_unsure = self.unsure
        metrics.unsure.set(self.unsure)
        if self.unsure:
            metrics.became_unsure.inc()
            log.warning("this node could not renew its row: it is not ready, closes no betting and does not deal")
        else:
            log.warning("this node has renewed its row again")
            self._wake()

    # ------------------------------------------------------------------ other nodes and claims

    async def _rows(self, *, own: bool = False) -> list[NodeRow]:
        """The rows of nodes that have not ended; this one's only if `own`."""
        statement = sa.select(nodes, self._lock.clock.label("now")).where(nodes.c.state != ENDED)
        rows = [msgspec.convert(dict(row), NodeRow) for row in await self._store.fetch(statement)]
        return [row for row in rows if own or row.term != self._term]

    async def _serving_nodes(self, renewals: Renewals) -> list[tuple[NodeRow, bool | None]]:
        """The other nodes that serve (True) or might (None)."""
        return self._serving(await self._rows(), renewals)

    def _serving(self, rows: Sequence[NodeRow], renewals: Renewals) -> list[tuple[NodeRow, bool | None]]:
        alive = [(row, self._lock.is_alive(row, renewing=renewals.renewing(row))) for row in rows]
        return [(row, state) for row, state in alive if state or (state is None and not renewals.stopped(row))]

    async def _claim_holders(self) -> set[int]:
        """Terms of the other nodes whose claims are valid."""
        others = await self._serving_nodes(Renewals())
        return {row.term for row, alive in others if alive or abs(row.age_s) <= SURE_S}

    async def claim(self, name: str) -> bool:
        """See `Store.claim`. A claim is valid as long as its node renews its row."""
        async with self._taking:
            if self._term is None and not await self._try_share():
                return False
        if self.unsure:
            return False
        try:
            return await self._take_claim(name)
        except (Clash, Away, StoreBroken, NoAnswer, TimeoutError):
            return False

    async def claimed(self) -> frozenset[str]:
        """See `Store.claimed`."""
        if self._term is None or self.unsure:
            return frozenset()
        try:
            rows = await self._store.fetch(sa.select(claims.c.name).where(claims.c.term == self._term))
        except (Away, StoreBroken, NoAnswer, TimeoutError):
            return frozenset()
        return frozenset(row["name"] for row in rows)

    async def _take_claim(self, name: str) -> bool:
        own = claims.c.name == name
        rows = await self._store.fetch(sa.select(claims.c.term).where(own))
        if not rows:
            return await self._store.execute(sa.insert(claims).values(name=name, term=self._term)) == [1]
        holder = rows[0]["term"]
        if holder == self._term or holder in self._holders:
            return bool(holder == self._term)
        if holder in await self._claim_holders():
            return False
        take = sa.update(claims).where(own, claims.c.term == holder).values(term=self._term)
        return await self._store.execute(take) == [1]

    async def release(self, name: str) -> None:
        if self._term is not None:
            with suppress(Away, StoreBroken):
                await self._store.execute(sa.delete(claims).where(claims.c.name == name, claims.c.term == self._term))

    async def close(self) -> None:
        """End the row, so that no other node waits for this one."""
        if self._heartbeat is not None:
            self._heartbeat.cancel()
            await asyncio.gather(self._heartbeat, return_exceptions=True)
        if self._term is not None:
            with suppress(Exception):
                async with asyncio.timeout(_CLOSE_S):
                    ended = sa.update(nodes).where(nodes.c.term == self._term).values(state=ENDED)
                    await self._store.execute(ended, sa.delete(claims).where(claims.c.term == self._term))
            self._term, self._state = None, ENDED


def _recovering(others: Sequence[tuple[NodeRow, bool | None]]) -> bool:
    """Whether a node may be recovering tables: nobody begins to serve before it is done."""
    return any(row.state == RECOVERING for row, _ in others)
