"""The JSON bodies by which acts of two persons are asked for."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from punto.house.people.watch_thresholds import WatchThresholds
from punto.house.store.names import END, PersonName, Role

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class BalanceAdjustment(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="balance-adjustment"
):
    """Move `cents` (a decimal string, also negative) from the cage to a wallet."""

    person: PersonName
    cents: Annotated[str, msgspec.Meta(pattern=rf"^-?(0|[1-9][0-9]{{0,12}})(\.[0-9]{{1,2}})?{END}", max_length=20)]
    reason: Reason


class LateSettlement(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="late-settlement"
):
    """A decide-irregularity that moves money of a round that is over, or a report-chips after its settlement."""

    table: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    command: dict[str, Any]


class Rank(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="rank"):
    """Give somebody a rank that may approve. Whoever could do that alone would be both persons of every act."""

    person: PersonName
    role: Role


Act = BalanceAdjustment | LateSettlement | Rank | WatchThresholds
