"""The records of a view: what one audience sees of a table, as on the wire. Who sees what is in `audience.py`."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from punto.game.endings import Insuring
from punto.game.explain import Drawing
from punto.game.possible import Possible
from punto.game.table import BankerFirst, Phase, SettledLine, Squeeze, TableLimits
from punto.money import Cents
from punto.rulebook.model import Bet, Insurance, Moment


class Box(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A box as it lies: chips are in everybody's sight, names are not.

    While betting is open and somebody sits there: the room that the limits leave on a bet, and where that is more for
    the patron who sits there, theirs. A bet that no limit bounds is in neither.
    """

    box: int
    occupied: bool
    stakes: dict[Bet, Cents]
    differential_cents: Cents = msgspec.field(name="differential")
    room: dict[Bet, Cents] = {}
    seated_room: dict[Bet, Cents] = {}


class OnOffer(msgspec.Struct, frozen=True, kw_only=True):
    """Insurance on offer, with its odds (3.12)."""

    bet: Insurance
    after: Moment
    odds: Fraction
    player_points: int
    banker_points: int
    paragraph: str


class WagerSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A wager as its patron and staff see it."""

    wager: str
    patron: str
    box: int
    bet: Bet
    stake_cents: Cents = msgspec.field(name="stake")
    in_play_cents: Cents = msgspec.field(name="in_play")
    seated: bool


class InsuranceSeen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Insurance that was taken, as its patron and staff see it."""

    insurance: str
    patron: str
    bet: Insurance
    after: Moment
    stake_cents: Cents = msgspec.field(name="stake")
    area: Insurance | None = None
    """Where its chips lie, if not where they belong: until they are moved they settle there (5.18, 5.19)."""


class View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one audience sees. Fields past `results` are empty for those who may not see them."""

    table: str
    edition: str
    layout: str
    bets: tuple[Bet, ...]
    phase: Phase
    currency: str
    limits: TableLimits
    notice: str | None
    device: str
    facing: str
    source: str
    decks: int
    differential_cents: Cents = msgspec.field(name="differential")
    shoe: int | None
    hand: int | None
    round: int | None
    last_round: bool
    cards: dict[str, str | None]
    boxes: tuple[Box, ...]
    on_offer: OnOffer | None
    winner: str | None
    results: str
    points: dict[str, int] = {}
    """Of the open cards of each hand."""
    name: str | None = None
    """What people call the table."""
    commitment: str | None = None
    """To the order of the virtual shoe in use (its salt and order are published when it ends)."""
    late_offer: OnOffer | None = None
    """Insurance offered late because it was missed (5.17.1)."""
    irregularity: str | None = None
    next_limits: TableLimits | None = None
    """Limits that hold from the next round on."""
    closes_after: int | None = None
    """The last round before the table closes, where that was announced."""
    waiting: tuple[str | None, ...] = ()
    """Cards that were carried over and are dealt before any from the shoe; null lies face down (I4, O302)."""
    patron: str | None = None
    seat: int | None = None
    balance_cents: Cents | None = msgspec.field(default=None, name="balance")
    wagers: tuple[WagerSeen, ...] = ()
    insurance: tuple[InsuranceSeen, ...] = ()
    may_insure_cents: dict[str, Cents] = msgspec.field(default_factory=dict, name="may_insure")
    may_insure_late_cents: dict[str, Cents] = msgspec.field(default_factory=dict, name="may_insure_late")
    unanswered: tuple[str, ...] = ()
    """Who has neither taken nor declined the insurance that is on offer to them."""
    may_squeeze: tuple[str, ...] = ()
    squeezed_faces: dict[str, str] = {}
    """The faces of the cards that this patron may turn now. Nobody else sees them until they are turned (O115)."""
    option: str | None = None
    """"" while the patron has a choice to make."""
    owed_cents: Cents | None = msgspec.field(default=None, name="owed")
    lines: tuple[SettledLine, ...] = ()
    can: tuple[Possible, ...] = ()
    """What the viewer can do now."""
    insuring: dict[Moment, tuple[Insuring, ...]] = {}
    """What each end of the round would give, by offer and stake."""
    ahead: str | None = None
    """Who wins, once the coup is complete and until it is settled."""
    drawing: tuple[Drawing, ...] = ()
    """What the Table of Play says of the cards that lie open."""
    next_place: str | None = None
    squeezing: dict[str, str] = {}
    """Who may turn which face-down card."""
    squeeze: Squeeze | None = None
    banker_first: BankerFirst | None = None
    """Who asked for it (3.14), how, and whether it was granted."""
    choices: dict[str, str] = {}
    """Each patron's option; "" while it is not chosen."""
    patrons: dict[str, Cents] = {}
    owed_by: dict[str, Cents] = {}
    staff: dict[str, str] = {}
    house_cents: Cents | None = msgspec.field(default=None, name="house")
