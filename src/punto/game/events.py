"""What has happened at a table. An event states; a table is the sum of its events.

Every event names the paragraph of the governing edition that it happened under.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar, get_args

import msgspec

from punto.game.event_record import Event
from punto.game.irregularities.events import (
    CardDetermined,
    CardsDiscarded,
    CardsReconstructed,
    DisplayCorrected,
    InsuranceRepositioned,
    InsuranceReturned,
    IrregularEvent,
    IrregularityDecided,
    IrregularityReported,
    OptionChosen,
    OptionsOpened,
    OriginalReturned,
    OwedCollected,
    PastRoundCorrected,
    PlayResumed,
    ReplacementOrdered,
    ReportWithdrawn,
    RoundReopened,
    RoundVoided,
    RulingPaid,
    SqueezePassed,
)
from punto.game.table import Settings, SettledLine, TableLimits
from punto.money import Cents
from punto.rulebook.model import Bet, Insurance, Moment, Rank

__all__ = [
    "CardDetermined",
    "CardsDiscarded",
    "CardsReconstructed",
    "DisplayCorrected",
    "InsuranceRepositioned",
    "InsuranceReturned",
    "IrregularEvent",
    "IrregularityDecided",
    "IrregularityReported",
    "OptionChosen",
    "OptionsOpened",
    "OriginalReturned",
    "OwedCollected",
    "PastRoundCorrected",
    "PlayResumed",
    "ReplacementOrdered",
    "ReportWithdrawn",
    "RoundReopened",
    "RoundVoided",
    "RulingPaid",
    "SqueezePassed",
]
"""The events of section 5 are defined in `irregularities.events`. Import them from here with the rest."""


class TableOpened(Event, frozen=True, kw_only=True, tag="table-opened"):
    settings: Settings
    by: str
    rank: Rank


class TableClosed(Event, frozen=True, kw_only=True, tag="table-closed"):
    by: str


class DutyStarted(Event, frozen=True, kw_only=True, tag="duty-started"):
    name: str
    rank: Rank


class DutyEnded(Event, frozen=True, kw_only=True, tag="duty-ended"):
    name: str


class PatronJoined(Event, frozen=True, kw_only=True, tag="patron-joined"):
    patron: str


class ChipsBought(Event, frozen=True, kw_only=True, tag="chips-bought"):
    patron: str
    chips_cents: Cents = msgspec.field(name="chips")


class ChipsCashed(Event, frozen=True, kw_only=True, tag="chips-cashed"):
    patron: str
    chips_cents: Cents = msgspec.field(name="chips")


class SeatTaken(Event, frozen=True, kw_only=True, tag="seat-taken"):
    patron: str
    box: int


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat-left"):
    patron: str
    box: int


class PatronLeft(Event, frozen=True, kw_only=True, tag="patron-left"):
    """`forgone`: they had wagers in the round and have no insurance for the rest of it."""

    patron: str
    forgone: bool


class InsuranceNotice(Event, frozen=True, kw_only=True, tag="insurance-notice"):
    offered: bool
    asked_by: str
    by: str


class LimitsSet(Event, frozen=True, kw_only=True, tag="limits-set"):
    """They hold from the next round on."""

    limits: TableLimits
    by: str


class ClosingAnnounced(Event, frozen=True, kw_only=True, tag="closing-announced"):
    """No round after `last_round` is opened; without one the announcement was taken back."""

    last_round: int | None
    by: str


class ShoeLoaded(Event, frozen=True, kw_only=True, tag="shoe-loaded"):
    """`order` and `salt` are secret until the shoe ends; `commitment` is what everybody is shown of them."""

    shoe: int
    cards: int
    burn_due: bool
    by: str
    order: tuple[str, ...] | None = None
    salt: str | None = None
    commitment: str | None = None


class CutCardPlaced(Event, frozen=True, kw_only=True, tag="cut-card-placed"):
    after: int
    by: str


class CardsBurnt(Event, frozen=True, kw_only=True, tag="cards-burnt"):
    card: str
    skipped: int
    by: str


class CutCardDrawn(Event, frozen=True, kw_only=True, tag="cut-card-drawn"):
    """`withdrawal`: it came as the first card in a high-limit area, and wagers may be withdrawn. `no_more_rounds`:
    it came between rounds, and no further one starts."""

    withdrawal: bool = False
    no_more_rounds: bool = False


class ShoeEnded(Event, frozen=True, kw_only=True, tag="shoe-ended"):
    """The cards were taken away. One that was committed to is opened: hash `salt` and `order`, and compare."""

    shoe: int
    by: str
    order: tuple[str, ...] | None = None
    salt: str | None = None


class BettingOpened(Event, frozen=True, kw_only=True, tag="betting-opened"):
    round: int
    hand: int
    edition: str
    says: str
    by: str


class WagerPlaced(Event, frozen=True, kw_only=True, tag="wager-placed"):
    wager: str
    patron: str
    box: int
    bet: Bet
    seated: bool
    stake_cents: Cents = msgspec.field(name="stake")
    by: str | None = None


class WagerRaised(Event, frozen=True, kw_only=True, tag="wager-raised"):
    wager: str
    patron: str
    stake_cents: Cents = msgspec.field(name="stake")
    by: str | None = None


class WagerLowered(Event, frozen=True, kw_only=True, tag="wager-lowered"):
    wager: str
    patron: str
    stake_cents: Cents = msgspec.field(name="stake")
    by: str | None = None


class WagerWithdrawn(Event, frozen=True, kw_only=True, tag="wager-withdrawn"):
    wager: str
    patron: str
    stake_cents: Cents = msgspec.field(name="stake")
    by: str | None = None


class WagerCut(Event, frozen=True, kw_only=True, tag="wager-cut"):
    """Cut back by `stake` to make room, or because the other side became lighter; the patron is told."""

    wager: str
    patron: str
    stake_cents: Cents = msgspec.field(name="stake")


class ExcessRejected(Event, frozen=True, kw_only=True, tag="excess-rejected"):
    """The part of a stake that did not fit; no chip moved."""

    patron: str
    box: int
    bet: Bet
    bound: str
    stake_cents: Cents = msgspec.field(name="stake")


class MinimumNoticed(Event, frozen=True, kw_only=True, tag="minimum-noticed"):
    """The patron is told to raise or withdraw before betting closes."""

    wager: str
    patron: str
    minimum_cents: Cents = msgspec.field(name="minimum")


class WagerReturned(Event, frozen=True, kw_only=True, tag="wager-returned"):
    """At the close: noticed under the minimum and neither raised nor withdrawn."""

    wager: str
    patron: str
    stake_cents: Cents = msgspec.field(name="stake")


class BettingClosed(Event, frozen=True, kw_only=True, tag="betting-closed"):
    says: str
    by: str


class ChipsReported(Event, frozen=True, kw_only=True, tag="chips-reported"):
    wager: str
    patron: str
    box: int
    bet: Bet
    seated: bool
    by: str
    stake_cents: Cents = msgspec.field(name="stake")
    forgone: bool = False


class ProRated(Event, frozen=True, kw_only=True, tag="pro-rated"):
    """What is in play of each wager of the box from now on, and of insurance on them that would be too much."""

    box: int
    in_play: dict[str, Cents]


class SqueezeAsked(Event, frozen=True, kw_only=True, tag="squeeze-asked"):
    patron: str
    places: tuple[str, ...]


class SqueezeGranted(Event, frozen=True, kw_only=True, tag="squeeze-granted"):
    patron: str
    by: str


class BankerFirstAsked(Event, frozen=True, kw_only=True, tag="banker-first-asked"):
    patron: str
    way: str


class BankerFirstGranted(Event, frozen=True, kw_only=True, tag="banker-first-granted"):
    """The second offer is waived for every patron."""

    patron: str
    by: str


class CardDrawn(Event, frozen=True, kw_only=True, tag="card-drawn"):
    """A card left the shoe. A face that is not exposed is in nobody's view."""

    place: str
    card: str | None
    exposed: bool
    carried: bool = False


