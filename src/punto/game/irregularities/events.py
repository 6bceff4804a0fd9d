"""The events of section 5: reports, rulings and remedies. Import them through `game.events`."""

from __future__ import annotations

from punto.game.event_record import Event
from punto.game.table import CarriedCard, Entry, Irregular, Phase, PlacedCard, SettledLine
from punto.rulebook.model import Insurance, Rank


class IrregularityReported(Event, frozen=True, kw_only=True, tag="irregularity-reported"):
    """A recorded fact. `opens`: it waits for a decision, and until then no card is drawn and nothing settles."""

    by: str
    opens: bool
    irregularity: Irregular
    note: str = ""


class IrregularityDecided(Event, frozen=True, kw_only=True, tag="irregularity-decided"):
    """Who ruled, and why."""

    kind: str
    by: str
    rank: Rank
    ruling: str
    reason: str = ""


class ReportWithdrawn(Event, frozen=True, kw_only=True, tag="report-withdrawn"):
    """The report was mistaken: cards that it named have not left the shoe."""


class CardsReconstructed(Event, frozen=True, kw_only=True, tag="cards-reconstructed"):
    """The cards as they belong; what is left over is the first of what is dealt next."""

    cards: tuple[PlacedCard, ...]
    carried: tuple[CarriedCard, ...]


class CardDetermined(Event, frozen=True, kw_only=True, tag="card-determined"):
    place: str
    card: str


class CardsDiscarded(Event, frozen=True, kw_only=True, tag="cards-discarded"):
    """Cards out of play: burnt, left over when the shoe ends, or skipped at commencement, then still `from_shoe`."""

    count: int
    from_shoe: bool = False


class ReplacementOrdered(Event, frozen=True, kw_only=True, tag="replacement-ordered"):
    """A new set of cards comes in from the next round."""

    by: str


class OptionsOpened(Event, frozen=True, kw_only=True, tag="options-opened"):
    patrons: tuple[str, ...]
    reconstructed: bool


class OptionChosen(Event, frozen=True, kw_only=True, tag="option-chosen"):
    """`lines` are the wagers that went back."""

    patron: str
    option: str
    lines: tuple[SettledLine, ...] = ()
    entries: tuple[Entry, ...] = ()


class SqueezePassed(Event, frozen=True, kw_only=True, tag="squeeze-passed"):
    """The holder took their bets back: `patron` has the highest wager now, and squeezes what is still to be turned."""

    patron: str


class PlayResumed(Event, frozen=True, kw_only=True, tag="play-resumed"):
    """`silent` patrons continue."""

    phase: Phase
    silent: tuple[str, ...] = ()


class RoundVoided(Event, frozen=True, kw_only=True, tag="round-voided"):
    """Every wager of the round goes back. Where it was settled, `entries` put that right."""

    round: int
    lines: tuple[SettledLine, ...]
    entries: tuple[Entry, ...] = ()


class RoundReopened(Event, frozen=True, kw_only=True, tag="round-reopened"):
    """A settlement taken back: the wagers lie as before, and the cards as they truly were; `carried` wait."""

    cards: tuple[PlacedCard, ...]
    carried: tuple[CarriedCard, ...]
    entries: tuple[Entry, ...]


class InsuranceReturned(Event, frozen=True, kw_only=True, tag="insurance-returned"):
    """Insurance taken at an offer that the cards, as they truly lie, never made."""

    lines: tuple[SettledLine, ...]


class OwedCollected(Event, frozen=True, kw_only=True, tag="owed-collected"):
    """What a patron could not put back when the round was reopened, kept from what that round hands them now."""

    entries: tuple[Entry, ...]


class PastRoundCorrected(Event, frozen=True, kw_only=True, tag="past-round-corrected"):
    """A past round void or settled anew, by compensating entries. `cards` are those that it was settled on."""

    round: int
    void: bool
    winner: str | None
    lines: tuple[SettledLine, ...]
    entries: tuple[Entry, ...]
    cards: tuple[PlacedCard, ...] = ()


class OriginalReturned(Event, frozen=True, kw_only=True, tag="original-returned"):
    """Insurance was missed and would have won: these wagers go back, now or at settlement."""

    round: int
    patron: str
    wagers: tuple[str, ...]
    lines: tuple[SettledLine, ...] = ()
    entries: tuple[Entry, ...] = ()


class InsuranceRepositioned(Event, frozen=True, kw_only=True, tag="insurance-repositioned"):
    round: int
    insurance: str
    patron: str
    bet: Insurance
    lines: tuple[SettledLine, ...] = ()
    entries: tuple[Entry, ...] = ()


class DisplayCorrected(Event, frozen=True, kw_only=True, tag="display-corrected"):
    """A board `shown` something else than the outcome at the table, which prevails. It moves no money."""

    round: int
    shown: str
    winner: str


class RulingPaid(Event, frozen=True, kw_only=True, tag="ruling-paid"):
    """Paid to patrons by a ruling at discretion."""

    entries: tuple[Entry, ...]


IrregularEvent = (
    IrregularityReported
    | IrregularityDecided
    | ReportWithdrawn
    | CardsReconstructed
    | CardDetermined
    | CardsDiscarded
    | ReplacementOrdered
    | OptionsOpened
    | OptionChosen
    | SqueezePassed
    | PlayResumed
    | RoundVoided
    | RoundReopened
    | InsuranceReturned
    | OwedCollected
    | PastRoundCorrected
    | OriginalReturned
    | InsuranceRepositioned
    | DisplayCorrected
    | RulingPaid
)
