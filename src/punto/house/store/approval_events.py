"""What happens to an act of two persons: the events of the stream `approval/<id>`. It is asked for, then approved or
rejected, and what was approved is done or fails.

The stream `approval/carried-over` holds what was asked for before there were such streams, as the rows had it.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

PREFIX: Final = "approval/"
CARRIED_OVER: Final = "approval/carried-over"


class ApprovalEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """`by` is who did it: one of the two, or the house."""

    by: str


class Asked(ApprovalEvent, frozen=True, kw_only=True, tag="approval-asked"):
    """`hash` is over all that was asked: the second person says yes to it."""

    act: str
    what: dict[str, Any]
    hash: str


class Approved(ApprovalEvent, frozen=True, kw_only=True, tag="approval-approved"):
    """`reset_days`: so long who gave a new password counted then as one through whose hands an account had passed."""

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
    """A row as it stood. `becomes` is its state from here on: what was open lapses, and is asked for again."""

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
