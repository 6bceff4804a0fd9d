"""A past round: the record that history, frames, score boards and exports read. `fold` builds it.

It holds what one audience may know, and nothing else.
"""

from __future__ import annotations

import msgspec

from punto.game import events as e
from punto.game.table import Entry, Irregular, Phase, SettledLine
from punto.money import Cents
from punto.rulebook.model import Bet, Insurance, Moment

Cards = dict[str, str | None]
"""Place → face, in the order of the deal. None: the card lies face down."""


class EventShown(msgspec.Struct, frozen=True, kw_only=True):
    """An event with its version and time."""

    version: int
    at: str
    event: e.AnyEvent


class WagerLaid(msgspec.Struct, frozen=True, kw_only=True):
    """A wager that stands in the round."""

    wager: str
    patron: str
    box: int
    bet: Bet
    stake_cents: Cents = msgspec.field(name="stake")
    in_play_cents: Cents = msgspec.field(name="in_play")


class InsuranceHeld(msgspec.Struct, frozen=True, kw_only=True):
    insurance: str
    patron: str
    bet: Insurance
    after: Moment
    stake_cents: Cents = msgspec.field(name="stake")


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A round. `state` is open, settled, void or concluded (no wager remained)."""

    table: str = ""
    round: int
    hand: int
    shoe: int | None = None
    edition: str
    at: str
    ended_at: str | None = None
    state: str = "open"
    winner: str | None = None
    player_points: int | None = None
    banker_points: int | None = None
    cards: Cards = {}
    lines: tuple[SettledLine, ...] = ()
    entries: tuple[Entry, ...] = ()
    """Compensating entries of corrections."""
    paid: tuple[Entry, ...] = ()
    """What rulings at discretion paid beside the lines (O93)."""
    corrected: bool = False
    net: str | None = None
    """The result by the lines, plus payments: for a patron their own, for staff that of all patrons."""


class PastRound(RoundSummary, frozen=True, kw_only=True):
    """A round with everything that was said and done."""

    phase: Phase = Phase.BETTING
    next_place: str | None = None
    """In a frame: where the Table of Play wants the next card."""
    wagers: tuple[WagerLaid, ...] = ()
    insurance: tuple[InsuranceHeld, ...] = ()
    offers: tuple[e.InsuranceOffered, ...] = ()
    open_offers: tuple[e.InsuranceOffered, ...] = ()
    """A late offer may be open beside an ordinary one (5.17.1)."""
    waiting: tuple[str | None, ...] = ()
    """Cards that have left the shoe in this round and wait for their place; null lies face down (I4)."""
    banker_first: bool = False
    """The Banker's third card is opened first (3.14)."""
    irregularities: tuple[Irregular, ...] = ()
    """What was reported of this round while it was the current one."""
    irregularity: Irregular | None = None
    """The open report."""
    ruled_on: bool = False
    choices: dict[str, str] = {}
    """Each patron's option; "" while it is not chosen."""
    says: tuple[str, ...] = ()
    paragraphs: tuple[str, ...] = ()
    events: tuple[EventShown, ...] = ()

    @property
    def paid_cents(self) -> int:
        """What rulings paid. What cleared a debt counts as paid: the lines that left the debt count as lost."""
        return sum(entry.paid_cents + entry.cleared_cents for entry in self.paid)


def summary(past: PastRound) -> RoundSummary:
    """The round without its events, for a list."""
    return RoundSummary(**{name: getattr(past, name) for name in RoundSummary.__struct_fields__})


def is_excess(line: SettledLine, lines: tuple[SettledLine, ...]) -> bool:
    """Whether a line is the part of a wager that was not in play: it is always returned."""
    return line.result == "returned" and any(
        other.wager == line.wager and other.result != "returned" for other in lines
    )
