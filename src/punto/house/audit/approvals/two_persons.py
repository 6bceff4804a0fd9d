"""Checks that an approval took two persons: who asked and who decided, by the streams of the people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from punto.house.audit.approvals.approval_stream import Record
from punto.house.audit.people.staff import Staff
from punto.house.store.approval import OPEN_MICROSECONDS, State, hash_of
from punto.house.store.clock_steps import Steps
from punto.house.store.names import ASKERS, MANAGER

_APPROVED: Final = (State.APPROVED, State.DONE, State.FAILED)
"""States that follow a second person's approval."""


class TwoPersons:
    """Judges approvals once the streams of all people are known."""

    def __init__(self, staff: Staff, steps: Steps) -> None:
        self._staff, self._steps = staff, steps

    def faults(self, record: Record, *, done: bool) -> Iterator[str]:
        """What is wrong with an approval by itself. `done`: its act is in a stream."""
        try:
            what = msgspec.json.decode(record.what)
            due = hash_of(record.id, record.act, what, record.asked_by)
        except (msgspec.DecodeError, TypeError):
            yield "what was asked can't be read"
            return
        if due != record.hash:
            yield "its hash is not that of what was asked"
        if msgspec.json.encode(what, order="sorted").decode() != record.what:
            yield "what was asked is not written as the house writes it"
        if record.state not in set(State):
            yield f"{record.state!r} is no state of an approval"
        yield from self._asker(record)
        if record.decided_at is not None and self._steps.before(record.decided_at, record.asked_at):
            yield "it was decided before it was asked for"
        if record.state == State.REJECTED and not self._may_reject(record):
            yield f"{record.decided_by} may not turn it down"
        if record.state in _APPROVED:
            yield from self._second(record, record.decided_by or "nobody")
        yield from self._both(record)
        if record.older:
            yield from _older_state(record, done=done)

    def _asker(self, record: Record) -> Iterator[str]:
        if record.act not in ASKERS:
            yield f"{record.act!r} is no act of two persons"
        elif not self._staff.roles(record.asked_by, record.asked_at) & ASKERS[record.act]:
            yield f"{record.asked_by} may not ask for it"
        if record.about.get("person") == record.asked_by:
            yield f"{record.asked_by} asked for an act on their own account"

    def _both(self, record: Record) -> Iterator[str]:
        """Neither person was locked out. With a password from somebody else, a person may only set their own."""
        for by, at, act in (
            (record.asked_by, record.asked_at, "asked for"),
            (record.decided_by, record.decided_at, "decided"),
        ):
            if by is None or at is None:
                continue
            if self._staff.locked(by, at):
                yield f"{by} was locked out when it was {act}"
            if not record.older and not self._staff.own_password(by, at):
                yield f"{by} had no password of their own when it was {act}"

    def _may_reject(self, record: Record) -> bool:
        """Whoever asked may withdraw the request."""
        by, at = record.decided_by or "nobody", record.decided_at or 0
        return by == record.asked_by or bool(self._staff.roles(by, at) & MANAGER)

    def _second(self, record: Record, by: str) -> Iterator[str]:
        """The approver is another person, a manager whom it does not concern. The accounts belong to two persons."""
        at = record.decided_at or 0
        if self._steps.before(record.asked_at, at, OPEN_MICROSECONDS):
            yield "it was approved more than a day after it was asked for"
        if by == record.asked_by:
            yield "it was not approved by a second person"
        if record.about.get("person") == by:
            yield f"{by} approved an act on their own account"
        if not self._staff.roles(by, at) & MANAGER:
            yield f"{by} was no manager when it was approved"
        yield from self._two_by_older_rule(record, by, at) if record.older else self._two(record, by, at)

    def _two(self, record: Record, by: str, at: int) -> Iterator[str]:
        """No one person has had both accounts in their hands."""
        asker, second = (self._staff.hands(name, at, record.reset_days) for name in (record.asked_by, by))
        if asker & second and by != record.asked_by:
            hands = min(asker & second)
            yield f"the accounts of {record.asked_by} and {by} have both passed through the hands of {hands}"

    def _two_by_older_rule(self, record: Record, by: str, at: int) -> Iterator[str]:
        """The rule from before approvals were streams."""
        if self._staff.opened_by(record.asked_by) == by or self._staff.opened_by(by) == record.asked_by:
            yield f"one of {record.asked_by} and {by} opened the account of the other"
        asker, second = (self._staff.reset_by(name, at) for name in (record.asked_by, by))
        if asker == by or second == record.asked_by or (asker is not None and asker == second):
            pair = f"{record.asked_by} and {by}"
            yield f"{pair} are not independent: one reset the other's password, or the same person reset both"


def _older_state(record: Record, *, done: bool) -> Iterator[str]:
    """When approvals became streams, open ones lapsed; those marked as done had been carried out."""
    if record.becomes is None:
        return
    match record.state:
        case State.ASKED:
            due = {State.LAPSED.value}
        case State.APPROVED:
            due = {State.DONE.value if done else State.LAPSED.value, State.FAILED.value}
        case _:
            due = {record.state}
    if record.becomes not in due:
        yield f"it was {record.state} when approvals became streams, but was recorded then as {record.becomes}"
