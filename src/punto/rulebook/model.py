"""The frozen types of an edition: data only. `game` implements what a case or a remedy means."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final

import msgspec

from punto.cite import Cite


class Side(StrEnum):
    """The two hands of a coup."""

    PLAYER = "player"
    BANKER = "banker"


class Bet(StrEnum):
    """Every kind of wager before the cards are dealt."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    PLAYER_PAIR = "player_pair"
    BANKER_PAIR = "banker_pair"
    BIG_TIGER = "big_tiger"
    SMALL_TIGER = "small_tiger"
    BIG_BUFFALO = "big_buffalo"
    SMALL_BUFFALO = "small_buffalo"
    BANKER_BIG_7 = "banker_big_7"
    BANKER_SMALL_7 = "banker_small_7"
    PLAYER_BIG_7 = "player_big_7"
    PLAYER_SMALL_7 = "player_small_7"
    TIGER_BUFFALO = "tiger_buffalo"
    TIGER_PAIR = "tiger_pair"
    TIGER_TIE = "tiger_tie"
    TIGER = "tiger"
    WU_DALANG = "wu_dalang"
    PLAYER_CHAR_SIU = "player_char_siu"
    BANKER_CHAR_SIU = "banker_char_siu"
    BIG = "big"
    SMALL = "small"
    PLAYER_NATURAL_8 = "player_natural_8"
    PLAYER_NATURAL_9 = "player_natural_9"
    BANKER_NATURAL_8 = "banker_natural_8"
    BANKER_NATURAL_9 = "banker_natural_9"
    SUPER_6_PLUS = "super_6_plus"


class Insurance(StrEnum):
    """The two bets against one's own Original Bet."""

    PLAYER = "player_insurance"
    BANKER = "banker_insurance"

    @property
    def side(self) -> Side:
        return Side.PLAYER if self is Insurance.PLAYER else Side.BANKER


class Moment(StrEnum):
    """When insurance is offered."""

    FOUR_CARDS = "four-cards"
    PLAYER_THIRD = "player-third"


class Case(StrEnum):
    """A row of a pay table: the event that it pays for."""

    BANKER_WINS = "Banker wins"
    BANKER_WINS_ON_6 = "Banker wins on 6 points"
    BANKER_WINS_ON_OTHER = "Banker wins on other points"
    PLAYER_WINS = "Player wins"
    TIE = "Tie"
    PLAYER_PAIR = "Player Pair"
    BANKER_PAIR = "Banker Pair"
    BANKER_6_THREE = "Banker wins on 6 with three cards"
    BANKER_6_TWO = "Banker wins on 6 with two cards"
    PLAYER_6_THREE = "Player wins on 6 with three cards"
    PLAYER_6_TWO = "Player wins on 6 with two cards"
    BANKER_7_THREE = "Banker wins on 7 with three cards"
    BANKER_7_TWO = "Banker wins on 7 with two cards"
    PLAYER_7_THREE = "Player wins on 7 with three cards"
    PLAYER_7_TWO = "Player wins on 7 with two cards"
    EITHER_6 = "Either hand wins on 6"
    ONE_PAIR = "One pair"
    TWO_PAIRS = "Two pairs of different rank"
    TWIN_PAIRS = "Two pairs of the same rank"
    TIE_ON_6 = "Tie on 6"
    PLAYER_WINS_ON_1 = "Player wins on 1"
    BANKER_BY_ONE_4 = "Banker wins by one on 7, 8 or 9 with 4 cards"
    BANKER_BY_ONE_5 = "Banker wins by one on 7, 8 or 9 with 5 cards"
    BANKER_BY_ONE_6 = "Banker wins by one on 7, 8 or 9 with 6 cards"
    PLAYER_BY_ONE_4 = "Player wins by one on 7, 8 or 9 with 4 cards"
    PLAYER_BY_ONE_5 = "Player wins by one on 7, 8 or 9 with 5 cards"
    PLAYER_BY_ONE_6 = "Player wins by one on 7, 8 or 9 with 6 cards"
    FIVE_OR_SIX_CARDS = "5 or 6 cards"
    FOUR_CARDS = "4 cards"
    PLAYER_NATURAL_8 = "Player wins with a natural 8"
    PLAYER_NATURAL_9 = "Player wins with a natural 9"
    BANKER_NATURAL_8 = "Banker wins with a natural 8"
    BANKER_NATURAL_9 = "Banker wins with a natural 9"

    @property
    def about(self) -> str | None:
        """`player`, `banker` or `tie`, if the case is about that alone."""
        first = self.name.partition("_")[0].lower()
        return first if first in (*Side, "tie") else None


