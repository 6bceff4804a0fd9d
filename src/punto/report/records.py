"""The content of a report as plain frozen records. Figures are exact where possible; floats are only for reading."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import msgspec

from punto.rulebook.model import Bet, Erratum, Insurance, Moment, Name


class ReportError(ValueError):
    """A report that can't be made. The message says why in a sentence."""


class Cover(msgspec.Struct, frozen=True, kw_only=True):
    """What the report is about, so that a reader can tell later which rules and which program it came from."""

    game: str
    edition: str
    title: str
    version: str | None
    authority: str | None
    operator: str | None
    in_force_from: str | None
    document: str
    document_sha256: str
    data_sha256: str
    punto_version: str
    date: str
    decks: int
    decks_paragraph: str
    cards: int
    coups: int
    layout: str | None
    names: tuple[Name, ...]

    @property
    def id(self) -> str:
        return f"{self.game}/{self.edition}"


class Paragraph(msgspec.Struct, frozen=True, kw_only=True):
    """A rule in our words."""

    number: str
    kind: str
    gist: str


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """The paragraphs under one title of the document."""

    number: str
    title: str
    paragraphs: tuple[Paragraph, ...]


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a pay table: Event | Pays | Combinations | Probability | Return."""

    event: str
    result: str
    pays: Fraction
    """Net, per unit staked: the odds when won, 0 when returned, -1 when lost."""
    combinations: int
    probability: Fraction
    contribution: Fraction
    """The Return column: probability × pays. The column adds up to the expectation."""
    paragraph: str


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """Where the actual hold lies after so many rounds of equal stakes: house edge ± z × deviation / √rounds."""

    rounds: int
    low_95: float
    high_95: float
    low_9973: float
    high_9973: float


class BetSheet(msgspec.Struct, frozen=True, kw_only=True):
    """One bet. `combinations` is the total, `expectation` the total of the Return column."""

    bet: Bet
    name: str
    main: bool
    paragraph: str
    layouts: tuple[str, ...]
    events: tuple[Event, ...]
    combinations: int
    expectation: Fraction
    hit_frequency: Fraction
    variance: Fraction
    house_edge: float
    standard_deviation: float
    favours_patron: bool
    bands: tuple[Band, ...]


class OfferSheet(msgspec.Struct, frozen=True, kw_only=True):
    """One cell of an insurance pay table, alone and with the Original Bet it insures."""

    player_points: int
    banker_points: int
    pays: Fraction
    tie_pays: bool
    paragraph: str
    made: int
    won: int
    returned: int
    lost: int
    reached: Fraction
    """Share of all coups. The other shares are given that the offer is made."""
    expectation: Fraction
    house_edge: float
    standard_deviation: float
    favours_patron: bool
    stake: Fraction
    """The most that may be staked on it per unit of the Original Bet."""
    alone: Fraction
    together: Fraction
    """Expectation of the Original Bet from here on, without insurance and with the full stake on it."""
    deviation_alone: float
    deviation_together: float

    @property
    def won_share(self) -> Fraction:
        return Fraction(self.won, self.made)

    @property
    def returned_share(self) -> Fraction:
        return Fraction(self.returned, self.made)

    @property
    def lost_share(self) -> Fraction:
        return Fraction(self.lost, self.made)


class OfferTable(msgspec.Struct, frozen=True, kw_only=True):
    """Every offer of one insurance bet at one moment. Totals assume one unit staked on every offer."""

    bet: Insurance
    after: Moment
    offers: tuple[OfferSheet, ...]
    made: int
    reached: Fraction
    expectation: Fraction
    house_edge: float

    def heat(self) -> tuple[tuple[float | None, ...], ...]:
        """House edge by Player points (down) and Banker points (across), None where nothing is offered."""
        edges = {(offer.player_points, offer.banker_points): offer.house_edge for offer in self.offers}
        return tuple(tuple(edges.get((player, banker)) for banker in range(10)) for player in range(10))


class WholeRound(msgspec.Struct, frozen=True, kw_only=True):
    """The Original Bet with insurance by one strategy, before any card is seen, per unit of Original Bet."""

    bet: Insurance
    strategy: str
    expectation: Fraction
    standard_deviation: float
    insured: Fraction
    """Insurance staked in an average round."""
    taken: Fraction
    """Share of rounds in which an offer is taken."""


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """Covariance and correlation of two bets on one round, per unit each."""

    one: Bet
    other: Bet
    covariance: Fraction
    correlation: float


class Counting(msgspec.Struct, frozen=True, kw_only=True):
    """Effects of removing one card of each rank, and the best linear count from them."""

    bet: Bet
    effects: dict[str, Fraction]
    tags: dict[str, int]
    correlation: float
    deviation_at_cut: float
    gain_per_shoe: float


class ByDecks(msgspec.Struct, frozen=True, kw_only=True):
    """One number of decks: the expectation of every bet, and how many insurance offers favour the patron."""

    decks: int
    expectations: dict[Bet, Fraction]
    favourable_offers: int


class SimulatedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A bet or an offer of insurance: how often each result came in a simulation, and the exact expectation."""

    bet: Bet | Insurance
    after: Moment | None
    player_points: int | None
    banker_points: int | None
    times: int
    won: dict[str, int]
    """Odds → how often the bet won at these odds."""
    returned: int
    lost: int
    simulated: float | None
    """Simulated expectation of one unit; None if the offer was never made."""
    exact: Fraction
    standard_error: float | None
    z: float | None
    judged: bool
    """Whether enough wins are expected for z to be nearly normal."""

    @property
    def net(self) -> Fraction:
        """Net result of all units together."""
        return sum((Fraction(odds) * times for odds, times in self.won.items()), Fraction(-self.lost))

    @property
    def squares(self) -> Fraction:
        """Sum of the squares of each unit's net result."""
        return sum((Fraction(odds) ** 2 * times for odds, times in self.won.items()), Fraction(self.lost))


class SimulatedOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """A settlement class: how often it came, and its number of coups."""

    outcome: str
    times: int
    combinations: int


class Simulation(msgspec.Struct, frozen=True, kw_only=True):
    """The simulation check. It compares only the rounds that every shoe has, whatever its cards are."""

    file_sha256: str
    command: str
    """The command that deals the same shoes again. The result is the same on any engine."""
    engine: str
    seed: int
    cut: int
    specification: int
    shoes: int
    rounds_dealt: int
    rounds_compared: int
    rounds_per_shoe: int
    lines: tuple[SimulatedLine, ...]
    largest_z: float | None
    chance_of_largest: float
    """Upper bound of the probability that an honest run has a line this far off or farther."""
    chi_square: float | None
    """Over all settlement classes, rare ones pooled; None if there are too few rounds."""
    degrees: int | None
    p: float | None
    agrees: bool
    outcomes: tuple[SimulatedOutcome, ...]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The whole report on one edition with one number of decks."""

    cover: Cover
    sections: tuple[Section, ...]
    rulings: tuple[Paragraph, ...]
    errata: tuple[Erratum, ...]
    bets: tuple[BetSheet, ...]
    insurance: tuple[OfferTable, ...]
    insurance_limit: Paragraph
    whole_rounds: tuple[WholeRound, ...]
    moved: tuple[Moved, ...]
    counting: tuple[Counting, ...]
    cut_cards: int
    by_decks: tuple[ByDecks, ...]
    simulation: Simulation | None
    """The simulation check, if a simulation was given."""

    def by_edge(self) -> tuple[BetSheet, ...]:
        """Bets, best for the patron first."""
        return tuple(sorted(self.bets, key=lambda bet: -bet.expectation))

    def offers_by_edge(self) -> tuple[tuple[OfferTable, OfferSheet], ...]:
        """Insurance offers, best for the patron first."""
        offers = [(table, offer) for table in self.insurance for offer in table.offers]
        return tuple(sorted(offers, key=lambda pair: -pair[1].expectation))

    def name_of(self, bet: Bet) -> str:
        return next(sheet.name for sheet in self.bets if sheet.bet is bet)


INSURANCE_NAMES: Final = {Insurance.PLAYER: "Player Insurance", Insurance.BANKER: "Banker Insurance"}
MOMENT_NAMES: Final = {Moment.FOUR_CARDS: "after four cards", Moment.PLAYER_THIRD: "after the Player's third card"}