class CardExposed(Event, frozen=True, kw_only=True, tag="card-exposed"):
    place: str
    card: str
    by: str


class CoupCompleted(Event, frozen=True, kw_only=True, tag="coup-completed"):
    """Every card that the Table of Play calls for lies open."""

    player_points: int
    banker_points: int


class RoundConcluded(Event, frozen=True, kw_only=True, tag="round-concluded"):
    """No wager remained: the round ends without cards and without a result."""

    by: str | None = None


class InsuranceOffered(Event, frozen=True, kw_only=True, tag="insurance-offered"):
    """`patrons` may take it; `maximum` is what each may stake."""

    after: Moment
    bet: Insurance
    odds: Fraction
    player_points: int
    banker_points: int
    tie_paragraph: str | None
    maximum: dict[str, Cents]
    late: bool = False


class InsuranceTaken(Event, frozen=True, kw_only=True, tag="insurance-taken"):
    insurance: str
    patron: str
    bet: Insurance
    after: Moment
    stake_cents: Cents = msgspec.field(name="stake")
    by: str | None = None
    area: Insurance | None = None


class InsuranceDeclined(Event, frozen=True, kw_only=True, tag="insurance-declined"):
    patron: str


class InsuranceClosed(Event, frozen=True, kw_only=True, tag="insurance-closed"):
    """The next card is drawn. `forgone` took nothing and are offered no more in this round."""

    after: Moment
    forgone: tuple[str, ...]


class RoundSettled(Event, frozen=True, kw_only=True, tag="round-settled"):
    winner: str
    player_points: int
    banker_points: int
    lines: tuple[SettledLine, ...]
    says: str
    by: str


PeopleEvent = (
    TableOpened
    | TableClosed
    | DutyStarted
    | DutyEnded
    | PatronJoined
    | ChipsBought
    | ChipsCashed
    | SeatTaken
    | SeatLeft
    | PatronLeft
    | InsuranceNotice
    | LimitsSet
    | ClosingAnnounced
)
BettingEvent = (
    BettingOpened
    | WagerPlaced
    | WagerRaised
    | WagerLowered
    | WagerWithdrawn
    | WagerCut
    | ExcessRejected
    | MinimumNoticed
    | WagerReturned
    | BettingClosed
    | ChipsReported
    | ProRated
)
CardEvent = ShoeLoaded | CutCardPlaced | CardsBurnt | CutCardDrawn | ShoeEnded | CardDrawn | CardExposed | CoupCompleted
RoundEvent = (
    SqueezeAsked
    | SqueezeGranted
    | BankerFirstAsked
    | BankerFirstGranted
    | InsuranceOffered
    | InsuranceTaken
    | InsuranceDeclined
    | InsuranceClosed
    | RoundSettled
    | RoundConcluded
)
AnyEvent = PeopleEvent | BettingEvent | CardEvent | RoundEvent | IrregularEvent

T = TypeVar("T")


def of_each(*, people: T, betting: T, card: T, round: T, irregular: T) -> dict[type, T]:
    """Event type → what is given for its family, so that one lookup finds it."""
    families = (PeopleEvent, people), (BettingEvent, betting), (CardEvent, card), (RoundEvent, round)
    return {kind: of for kinds, of in (*families, (IrregularEvent, irregular)) for kind in get_args(kinds)}
