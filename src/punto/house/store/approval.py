"""An act that needs two persons: its state after the events of its stream, and the subject of a ruling. An approval is
valid for this subject and for no other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, assert_never

import msgspec

from punto.game import notation
from punto.game.table import Table
from punto.house.store import approval_events as e
from punto.house.store import chain, codec
from punto.house.store.records import Row

OPEN_MICROSECONDS: Final = 24 * 3600 * 1_000_000
"""After a day somebody has to ask again."""


class State(StrEnum):
    """`approved`: the act is being carried out. `lapsed`: it was open when approvals became streams, and
    somebody has to ask again."""

    ASKED = "asked"
    APPROVED = "approved"
    DONE = "done"
    FAILED = "failed"
    REJECTED = "rejected"
    LAPSED = "lapsed"


class Approval(msgspec.Struct, frozen=True, kw_only=True):
    """An act that was asked for. `outcome` is the response of the table, or why the act failed."""

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


def hash_of(id: str, act: str, what: dict[str, Any], by: str) -> str:
    """The hash that the second person approves. It covers the id, the act, its details and who asked."""
    whole = {"id": id, "act": act, "what": what, "asked_by": by}
    return hashlib.sha256(msgspec.json.encode(whole, order="sorted")).hexdigest()


def written(what: dict[str, Any]) -> str:
    """The details of an act, as stored in its row."""
    return msgspec.json.encode(what, order="sorted").decode()


def added_up(id: str, rows: Sequence[Row]) -> Approval | None:
    """The approval after a stream's rows. None where the chain is broken, or a row can't follow the one before."""
    stream = f"{e.PREFIX}{id}"
    if chain.broken(chain.start(stream), 0, rows) is not None:
        return None
    approval: Approval | None = None
    for row in rows:
        event = e.read(codec.raised(row))
        if not _follows(approval, event) or row.actor != event.by:
            return None
        approval = after(approval, id, row.at, event)
    return approval


def _follows(approval: Approval | None, event: e.AnyApprovalEvent) -> bool:
    match event:
        case e.Asked():
            return approval is None
        case e.Approved():
            return approval is not None and approval.state is State.ASKED and event.hash == approval.hash
        case e.Rejected():
            return approval is not None and approval.state is State.ASKED
        case e.Done() | e.Failed():
            return approval is not None and approval.state is State.APPROVED
        case e.CarryingOver() | e.CarriedOver():
            return False
        case _:
            assert_never(event)


def after(approval: Approval | None, id: str, at: int, event: e.AnyApprovalEvent) -> Approval:
    """Add one event, which must be one that may follow."""
    if isinstance(event, e.Asked):
        facts = {"hash": event.hash, "act": event.act, "what": event.what, "asked_by": event.by, "asked_at": at}
        return Approval(id=id, **facts, state=State.ASKED)  # type: ignore[arg-type]  # each is of its field's kind
    assert approval is not None, "an approval's first event is that it was asked for"
    match event:
        case e.Approved() | e.Rejected():
            state = State.APPROVED if isinstance(event, e.Approved) else State.REJECTED
            return msgspec.structs.replace(approval, state=state, decided_by=event.by, decided_at=at)
        case e.Done() | e.Failed():
            state = State.DONE if isinstance(event, e.Done) else State.FAILED
            return msgspec.structs.replace(approval, state=state, outcome=event.outcome)
        case e.CarryingOver() | e.CarriedOver():
            raise AssertionError("these are of another stream")
        case _:
            assert_never(event)


_NAMES: Final = ("kind", "paragraph", "cause", "round", "place", "after", "insurance", "hands")


def subject(table: Table) -> dict[str, Any]:
    """The open report and the current round: another report of the same kind is another subject, and so is another
    round. Face-down cards are left out."""
    report = table.irregularity
    about = {name: getattr(report, name) for name in _NAMES} if report is not None else None
    current = table.round.number if table.round is not None else None
    facts: dict[str, Any] = msgspec.json.decode(notation.encode({"irregularity": about, "current": current}))
    return facts


def command_of(command: dict[str, Any]) -> dict[str, Any]:
    """A command of an approval, in today's form: null for a field that was not given. An older one has defaults for
    such fields, which are removed."""
    if any(command.get(name) is None for name in _ASSUMED):
        return command
    return {name: value for name, value in command.items() if name not in _ASSUMED or value != _ASSUMED[name]}


_ASSUMED: Final = {
    "reconstruct": True,
    "order": [],
    "replace_cards": False,
    "end_shoe": False,
    "skip": 0,
    "action": "",
    "keep_side_bets": False,
    "patrons": [],
    "void_rounds": [],
    "pay": {},
}
