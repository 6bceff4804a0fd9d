"""Demo tables: one virtual table for each game, under whatever edition is in force."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Final

from punto.game import commands as c
from punto.game.table import BetLimits, TableLimits
from punto.house.store.dealing_pace import PACE
from punto.house.store.names import HOUSE_DEALER
from punto.house.table.directory import Directory
from punto.house.table.house import House
from punto.house.table.request import by_house
from punto.money import Cents
from punto.rulebook import in_force, load
from punto.rulebook.model import Layout, Rank, Rulebook

POSITIONS: Final = 6
MINIMUM: Final = Cents(10_00)
MAXIMUM: Final = Cents(5_000_00)
DIFFERENTIAL: Final = Cents(10_000_00)
SIDE: Final = BetLimits(minimum_cents=Cents(5_00), maximum_cents=Cents(500_00))


async def open_demo_tables(house: House, directory: Directory) -> None:
    """Open the demo tables that are not there yet. A second node finds them open and changes nothing."""
    for game, name in names().items():
        if game in directory.known:
            continue
        source = in_force.in_force(game, dt.datetime.now(in_force.ZONE))
        command = opening(game, load.edition(game, source.edition), name)
        answer = await house.command(game, by_house([command], "demo", HOUSE_DEALER))
        if answer.accepted:
            await directory.add(game, game, PACE, demo=True)


def names() -> dict[str, str]:
    """Every game and the name of its demo table: the title without the part in brackets, and a number."""
    called: dict[str, str] = {}
    count = Counter[str]()
    for source in load.catalogue():
        if source.game not in called:
            title = source.title.partition(" (")[0]
            count[title] += 1
            called[source.game] = f"{title} {count[title]}"
    return called


def opening(game: str, rules: Rulebook, name: str | None = None) -> c.OpenTable:
    """An open-table with the layout of the most bets, and limits that suit a guest's chips."""
    layout: Layout = max(rules.layouts.values(), key=lambda layout: len(layout.bets))
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
        name=name,
    )
