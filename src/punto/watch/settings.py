"""The settings of a house: how it handles its cards, and how many false alarms a year it accepts."""

from __future__ import annotations

from typing import Final

import msgspec

from punto.cards import CARDS_IN_A_DECK, DECK, RANKS, SUITS, card

PLACES: Final = ("P1", "B1", "P2", "B2", "P3", "B3")
"""The places of a round's cards, in the order of the deal."""

DAYS: Final = 365

RUNS, THINNED, MISSING = 0.5, 0.25, 0.25
"""How the accepted false alarms are divided: runs, slugs with other cards between theirs, missing cards."""


class SettingsError(ValueError):
    """An invalid setting. The message says why in a sentence."""


class Procedure(msgspec.Struct, frozen=True, kw_only=True):
    """How this house handles its cards. Nothing here comes from an edition; the house trains its staff to do it."""

    decks: int = 8
    pick_up: tuple[tuple[str, ...], ...] = (("P1", "P2", "P3", "B1", "B2", "B3"),)
    """Orders in which the cards of a round are picked up. The place of a third card that was not drawn is skipped."""
    new_decks: tuple[tuple[int, ...], ...] = ()
    """Orders of a new deck, as indices in the deck; empty means `NEW_DECKS`."""

    @property
    def cards(self) -> int:
        return self.decks * CARDS_IN_A_DECK


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The figures from which all thresholds follow."""

    procedure: Procedure = Procedure()
    tables: int = 100
    shoes_a_day: int = 10
    """Shoes a day of one table."""
    false_alarms_a_year: float = 1.0
    """Accepted false alarms about shoes, for the whole house."""
    false_discoveries: float = 0.01
    """Accepted average share of honest patrons among those named."""

    @property
    def shoes_a_year(self) -> int:
        return self.tables * self.shoes_a_day * DAYS

    @property
    def chance_a_shoe(self) -> float:
        """Accepted probability of a false alarm per shoe."""
        return self.false_alarms_a_year / self.shoes_a_year


def _suits(order: str, falling: str) -> tuple[int, ...]:
    """A new deck suit by suit, ace to king, or king to ace in the suits of `falling`."""
    suits = []
    for suit in order:
        ranks = RANKS[::-1] if suit in falling else RANKS
        suits += [4 * RANKS.index(rank) + SUITS.index(suit) for rank in ranks]
    return tuple(suits)


NEW_DECKS: Final = (_suits("SDCH", "CH"), _suits("SHCD", ""))
"""Two common orders: spades and diamonds rising, clubs and hearts falling; and four suits rising."""


def pick_up_order(text: str) -> tuple[str, ...]:
    """Parse an order such as "P3 P1 P2 B3 B1 B2"."""
    places = tuple(text.replace(",", " ").upper().split())
    if sorted(places) != sorted(PLACES):
        raise SettingsError(f"{text!r} is no order of pick-up: expected each of {' '.join(PLACES)} once")
    return places


def new_deck_order(text: str) -> tuple[int, ...]:
    """Parse the 52 cards of a new deck, top card first."""
    place = {card: at for at, card in enumerate(DECK)}
    places = tuple(place[card(word)] for word in text.replace(",", " ").split())
    if sorted(places) != list(range(CARDS_IN_A_DECK)):
        raise SettingsError(f"a new deck of {len(places)} cards: expected each of the {CARDS_IN_A_DECK} once")
    return places


def check(settings: Settings) -> None:
    """Raise SettingsError for the first invalid figure."""
    if not 1 <= settings.procedure.decks <= 8:
        raise SettingsError(f"{settings.procedure.decks} decks: expected 1 to 8")
    if settings.tables < 1 or settings.shoes_a_day < 1:
        raise SettingsError("a house without tables or shoes: expected at least one of each")
    if not 0 < settings.false_alarms_a_year <= settings.shoes_a_year:
        raise SettingsError(
            f"{settings.false_alarms_a_year} false alarms a year: "
            f"expected more than 0 and at most {settings.shoes_a_year}, the number of shoes in a year"
        )
    if not 0 < settings.false_discoveries < 1:
        raise SettingsError(f"{settings.false_discoveries} false discoveries: expected a share between 0 and 1")
