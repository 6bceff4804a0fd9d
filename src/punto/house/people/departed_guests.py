"""Take guests who have gone off the tables, cash their chips, and close or delete their accounts.

A guest whom a table's current round or an open irregularity concerns is left alone until that is over: chips may still
come to them. Everything else that they have is theirs alone, and they can't come back for it.
"""

from __future__ import annotations

from typing import Final

from punto.game import commands as c
from punto.game.moves import concerned
from punto.game.table import Patron, Table
from punto.house import logs
from punto.house.people.guests import Guests
from punto.house.store.names import HOUSE_CAGE
from punto.house.table.house import House
from punto.house.table.request import by_house
from punto.money import Cents

_TURNS: Final = 2
"""The first takes them off the tables, the second closes their accounts."""


async def sweep(house: House, guests: Guests) -> None:
    """Sweep once. A later sweep does what can't be done now."""
    for _ in range(_TURNS):
        names = await guests.gone()
        if not names:
            return
        # Read the wallets first: chips bought after this change the wallet, and the account is not closed.
        left = await guests.wallets(names)
        held = await _taken_off(house, set(names))
        free = [name for name in names if name not in held]
        taken_out = await guests.take_out(free)
        closed = [name for name in free if await guests.close(name, left.get(name, 0))]
        if taken_out or closed:
            logs.say("guests-gone", taken_out=taken_out, closed=len(closed), held=len(held))


async def _taken_off(house: House, names: set[str]) -> set[str]:
    """Take guests off the tables; those who were, or still are, at one or in a round."""
    held: set[str] = set()
    for stream, _ in await house.store.streams("table/"):
        name = stream.removeprefix("table/")
        table = (await house.newest(name)).table
        for patron in [patron for patron in table.patrons.values() if patron.name in names]:
            if concerned(table, patron.name):
                held.add(patron.name)
            elif patron.present or patron.balance_cents or patron.box is not None:
                held.add(patron.name)
                await _leaves(house, name, table, patron)
    return held


async def _leaves(house: House, name: str, table: Table, patron: Patron) -> None:
    """Cash a guest's chips and free the seat. Where the table refuses, a later sweep tries again."""
    commands: list[c.AnyCommand] = []
    if patron.balance_cents:
        commands.append(c.CashChips(patron=patron.name, chips_cents=Cents(patron.balance_cents)))
    if patron.present:
        commands.append(c.Leave(patron=patron.name))
    if not commands:
        return
    answer = await house.command(name, by_house(commands, f"gone:{patron.name}:{table.version}", HOUSE_CAGE))
    if not answer.accepted:
        logs.say("guest-not-taken-off", table=name, person=patron.name, code=answer.code)
