"""Demo tables: one virtual table for each game, under whatever edition is in force."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from punto.game import commands as c
from punto.game.audience import Audience
from punto.game.table import BetLimits, TableLimits
from punto.house.people.names import HOUSE_DEALER
from punto.house.table import answers
from punto.house.table.clock import PACE
from punto.money import Cents
from punto.rulebook import in_force, load
from punto.rulebook.model import Layout, Rank, Rulebook

if TYPE_CHECKING:
    from punto.house.web.rooms import Rooms

POSITIONS: Final = 6
MINIMUM: Final = Cents(10_00)
MAXIMUM: Final = Cents(5_000_00)
DIFFERENTIAL: Final = Cents(10_000_00)
SIDE: Final = BetLimits(minimum_cents=Cents(5_00), maximum_cents=Cents(500_00))


async def open_demo_tables(rooms: Rooms) -> None:
    """Those that are not there yet. A second node finds them open and changes nothing."""
    for game in dict.fromkeys(source.game for source in load.catalogue()):
        if game in rooms.directory.known:
            continue
        source = in_force.in_force(game, dt.datetime.now(in_force.ZONE))
        command = opening(game, load.edition(game, source.edition))
        told = await rooms.house.command(
            game, [command], "demo", HOUSE_DEALER, answers.body_of([command]), Audience.PIT
        )
        if told.accepted:
            await rooms.directory.add(game, game, PACE, demo=True)


def opening(game: str, rules: Rulebook) -> c.OpenTable:
    """The layout with the most bets, and limits that suit a guest's chips."""
    layout: Layout = max(rules.layouts.values(), key=lambda one: len(one.bets))
    low, high = layout.positions
    side = {bet: SIDE for bet in layout.bets if not rules.bets[bet].main}
    squeezed = rules.procedure.squeeze_by != "none" and "non-commission" in game
    return c.OpenTable(
        by=HOUSE_DEALER,
        rank=Rank.DEALER,
        table=game,
        game=game,
        layout=layout.id,
        positions=min(high, max(low, POSITIONS)),
        limits=TableLimits(
            minimum_cents=MINIMUM, maximum_cents=MAXIMUM, maximum_differential_cents=DIFFERENTIAL, bets=side
        ),
        facing="down" if squeezed else "up",
        source="virtual",
    )
