"""Watch a live table: its shoe card by card, its set of cards shoe by shoe, and the evidence in each patron's stakes.

The state between shoes is one record (`Kept`), so that a watch can continue where it stopped. `live_stakes` weighs the
stakes and needs compiled code; the rest is plain Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from punto.watch.alarms import Alarm, card_name, compared, of_missing, of_sign
from punto.watch.bounds import SUITED
from punto.watch.comparator import Comparator, Sign
from punto.watch.missing import Lost, Start
from punto.watch.references import Reference, Round, of_new_decks, of_shoe
from punto.watch.settings import MISSING, Settings

MOST_ROUNDS: Final = 130
"""Most rounds of a shoe: eight decks have no more."""
BEST: Final = 12
"""Wagers kept of one patron: those with the largest worth."""
MOST_PATRONS: Final = 4_096
"""Most patrons kept of one table."""


class Staked(msgspec.Struct, frozen=True, array_like=True):
    """A wager, once its round is settled."""

    patron: str
    bet: str
    stake_cents: int


class WorthRound(msgspec.Struct, frozen=True, kw_only=True):
    """A wager with the edge that it had on the very cards left."""

    shoe: int
    round: int
    bet: str
    stake_cents: int
    edge: float

    @property
    def worth_cents(self) -> float:
        return self.stake_cents * self.edge


class Evidence(msgspec.Struct, kw_only=True):
    """Evidence on a patron or a group at one table: what one unit would have become in a fair bet against them."""

    main: float = 1.0
    side: float = 1.0
    shoes: int = 0
    marks: tuple[int, int] = (2**63, 2**63)
    """Smallest hashes of the shoes they were at. Patrons who always sit together have the same ones."""
    best: list[WorthRound] = msgspec.field(default_factory=list)


class Favourable(msgspec.Struct, kw_only=True):
    """Rounds of a table in which a bet favoured the patron before the first card."""

    rounds: int = 0
    edges: float = 0.0
    largest: float = 0.0


class Kept(msgspec.Struct, kw_only=True):
    """What a table's watch remembers between shoes."""

    shoe: str = ""
    """Name of the last shoe; empty before the first shoe has ended."""
    rounds: list[Round] = msgspec.field(default_factory=list)
    """The rounds of the last shoe."""
    starts: list[Start] = msgspec.field(default_factory=list)
    shoes: int = 0
    """Number of shoes of this set of cards."""
    missing: bool = False
    """Whether this set was reported already."""
    patrons: dict[str, Evidence] = msgspec.field(default_factory=dict)
    groups: dict[str, Evidence] = msgspec.field(default_factory=dict)
    """By the names of their members, joined with a space."""
    valued: int = 0
    """Rounds whose edges are known."""
    favourable: dict[str, Favourable] = msgspec.field(default_factory=dict)


class PlayedRound(msgspec.Struct, frozen=True):
    """A round of the shoe on the table. `left` are the cards left by rank before its first card."""

    number: int
    cards: Round
    left: tuple[int, ...]
    staked: tuple[Staked, ...] = ()


