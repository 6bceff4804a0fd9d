"""The shapes of the edition files on disk. Keys that are missing, unknown or of another type are refused."""

from __future__ import annotations

import datetime as dt

import msgspec

from punto.rulebook.model import Disposition, Erratum, Moment, Name, Remedy


class Shape(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A table of a file. Unknown keys are refused."""


class SourceFile(Shape):
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
    name: tuple[Name, ...] = ()
    erratum: tuple[Erratum, ...] = ()


class ParagraphRow(Shape):
    topic: str | tuple[str, ...]
    disposition: Disposition = msgspec.field(name="is")
    gist: str


class ReadingRow(Shape):
    topics: tuple[str, ...]
    gist: str


class ParagraphsFile(Shape):
    paragraphs: dict[str, ParagraphRow]
    rulings: dict[str, ReadingRow] = {}


class TableauFile(Shape):
    player_cite: str
    player: str
    banker_cite: str
    banker: str
    alone_cite: str
    alone: str


class BetRow(Shape):
    id: str
    name: str
    kind: str
    cite: str
    pays: str
    defined: str | None = None
    also: tuple[str, ...] = ()
    returned_on_tie: str | None = None
    hands: int | None = None
    hands_cite: str | None = None


class BetsFile(Shape):
    bet: tuple[BetRow, ...]


class InsuranceTable(Shape):
    bet: str
    after: Moment
    cite: str
    rows: str


class TiesRow(Shape):
    returned: str
    player_star: str
    banker_star: str


class LimitRow(Shape):
    cite: str
    binds: str
    per: str
    at_odds: str | None = None
    share_of_maximum: str | None = None


class ForgoneRow(Shape):
    scope: str
    cite: str


class BothHandsRow(Shape):
    offered: str
    cite: str


class RightRow(Shape):
    cite: str


class NotOfferedRow(Shape):
    allowed: str
    cite: str


class InsuranceFile(Shape):
    cite: str
    table: tuple[InsuranceTable, ...]
    ties: TiesRow
    limit: LimitRow
    forgone: ForgoneRow
    both_hands: BothHandsRow
    right: RightRow
    not_offered: NotOfferedRow


class LayoutRow(Shape):
    positions: str
    cite: str


class LayoutsFile(Shape):
    applicable: dict[str, str]
    layouts: dict[str, LayoutRow]


class DecksRow(Shape):
    allowed: tuple[int, ...]
    default: int
    cite: str
    minimum: int
    maximum: int


class DealRow(Shape):
    order: str
    cite: str


class BettingRow(Shape):
    opens_with: str
    opens_cite: str
    closes_with: str
    closes_cite: str
    late_cite: str


class SqueezeRow(Shape):
    by: str
    cite: str
    banker_first_cite: str | None = None


class CutCardRow(Shape):
    cite: str
    withdraw_in_high_limit: bool
    between_rounds: str


class BurnRow(Shape):
    rule: str
    cite: str


class DisplayRow(Shape):
    limits_cite: str
    odds_cite: str


class ProcedureFile(Shape):
    decks: DecksRow
    deal: DealRow
    betting: BettingRow
    squeeze: SqueezeRow
    cut_card: CutCardRow
    burn: BurnRow
    display: DisplayRow


class IrregularityRow(Shape):
    cite: str
    decided_by: str
    remedies: dict[str, Remedy] | tuple[str, ...] = {}
    """The first revisions have only a list of names."""
    options: str = "never"
    options_cite: str | None = None
    discretion: str | None = None
    goes_by: str | None = None
