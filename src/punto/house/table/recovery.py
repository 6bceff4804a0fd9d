"""After a restart: bring every table to the state that the rules demand, before a connection is accepted (I9).

Open betting stays open. After “No more Bets” it was a technical interruption: the round is concluded where an outcome
was established, else void, and recorded with its paragraph. Tables that wait for a ruling or for options still do. The
list of tables is corrected where a node died before it listed what it had opened.
"""

from __future__ import annotations

import asyncio
from typing import Final

import sqlalchemy as sa

from punto.codes import Code
from punto.game import commands as c
from punto.game.table import Phase, Table
from punto.house.store.answers import Denied
from punto.house.store.names import HOUSE_RECOVERY
from punto.house.store.people_tables import people, sessions
from punto.house.store.records import StoreBroken
from punto.house.table.directory import Directory
from punto.house.table.house import House
from punto.house.table.request import by_house
from punto.rulebook.model import Rank

INTERRUPTED: Final = (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE)
NOTE: Final = "the house was restarted"
AT_ONCE: Final = 16
FEW: Final = 32
"""Tables per connection: for fewer, opening another one does not pay."""


async def recover(house: House, directory: Directory | None = None) -> list[str]:
    """If no other node is running: end interrupted rounds, list each table as it was opened last, and let others in.
    Returns the tables whose rounds were ended."""
    if not await house.store.alone():
        return []
    names = [stream.removeprefix("table/") for stream, _ in await house.store.streams("table/")]
    some = asyncio.Semaphore(min(AT_ONCE, 1 + len(names) // FEW))
    newest = await _newest(house)

    async def look(name: str) -> bool:
        nonlocal newest
        async with some:
            state = await house.state(name)
            newest = max(newest, state.at)
            if directory is not None:
                await directory.list_as_opened(name, state.table)
            return await _recovered(house, name)

    done = await asyncio.gather(*(look(name) for name in names))
    await house.clock.explain(newest)
    house.recovered_at = house.clock.monotonic()
    await house.store.share()
    return [name for name, was in zip(names, done, strict=True) if was]


async def _newest(house: House) -> int:
    """The newest time of people and sessions."""
    columns = people.c.opened_at, sessions.c.began_at, sessions.c.seen_at
    newest = [await house.store.fetch(sa.select(sa.func.max(column).label("at"))) for column in columns]
    return max(row["at"] or 0 for (row,) in newest)


def interrupted(table: Table) -> bool:
    return table.phase in INTERRUPTED and table.round is not None and not table.round.ended


async def _recovered(house: House, name: str) -> bool:
    table = await house.table(name)
    if not interrupted(table):
        return False
    report = c.ReportIrregularity(by=HOUSE_RECOVERY, kind="interruption", note=NOTE)
    duty = c.StartDuty(name=HOUSE_RECOVERY, rank=Rank.DEALER)
    commands = (duty, report, c.EndDuty(name=HOUSE_RECOVERY))

    def sure(_table: Table, _command: c.AnyCommand) -> Denied | None:
        """Checked when it is decided: if this process was suspended, another node may be at work."""
        return Denied(Code.UNSURE, "this node could not renew its row in the database") if house.store.unsure else None

    request = by_house(commands, f"recovery:{table.version}", HOUSE_RECOVERY, sure)
    answer = await house.command(name, request)
    if answer.code == Code.UNSURE:
        raise StoreBroken(f"table {name} was not recovered: this node could not renew its row in the database")
    if not answer.accepted:
        raise RuntimeError(f"table {name} can't be recovered: {answer.json.decode()}")
    return True
