"""The lock of the nodes on PostgreSQL, held by the node's session. Rows go by the server's clock."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

import sqlalchemy as sa

from punto.house.store.nodes import processes
from punto.house.store.nodes.liveness import LEASE_S, SURE_S, NodeRow
from punto.house.store.schema import ENDED

_REST_S: Final = 20.0
"""How long the sessions of a dead node may take to end: the server finishes their last statement."""
_LOOK_S: Final = 0.005

_CLOCK: Final = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
_HELD: Final = (
    "EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid() AND objsubid = 1 "
    "AND ((classid::bigint << 32) | objid::bigint) = $1 AND mode = '{}')"
)
_TRY: Final = {
    True: f"SELECT CASE WHEN {_HELD.format('ExclusiveLock')} THEN true ELSE pg_try_advisory_lock($1) END",
    False: f"SELECT CASE WHEN {_HELD.format('ShareLock')} THEN true ELSE pg_try_advisory_lock_shared($1) END",
}
"""A lock that is held is not taken twice: it would have to be released twice."""
_LET_IN: Final = f"SELECT CASE WHEN {_HELD.format('ExclusiveLock')} THEN pg_advisory_unlock($1) END"
_RENEW: Final = (
    "WITH quickly AS (SELECT set_config('synchronous_commit', 'off', true)) "
    f"UPDATE nodes SET seen_at = {_CLOCK} FROM quickly WHERE term = $2 AND state <> '{ENDED}' AND {_HELD}"
)
_PROVE: Final = {
    True: f"{_RENEW.format('ExclusiveLock')} RETURNING true",
    False: f"{_RENEW.format('ShareLock')} "
    f"RETURNING CASE WHEN {_HELD.format('ExclusiveLock')} THEN pg_advisory_unlock($1) ELSE true END",
}
"""A renewal may be lost, so it does not wait for disk or standby. A node that serves lets an exclusive lock go that it
still has: a renewal may have taken it again while the node began to share."""

_DEAD: Final = (
    "SELECT count(*) FROM pg_stat_activity AS other, pg_stat_activity AS own WHERE own.pid = pg_backend_pid() "
    "AND other.datname = own.datname AND other.application_name LIKE 'punto %' "
    "AND own.application_name NOT IN (other.application_name, other.application_name || ' node') "
    "AND other.application_name NOT LIKE '% node' AND NOT EXISTS (SELECT FROM pg_stat_activity AS node "
    "WHERE node.datname = own.datname AND node.application_name = other.application_name || ' node')"
)
"""Counts sessions of dead nodes. A node's sessions are named `punto` and its number; the one for its lock has
`node` at the end. A node that still has this session waits for the lock, as this one does."""


def lock_of(name: str) -> int:
    """A number for a lock's name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)


NODE: Final = lock_of("punto node")


class PostgresNodeLock:
    """See `NodeLock`. `ask` runs a statement in the session that holds the lock."""

    clock: sa.ColumnElement[int] = sa.literal_column(_CLOCK, sa.BigInteger)
    foreign_lock = (
        "a session on the PostgreSQL server that is not a node's holds the lock of this house's nodes: "
        "find it (pg_locks, locktype advisory; pg_stat_activity), end it and start again"
    )
    patience_s = 2 * LEASE_S

    def __init__(self, ask: Callable[..., Awaitable[Any]]) -> None:
        self._ask = ask
        self._database = ""

    async def database(self) -> str:
        if not self._database:
            self._database = await self._ask("SELECT oid::text FROM pg_database WHERE datname = current_database()")
        return self._database

    async def lock(self, *, alone: bool) -> bool:
        taken = bool(await self._ask(_TRY[alone], NODE))
        if taken and not alone:
            await self._ask(_LET_IN, NODE)
        return taken

    async def unlock(self) -> None:
        await self._ask("SELECT pg_advisory_unlock($1)", NODE)

    async def entered(self, term: int) -> None:
        """Do nothing: the lock is the session's, whatever the term."""

    async def renew(self, term: int, *, alone: bool) -> bool:
        return bool(await self._ask(_PROVE[alone], NODE, term))

    def is_alive(self, row: NodeRow, *, renewing: bool) -> bool | None:
        """A killed node of this machine counts as dead at once. Elsewhere only the age of its row tells."""
        alive = processes.is_alive(row.process)
        if alive is False or row.age_s > LEASE_S or (self._database and row.database != self._database):
            return False
        return True if renewing or (alive and abs(row.age_s) <= SURE_S) else None

    async def wait_for_writes(self) -> None:
        """Wait for the sessions of dead nodes: on a slow disk they may still be writing."""
        until = asyncio.get_running_loop().time() + _REST_S
        while await self._ask(_DEAD) and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(_LOOK_S)
