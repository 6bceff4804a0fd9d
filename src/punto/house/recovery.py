"""After a restart: every table as the rules demand it, before a connection is accepted (I9).

Betting that was open stays open. After “No more Bets” it was a technical interruption: the round is concluded where an
outcome was established, else void, and recorded with its paragraph. What waits for a ruling or for options still does.
"""

from __future__ import annotations

import asyncio
from typing import Final

from punto.game import commands as c
from punto.game.audience import Audience
from punto.game.table import Phase, Table
from punto.house import answers
from punto.house.people.names import HOUSE_RECOVERY
from punto.house.service import House
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

    async def look(name: str) -> bool:
        async with some:
            return await _recovered(house, name)

    done = await asyncio.gather(*(look(name) for name in names))
    house.recovered_at = house.now()
    await house.store.share()
    return [name for name, was in zip(names, done, strict=True) if was]


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
    answer = await house.command(name, commands, f"recovery:{table.version}", HOUSE_RECOVERY, body, Audience.PIT)
    if not answer.accepted:
        raise RuntimeError(f"table {name} can't be recovered: {answer.json.decode()}")
    return True
