"""Approvals from before they were streams: nothing shows who wrote these rows.

The first start that knows streams puts all of them on record as they stand, once in a house's life and in one commit.
None of them is carried out any more: those still open lapse, and people ask again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from punto.house import logs
from punto.house.instants import unix_micros
from punto.house.store import approval_events as e
from punto.house.store import codec
from punto.house.store.approval import Approval, State
from punto.house.store.interface import Store
from punto.house.store.names import HOUSE
from punto.house.store.people_tables import approvals
from punto.house.store.records import MOST_READ, Outcome, Unit

_OPEN: Final = (State.ASKED.value, State.APPROVED.value)
_AT_ONCE: Final = 1_000
"""Rows that go into one command."""


async def carry_over(store: Store) -> None:
    """Put the existing rows on record, once: a second call changes nothing."""
    version, before = await store.head(e.CARRIED_OVER)
    if version:
        return
    carried: list[e.AnyApprovalEvent] = []
    also: list[Any] = []
    for row in await store.fetch(sa.select(approvals).order_by(approvals.c.asked_at, approvals.c.id)):
        try:
            event = msgspec.convert({**row, "by": HOUSE, "becomes": await _becomes(store, row)}, e.CarriedOver)
        except (msgspec.ValidationError, ValueError) as error:
            logs.fail("approval-unreadable", approval=str(row["id"]), error=str(error))
            continue
        carried.append(event)
        if event.becomes != event.state:
            also.append(sa.update(approvals).where(approvals.c.id == event.id).values(state=event.becomes))
    events = (e.CarryingOver(by=HOUSE, count=len(carried)), *carried)
    parts = [events[start : start + _AT_ONCE] for start in range(0, len(events), _AT_ONCE)]
    rows = codec.rows(
        e.CARRIED_OVER, version, before, unix_micros(), [codec.CommandEvents(part, HOUSE) for part in parts]
    )
    done = await store.append(Unit(e.CARRIED_OVER, version, rows), *also)
    assert done is Outcome.DONE or (await store.head(e.CARRIED_OVER))[0], "somebody writes it, this node or another"


async def carried_over(store: Store) -> dict[str, Approval]:
    """All older approvals, by id."""
    by_id: dict[str, Approval] = {}
    version = 0
    while rows := await store.read(e.CARRIED_OVER, version):
        for row in rows:
            event = e.read(codec.raised(row))
            if isinstance(event, e.CarriedOver):
                by_id[event.id] = _approval(event)
        version = rows[-1].version
        if len(rows) < MOST_READ:
            break
    return by_id


async def _becomes(store: Store, row: Mapping[str, Any]) -> str:
    """A house may have died after the act was done or refused, and before the row said so: the act's key tells."""
    state = str(State(row["state"]).value)
    if state not in _OPEN:
        return state
    what = _object(row["what"])
    stream, key = f"person/{what.get('person')}", f"approval-{row['id']}"
    if row["act"] == "late-settlement":
        stream, key = f"table/{what.get('table')}", f"{row['asked_by']}/{key}"
    known = await store.answered(stream, key) if state == State.APPROVED else None
    if known is None or known.body.hex() != row["hash"]:
        return State.LAPSED.value
    return State.FAILED.value if known.refusal is not None else State.DONE.value


def _approval(event: e.CarriedOver) -> Approval:
    outcome = _object(event.outcome) if event.outcome else None
    row = {**msgspec.structs.asdict(event), "what": _object(event.what), "state": event.becomes, "outcome": outcome}
    return msgspec.convert(row, Approval)


def _object(text: str) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return {}
    return value if isinstance(value, dict) else {}
