"""What a report of each kind tells and what a ruling on it says: a frozen record each, with no field of another kind.

On the wire both are flat: `kind` and the fields of its record side by side. The order of fields is that of the page.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

import msgspec

from punto.money import Cents
from punto.rulebook.model import Moment


class Cause(StrEnum):
    """5.5: why a round is void."""

    FOREIGN_CARD = "foreign-card"
    WRONG_COUNT = "wrong-count"
    NOT_RECONSTRUCTIBLE = "not-reconstructible"
    TOO_FEW_CARDS = "too-few-cards"
    UNSHUFFLED = "unshuffled"


class Misdealt(StrEnum):
    """5.9: where a card of one hand went: the other hand's area, or the person who holds the other hand."""

    AREA = "area"
    PERSON = "person"


class Place(StrEnum):
    """The place of a card on the table, in the order of the deal."""

    P1 = "P1"
    B1 = "B1"
    P2 = "P2"
    B2 = "B2"
    P3 = "P3"
    B3 = "B3"


# Facts


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """No facts: the name of the kind says everything."""


class VoidFacts(Facts, frozen=True, kw_only=True):
    """`cause`: why. `round` is the last one, where it is meant once a new shoe is in use."""

    cause: Cause
    round: int | None = None


class CardFacts(Facts, frozen=True, kw_only=True):
    """`cards` left the shoe and are not on record yet, in order, face up unless `exposed` is false; or `count` of them,
    unseen or of a virtual shoe."""

    cards: tuple[str, ...] = ()
    count: int = 0
    exposed: bool = True


class HandFacts(Facts, frozen=True, kw_only=True):
    """`player` and `banker`: both hands as they truly lay, the third card last. None where the record is right and a
    card was only forgotten."""

    player: tuple[str, ...] = ()
    banker: tuple[str, ...] = ()


class ExcessFacts(CardFacts, frozen=True, kw_only=True):
    """`cards` left the shoe and are not on record yet, in order, face up unless `exposed` is false; or `count` of them,
    unseen or of a virtual shoe. Once the hands lie open: `player` and `banker` with all that lies there, third card
    last."""

    player: tuple[str, ...] = ()
    banker: tuple[str, ...] = ()


class WrongHandFacts(ExcessFacts, frozen=True, kw_only=True):
    """`cause`: to the other hand's area, or to the other person. `cards` or `count`: those that are not on record yet,
    face up unless `exposed` is false; neither where cards on record lie wrongly. `player` and `banker`: both hands as
    they lie, once they are open."""

    cause: Misdealt | None = None


class WrongDealingFacts(ExcessFacts, frozen=True, kw_only=True):
    """`cards`, in order, that are not on record yet, face up unless `exposed` is false, or their `count`; or `player`
    and `banker`, both hands as they truly lay, third card last. `round` is a past one: its hands are given."""

    round: int | None = None


class FaceUpFacts(Facts, frozen=True, kw_only=True):
    """One `place` and its `card`, or all `places` with their cards; no card where the record knows it."""

    short: ClassVar = ("place", "card")
    place: Place | None = None
    card: str | None = None
    places: dict[Place, str | None] = {}


class DamagedFacts(Facts, frozen=True, kw_only=True):
    """The `place` of a card that lies on the table, or `count` 1 for one lost on its way from a live shoe."""

    place: Place | None = None
    count: int = 0


class AfterLastFacts(Facts, frozen=True, kw_only=True):
    """`round` is the first hand that was dealt after the last one: it and all later ones are void. Without it, the
    current hand."""

    round: int | None = None


class PastFacts(Facts, frozen=True, kw_only=True):
    """`round` is the past one."""

    round: int


class LatePlayFacts(Facts, frozen=True, kw_only=True):
    """`round` is the past one; `player` and `banker`, both hands as they truly lay, third card last."""

    round: int
    player: tuple[str, ...]
    banker: tuple[str, ...]


class MissedFacts(Facts, frozen=True, kw_only=True):
    """`after`: the moment of the offer that nobody spoke of. The table made it by itself, and on record it was let
    pass. `round` if it is a past one."""

    after: Moment
    round: int | None = None


class MisplacedFacts(Facts, frozen=True, kw_only=True):
    """`insurance` is its id in the event `insurance-taken`; `round` if it is a past one."""

    insurance: str
    round: int | None = None


class DiscretionFacts(HandFacts, frozen=True, kw_only=True):
    """`round` if it is a past one; `player` and `banker`, its true hands, where a card was misread and the Table of
    Play was kept."""

    round: int | None = None


class DisplayFacts(Facts, frozen=True, kw_only=True):
    """`shown`: what the board wrongly said, in any words. `round` has a result; the current one where none is named."""

    shown: str
    round: int | None = None


class DroppedFacts(Facts, frozen=True, kw_only=True):
    """`exposed`: whether the card was, before it fell out of sight; it was, where nothing is said."""

    exposed: bool = True


# Rulings


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """Who rules, and why: in every ruling."""

    by: str
    reason: str = ""


class OrderWords(Words, frozen=True, kw_only=True):
    """`order`: the cards in the order in which they left the shoe, by face or by their number in the report."""

    order: tuple[str, ...] = ()


class TogetherWords(OrderWords, frozen=True, kw_only=True):
    replace_cards: bool = False


class CardWords(Words, frozen=True, kw_only=True):
    card: str


class MissingWords(Words, frozen=True, kw_only=True):
    """A third card was due and not dealt: whether the rest can be reconstructed changes nothing."""

    reconstruct: bool = True


class PatronWords(Words, frozen=True, kw_only=True):
    """Who meant to insure."""

    patrons: tuple[str, ...] = ()


class SkipWords(Words, frozen=True, kw_only=True):
    """`skip`: how many further cards are taken from the shoe unseen, besides those on record."""

    skip: int = 0


class InvalidWords(Words, frozen=True, kw_only=True):
    """`void_rounds`: which finished rounds of the invalid shoe are void."""

    void_rounds: tuple[int, ...] = ()


class EndShoeWords(Words, frozen=True, kw_only=True):
    end_shoe: bool = False


class DealingWords(OrderWords, frozen=True, kw_only=True):
    end_shoe: bool = False


class KeepWords(Words, frozen=True, kw_only=True):
    """Whether side bets that the rightly dealt cards decide keep their result."""

    keep_side_bets: bool = False


class PayWords(Words, frozen=True, kw_only=True):
    """Patron → what the House pays."""

    pay_cents: dict[str, Cents] = msgspec.field(name="pay", default_factory=dict)
