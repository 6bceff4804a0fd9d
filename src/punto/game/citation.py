"""The paragraph under which a command that would be heard is offered."""

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
"""What a command does, where something else may come first: wagers that go back, a shoe that ends, cards that are put
away, an offer that ends. Of every other command it is the first event."""


def of_act(rules: Rulebook, table: Table, command: c.AnyCommand, answer: tuple[e.AnyEvent, ...]) -> str:
    """That of the act itself. What comes next out of a virtual shoe is not to be told by the paragraph that it would
    come under."""
    if isinstance(command, c.OpenBetting):
        return rules.procedure.opens_cite
    place = dealing.next_place(rules, table) if isinstance(command, c.DrawCard) else None
    if isinstance(place, str):
        return dealing.drawn_cite(rules, table, place)
    act = _ACTS.get(type(command))
    return next(event.paragraph for event in answer if act is None or isinstance(event, act))
