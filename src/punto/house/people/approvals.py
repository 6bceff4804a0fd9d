"""Acts that need two persons: one asks, another approves against the hash of what is asked, and it is done once.

An approval is first marked as approved, then carried out under a key of its own. Whoever dies in between leaves it
marked; it is carried out at the next start, or by whoever approves again, and the key sees to it that it happens once.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from punto.game.refusals import Refusal, refuse
from punto.house import logs
from punto.house.house_clock import HouseClock
from punto.house.people.tables import approvals
from punto.house.store import Store

OPEN_MICROSECONDS: Final = 24 * 3600 * 1_000_000
"""After a day somebody asks again."""


class State(StrEnum):
    """`approved` lasts as long as carrying it out takes."""

    ASKED = "asked"
    APPROVED = "approved"
    DONE = "done"
    FAILED = "failed"
    REJECTED = "rejected"


class Approval(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked. `outcome` is what became of it: the answer of the table, or why it failed."""

    id: str
    hash: str
    act: str
    what: dict[str, Any]
    asked_by: str
    asked_at: int
    state: State
    decided_by: str | None = None
    decided_at: int | None = None
    outcome: dict[str, Any] | None = None


CarryOut = Callable[[Approval], Awaitable[tuple[bool, dict[str, Any]]]]
"""Carries it out under a key made of its id; whether that worked, and the outcome."""


class Approvals:
    """Every approval, over one store. `carry_out` is given by whoever knows tables and wallets."""

    def __init__(self, store: Store, carry_out: CarryOut, clock: HouseClock | None = None) -> None:
        self.store, self._carry_out, self._clock = store, carry_out, clock or HouseClock(store)

    async def ask(self, act: str, what: dict[str, Any], by: str) -> Approval:
        id = secrets.token_hex(8)
        approval = Approval(
            id=id,
            hash=hash_of(id, act, what, by),
            act=act,
            what=what,
            asked_by=by,
            asked_at=self._clock.now(),
            state=State.ASKED,
        )
        row = msgspec.structs.asdict(approval) | {"what": msgspec.json.encode(what, order="sorted").decode()}
        await self.store.execute(sa.insert(approvals).values(**{**row, "state": State.ASKED.value}))
        return approval

    async def find(self, id: str) -> Approval | None:
        rows = await self.store.fetch(sa.select(approvals).where(approvals.c.id == id))
        return _approval(rows[0]) if rows else None

    async def page(
        self, state: State | None, limit: int, before: Approval | None = None, asked_by: str | None = None
    ) -> list[Approval]:
        """Newest first, from after the one that a page before ended with; of one asker where he is named."""
        asked = sa.select(approvals)
        if asked_by is not None:
            asked = asked.where(approvals.c.asked_by == asked_by)
        if state is not None:
            asked = asked.where(approvals.c.state == state.value)
        if before is not None:
            at, same = approvals.c.asked_at, approvals.c.asked_at == before.asked_at
            asked = asked.where(sa.or_(at < before.asked_at, sa.and_(same, approvals.c.id > before.id)))
        rows = await self.store.fetch(asked.order_by(approvals.c.asked_at.desc(), approvals.c.id).limit(limit))
        return [_approval(row) for row in rows]

    async def approve(self, approval: Approval, by: str, given_hash: str) -> Approval | Refusal:
        """Say yes to exactly this, and have it done."""
        no = _may_decide(approval, by, given_hash, self._clock.cautious())
        if no is not None:
            return no
        if approval.state is State.ASKED and not await self._take(approval, State.APPROVED, by):
            return refuse("already-decided", "somebody else has decided this")
        taken = await self.find(approval.id)
        assert taken is not None, "approvals are never taken out"
        return await self.finish(taken)

    async def reject(self, approval: Approval, by: str) -> Approval | Refusal:
        """Say no. Who asked may take it back."""
        if approval.state is not State.ASKED or not await self._take(approval, State.REJECTED, by):
            return refuse("already-decided", "this is decided already")
        return await self.find(approval.id) or approval

    async def finish(self, approval: Approval) -> Approval:
        """Carry out what is approved. Safe to do again, at any time and on any node."""
        if approval.state is not State.APPROVED:
            return approval
        good, outcome = await self._carry_out(approval)
        state = State.DONE if good else State.FAILED
        here = sa.and_(approvals.c.id == approval.id, approvals.c.state == State.APPROVED.value)
        written = msgspec.json.encode(outcome).decode()
        await self.store.execute(sa.update(approvals).where(here).values(state=state.value, outcome=written))
        return msgspec.structs.replace(approval, state=state, outcome=outcome)

    async def finish_all(self) -> None:
        """At the start: what was approved and not carried out when a node died."""
        for approval in await self.page(State.APPROVED, 1_000):
            try:
                await self.finish(approval)
            except Exception as error:  # it stays approved; the house opens all the same
                logs.fail("approval-not-carried-out", approval=approval.id, error=type(error).__name__)

    async def _take(self, approval: Approval, state: State, by: str) -> bool:
        """Only one can: the row changes while it is still only asked."""
        here = sa.and_(approvals.c.id == approval.id, approvals.c.state == State.ASKED.value)
        changed = await self.store.execute(
            sa.update(approvals).where(here).values(state=state.value, decided_by=by, decided_at=self._clock.now())
        )
        return changed == [1]


def hash_of(id: str, act: str, what: dict[str, Any], by: str) -> str:
    """What the second person says yes to: this act, with these words, asked by this person, this time."""
    whole = {"id": id, "act": act, "what": what, "asked_by": by}
    return hashlib.sha256(msgspec.json.encode(whole, order="sorted")).hexdigest()


def _may_decide(approval: Approval, by: str, given_hash: str, now: int) -> Refusal | None:
    if approval.asked_by == by:
        return refuse("same-person", "the second person is another one")
    if given_hash != approval.hash or approval.hash != hash_of(
        approval.id, approval.act, approval.what, approval.asked_by
    ):
        return refuse("hash-mismatch", "that is not the hash of what was asked")
    if approval.state is State.APPROVED and approval.decided_by == by:
        return None
    if approval.state is not State.ASKED:
        return refuse("already-decided", "this is decided already")
    if now - approval.asked_at > OPEN_MICROSECONDS:
        return refuse("too-late", "this was asked more than a day ago: ask again")
    return None


def _approval(row: Mapping[str, Any]) -> Approval:
    return Approval(
        id=row["id"],
        hash=row["hash"],
        act=row["act"],
        what=msgspec.json.decode(row["what"]),
        asked_by=row["asked_by"],
        asked_at=row["asked_at"],
        state=State(row["state"]),
        decided_by=row["decided_by"],
        decided_at=row["decided_at"],
        outcome=msgspec.json.decode(row["outcome"]) if row["outcome"] else None,
    )
