"""Bets in flight across the close (O90): patrons bet on the round that they saw; the dealer at another node goes on.

A bet is sent at once, or when its round has closed, or when the next round is open. Whatever its answer, no wager lies
on a round that its sender did not name, and a withdrawal that was meant for one round takes nothing back in the next.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import msgspec

from punto.game import commands as c
from punto.game import events as e
from punto.game.table import Phase, Table
from punto.house.audit.run import audit
from punto.house.dealer.dealers import deal
from punto.house.store import codec
from punto.house.store.dealing_pace import Pace
from punto.house.store.records import MOST_READ
from punto.house.table.house import House
from punto.money import Cents
from tests.house.databases import postgres_database
from tests.house.faults import killing
from tests.house.table.playing import Time, a_house, ask, did, joins, opening, sound, wager

PATRONS: Final = tuple(f"p{number}" for number in range(50))
"""Each of them bets once a round."""
PACE: Final = Pace(betting=0.001, insurance=0, card=0, result=0, options=0, squeeze=0)
WIDE: Final = msgspec.structs.replace(opening().limits, maximum_differential_cents=Cents(10**9), maximum_cents=None)
AT_ONCE, CLOSED, NEXT = "at once", "after the close", "in the next round"
ALLOWED: Final[dict[str, set[str | None]]] = {
    AT_ONCE: {None, "no-more-bets", "another-round"},
    CLOSED: {"no-more-bets", "another-round"},
    NEXT: {"another-round"},
}
"""How a bet may be answered; None: it is accepted."""
LONGEST_S: Final = 900


class Race:
    """`answers` counts how bets were answered, by when they were sent."""

    def __init__(self, node: House, rounds: int, seed: int) -> None:
        self.node, self.rounds, self.chance = node, rounds, random.Random(seed)
        self.answers: Counter[tuple[str, str | None]] = Counter()
        self.accepted: set[str] = set()
        self._answered: Counter[int] = Counter()
        """By round: how many bets that were sent at once have their answer."""
        self._enough: dict[int, int] = {}
        """By round: how many such answers the dealer waits for. The other bets are on their way at the close."""
        self._moved = asyncio.Condition()

    async def patrons(self) -> None:
        """In each round: look at the table, and send bets. The dealer does not wait for all of them."""
        async with asyncio.TaskGroup() as bets:
            for number in range(1, self.rounds + 1):
                await self._betting(number)
                times = self.chance.choices((AT_ONCE, CLOSED, NEXT), (2, 1, 1), k=len(PATRONS))
                for name, when in zip(PATRONS, times, strict=True):
                    bets.create_task(self._bet(name, number, when))
                self._enough[number] = self.chance.randrange(times.count(AT_ONCE))
                await self._tell()

    async def may_close(self, number: int) -> None:
        """Wait until the patrons have seen this round, and some of their bets are answered."""
        async with self._moved:
            await self._moved.wait_for(lambda: self._answered[number] >= self._enough.get(number, len(PATRONS)))

    async def _tell(self) -> None:
        async with self._moved:
            self._moved.notify_all()

    async def _betting(self, number: int) -> None:
        """Wait until this round, or a later one, is open to bets."""
        await self._once(lambda table: table.rounds >= number and table.phase is Phase.BETTING)

    async def _once(self, enough: Callable[[Table], bool]) -> Table:
        """The table, as soon as `enough` is true of it at the patrons' node."""
        standing = await self.node.state("T1")
        while not enough(standing.table):
            standing = await self.node.wait_past("T1", standing.table.version)
        return standing.table

    async def _bet(self, name: str, number: int, when: str) -> None:
        """Bet on the round that was seen. If it is late, it may be a withdrawal instead."""
        command: c.AnyCommand = wager(name, 1_000)
        if when is AT_ONCE:
            for _ in range(self.chance.randrange(30)):
                await asyncio.sleep(0)
        elif when is CLOSED:
            await self._once(lambda table: table.rounds > number or table.phase is not Phase.BETTING)
        else:
            await self._betting(number + 1)
        if when is not AT_ONCE and self.chance.random() < 0.3:
            command = c.WithdrawWager(patron=name, box=1, bet="player")
        command = msgspec.structs.replace(command, round=number)
        key = f"{when}.{number}"
        answer = await ask(self.node, command, actor=name, key=key)
        assert answer.code in ALLOWED[when], (when, command, answer.json)
        self.answers[when, answer.code] += 1
        if answer.accepted:
            self.accepted.add(f"{name}/{key}")
        if when is AT_ONCE:
            self._answered[number] += 1
            await self._tell()


async def _raced(url: str, bets: int, seed: int) -> Race:
    now = Time(time.time_ns() // 1000)
    async with a_house(url, now, pace_of=lambda table: PACE) as dealers, a_house(url, now) as patrons:
        await killing.granted(dealers.store, list(PATRONS), 10**9)
        host = (c.Join(patron="host"), c.Sit(patron="host", box=1))
        await did(dealers, opening(limits=WIDE), *host, *(joins(name, 10**8) for name in PATRONS))
        race = Race(patrons, bets // len(PATRONS), seed)
        await patrons.follow("T1")

        async def sleep(seconds: float) -> None:
            await race.may_close((await dealers.table("T1")).rounds)
            now.pass_by(seconds)

        dealing = asyncio.ensure_future(deal(dealers, "T1", sleep))
        try:
            async with asyncio.timeout(LONGEST_S):
                await race.patrons()
        finally:
            dealing.cancel()
            await asyncio.gather(dealing, return_exceptions=True)
        await _every_bet_on_its_round(dealers, race)
        await sound(dealers)
    return race


async def _every_bet_on_its_round(house: House, race: Race) -> None:
    """By the rows: every accepted command is in the round that its key names, and there are no other wagers."""
    keys: set[str] = set()
    number = version = 0
    while rows := await house.store.read("table/T1", version):
        for row in rows:
            event = codec.event(row)
            number = event.round if isinstance(event, e.BettingOpened) else number
            if row.key in race.accepted:
                assert row.key.rpartition(".")[2] == str(number), f"{row.key} lies on round {number}"
                keys.add(row.key)
            elif isinstance(event, e.WagerPlaced | e.WagerWithdrawn):
                raise AssertionError(f"version {row.version}: {event} was not accepted by anybody")
        version += len(rows)
        assert len(rows) <= MOST_READ
    assert keys == race.accepted


def raced(url: str, bets: int, seed: int) -> dict[str, object]:
    """The figures of a race, or an error if a bet lies on another round."""
    began = time.monotonic()
    race = asyncio.run(_raced(url, bets, seed))
    report = audit(url)
    assert report.good, report.findings[:5]
    answers = {f"{when}: {code or 'accepted'}": times for (when, code), times in sorted(race.answers.items(), key=str)}
    return {"bets": race.answers.total(), **answers, "seconds": round(time.monotonic() - began, 1), "seed": seed}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=("sqlite", "postgresql"), required=True)
    parser.add_argument("--bets", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    with ExitStack() as stack:
        if options.engine == "postgresql":
            url = stack.enter_context(postgres_database())
        else:
            url = f"sqlite:///{Path(stack.enter_context(tempfile.TemporaryDirectory())) / 'house.db'}"
        print(msgspec.json.encode({"engine": options.engine, **raced(url, options.bets, options.seed)}).decode())


if __name__ == "__main__":
    main()
