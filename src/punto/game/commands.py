"""What can be asked of a table. A command asks; `decide` answers with events or a refusal.

On the wire a command is an object whose `do` names it; money is a decimal string, a card two letters.
"""

from __future__ import annotations

import msgspec

from punto.game.table import TableLimits
from punto.money import Cents
from punto.rulebook.model import Insurance, Moment, Rank


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """`by` names the staff member who gives a command that staff give."""


class RoundCommand(Command, frozen=True, kw_only=True):
    """A command for the round on the table. `round` is the one that its sender saw: in others it is refused (O90)."""

    round: int | None = None


class OpenTable(Command, frozen=True, kw_only=True, tag="open-table"):
    """Open a table. The edition is pinned where one is named; else each round takes the one of `game` in force.
    `device`: `shoe` or `shuffler`. `facing`: `up` or `down`. `source`: `live`, where staff enter the cards, or
    `virtual`, where the shoe is loaded with its order. `name`: what people call it; without one it goes by its id."""

    by: str
    rank: Rank = Rank.PIT_SUPERVISOR
    table: str
    edition: str | None = None
    game: str | None = None
    on: str | None = None
    layout: str
    positions: int
    limits: TableLimits
    decks: int | None = None
    currency: str = "SGD"
    high_limit: bool = False
    private: bool = False
    device: str = "shoe"
    facing: str = "up"
    source: str = "live"
    insurance: bool = True
    asked_by: str | None = None
    name: str | None = None


class CloseTable(Command, frozen=True, kw_only=True, tag="close-table"):
    by: str


class StartDuty(Command, frozen=True, kw_only=True, tag="start-duty"):
    """The caller vouches for the rank."""

    name: str
    rank: Rank


class EndDuty(Command, frozen=True, kw_only=True, tag="end-duty"):
    name: str


class Join(Command, frozen=True, kw_only=True, tag="join"):
    """A patron comes to the table, or back to it, with chips."""

    patron: str
    chips_cents: Cents = msgspec.field(name="chips", default=Cents(0))


class BuyChips(Command, frozen=True, kw_only=True, tag="buy-chips"):
    patron: str
    chips_cents: Cents = msgspec.field(name="chips")


class CashChips(Command, frozen=True, kw_only=True, tag="cash-chips"):
    patron: str
    chips_cents: Cents = msgspec.field(name="chips")


class Sit(Command, frozen=True, kw_only=True, tag="sit"):
    patron: str
    box: int


class StandUp(Command, frozen=True, kw_only=True, tag="stand-up"):
    patron: str


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """The patron walks away; wagers stay and are settled."""

    patron: str


class SetInsurance(Command, frozen=True, kw_only=True, tag="set-insurance"):
    """Put up or take down the notice that no insurance is offered at a private table."""

    by: str
    offered: bool
    asked_by: str


class SetLimits(Command, frozen=True, kw_only=True, tag="set-limits"):
    """Other limits, from the next round on (O105)."""

    by: str
    limits: TableLimits


class AnnounceClosing(Command, frozen=True, kw_only=True, tag="announce-closing"):
    """Tell the patrons that the table closes. `rounds`: how many are still opened after the one on the table; without
    it the announcement is taken back (O106)."""

    by: str
    rounds: int | None = None


class LoadShoe(Command, frozen=True, kw_only=True, tag="load-shoe"):
    """`count` is what staff counted. A virtual shoe comes with its whole order, already shuffled by the caller.

    `commitment` binds the caller to that order before a card is dealt: SHA-256, in hexadecimal, of the 32 bytes of
    `salt` and the order as text.
    """

    by: str
    count: int
    shuffled: bool
    order: tuple[str, ...] | None = None
    salt: str | None = None
    commitment: str | None = None


class PlaceCutCard(Command, frozen=True, kw_only=True, tag="place-cut-card"):
    """`after` cards from the front. At a live shoe it comes out by `draw-cut-card`, at a virtual one by itself."""

    by: str
    after: int


class Burn(Command, frozen=True, kw_only=True, tag="burn"):
    """Open the first card of a new shoe and skip as many as it says. `card` is entered at a live shoe."""

    by: str
    card: str | None = None


class DrawCutCard(RoundCommand, frozen=True, kw_only=True, tag="draw-cut-card"):
    """At a live shoe: the cut card has come out."""

    by: str


class EndShoe(Command, frozen=True, kw_only=True, tag="end-shoe"):
    by: str


class OpenBetting(Command, frozen=True, kw_only=True, tag="open-betting"):
    """`on` is the instant whose edition governs the round, at a table whose edition is not pinned (E2)."""

    by: str
    on: str | None = None


class PlaceWager(RoundCommand, frozen=True, kw_only=True, tag="place-wager"):
    """`by` is set when staff place it for the patron."""

    patron: str
    box: int
    bet: str
    stake_cents: Cents = msgspec.field(name="stake")
    by: str | None = None


class RaiseWager(RoundCommand, frozen=True, kw_only=True, tag="raise-wager"):
    patron: str
    box: int
    bet: str
    stake_cents: Cents = msgspec.field(name="stake")
    by: str | None = None


class LowerWager(RoundCommand, frozen=True, kw_only=True, tag="lower-wager"):
    """Take `stake` off."""

    patron: str
    box: int
    bet: str
    stake_cents: Cents = msgspec.field(name="stake")
    by: str | None = None


