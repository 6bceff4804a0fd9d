"""Approvals: one person asks for an act, another approves the hash of what is asked, and it is done once.

The stream `approval/<id>` records what happened. The row in `approvals` is an index, written in the same commit, to
find approvals by; what it says is never trusted. An act is first approved, then carried out under a key of its own. If
a node dies in between, the act stays approved. It is carried out at the next start, or when its approver approves it
again, and the key ensures that it happens once.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from itertools import groupby
from typing import Any

import msgspec
import sqlalchemy as sa

from punto.codes import Code
from punto.game.refusals import Refusal, refuse
from punto.house import logs
from punto.house.people.older_approvals import carried_over
from punto.house.people.second_person import RESET_DAYS
from punto.house.store import approval_events as e
from punto.house.store import codec
from punto.house.store.approval import OPEN_MICROSECONDS, Approval, State, added_up, after, hash_of, written
from punto.house.store.interface import Store
from punto.house.store.names import HOUSE
from punto.house.store.people_tables import approvals
from punto.house.store.records import Outcome, Row, Unit
from punto.house.store.schema import events
from punto.house.table.node_clock import NodeClock

CarryOut = Callable[[Approval], Awaitable[tuple[bool, dict[str, Any]]]]
"""Carries out an approval under a key made of its id; whether that worked, and the outcome."""


class Approvals:
    """Every approval, over one store. `carry_out` does the act."""

    def __init__(
        self, store: Store, carry_out: CarryOut, clock: NodeClock | None = None, reset_days: int = RESET_DAYS
    ) -> None:
        self.store, self._carry_out, self._clock = store, carry_out, clock or NodeClock(store)
        self._reset_days = reset_days
        self._before: dict[str, Approval] | None = None

    async def ask(self, act: str, what: dict[str, Any], by: str) -> Approval:
        id, at = secrets.token_hex(8), self._clock.now()
        event = e.Asked(by=by, act=act, what=what, hash=hash_of(id, act, what, by))
        row = {"id": id, "hash": event.hash, "act": act, "what": written(what), "asked_by": by, "asked_at": at}
        insert = sa.insert(approvals).values(**row, state=State.ASKED.value)
        if not await self._append(id, 0, event, at, insert):
            raise AssertionError("an id of 64 random bits was there already")
        return after(None, id, at, event)

    async def find(self, id: str) -> Approval | None:
        return await self._read(id) or (await self._older()).get(id)

    async def page(
        self,
        state: State | None,
        limit: int,
        before: Approval | None = None,
        asked_by: str | None = None,
        hidden: Sequence[str] = (),
    ) -> list[Approval]:
        """Newest first, from after `before`, where the previous page ended; those of `asked_by` if given, without
        `hidden` acts. The index selects them; what is shown comes from the streams."""
        query = sa.select(approvals.c.id).where(approvals.c.act.not_in(hidden))
        if asked_by is not None:
            query = query.where(approvals.c.asked_by == asked_by)
        if state is not None:
            query = query.where(approvals.c.state == state.value)
        if before is not None:
            at, same = approvals.c.asked_at, approvals.c.asked_at == before.asked_at
            query = query.where(sa.or_(at < before.asked_at, sa.and_(same, approvals.c.id > before.id)))
        rows = await self.store.fetch(query.order_by(approvals.c.asked_at.desc(), approvals.c.id).limit(limit))
        return await self._all([str(row["id"]) for row in rows])

    async def waiting(self, hidden: Sequence[str] = ()) -> int:
        """How many wait for a second person, by the index, without those that are too old to be approved and without
        `hidden` acts."""
        since = self._clock.cautious() - OPEN_MICROSECONDS
        shown = approvals.c.act.not_in(hidden)
        conditions = (approvals.c.state == State.ASKED.value, approvals.c.asked_at >= since, shown)
        rows = await self.store.fetch(sa.select(sa.func.count().label("count")).where(*conditions))
        return int(rows[0]["count"])

    async def approve(self, approval: Approval, by: str, hash: str) -> Approval | Refusal:
        """Approve exactly what has this hash, and have it done."""
        current = await self.find(approval.id)
        if current is None:
            return refuse(Code.NEVER_ASKED, "nobody has asked for this")
        refusal = _may_decide(current, by, hash, self._clock.cautious())
        if refusal is not None:
            return refusal
        if current.state is State.ASKED:
            event = e.Approved(by=by, hash=hash, reset_days=self._reset_days)
            current = await self._decided(current, event, State.APPROVED)
        if current is None:
            return refuse(Code.ALREADY_DECIDED, "somebody else has decided this")
        return await self.finish(current)

    def is_open_to(self, approval: Approval, by: str) -> bool:
        """Whether `by` would not be too late to approve it, and has not asked for it."""
        refusal = _may_decide(approval, by, approval.hash, self._clock.cautious())
        return approval.state is State.ASKED and refusal is None

    async def reject(self, approval: Approval, by: str) -> Approval | Refusal:
        """Reject an act, or withdraw one's own."""
        current = await self.find(approval.id)
        if current is None or current.state is not State.ASKED:
            return refuse(Code.ALREADY_DECIDED, "this is decided already")
        rejected = await self._decided(current, e.Rejected(by=by), State.REJECTED)
        return rejected or refuse(Code.ALREADY_DECIDED, "somebody else has decided this")

    async def finish(self, approval: Approval) -> Approval:
        """Carry out an approved act. It can be done again, at any time and on any node: the key lets it happen once,
        and who comes second records what the first did."""
        if approval.state is not State.APPROVED:
            return approval
        good, outcome = await self._carry_out(approval)
        event: e.Done | e.Failed = e.Done(by=HOUSE, outcome=outcome) if good else e.Failed(by=HOUSE, outcome=outcome)
        at, state = self._clock.now(), State.DONE if good else State.FAILED
        row = _row(approval.id, state=state.value, outcome=msgspec.json.encode(outcome).decode())
        if await self._append(approval.id, 2, event, at, row):
            return after(approval, approval.id, at, event)
        # Another node has carried it out at the same time, under the same key: the outcome that it recorded stands.
        return await self._read(approval.id) or approval

    async def finish_all(self) -> None:
        """At the start: carry out what was approved when a node died."""
        marked = sa.select(approvals.c.id).where(approvals.c.state == State.APPROVED.value).limit(1_000)
        for row in await self.store.fetch(marked):
            id = str(row["id"])
            try:
                approval = await self._read(id)
                if approval is None:
                    logs.fail("approval-nobody-asked-for", approval=id)
                else:
                    await self.finish(approval)
            except Exception as error:  # it stays approved; the house opens all the same
                logs.fail("approval-not-carried-out", approval=id, error=type(error).__name__)

    async def _decided(self, approval: Approval, event: e.Approved | e.Rejected, state: State) -> Approval | None:
        """Record a decision. Only one succeeds: the second version of a stream is written once."""
        at = self._clock.now()
        row = _row(approval.id, state=state.value, decided_by=event.by, decided_at=at)
        done = await self._append(approval.id, 1, event, at, row)
        return after(approval, approval.id, at, event) if done else None

    async def _append(self, id: str, expected: int, event: e.AnyApprovalEvent, at: int, row: sa.Executable) -> bool:
        """Append the event and its index row in one commit, or neither."""
        stream = f"{e.PREFIX}{id}"
        version, before = await self.store.head(stream)
        if version != expected:
            return False
        if version:
            (newest,) = await self.store.read(stream, version - 1, 1)
            await self._clock.explain(newest.at)
        rows = codec.rows(stream, version, before, at, [codec.CommandEvents((event,), event.by)])
        return await self.store.append(Unit(stream, version, rows), row) is Outcome.DONE

    async def _read(self, id: str) -> Approval | None:
        """The approval by its stream; None where there is none that could be the house's."""
        return added_up(id, await self.store.read(f"{e.PREFIX}{id}")) if id not in await self._older() else None

    async def _all(self, ids: list[str]) -> list[Approval]:
        query = sa.select(events).where(events.c.stream.in_([f"{e.PREFIX}{id}" for id in ids]))
        rows = [Row(**row) for row in await self.store.fetch(query.order_by(events.c.stream, events.c.version))]
        by_id = dict(await self._older())
        for stream, group in groupby(rows, key=lambda row: row.stream):
            id = stream.removeprefix(e.PREFIX)
            approval = added_up(id, list(group))
            if approval is not None:
                by_id.setdefault(id, approval)
        return [by_id[id] for id in ids if id in by_id]

    async def _older(self) -> dict[str, Approval]:
        """Approvals from before there were streams. They never change, and are read once."""
        if self._before is None:
            self._before = await carried_over(self.store)
        return self._before


def _may_decide(approval: Approval, by: str, hash: str, now: int) -> Refusal | None:
    if approval.asked_by == by:
        return refuse(Code.SAME_PERSON, "you asked for this yourself: another person must approve it")
    if not hash == approval.hash == hash_of(approval.id, approval.act, approval.what, approval.asked_by):
        return refuse(Code.HASH_MISMATCH, "the hash is not that of what was asked: look at it again")
    if approval.state is State.APPROVED and approval.decided_by == by:
        return None
    if approval.state is State.LAPSED:
        return refuse(Code.LAPSED, "this was asked of an older version of the house: ask again")
    if approval.state is not State.ASKED:
        return refuse(Code.ALREADY_DECIDED, "this is decided already")
    if now - approval.asked_at > OPEN_MICROSECONDS:
        return refuse(Code.TOO_LATE, "this was asked more than a day ago: ask again")
    return None


def _row(id: str, **values: Any) -> sa.Executable:
    return sa.update(approvals).where(approvals.c.id == id).values(**values)
