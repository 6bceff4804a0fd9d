"""The pace of a table: seconds for each step, as the list of tables stores them."""

from __future__ import annotations

from typing import Final

import msgspec


class Pace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Seconds that the dealer of a virtual table allows. A live table uses those of betting for its clock."""

    betting: float = 20.0
    insurance: float = 10.0
    """An offer is closed early once everybody concerned has answered."""
    card: float = 1.0
    """Between two cards, or two acts of the dealer."""
    result: float = 6.0
    options: float = 30.0
    """For the options of an irregularity, and for withdrawing where the cut card came first."""
    squeeze: float = 12.0
    """For the patron who may turn a card; then staff turn it."""


PACE: Final = Pace()
AT_ONCE: Final = Pace(betting=0, insurance=0, card=0, result=0, options=0, squeeze=0)