class WithdrawWager(RoundCommand, frozen=True, kw_only=True, tag="withdraw-wager"):
    patron: str
    box: int
    bet: str
    by: str | None = None


class CloseBetting(RoundCommand, frozen=True, kw_only=True, tag="close-betting"):
    by: str


class ReportChips(RoundCommand, frozen=True, kw_only=True, tag="report-chips"):
    """Chips that lay in a box when betting closed and were not entered."""

    by: str
    patron: str
    box: int
    bet: str
    stake_cents: Cents = msgspec.field(name="stake")


class AskSqueeze(RoundCommand, frozen=True, kw_only=True, tag="ask-squeeze"):
    patron: str
    places: tuple[str, ...]


class GrantSqueeze(RoundCommand, frozen=True, kw_only=True, tag="grant-squeeze"):
    by: str


class AskBankerFirst(RoundCommand, frozen=True, kw_only=True, tag="ask-banker-first"):
    """`way`: squeeze (the patron squeezes the Banker's third card) or expose (staff turn it)."""

    patron: str
    way: str


class GrantBankerFirst(RoundCommand, frozen=True, kw_only=True, tag="grant-banker-first"):
    by: str


class DrawCard(RoundCommand, frozen=True, kw_only=True, tag="draw-card"):
    """The next card, to the place where it belongs. At a live shoe `card` is its face: needed where cards are dealt
    face up, left out for one that lies face down. One that can't be read is not drawn but reported (`damaged-card`)."""

    by: str
    card: str | None = None


class ExposeCard(RoundCommand, frozen=True, kw_only=True, tag="expose-card"):
    """Turn a face-down card. `by` is staff, or the patron who may squeeze it."""

    by: str
    place: str
    card: str | None = None


class TakeInsurance(RoundCommand, frozen=True, kw_only=True, tag="take-insurance"):
    """`after` and `odds` are those of the offer that was seen: at another it is refused (O91). `area` is where the
    Dealer put the chips, if wrongly."""

    patron: str
    bet: str
    stake_cents: Cents = msgspec.field(name="stake")
    after: Moment | None = None
    odds: str | None = None
    area: Insurance | None = None
    by: str | None = None


class DeclineInsurance(RoundCommand, frozen=True, kw_only=True, tag="decline-insurance"):
    """Say no to the open offer, to the one `after` that moment if it is named."""

    patron: str
    after: Moment | None = None


class Settle(RoundCommand, frozen=True, kw_only=True, tag="settle"):
    by: str


class ReportIrregularity(Command, frozen=True, kw_only=True, tag="report-irregularity"):
    """Something went wrong. The facts are those of the `kind`, listed below: a fact of another kind is refused."""

    by: str
    kind: str
    cause: str | None = None
    cards: tuple[str, ...] | None = None
    count: int | None = None
    exposed: bool | None = None
    place: str | None = None
    places: dict[str, str | None] | None = None
    card: str | None = None
    after: Moment | None = None
    insurance: str | None = None
    round: int | None = None
    player: tuple[str, ...] | None = None
    banker: tuple[str, ...] | None = None
    shown: str | None = None
    note: str = ""


class DecideIrregularity(RoundCommand, frozen=True, kw_only=True, tag="decide-irregularity"):
    """The ruling of somebody of sufficient rank. What it says depends on the kind that lies open, listed below."""

    by: str
    reason: str = ""
    reconstruct: bool | None = None
    order: tuple[str, ...] | None = None
    card: str | None = None
    replace_cards: bool | None = None
    end_shoe: bool | None = None
    skip: int | None = None
    action: str | None = None
    keep_side_bets: bool | None = None
    patrons: tuple[str, ...] | None = None
    void_rounds: tuple[int, ...] | None = None
    pay_cents: dict[str, Cents] | None = msgspec.field(name="pay", default=None)


class ChooseOption(RoundCommand, frozen=True, kw_only=True, tag="choose-option"):
    """`option`: continue or returned."""

    patron: str
    option: str


class ResumePlay(RoundCommand, frozen=True, kw_only=True, tag="resume-play"):
    """The options are closed: who has not chosen continues."""

    by: str


WagerCommand = PlaceWager | RaiseWager | LowerWager | WithdrawWager
InsuranceCommand = TakeInsurance | DeclineInsurance

AnyCommand = (
    OpenTable
    | CloseTable
    | StartDuty
    | EndDuty
    | Join
    | BuyChips
    | CashChips
    | Sit
    | StandUp
    | Leave
    | SetInsurance
    | SetLimits
    | AnnounceClosing
    | LoadShoe
    | PlaceCutCard
    | Burn
    | DrawCutCard
    | EndShoe
    | OpenBetting
    | PlaceWager
    | RaiseWager
    | LowerWager
    | WithdrawWager
    | CloseBetting
    | ReportChips
    | AskSqueeze
    | GrantSqueeze
    | AskBankerFirst
    | GrantBankerFirst
    | DrawCard
    | ExposeCard
    | TakeInsurance
    | DeclineInsurance
    | Settle
    | ReportIrregularity
    | DecideIrregularity
    | ChooseOption
    | ResumePlay
)