class Disposition(StrEnum):
    """The kind of a paragraph. All but notices are binding."""

    RULE = "rule"
    VALUE = "value"
    DEFINITION = "definition"
    PROCEDURE = "procedure"
    NOTICE = "notice"


class Rank(StrEnum):
    """Ranks of staff, lowest first."""

    DEALER = "dealer"
    PIT_SUPERVISOR = "pit-supervisor"
    PIT_MANAGER = "pit-manager"
    SHIFT_MANAGER = "shift-manager"

    def may_act_as(self, needed: Rank) -> bool:
        ladder = list(Rank)
        return ladder.index(self) >= ladder.index(needed)


class Paragraph(msgspec.Struct, frozen=True, kw_only=True):
    number: str
    topics: tuple[str, ...]
    disposition: Disposition
    gist: str

    @property
    def binds(self) -> bool:
        return self.disposition is not Disposition.NOTICE


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling: how Punto reads the document where it is silent or unclear. Its id is in docs/rulings.md."""

    id: str
    topics: tuple[str, ...]
    gist: str


class Erratum(msgspec.Struct, frozen=True, kw_only=True):
    cite: str
    says: str
    read_as: str
    ruling: str


class Name(msgspec.Struct, frozen=True, kw_only=True):
    """A name in another script, as the source prints it."""

    of: str
    script: str
    text: str
    cite: str


class Source(msgspec.Struct, frozen=True, kw_only=True):
    game: str
    edition: str
    title: str
    document: str
    sha256: str
    in_force_from: dt.datetime | None = None
    version: str | None = None
    authority: str | None = None
    operator: str | None = None
    note: str | None = None
    names: tuple[Name, ...] = ()
    errata: tuple[Erratum, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.game}/{self.edition}"


class PayRow(msgspec.Struct, frozen=True, kw_only=True):
    case: Case
    odds: Fraction
    printed: str
    cite: str


class BetRule(msgspec.Struct, frozen=True, kw_only=True):
    bet: Bet
    name: str
    main: bool
    cite: str
    pays: tuple[PayRow, ...]
    defined: str | None = None
    also: tuple[str, ...] = ()
    returned_on_tie: str | None = None
    hands: int | None = None
    hands_cite: str | None = None


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    positions: tuple[int, int]
    bets: tuple[Bet, ...]
    cite: str


class InsuranceRow(msgspec.Struct, frozen=True, kw_only=True):
    bet: Insurance
    after: Moment
    player_points: tuple[int, ...]
    banker_points: tuple[int, ...]
    odds: Fraction
    printed: str
    cite: str
    tie_cite: str | None
    """On a starred row, the paragraph by which this tie is paid."""


class InsuranceLimit(msgspec.Struct, frozen=True, kw_only=True):
    cite: str
    binds: str
    per: str
    at_odds: Fraction | None = None
    share_of_maximum: Fraction | None = None


class InsuranceRule(msgspec.Struct, frozen=True, kw_only=True):
    cite: str
    rows: tuple[InsuranceRow, ...]
    tie_returned: str
    limit: InsuranceLimit
    right_cite: str
    forgone_scope: str
    forgone_cite: str
    both_hands: str
    both_hands_cite: str
    not_offered: str
    not_offered_cite: str


class TableOfPlay(msgspec.Struct, frozen=True, kw_only=True):
    """The drawing rules. Points are those of the first two cards; a third card is given as its points."""

    player: tuple[bool, ...]
    banker: tuple[tuple[bool, ...], ...]
    banker_alone: tuple[bool, ...]
    naturals: tuple[int, ...]
    player_cite: str
    banker_cite: str
    alone_cite: str

    def natural(self, player_points: int, banker_points: int) -> bool:
        return player_points in self.naturals or banker_points in self.naturals

    def player_draws(self, player_points: int, banker_points: int) -> bool:
        return self.player[player_points] and not self.natural(player_points, banker_points)

    def banker_draws(self, banker_points: int, player_points: int, player_third: int | None) -> bool:
        if self.natural(player_points, banker_points):
            return False
        return self.banker_alone[banker_points] if player_third is None else self.banker[banker_points][player_third]


class Procedure(msgspec.Struct, frozen=True, kw_only=True):
    """The staff's procedure, as far as it differs between editions or needs a paragraph."""

    decks: tuple[int, ...]
    decks_default: int
    decks_cite: str
    deal_order: tuple[Side, ...]
    deal_cite: str
    opens_with: str
    opens_cite: str
    closes_with: str
    closes_cite: str
    late_cite: str
    squeeze_by: str
    squeeze_cite: str
    banker_first_cite: str | None
    cut_card_cite: str
    cut_card_withdraw: bool
    cut_card_between: str
    burn: str
    burn_cite: str
    limits_cite: str
    odds_cite: str


