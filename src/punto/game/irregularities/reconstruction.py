"""Reconstruction (I4): the drawn cards laid out in the order in which they left the shoe, and what is certain then."""

from __future__ import annotations

from collections import Counter

from punto.cards import Card, CardError, card
from punto.codes import Code
from punto.game.coup import Coup, banker_draws_anyway, check_decks, deal, in_deal_order, next_side
from punto.game.established import POSITIONS, established
from punto.game.refusals import Refusal, refuse
from punto.game.table import CarriedCard, PlacedCard, Table
from punto.game.wagers import available
from punto.rulebook.model import Rulebook, Side, TableOfPlay

FIRST_FOUR = ("P1", "B1", "P2", "B2")
MOST_CARDS = 12
"""More than this never leaves a shoe by mistake."""

Reconstruction = tuple[tuple[PlacedCard, ...], tuple[CarriedCard, ...]]
"""Cards in their places, and those left over."""


def reconstruct(play: TableOfPlay, drawn: tuple[CarriedCard, ...], *, banker_first: bool = False) -> Reconstruction:
    """Cards in their places by deal order and Table of Play, and those left over.

    A third card finds its place only once the cards that decide it lie open: until then it waits among those left over.
    Where the Banker's third card is opened first (3.14) it needs no such wait.
    """
    placed = [PlacedCard(place, card.face, card.exposed) for place, card in zip(FIRST_FOUR, drawn, strict=False)]
    rest = list(drawn[len(placed) :])
    while rest and len(placed) >= 4 and all(card.exposed for card in placed[:4]):
        if all(card.exposed for card in placed):
            due = next_side(play, _hand(placed, "P"), _hand(placed, "B"))
        else:
            anyway = banker_draws_anyway(play, _hand(placed[:4], "P"), _hand(placed[:4], "B"))
            due = Side.BANKER if banker_first and len(placed) == 5 and anyway else None
        if due is None:
            break
        card = rest.pop(0)
        placed.append(PlacedCard("P3" if due is Side.PLAYER else "B3", card.face, card.exposed))
    return tuple(placed), tuple(rest)


def _hand(placed: list[PlacedCard], letter: str) -> tuple[Card, ...]:
    return tuple(card(place.face) for place in placed if place.place[0] == letter and place.face is not None)


def all_drawn(table: Table, extra: tuple[CarriedCard, ...]) -> tuple[CarriedCard, ...]:
    """Everything that has left the shoe for this round, in order: placed, waiting, and reported."""
    placed: tuple[CarriedCard, ...] = ()
    if table.round is not None and not table.round.ended:
        placed = tuple(CarriedCard(card.face, card.exposed) for card in table.round.cards)
    return (*placed, *table.in_use.carried, *extra)


def reconstruct_round(rules: Rulebook, table: Table, extra: tuple[CarriedCard, ...]) -> Reconstruction:
    """Everything drawn for the current round where it belongs."""
    return reconstruct(rules.table_of_play, all_drawn(table, extra), banker_first=table.current.waived)


def is_established(rules: Rulebook, table: Table, extra: tuple[CarriedCard, ...], truth: Coup | None) -> bool:
    """I2, W5: judged on the exposed cards put where they belong; a card too many counts for nothing.

    `truth` are the hands as a report has them: they count in place of the record.
    """
    current = table.round
    if current is None or (current.ended and current.winner is None):
        return False
    if current.ended and truth is None:
        return True
    placed, _ = reconstruct_round(rules, table, extra) if truth is None else reconstruct_coup(rules, truth)
    exposed = {card.place: card.face[0] for card in placed if card.exposed and card.face is not None}
    return established(rules, available(rules, table), exposed)


def in_named_order(cards: tuple[CarriedCard, ...], order: tuple[str, ...]) -> tuple[CarriedCard, ...] | None:
    """Cards in the order that staff state, by face or by number as reported; None if it is not exactly those cards."""
    left = dict(enumerate(cards, 1))
    ordered = []
    for text in order:
        try:
            face = str(card(text))
        except CardError:
            number = int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0
        else:
            number = next((at for at, card in left.items() if card.face == face), 0)
        if number not in left:
            return None
        ordered.append(left.pop(number))
    return None if left else tuple(ordered)


def true_coup(
    rules: Rulebook, table: Table, player: tuple[str, ...], banker: tuple[str, ...], *, begun: bool = False
) -> Coup | Refusal:
    """The hands as staff say they truly lay, of these decks: at least two cards each. Where the hand is only `begun`,
    as many as lie there will do (O130)."""
    whole = len(player) >= 2 and len(banker) >= 2 and len(player) + len(banker) <= MOST_CARDS
    if not whole and not (begun and _as_many(table, player, banker)):
        return refuse(Code.BAD_REPORT, "expected both hands as they really were", rules.paragraph("table-of-play"))
    try:
        coup = Coup(tuple(card(text) for text in player), tuple(card(text) for text in banker))
    except CardError as error:
        return refuse(Code.UNKNOWN_CARD, str(error), rules.paragraph("cards.decks"))
    elsewhere = _dealt_elsewhere(table, coup) if begun else ()
    return check_decks(rules, (*in_deal_order(coup), *elsewhere), table.opened.decks) or coup


def _dealt_elsewhere(table: Table, coup: Coup) -> tuple[Card, ...]:
    """Copies of these cards that came out of this shoe before the round on the table."""
    before = Counter(table.in_use.seen if table.shoe is not None else {})
    before.subtract(card.face for card in table.current.cards if card.face is not None)
    return tuple(dealt for dealt in {*coup.player, *coup.banker} for _ in range(before[str(dealt)]))


def _as_many(table: Table, player: tuple[str, ...], banker: tuple[str, ...]) -> bool:
    """Whether as many cards lie on each side as these hands have."""
    sides = [card.place[0] for card in table.current.cards]
    return (len(player), len(banker)) == (sides.count("P"), sides.count("B"))


def rightly_numbered(rules: Rulebook, coup: Coup) -> bool:
    """Whether neither hand has a card that the Table of Play does not call for; one that is due may be missing."""
    return deal(rules.table_of_play, in_deal_order(coup)) == (coup, ())


def as_dealt(coup: Coup) -> tuple[PlacedCard, ...]:
    """Hands that stay as they lie."""
    lying = {
        f"{letter}{at}": str(card)
        for letter, hand in (("P", coup.player), ("B", coup.banker))
        for at, card in enumerate(hand, 1)
    }
    return tuple(PlacedCard(place, lying[place], True) for place in POSITIONS if place in lying)


def reconstruct_coup(rules: Rulebook, coup: Coup) -> Reconstruction:
    """Hands as they truly lay, played by the Table of Play in the order in which they left the shoe."""
    return reconstruct(rules.table_of_play, tuple(CarriedCard(str(card), True) for card in in_deal_order(coup)))
