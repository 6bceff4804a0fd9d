"""The state of a table: what its events add up to. Records only; `evolve` builds them, `decide` reads them."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

import msgspec

from punto.cards import Card, card
from punto.game.coup import Coup
from punto.money import Cents
from punto.rulebook.model import Bet, Insurance, Moment, Rank


class Phase(StrEnum):
    """Where a table stands. Which commands are heard in which phase is in `round.py`."""

    CLOSED = "closed"
    NO_SHOE = "no-shoe"
    COMMENCING = "commencing"
    READY = "ready"
    BETTING = "betting"
    CUT_CARD = "cut-card"
    DEALING = "dealing"
    OFFER = "offer"
    COMPLETE = "complete"
    SETTLED = "settled"
    IRREGULARITY = "irregularity"
    OPTIONS = "options"


class BetLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """D1: one bet's own figures."""

    minimum_cents: Cents | None = msgspec.field(default=None, name="minimum")
    maximum_cents: Cents | None = msgspec.field(default=None, name="maximum")


class LateLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """O142: lower maxima of side bets, in rounds that open with at most so many cards in the shoe."""

    cards_left: int
    maximum_cents: dict[Bet, Cents] = msgspec.field(name="maximum")


class TableLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """D1, D2: the figures displayed. `scope` is box, or box-and-table to judge the table's Differential as well."""

    minimum_cents: Cents = msgspec.field(name="minimum")
    maximum_differential_cents: Cents = msgspec.field(name="maximum_differential")
    maximum_cents: Cents | None = msgspec.field(default=None, name="maximum")
    bets: dict[Bet, BetLimits] = {}
    scope: str = "box"
    late: LateLimits | msgspec.UnsetType = msgspec.UNSET
    """Unset where the table has none: then no event mentions it."""

    def by_depth(self, left: int) -> TableLimits:
        """The figures that hold in a round that opens with this many cards left."""
        late = self.late
        if late is msgspec.UNSET or left > late.cards_left:
            return self
        lower = {
            bet: msgspec.structs.replace(self.bets.get(bet) or BetLimits(), maximum_cents=most)
            for bet, most in late.maximum_cents.items()
        }
        return msgspec.structs.replace(self, bets={**self.bets, **lower})


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How the table was opened."""

    table: str
    edition: str
    pinned: bool
    layout: str
    positions: int
    decks: int
    currency: str
    limits: TableLimits
    high_limit: bool = False
    private: bool = False
    device: str = "shoe"
    facing: str = "up"
    source: str = "live"
    name: str | None = None
    """What people call it."""


class Patron(msgspec.Struct, frozen=True):
    """A person at the table; `box` is the seat taken, if any. One who walked away is not present."""

    name: str
    balance_cents: int = 0
    box: int | None = None
    present: bool = True


class Laid(msgspec.Struct, frozen=True):
    """A wager as it lies in a box: one patron, one bet (D1). `order` is when it was first placed."""

    id: str
    patron: str
    box: int
    bet: Bet
    stake_cents: int
    in_play_cents: int
    order: int
    seated: bool
    noticed: bool = False
    found: bool = False


class Taken(msgspec.Struct, frozen=True):
    """Insurance that a patron took."""

    id: str
    patron: str
    bet: Insurance
    after: Moment
    stake_cents: int
    odds: Fraction
    player_points: int
    banker_points: int
    paragraph: str
    tie_paragraph: str | None
    area: Insurance
    """Where the chips lie; the Dealer may have put them on the wrong side (5.18)."""
    in_play_cents: int
    """Less than the stake where chips found late lowered the Original Bet that it insures (D4)."""


class PlacedCard(msgspec.Struct, frozen=True):
    """A card that has left the shoe. `face` is None while nobody knows it."""

    place: str
    face: str | None
    exposed: bool


class Offered(msgspec.Struct, frozen=True):
    """An offer of insurance: the row, and who had a right to it at its opening."""

    after: Moment
    bet: Insurance
    odds: Fraction
    player_points: int
    banker_points: int
    paragraph: str
    tie_paragraph: str | None
    patrons: tuple[str, ...]
    late: bool = False


class SettledLine(msgspec.Struct, frozen=True, kw_only=True):
    """One wager's end. `stake` is what was in play; an excess that was not has a line of its own."""

    wager: str
    patron: str
    bet: str
    result: str
    paragraph: str
    odds: Fraction | None = None
    stake_cents: Cents = msgspec.field(name="stake")
    winnings_cents: Cents = msgspec.field(name="winnings")
    handed_back_cents: Cents = msgspec.field(name="handed_back")


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A compensating entry: chips `paid` to a patron or `taken` back. What they can't cover is `owed`, never negative;
    `cleared` is what was kept from a payment for what they owed."""

    patron: str
    paid_cents: Cents = msgspec.field(name="paid", default=Cents(0))
    taken_cents: Cents = msgspec.field(name="taken", default=Cents(0))
    owed_cents: Cents = msgspec.field(name="owed", default=Cents(0))
    cleared_cents: Cents = msgspec.field(name="cleared", default=Cents(0))


class Squeeze(msgspec.Struct, frozen=True):
    """3.9: who asked to squeeze which places, and whether it was granted."""

    patron: str
    places: tuple[str, ...]
    granted: bool = False


class BankerFirst(msgspec.Struct, frozen=True):
    """3.14: who asked for the Banker's third card to be opened first, how, and whether the House consented."""

    patron: str
    way: str
    granted: bool = False


class CarriedCard(msgspec.Struct, frozen=True):
    """A card that has left the shoe and waits for its place: the first of what is dealt next (I4)."""

    face: str | None
    exposed: bool