class Remedy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way to put an irregularity right. Fields that are not set are its row's."""

    cite: str | None = None
    decided_by: str | None = None
    in_writing: bool = False
    """Whether the reason must be recorded."""


class Irregularity(msgspec.Struct, frozen=True, kw_only=True):
    """A row of section 5: who decides, what follows."""

    id: str
    cite: str
    decided_by: str
    remedies: dict[str, Remedy] | None = {}
    """None in the first revisions, whose list was not used: all of the kind's remedies."""
    options: str = "never"
    options_cite: str | None = None
    discretion: str | None = None
    goes_by: str | None = None

    def remedy(self, name: str) -> Remedy | None:
        """The edition's data of a remedy, or None if the edition does not have it."""
        return Remedy() if self.remedies is None else self.remedies.get(name)

    def cite_of(self, remedy: str) -> str:
        """The paragraph of a remedy, else that of the row."""
        return (self.remedy(remedy) or Remedy()).cite or self.cite

    def decided_by_of(self, remedy: str) -> str:
        return (self.remedy(remedy) or Remedy()).decided_by or self.decided_by


class Rulebook(msgspec.Struct, frozen=True, kw_only=True, dict=True, weakref=True, eq=False):
    """One edition, whole. Equal editions are the same object."""

    source: Source
    paragraphs: MappingProxyType[str, Paragraph]
    readings: MappingProxyType[str, Reading]
    topics: MappingProxyType[str, str]
    table_of_play: TableOfPlay
    bets: MappingProxyType[Bet, BetRule]
    insurance: InsuranceRule
    layouts: MappingProxyType[str, Layout]
    procedure: Procedure
    irregularities: MappingProxyType[str, Irregularity]
    data_sha256: str
    """The hash by `files.digest`, which the rows of a house record."""
    revision: int = 1
    """One more than the number of corrections before it."""
    superseded: bool = False
    """Whether a later correction has replaced this revision."""

    @property
    def id(self) -> str:
        return self.source.id

    def paragraph(self, topic: str) -> str:
        """The number of the paragraph that answers a topic in this edition."""
        return self.topics[topic]

    def cite(self, topic: str) -> Cite:
        return Cite(edition=self.id, paragraph=self.topics[topic])

    def gist(self, paragraph: str) -> str:
        entry = self.paragraphs.get(paragraph)
        return entry.gist if entry is not None else self.readings[paragraph].gist

    def knows(self, paragraph: str) -> bool:
        return paragraph in self.paragraphs or paragraph in self.readings


ALL_POINTS: Final = tuple(range(10))
