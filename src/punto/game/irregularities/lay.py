"""Reconstruction (I4): the drawn cards laid out in the order in which they left the shoe, and what is certain then."""

from __future__ import annotations

from punto.cards import Card, card
from punto.game.coup import next_side
from punto.game.established import established
from punto.game.table import CarriedCard, Irregular, PlacedCard, Table
from punto.game.wagers import available
from punto.rulebook.model import Rulebook, Side, TableOfPlay

FIRST_FOUR = ("P1", "B1", "P2", "B2")


def lay_out(
    play: TableOfPlay, drawn: tuple[CarriedCard, ...]
) -> tuple[tuple[PlacedCard, ...], tuple[CarriedCard, ...]]:
    """Cards in their places by deal order and Table of Play, and those left over.

    A third card finds its place only once the cards that decide it lie open: until then it waits among those left over.
    """
    placed = [PlacedCard(place, one.face, one.exposed) for place, one in zip(FIRST_FOUR, drawn, strict=False)]
    rest = list(drawn[len(placed) :])
    while rest and len(placed) >= 4 and all(one.exposed for one in placed):
        due = next_side(play, _hand(placed, "P"), _hand(placed, "B"))
        if due is None:
            break
        one = rest.pop(0)
        placed.append(PlacedCard("P3" if due is Side.PLAYER else "B3", one.face, one.exposed))
    return tuple(placed), tuple(rest)


def _hand(placed: list[PlacedCard], letter: str) -> tuple[Card, ...]:
    return tuple(card(one.face) for one in placed if one.place[0] == letter and one.face is not None)


def all_drawn(table: Table, extra: tuple[CarriedCard, ...]) -> tuple[CarriedCard, ...]:
    """Everything that has left the shoe for this round, in order: placed, waiting, and reported."""
    assert table.shoe is not None, "cards are drawn from a shoe"
    placed: tuple[CarriedCard, ...] = ()
    if table.round is not None and not table.round.ended:
        placed = tuple(CarriedCard(one.face, one.exposed) for one in table.round.cards)
    return (*placed, *table.shoe.carried, *extra)


def is_established(rules: Rulebook, table: Table, extra: tuple[CarriedCard, ...]) -> bool:
    """I2, W5: judged on the exposed cards put where they belong; a card too many counts for nothing."""
    current = table.round
    if current is None:
        return False
    if current.ended:
        return not current.void
    placed, _ = lay_out(rules.table_of_play, all_drawn(table, extra))
    exposed = {one.place: one.face[0] for one in placed if one.exposed and one.face is not None}
    return established(rules, available(rules, table), exposed)


def given_order(irregular: Irregular, order: tuple[str, ...]) -> tuple[CarriedCard, ...] | None:
    """The reported cards in the order that staff state; None if it does not use exactly those cards."""
    left = list(irregular.cards)
    found = []
    for text in order:
        match = next((one for one in left if one.face == text), None)
        if match is None:
            return None
        left.remove(match)
        found.append(match)
    return None if left else tuple(found)
