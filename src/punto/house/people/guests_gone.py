"""Guests who have gone: taken off the tables, their chips cashed, their accounts closed or taken out.

A guest in whom a table's current round or an open irregularity is interested is left alone until that is over: chips
may still come to them. Everything else that they have is theirs alone, and nobody can come back for it.
"""

from __future__ import annotations

from typing import Final

from punto.game import commands as c
from punto.game.audience import Audience
from punto.game.moves import concerned
from punto.game.table import Patron, Table
from punto.house import logs
from punto.house.people.guests import Guests
from punto.house.people.names import HOUSE_CAGE
from punto.house.table import answers
from punto.house.table.service import House
from punto.money import Cents

_TURNS: Final = 2
"""The first takes them off the tables, the second closes their accounts."""


async def sweep(house: House, guests: Guests) -> None:
    """Once; what can't be done now is done by a later sweep."""
    for _ in range(_TURNS):
        names = await guests.gone()
        if not names:
            return
        # Wallets first: chips that are bought after this change the wallet, and it is not closed.
        left = await guests.wallets(names)
        held = await _taken_off(house, set(names))
        free = [name for name in names if name not in held]
        taken_out = await guests.take_out(free)
        closed = [name for name in free if await guests.close(name, left.get(name, 0))]
        if taken_out or closed:
            logs.say("guests-gone", taken_out=taken_out, closed=len(closed), held=len(held))


async def _taken_off(house: House, names: set[str]) -> set[str]:
    """Those of them who were, or still are, at a table or in a round."""
    held: set[str] = set()
    for stream, _ in await house.store.streams("table/"):
        name = stream.removeprefix("table/")
        table = (await house.newest(name)).table
        for patron in [one for one in table.patrons.values() if one.name in names]:
            if concerned(table, patron.name):
                held.add(patron.name)
            elif patron.present or patron.balance_cents or patron.box is not None:
                held.add(patron.name)
                await _leaves(house, name, table, patron)
    return held


async def _leaves(house: House, name: str, table: Table, patron: Patron) -> None:
    """The house cashes the chips and frees the seat. Where the table says no, a later sweep asks again."""
    commands: list[c.AnyCommand] = []
    if patron.balance_cents:
        commands.append(c.CashChips(patron=patron.name, chips_cents=Cents(patron.balance_cents)))
    if patron.present:
        commands.append(c.Leave(patron=patron.name))
    if not commands:
        return
    body, key = answers.body_of(commands), f"gone:{patron.name}:{table.version}"
    answer = await house.command(name, commands, key, HOUSE_CAGE, body, Audience.PIT)
    if not answer.accepted:
        logs.say("guest-not-taken-off", table=name, person=patron.name, code=answer.code)