class LiveShoe:
    """A shoe in use. `compares` is false where cards go back into the shuffler after each round."""

    def __init__(self, table: str, number: int, kept: Kept, settings: Settings, *, compares: bool = True) -> None:
        references: list[Reference] = []
        if compares:
            references = of_new_decks(settings.procedure)
            if kept.shoe:
                references += of_shoe(kept.shoe, kept.rounds, settings.procedure)
        self.table, self.number, self.settings, self.compares = table, number, settings, compares
        self.comparator = Comparator(references, settings, suits=True)
        self.cards: list[int] = []
        self._round_of: list[int | None] = []
        self.rounds: list[PlayedRound] = []
        self._raised: dict[int, Alarm] = {}
        """Runs that may still grow, by the index of their sign."""

    def card(self, card: int, round: int | None) -> list[Alarm]:
        """Add the next card of the shoe. Returns the alarms it raises, and runs that it ended, at their full length."""
        self.cards.append(card)
        self._round_of.append(round)
        if not self.compares:
            self.comparator.seen[card] += 1
            return []
        known = len(self.comparator.signs)
        self.comparator.card(card)
        ended = self._grown()
        raised = [self._alarm(sign) for sign in self.comparator.signs[known:]]
        for at, alarm in enumerate(raised, known):
            if alarm.kind == "run":
                self._raised[at] = alarm
        return ended + raised

    def elsewhere(self, card: int) -> None:
        """Add a card that left the shoe out of order: it counts as seen, and no run continues across it."""
        self.cards.append(card)
        self._round_of.append(None)
        self.comparator.seen[card] += 1
        self.comparator.time += 1
        self.comparator.gap()

    def gap(self) -> None:
        """Note that cards left the shoe unseen: they count as still to come, and no run continues across them."""
        self.comparator.gap()

    def recount(self, wrong: Sequence[int], right: Sequence[int]) -> None:
        """Correct the cards seen: the record had `wrong`, but the cards were `right`."""
        if sorted(wrong) == sorted(right):
            return
        for card in wrong:
            self.comparator.seen[card] -= 1
        for card in right:
            self.comparator.seen[card] += 1
        self.comparator.gap()

    def round(self, played: PlayedRound) -> None:
        if len(self.rounds) < MOST_ROUNDS:
            self.rounds.append(played)

    def end(self, kept: Kept) -> list[Alarm]:
        """End the shoe: store its cards in `kept`. Returns alarms for grown runs and for cards missing from the set."""
        alarms = self._grown(over=True)
        kept.shoe = str(self.number)
        kept.rounds = [played.cards for played in self.rounds]
        seen = self.comparator.seen
        if self.compares and self.rounds and max(seen) <= self.comparator.copies and min(seen) >= 0:
            alarms += self._missing(kept, seen)
        return alarms

    def left(self) -> tuple[int, ...]:
        """Cards by rank that are still to come, including those burnt unseen."""
        copies = self.settings.procedure.decks
        return tuple(4 * copies - sum(self.comparator.seen[4 * rank : 4 * rank + 4]) for rank in range(13))

    def _missing(self, kept: Kept, seen: Sequence[int]) -> list[Alarm]:
        lost = Lost(SUITED, self.settings.procedure.cards)
        lost.starts, lost.shoes = kept.starts, kept.shoes
        missing = lost.shoe(seen)
        kept.starts, kept.shoes = lost.starts, lost.shoes
        if kept.missing or missing.evidence < 1 / (self.settings.chance_a_shoe * MISSING):
            return []
        kept.missing = True
        return [of_missing(missing, self.settings, SUITED, table=self.table, shoe=str(self.number))]

    def _grown(self, *, over: bool = False) -> list[Alarm]:
        """Drop the runs that this card did not continue. Returns a new alarm for each that grew since its first one."""
        ended = []
        for at in [at for at in self._raised if over or not self.comparator.grows(at)]:
            raised, sign = self._raised.pop(at), self.comparator.signs[at]
            if sign.length > raised.length:
                ended.append(self._alarm(sign))
        return ended

    def _alarm(self, sign: Sign) -> Alarm:
        of = compared(self.comparator, sign)
        round, shoe = self._round_of[sign.first], str(self.number)
        alarm = of_sign(sign, of, self.settings, self.cards, table=self.table, shoe=shoe, round=round)
        if sign.place < 0:
            return alarm
        laid = self.comparator.laid[sign.place - sign.length + 1 : sign.place + 1]
        beside = " ".join(card_name(card, self.comparator.symbols) for card in laid)
        return msgspec.structs.replace(alarm, beside=beside)


def new_set(kept: Kept) -> None:
    """Forget the old set, because new cards have come to the table."""
    kept.shoe, kept.rounds, kept.starts, kept.shoes, kept.missing = "", [], [], 0, False
