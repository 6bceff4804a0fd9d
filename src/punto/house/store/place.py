"""A node's place among those that serve one database: a lock, and a row with a term beside it.

The lock goes with its holder, or with a connection that is lost; the row does not. Whoever wants to recover tables must
have the lock alone, and no row may be of a node that might still be serving. A node proves its place each second. One
that has not for a while is unsure: it takes no round to the deal, and others take its tables. It comes back by itself.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
import sqlalchemy as sa

from punto.house import metrics
from punto.house.store import processes
from punto.house.store.nodes import SURE_S, Ground, NoAnswer, Row, Watch
from punto.house.store.records import Away, Clash, StoreBroken
from punto.house.store.schema import ENDED, RECOVERING, SERVING, claims, nodes

if TYPE_CHECKING:
    from sqlalchemy.sql import Executable

log = logging.getLogger("punto.node")

BEAT_S: Final = 1.0
"""How often a node proves its place."""
_LOOK_S: Final = 0.02
_CLOSE_S: Final = 2.0
_MOST_TRIES: Final = 100


class Rows(Protocol):
    """Of a store."""

    async def fetch(self, statement: Executable) -> list[Mapping[str, Any]]: ...

    async def execute(self, *statements: Executable) -> list[int]: ...


class Place:
    """This node's. It is taken by `alone`, by `share`, or by the first claim."""

    def __init__(self, rows: Rows, ground: Ground, wake: Callable[[], None], give_up: Callable[[str], None]) -> None:
        """`wake`: others may have written. `give_up`: this node can't go on."""
        self._rows = rows
        self._ground = ground
        self._wake = wake
        self._give_up = give_up
        self._term: int | None = None
        self._state = ENDED
        self._proved_at = 0.0
        self._others: set[int] = set()
        self._taking = asyncio.Lock()
        self._beat = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None
        self._told_unsure = False

    @property
    def unsure(self) -> bool:
        """Whether this node has a place that it could not prove lately, by a clock that nobody sets."""
        return self._term is not None and time.monotonic() - self._proved_at > SURE_S

    # ------------------------------------------------------------------ taking it

    async def alone(self) -> bool:
        """See `Store.alone`. Raises StoreBroken where a stranger holds the lock."""
        if self._term is not None:
            return self._state == RECOVERING
        watch = Watch()
        blocked = time.monotonic()
        while True:
            try:
                await self._ground.database()
                others = await self._look(watch)
                if not others:
                    if await self._taken_alone(watch):
                        return True
                elif any(living for _, living in others) and not _recovering(others):
                    if await self._ground.lock(alone=False):
                        await self._enter(SERVING)
                        return False
                else:
                    blocked = time.monotonic()
            except (NoAnswer, Away):
                blocked = time.monotonic()
            if time.monotonic() - blocked > self._ground.patience_s:
                raise StoreBroken(self._ground.stranger)
            await asyncio.sleep(_LOOK_S)

    async def _taken_alone(self, watch: Watch) -> bool:
        """The lock, and then another look: whoever takes a place has the lock first. Asked again, it rests again."""
        if self._term is None:
            if not await self._ground.lock(alone=True):
                return False
            rows = await self._all()
            if self._judged(rows, watch) or not await self._end(rows):
                await self._ground.unlock()
                return False
            await self._enter(RECOVERING)
        await self._ground.rest()
        return True

    async def _end(self, rows: Sequence[Row]) -> bool:
        """The rows of nodes that have gone, unless one of them proves its place at this moment."""
        ends = [
            sa.update(nodes).where(nodes.c.term == row.term, nodes.c.seen_at == row.seen_at).values(state=ENDED)
            for row in rows
        ]
        return all(await self._rows.execute(*ends)) if ends else True

    async def share(self) -> None:
        async with self._taking:
            while not await self._shared():
                await asyncio.sleep(_LOOK_S)

    async def _shared(self) -> bool:
        if self._state == SERVING:
            return True
        try:
            if not await self._ground.lock(alone=False):
                return False
            if self._term is None:
                await self._enter(SERVING)
            else:
                await self._rows.execute(sa.update(nodes).where(nodes.c.term == self._term).values(state=SERVING))
        except (NoAnswer, Away):
            return False
        self._state = SERVING
        return True

    async def _enter(self, state: str) -> None:
        process, database = processes.own(), await self._ground.database()
        for _ in range(_MOST_TRIES):
            asked_at = time.monotonic()
            (top,) = await self._rows.fetch(sa.select(sa.func.max(nodes.c.term).label("term")))
            term = (top["term"] or 0) + 1
            row = {"term": term, "process": process, "database": database, "state": state}
            entered = sa.insert(nodes).values(**row, seen_at=self._ground.clock)
            with suppress(Clash, Away):
                await self._rows.execute(entered, sa.delete(nodes).where(nodes.c.state == ENDED, nodes.c.term < term))
                await self._ground.entered(term)
                self._term, self._state, self._proved_at = term, state, asked_at
                if self._keeping is None:
                    self._keeping = asyncio.create_task(self._keep(), name="place")
                return
        raise StoreBroken("this node can't take a place among the others")

    # ------------------------------------------------------------------ proving it

    def hurry(self) -> None:
        """Prove it now: the connection is another one."""
        self._beat.set()

    async def _keep(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_S):
                    await self._beat.wait()
            self._beat.clear()
            self._say()
            try:
                await self._proved()
            except (NoAnswer, TimeoutError, Away, StoreBroken) as error:
                log.info("the place could not be proved: %s", error)
            except Exception:
                log.exception("the place could not be proved")
            self._say()

    async def _proved(self) -> None:
        assert self._term is not None, "only a place that was taken is proved"
        asked_at = time.monotonic()
        if await self._ground.prove(self._term, alone=self._state == RECOVERING):
            self._proved_at = asked_at
        else:
            await self._taken_again()
        async with asyncio.timeout(SURE_S):
            self._others = await self._holders()

    async def _taken_again(self) -> None:
        """The lock is gone with its connection, or the row was ended by a node that found this one gone."""
        alone = self._state == RECOVERING
        asked_at = time.monotonic()
        assert self._term is not None
        if await self._ground.lock(alone=alone) and await self._ground.prove(self._term, alone=alone):
            self._proved_at = asked_at
            log.warning("this node's lock was lost with its connection, and is taken again")
        elif alone and self.unsure:
            self._give_up("another node started while this one recovered tables and had lost its connection")
        elif not alone and await self._ended():
            self._proved_at = float("-inf")
            self._say()
            if not _recovering(await self._look(Watch())) and await self._ground.lock(alone=False):
                await self._enter(SERVING)
                log.warning("another node took this one for gone: it begins anew, with term %d", self._term)
                self._wake()

    async def _ended(self) -> bool:
        return self._term not in {row.term for row in await self._all(own=True)}

    def _say(self) -> None:
        """Once when it begins to be unsure, and once when it is over."""
        if self.unsure == self._told_unsure:
            return
        self._told_unsure = self.unsure
        metrics.unsure.set(self.unsure)
        if self.unsure:
            metrics.places_lost.inc()
            log.warning("this node can't prove its place: it is not ready, and takes no round to the deal")
        else:
            log.warning("this node has its place again")
            self._wake()

    # ------------------------------------------------------------------ the others

    async def _all(self, *, own: bool = False) -> list[Row]:
        """The rows of nodes that have not ended, but for this one's."""
        asked = sa.select(nodes, self._ground.clock.label("now")).where(nodes.c.state != ENDED)
        found = [msgspec.convert(dict(row), Row) for row in await self._rows.fetch(asked)]
        return [row for row in found if own or row.term != self._term]

    async def _look(self, watch: Watch) -> list[tuple[Row, bool | None]]:
        """The nodes that serve (True) or might (None)."""
        return self._judged(await self._all(), watch)

    def _judged(self, rows: Sequence[Row], watch: Watch) -> list[tuple[Row, bool | None]]:
        judged = [(row, self._ground.living(row, moves=watch.moves(row))) for row in rows]
        return [(row, living) for row, living in judged if living or (living is None and not watch.still(row))]

    async def _holders(self) -> set[int]:
        """Terms of the nodes that hold what they have claimed."""
        return {row.term for row, living in await self._look(Watch()) if living or abs(row.age_s) <= SURE_S}

    async def claim(self, name: str) -> bool:
        """See `Store.claim`. A claim is its node's as long as that has its place."""
        async with self._taking:
            if self._term is None and not await self._shared():
                return False
        if self.unsure:
            return False
        try:
            return await self._claimed(name)
        except (Clash, Away, StoreBroken, NoAnswer, TimeoutError):
            return False

    async def _claimed(self, name: str) -> bool:
        own = claims.c.name == name
        found = await self._rows.fetch(sa.select(claims.c.term).where(own))
        if not found:
            return await self._rows.execute(sa.insert(claims).values(name=name, term=self._term)) == [1]
        holder = found[0]["term"]
        if holder == self._term or holder in self._others:
            return bool(holder == self._term)
        if holder in await self._holders():
            return False
        taken = sa.update(claims).where(own, claims.c.term == holder).values(term=self._term)
        return await self._rows.execute(taken) == [1]

    async def release(self, name: str) -> None:
        if self._term is not None:
            with suppress(Away, StoreBroken):
                await self._rows.execute(sa.delete(claims).where(claims.c.name == name, claims.c.term == self._term))

    async def close(self) -> None:
        """The row is ended, so that nobody waits for this node."""
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
        if self._term is not None:
            with suppress(Exception):
                async with asyncio.timeout(_CLOSE_S):
                    ended = sa.update(nodes).where(nodes.c.term == self._term).values(state=ENDED)
                    await self._rows.execute(ended, sa.delete(claims).where(claims.c.term == self._term))
            self._term, self._state = None, ENDED


def _recovering(others: Sequence[tuple[Row, bool | None]]) -> bool:
    """Whether a node may be putting tables right: nobody begins to serve before it is done."""
    return any(row.state == RECOVERING for row, _ in others)
