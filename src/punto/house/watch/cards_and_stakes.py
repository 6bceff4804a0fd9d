"""The watch's fold of a table's events: which card left the shoe when, and who had staked what.

A card is processed (`heard`) once it lies open, in the order in which the cards were drawn. Cards of an irregularity
are counted as the table counts them, and no run extends across them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from punto.cards import CARDS_IN_A_DECK, DECK, card
from punto.game import events as e
from punto.game.dealing import PLACES
from punto.game.table import CarriedCard, PlacedCard
from punto.house.store.codec import RecordedEvent
from punto.watch.alarms import Alarm
from punto.watch.live import Kept, LiveShoe, PlayedRound, Staked, new_set
from punto.watch.references import Round
from punto.watch.settings import Settings

CODES: Final = {str(card): at for at, card in enumerate(DECK)}

RELEVANT: Final = frozenset(
    {
        *(e.TableOpened, e.TableClosed, e.ShoeLoaded, e.ShoeEnded, e.CardsBurnt, e.BettingOpened),
        *(e.CardDrawn, e.CardExposed, e.RoundSettled, e.RoundConcluded, e.RoundVoided, e.RoundReopened),
        *(e.IrregularityReported, e.ReportWithdrawn, e.CardsReconstructed, e.CardDetermined, e.CardsDiscarded),
        e.ReplacementOrdered,
    }
)
"""The events that the watch processes. It ignores all others."""

SettingsAt = Callable[[int, int], Settings]
"""The settings in force at an instant, for a number of decks."""
ShoeOver = Callable[[str, LiveShoe, Kept], None]
"""Weighs the stakes of a shoe that has ended, by its edition."""


class Checkpoint(msgspec.Struct, kw_only=True):
    """What is kept of a table when a shoe has ended: enough to go on from there."""

    kept: Kept = msgspec.field(default_factory=Kept)
    shuffler: bool = False
    edition: str = ""
    decks: int = 0
    """0 if it is not recorded."""


class _Drawn(msgspec.Struct):
    place: str
    code: int | None
    """None while the card is not known."""
    open: bool
    heard: bool = False


class TableFold:
    """One table. The caller takes `alarms` and `ended`, and resets them."""

    def __init__(self, table: str, settings_at: SettingsAt, over: ShoeOver, start: Checkpoint | None = None) -> None:
        self.table, self.state = table, start or Checkpoint()
        self.alarms: list[tuple[int, Alarm]] = []
        """Each with the version of the table."""
        self.ended: int | None = None
        """Version at which the last shoe ended, until the caller takes it."""
        self.shoe: LiveShoe | None = None
        self._settings_at, self._over = settings_at, over
        self._round = 0
        self._left: tuple[int, ...] = ()
        self._drawn: list[_Drawn] = []
        self._waiting: list[int] = []
        """Cards that were seen in an irregularity and wait for their place."""
        self._settled = False
        self._new_set = False

    def add(self, recorded: RecordedEvent) -> None:
        event = recorded.event
        if isinstance(event, e.TableOpened):
            self.state.shuffler = event.settings.device == "shuffler"
            self.state.edition = event.settings.edition
            if self.state.decks not in (0, event.settings.decks):
                new_set(self.state.kept)
            self.state.decks = event.settings.decks
        elif isinstance(event, e.ShoeLoaded):
            self._load(event, recorded.at)
        elif self.shoe is not None:
            self._play(self.shoe, event, recorded.version)

    def _load(self, event: e.ShoeLoaded, at: int) -> None:
        settings = self._settings_at(at, max(event.cards // CARDS_IN_A_DECK, 1))
        compares = not self.state.shuffler
        self.shoe = LiveShoe(self.table, event.shoe, self.state.kept, settings, compares=compares)
        self._round, self._drawn, self._waiting, self._new_set = 0, [], [], False

    def _play(self, shoe: LiveShoe, event: e.AnyEvent, version: int) -> None:
        match event:
            case e.CardsBurnt():
                self._raise(version, shoe.card(CODES[event.card], None))
                shoe.gap()
            case e.BettingOpened():
                self._open_round(shoe, event)
            case e.CardDrawn():
                self._draw(shoe, event)
                self._hear(shoe, version)
            case e.CardExposed() | e.CardDetermined():
                self._turn(shoe, event.place, CODES[event.card])
                self._hear(shoe, version)
            case e.RoundSettled():
                staked = tuple(Staked(line.patron, line.bet, int(line.stake_cents)) for line in event.lines)
                self._end_round(shoe, staked)
            case e.RoundConcluded() | e.RoundVoided():
                if getattr(event, "round", self._round) == self._round:
                    self._end_round(shoe, ())
            case e.ShoeEnded() | e.TableClosed():
                self._end_shoe(shoe, version)
            case _:
                self._irregular(shoe, event)

    def _open_round(self, shoe: LiveShoe, event: e.BettingOpened) -> None:
        self.state.edition, self._round, self._drawn, self._settled = event.edition, event.round, [], False
        if self.state.shuffler:  # a shuffler takes back all cards except those that wait (O23)
            shoe.comparator.seen = [self._waiting.count(code) for code in range(shoe.comparator.symbols)]
        self._left = shoe.left()

    def _draw(self, shoe: LiveShoe, event: e.CardDrawn) -> None:
        code = CODES[event.card] if event.card is not None else None
        drawn = _Drawn(event.place, code, event.exposed)
        if event.carried:
            shoe.gap()
            if self._waiting:
                drawn.heard = True
                self._waiting.pop(0)
        self._drawn.append(drawn)

    def _turn(self, shoe: LiveShoe, place: str, code: int) -> None:
        for drawn in self._drawn:
            if drawn.place == place:
                if drawn.heard and drawn.code is not None:
                    shoe.recount([drawn.code], [code])
                drawn.code, drawn.open = code, True

    def _hear(self, shoe: LiveShoe, version: int) -> None:
        """Process open cards in the order of the deal, up to the first that lies face down."""
        for drawn in self._drawn:
            if not drawn.open or drawn.code is None:
                return
            if not drawn.heard:
                drawn.heard = True
                self._raise(version, shoe.card(drawn.code, self._round))

    def _irregular(self, shoe: LiveShoe, event: e.AnyEvent) -> None:
        match event:
            case e.IrregularityReported():
                for code in _codes(event.irregularity.cards):
                    shoe.elsewhere(code)
                    self._waiting.append(code)
            case e.ReportWithdrawn():
                shoe.recount(self._waiting, ())
                self._waiting = []
            case e.CardsReconstructed() | e.RoundReopened():
                self._put_right(shoe, event)
            case e.CardsDiscarded():
                shoe.gap()
                self._waiting = []
            case e.ReplacementOrdered():
                self._new_set = True
            case _:
                pass

    def _put_right(self, shoe: LiveShoe, event: e.CardsReconstructed | e.RoundReopened) -> None:
        """Replace the dealt and the waiting cards by the corrected ones."""
        if isinstance(event, e.RoundReopened) and self._settled and shoe.rounds:
            shoe.rounds.pop()
            self._settled = False
        wrong = [card.code for card in self._drawn if card.heard and card.code is not None] + self._waiting
        self._drawn = [_Drawn(card.place, _code(card), card.exposed, card.exposed) for card in event.cards]
        self._waiting = _codes(event.carried)
        right = [card.code for card in self._drawn if card.heard and card.code is not None] + self._waiting
        shoe.recount(wrong, right)
        shoe.gap()

    def _end_round(self, shoe: LiveShoe, staked: tuple[Staked, ...]) -> None:
        if self._settled:
            return
        self._settled = True
        cards: Round = tuple(
            next((card.code for card in self._drawn if card.place == place and card.open), None) for place in PLACES
        )
        if any(card is not None for card in cards):
            shoe.round(PlayedRound(self._round, cards, self._left, staked))

    def _end_shoe(self, shoe: LiveShoe, version: int) -> None:
        self._raise(version, shoe.end(self.state.kept))
        self._over(self.state.edition, shoe, self.state.kept)
        if self._new_set:
            new_set(self.state.kept)
        self.shoe, self.ended = None, version

    def _raise(self, version: int, alarms: list[Alarm]) -> None:
        self.alarms += [(version, alarm) for alarm in alarms]


def _code(lying: PlacedCard | CarriedCard) -> int | None:
    return CODES[str(card(lying.face))] if lying.face is not None else None


def _codes(cards: tuple[CarriedCard, ...]) -> list[int]:
    return [code for card in cards if (code := _code(card)) is not None]
