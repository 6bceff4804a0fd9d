"""The events of the stream `approval/<id>`: somebody asks for an act that needs two persons, the act is approved or
rejected, and an approved act is done or fails.

The stream `approval/carried-over` holds the approvals from before there were such streams, as their rows stood.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

PREFIX: Final = "approval/"
CARRIED_OVER: Final = "approval/carried-over"


class ApprovalEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """`by` is one of the two persons, or the house."""

    by: str


class Asked(ApprovalEvent, frozen=True, kw_only=True, tag="approval-asked"):
    """`hash` covers all that was asked for. The second person approves it."""

    act: str
    what: dict[str, Any]
    hash: str


class Approved(ApprovalEvent, frozen=True, kw_only=True, tag="approval-approved"):
    """`reset_days`, as set then: so long an account counts as passed through the hands of whoever gave it a new
    password."""

    hash: str
    reset_days: int


class Rejected(ApprovalEvent, frozen=True, kw_only=True, tag="approval-rejected"):
    pass


class Done(ApprovalEvent, frozen=True, kw_only=True, tag="approval-done"):
    outcome: dict[str, Any]


class Failed(ApprovalEvent, frozen=True, kw_only=True, tag="approval-failed"):
    outcome: dict[str, Any]


class CarryingOver(ApprovalEvent, frozen=True, kw_only=True, tag="approvals-carried-over"):
    """The first event of its stream, once in a house's life: from here on an approval is a stream of its own."""

    count: int


class CarriedOver(ApprovalEvent, frozen=True, kw_only=True, tag="approval-carried-over"):
    """A row as it stood. `becomes` is its state from here on: an open act lapses, and somebody has to ask again,
    unless its outcome is on record."""

    id: str
    hash: str
    act: str
    what: str
    asked_by: str
    asked_at: int
    state: str
    becomes: str
    decided_by: str | None = None
    decided_at: int | None = None
    outcome: str | None = None


AnyApprovalEvent = Asked | Approved | Rejected | Done | Failed | CarryingOver | CarriedOver

_decoder: Final[msgspec.json.Decoder[AnyApprovalEvent]] = msgspec.json.Decoder(AnyApprovalEvent)


def read(line: bytes) -> AnyApprovalEvent:
    """Read an event of an approval's stream. Raises ValueError (msgspec.ValidationError)."""
    return _decoder.decode(line)
