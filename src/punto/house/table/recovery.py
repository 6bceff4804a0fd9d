"""After a restart: every table as the rules demand it, before a connection is accepted (I9).

Betting that was open stays open. After “No more Bets” it was a technical interruption: the round is concluded where an
outcome was established, else void, and recorded with its paragraph. What waits for a ruling or for options still does.
"""

from __future__ import annotations

import asyncio
from typing import Final

import sqlalchemy as sa

from punto.game import commands as c
from punto.game.audience import Audience
from punto.game.table import Phase, Table
from punto.house.people.names import HOUSE_RECOVERY
from punto.house.people.tables import people, sessions
from punto.house.store.records import StoreBroken
from punto.house.table import answers
from punto.house.table.service import House
from punto.rulebook.model import Rank

INTERRUPTED: Final = (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE)
NOTE: Final = "the house was restarted"
AT_ONCE: Final = 16
FEW: Final = 32
"""Tables for which another connection to the database is not worth its opening."""


async def recover(house: House) -> list[str]:
    """Put right what a restart interrupted, if no other node is running; the tables concerned. Then let others in."""
    if not await house.store.alone():
        return []
    names = [stream.removeprefix("table/") for stream, _ in await house.store.streams("table/")]
    some = asyncio.Semaphore(min(AT_ONCE, 1 + len(names) // FEW))
    newest = await _newest(house)

    async def look(name: str) -> bool:
        nonlocal newest
        async with some:
            newest = max(newest, (await house.standing(name)).at)
            return await _recovered(house, name)

    done = await asyncio.gather(*(look(name) for name in names))
    await house.clock.explain(newest)
    house.recovered_at = house.clock.monotonic()
    await house.store.share()
    return [name for name, was in zip(names, done, strict=True) if was]


async def _newest(house: House) -> int:
    """The newest time beside the tables: it may lie ahead, and then that is recorded."""
    people_at, began_at, seen_at = people.c.opened_at, sessions.c.began_at, sessions.c.seen_at
    found = [await house.store.fetch(sa.select(sa.func.max(one).label("at"))) for one in (people_at, began_at, seen_at)]
    return max(row["at"] or 0 for (row,) in found)


def interrupted(table: Table) -> bool:
    return table.phase in INTERRUPTED and table.round is not None and not table.round.ended


async def _recovered(house: House, name: str) -> bool:
    table = await house.table(name)
    if not interrupted(table):
        return False
    report = c.ReportIrregularity(by=HOUSE_RECOVERY, kind="interruption", note=NOTE)
    duty = c.StartDuty(name=HOUSE_RECOVERY, rank=Rank.DEALER)
    commands = (duty, report, c.EndDuty(name=HOUSE_RECOVERY))
    body = answers.body_of(commands)

    def sure(_table: Table, _command: c.AnyCommand) -> None:
        """Asked as it is decided: a node that stood still here may find another one at work."""
        if house.store.unsure:
            raise StoreBroken(f"table {name} is not recovered: this node can't prove its place")

    key = f"recovery:{table.version}"
    answer = await house.command(name, commands, key, HOUSE_RECOVERY, body, Audience.PIT, sure)
    if not answer.accepted:
        raise RuntimeError(f"table {name} can't be recovered: {answer.json.decode()}")
    return True
