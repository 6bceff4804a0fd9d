"""The paragraph that is shown with a command that somebody can give now."""

from __future__ import annotations

from typing import Final

from punto.game import commands as c
from punto.game import dealing
from punto.game import events as e
from punto.game.table import Table
from punto.rulebook.model import Rulebook

_ACTS: Final[dict[type, type]] = {
    c.CloseBetting: e.BettingClosed,
    c.CloseTable: e.TableClosed,
    c.EndShoe: e.ShoeEnded,
    c.ExposeCard: e.CardExposed,
}
"""The event of the act itself, where another may come first: wagers that go back, a shoe that ends, cards that are put
away, an offer that ends. For every other command it is the first event."""


def of_act(rules: Rulebook, table: Table, command: c.AnyCommand, answer: tuple[e.AnyEvent, ...]) -> str:
    """The paragraph of the act itself. It must not reveal what comes next out of a virtual shoe."""
    if isinstance(command, c.OpenBetting):
        return rules.procedure.opens_cite
    place = dealing.next_place(rules, table) if isinstance(command, c.DrawCard) else None
    if isinstance(place, str):
        return dealing.drawn_cite(rules, table, place)
    act = _ACTS.get(type(command))
    return next(event.paragraph for event in answer if act is None or isinstance(event, act))