class Irregular(msgspec.Struct, frozen=True, kw_only=True):
    """An irregularity that is being put right. `phase` is where play stood, `established` was judged at the report."""

    kind: str
    paragraph: str
    phase: Phase
    established: bool
    reconstructed: bool = False
    cause: str | None = None
    cards: tuple[CarriedCard, ...] = ()
    place: str | None = None
    after: Moment | None = None
    insurance: str | None = None
    round: int | None = None
    hands: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    choices: dict[str, str] = {}
    seen: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """Places of face-down cards whose faces the squeezing patron had been given at the report (O129). Unset: none."""


class Shoe(msgspec.Struct, frozen=True, kw_only=True):
    """The cards in use. `order` is known for a virtual shoe only, and is in nobody's view, nor is `salt`."""

    number: int
    cards: int
    drawn: int = 0
    order: tuple[str, ...] | None = None
    salt: str | None = None
    commitment: str | None = None
    cut_at: int | None = None
    cut_drawn: bool = False
    last_round: bool = False
    seen: dict[str, int] = {}
    hands: int = 0
    results: dict[int, str] = {}
    carried: tuple[CarriedCard, ...] = ()
    replace_due: bool = False
    replace_cite: str | None = None
    """The paragraph under which new cards were ordered."""

    @property
    def left(self) -> int:
        return self.cards - self.drawn


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """The current round, until the next betting opens (I10)."""

    number: int
    hand: int
    edition: str
    wagers: dict[str, Laid] = {}
    lay: dict[str, Laid] = {}
    """The wagers as they lay at the close, with chips that were found since. Limits are judged on them (I3)."""
    cards: tuple[PlacedCard, ...] = ()
    offer: Offered | None = None
    offers: tuple[Offered, ...] = ()
    insurance: tuple[Taken, ...] = ()
    forgone: frozenset[str] = frozenset()
    squeeze: Squeeze | None = None
    banker_first: BankerFirst | None = None
    reported: bool = False
    winner: str | None = None
    lines: tuple[SettledLine, ...] = ()
    ended: bool = False
    void: bool = False
    cut_first: bool = False
    shoe: int = 0
    late_offer: Offered | None = None
    insurance_offered: bool = True
    """Whether the table offered insurance when betting opened (4.2.2)."""
    left: int | None = None
    """Cards in the shoe when betting opened, where the table has limits by depth."""
    declined: dict[str, tuple[Moment, ...]] = {}
    """Who said no, and to which offers."""
    walked: dict[str, int] = {}
    """Who walked away with wagers in the round, and so has forgone insurance (5.3), and how many cards lay then."""
    spared: dict[str, Moment] = {}
    """Wagers that go back whole because insurance was missed, and at which moment (5.17.2)."""
    owed_cents: dict[str, int] = {}
    """What a patron could not put back on the layout when the round was reopened (I10)."""

    @property
    def waived(self) -> bool:
        """3.14: the second offer is waived for the whole table."""
        return self.banker_first is not None and self.banker_first.granted

    def hand_of(self, letter: str, *, exposed: bool) -> tuple[Card, ...]:
        """The cards of a hand in order; only the open ones, or all that are known."""
        return tuple(
            card(placed.face)
            for placed in self.cards
            if placed.place[0] == letter and placed.face is not None and (placed.exposed or not exposed)
        )

    @property
    def coup(self) -> Coup:
        """The open cards."""
        return Coup(self.hand_of("P", exposed=True), self.hand_of("B", exposed=True))

    @property
    def all_open(self) -> bool:
        return all(card.exposed for card in self.cards)


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state. A table that was never opened has no settings."""

    settings: Settings | None = None
    phase: Phase = Phase.CLOSED
    staff: dict[str, Rank] = {}
    patrons: dict[str, Patron] = {}
    insurance_offered: bool = True
    shoe: Shoe | None = None
    shoes: int = 0
    round: Round | None = None
    rounds: int = 0
    placed: int = 0
    house_cents: int = 0
    issued_cents: int = 0
    owed_cents: dict[str, int] = {}
    past: dict[int, Round] = {}
    irregularity: Irregular | None = None
    next_limits: TableLimits | None = None
    """Limits that hold from the next round on."""
    closes_after: int | None = None
    """The last round that is opened before the table closes, where that was announced."""
    version: int = 0

    @property
    def opened(self) -> Settings:
        assert self.settings is not None, "the phase table keeps commands from a closed table"
        return self.settings

    @property
    def limits(self) -> TableLimits:
        """The limits that hold now: those of the round on the table, until the next one opens (O142)."""
        limits = self.opened.limits
        left = self.round.left if self.round is not None else None
        return limits if left is None else limits.by_depth(left)

    @property
    def current(self) -> Round:
        assert self.round is not None, "the phase table keeps these commands out of a round"
        return self.round

    @property
    def in_use(self) -> Shoe:
        assert self.shoe is not None, "the phase table keeps these commands from an empty shoe"
        return self.shoe

    @property
    def dealt_from(self) -> Shoe | None:
        """The shoe of the current round; None once it has ended, though the round is the current one still (I10)."""
        shoe, current = self.shoe, self.round
        return shoe if shoe is not None and current is not None and shoe.number == current.shoe else None


def lying_cents(table: Table) -> int:
    """Chips on the layout: wagers and insurance not yet settled."""
    if table.round is None or table.round.ended:
        return 0
    lying = 0
    for laid in table.round.wagers.values():
        lying += laid.stake_cents
    for taken in table.round.insurance:
        lying += taken.stake_cents
    return lying


def conserved(table: Table) -> bool:
    """M4: what patrons, layout and house hold is what was issued."""
    held = sum(patron.balance_cents for patron in table.patrons.values())
    return held + lying_cents(table) + table.house_cents == table.issued_cents


NEW = Table()
