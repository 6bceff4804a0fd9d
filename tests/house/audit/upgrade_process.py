"""A round at a table of each edition, with a tie that is paid, and an audit of it all.

`python -m tests.house.audit.upgrade_process URL EDITION…`, with another version of the package first on the path, acts
as an upgraded house."""

from __future__ import annotations

import asyncio
import sys

from punto.game import commands as c
from punto.house.audit.run import audit
from punto.house.store.interface import open_store
from punto.house.table.house import House
from punto.money import Cents
from punto.rulebook.model import Bet, Rank
from tests.house.audit.played_house import play
from tests.house.table.playing import LIMITS, actor_of, ask

CARDS = ("KH", "2S", "9D", "7C")


async def rounds(url: str, editions: list[str]) -> None:
    """One round at the table of each edition. A table that does not exist yet is opened."""
    await play(url, number=0)  # opens the accounts only
    store = await open_store(url)
    house = House(store)
    for edition in editions:
        stream = stream_of(edition)
        name = stream.partition("/")[2]
        version = (await store.head(stream))[0]
        for number, command in enumerate([*([] if version else _opened(edition, name)), *_round()]):
            answer = await ask(house, command, table=name, key=f"{version}-{number}", actor=actor_of(command))
            assert answer.accepted, answer.json
    await house.close()
    await store.close()


def stream_of(edition: str) -> str:
    """The stream of the table at which an edition is played."""
    return f"table/{edition.replace('/', '-')[-32:]}"


def _opened(edition: str, name: str) -> list[c.AnyCommand]:
    return [
        c.OpenTable(
            by="max", rank=Rank.PIT_MANAGER, table=name, edition=edition, layout="H", positions=6, limits=LIMITS
        ),
        c.LoadShoe(by="max", count=416, shuffled=True),
        c.Join(patron="ann", chips_cents=Cents(100_000)),
        c.Sit(patron="ann", box=1),
    ]


def _round() -> list[c.AnyCommand]:
    return [
        c.OpenBetting(by="max"),
        c.PlaceWager(patron="ann", box=1, bet=Bet.TIE, stake_cents=Cents(1_000)),
        c.CloseBetting(by="max"),
        *(c.DrawCard(by="max", card=card) for card in CARDS),
        c.Settle(by="max"),
    ]


if __name__ == "__main__":
    asyncio.run(rounds(sys.argv[1], sys.argv[2:]))
    for finding in audit(sys.argv[1]).findings:
        print(f"{finding.code} {finding.stream} {finding.version}")
