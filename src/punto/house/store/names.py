"""Names and roles of people, and the names that the house reserves for itself."""

from __future__ import annotations

import re
import secrets
from enum import StrEnum
from typing import Annotated, Final

import msgspec

from punto.rulebook.model import Rank

END: Final = r"$(?!\n)"
"""The end of a pattern, with one meaning in Python and the API's schema: Python's `$` alone lets a newline follow."""
PATTERN: Final = rf"^[a-z0-9._-]{{1,32}}{END}"
PersonName = Annotated[str, msgspec.Meta(pattern=PATTERN, min_length=1, max_length=32, examples=["mei-ling"])]

HOUSE: Final = "house"
"""Opens the first accounts, closes those of guests, stores snapshots, carries out approved acts."""
HOUSE_DEALER: Final = "house-dealer"
"""Deals at virtual tables. Nobody logs in as it."""
HOUSE_RECOVERY: Final = "house-recovery"
"""Reports what a restart interrupted."""
HOUSE_CLOCK: Final = "house-clock"
"""Records a step of a node's clock."""
HOUSE_CAGE: Final = "house-cage"
"""Cashes the chips of a patron who has gone, and frees the seat."""
HOUSE_WATCH: Final = "house-watch"
"""Raises the alarms of the watch."""
HOUSE_PREFIX: Final = "house-"
RESERVED: Final = frozenset({"house", "cage", "system"})
GUEST_PREFIX: Final = "guest-"


class Role(StrEnum):
    """What a person is to the house. Staff roles are the ranks of the rulebook."""

    PATRON = "patron"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit-supervisor"
    PIT_MANAGER = "pit-manager"
    SHIFT_MANAGER = "shift-manager"
    AUDITOR = "auditor"
    SURVEILLANCE = "surveillance"
    """Reads and reports. Bets, deals and decides nothing."""

    @property
    def rank(self) -> Rank | None:
        """The rank of staff; patrons, auditors and surveillance have none."""
        return _RANKS.get(self)

    def may_act_as(self, needed: Rank) -> bool:
        rank = self.rank
        return rank is not None and rank.may_act_as(needed)


_RANKS: Final = {Role(rank.value): rank for rank in Rank}
PATRON: Final = frozenset({Role.PATRON})
DEALER: Final = frozenset(role for role in Role if role.may_act_as(Rank.DEALER))
SUPERVISOR: Final = frozenset(role for role in Role if role.may_act_as(Rank.PIT_SUPERVISOR))
MANAGER: Final = frozenset(role for role in Role if role.may_act_as(Rank.PIT_MANAGER))
SHIFT: Final = frozenset(role for role in Role if role.may_act_as(Rank.SHIFT_MANAGER))

SURVEILLANCE: Final = frozenset({Role.SURVEILLANCE})
ONLOOKERS: Final = SURVEILLANCE | {Role.AUDITOR}
"""See a table as the pit does, but take no part."""

ASKERS: Final = {
    "balance-adjustment": SUPERVISOR,
    "rank": SHIFT,
    "late-settlement": DEALER,
    "watch-thresholds": SURVEILLANCE,
}
"""Who may ask for each act that needs two persons. A manager approves it."""

DESKS: Final = {
    "floor": SUPERVISOR | {Role.AUDITOR},
    "day": MANAGER | {Role.AUDITOR},
    "people": SHIFT,
    "watch": SURVEILLANCE | SHIFT | {Role.AUDITOR},
}
"""Who may open each desk of the page and read what it shows."""

_NAME: Final = re.compile(PATTERN, re.ASCII)


def is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def may_be_chosen(text: str) -> bool:
    """Whether a new account may take this name. It is not reserved, and begins with a letter or digit: `..` in a URL
    means another one, and a spreadsheet reads `-a1` as a formula."""
    kept = text in RESERVED or text.startswith((GUEST_PREFIX, HOUSE_PREFIX))
    return is_name(text) and text[0].isalnum() and not kept


def guest_name() -> str:
    """`guest-` and eight letters or digits: enough that no two guests get the same by chance."""
    alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
    return GUEST_PREFIX + "".join(secrets.choice(alphabet) for _ in range(8))
