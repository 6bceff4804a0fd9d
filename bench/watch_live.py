"""What the watch costs a house with 1,000 live tables, in processor time.

`python bench/watch_live.py [TABLES]`. The game plays a few shoes once, with six patrons and two wagers each a round.
Their events go to every table of a real store as the hub passes them on, in steps of a second at the pace of a live
table. The benchmark prints the processor time of the watch alone, and the time that passes at that pace. Shoes end and
begin in that time, so the figure includes references, sets of cards and stakes.
"""

from __future__ import annotations

import asyncio
import importlib
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import cast

from punto.cards import DECK
from punto.game import commands as c
from punto.game.decide import apply
from punto.game.events import AnyEvent
from punto.game.refusals import Refusal
from punto.game.table import NEW, TableLimits
from punto.house.store.codec import RecordedEvent
from punto.house.store.interface import open_store
from punto.house.table.decide import TableState
from punto.house.table.house import House
from punto.house.watch.cards_and_stakes import TableFold
from punto.house.watch.follower import Watch, _Followed
from punto.house.watch.recorded_alarms import WatchBook
from punto.money import Cents
from punto.rulebook import load
from punto.rulebook.model import Bet, Rank
from punto.sim.audit.rounds import audit

TABLES, SHOES, PATRONS, ROUNDS_AN_HOUR, CUT, AUDITED = 1_000, 2, 6, 90, 16, 1_000_000
RULES = load.edition("tiger-buffalo-commission", "2025-11-21")
LIMITS = TableLimits(
    minimum_cents=Cents(1_000), maximum_differential_cents=Cents(10_000_000), maximum_cents=Cents(10_000_000)
)
BETS = (Bet.PLAYER, Bet.BANKER, Bet.BIG_TIGER, Bet.TIE)


def played(seed: int) -> list[list[AnyEvent]]:
    """The events of `SHOES` shoes by round. Loading or ending a shoe is part of the next round, if there is one."""
    chance, table, rounds, events = random.Random(seed), NEW, list[list[AnyEvent]](), list[AnyEvent]()

    def give(command: c.AnyCommand) -> bool:
        nonlocal table
        table, answer = apply(RULES, table, command)
        if isinstance(answer, Refusal):
            return False
        events.extend(answer)
        return True

    fields = {"edition": RULES.id, "layout": "A", "positions": PATRONS, "limits": LIMITS}
    assert give(c.OpenTable(by="sue", rank=Rank.PIT_MANAGER, table="T", **fields))  # type: ignore[arg-type]
    names = [f"p{at}" for at in range(PATRONS)]
    for at, name in enumerate(names, 1):
        assert give(c.Join(patron=name, chips_cents=Cents(1_000_000_000)))
        assert give(c.Sit(patron=name, box=at))
    for _ in range(SHOES):
        cards = [str(card) for card in DECK * 8]
        chance.shuffle(cards)
        assert give(c.LoadShoe(by="sue", count=416, shuffled=True))
        while len(cards) > CUT:
            assert give(c.OpenBetting(by="sue"))
            for at, name in enumerate(names, 1):
                for bet in (chance.choice(BETS[:2]), chance.choice(BETS[2:])):
                    give(c.PlaceWager(patron=name, box=at, bet=bet, stake_cents=Cents(1_000 * chance.randint(1, 9))))
            assert give(c.CloseBetting(by="sue"))
            while give(c.DrawCard(by="sue", card=cards[-1])):
                cards.pop()
            assert give(c.Settle(by="sue"))
            rounds.append(list(events))
            events.clear()
        assert give(c.EndShoe(by="sue"))
    rounds[-1] += events
    return rounds


async def measure(tables: int) -> None:
    kinds = [played(seed) for seed in range(4)]
    rounds = min(len(kind) for kind in kinds)
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(f"sqlite:///{Path(folder) / 'house.db'}")
        house = House(store)
        # The event loop is too busy here to renew the node's claim, so every claim succeeds.
        store.claim = _held  # type: ignore[method-assign]
        watch = Watch(house, WatchBook(house))
        await watch.step()
        for at in range(tables):
            fold = TableFold(f"T{at}", watch._settings, watch._over)
            watch._tables[f"T{at}"] = _Followed(fold, 0)
        await watch.step()
        # The end of a first shoe loads the compiled code, which a house does once, in its first hour.
        watch._over(RULES.id, _empty(), _kept())
        versions, heard, state = [0] * tables, 0, cast(TableState, None)
        started, used = time.perf_counter(), 0.0
        for number in range(rounds):
            for at in range(tables):
                events = kinds[at % len(kinds)][number]
                recorded = [
                    RecordedEvent(versions[at] + offset, 1, event, b"") for offset, event in enumerate(events, 1)
                ]
                versions[at] += len(events)
                heard += len(events)
                before = time.process_time()
                watch.moved(f"T{at}", state, recorded)
                used += time.process_time() - before
                if at % max(tables * ROUNDS_AN_HOUR // 3_600, 1) == 0:
                    before = time.process_time()
                    assert await watch.step(), "this is the only node"
                    used += time.process_time() - before
        before = time.process_time()
        assert await watch.step(), "this is the only node"
        used += time.process_time() - before
        assert all(followed.fold.state.kept.valued for followed in watch._tables.values()), (
            "shoes have ended and were valued"
        )
        await store.close()
    live, pace, audited = rounds * 3_600 / ROUNDS_AN_HOUR, f"{ROUNDS_AN_HOUR} rounds an hour", _audited()
    took = time.perf_counter() - started
    print(f"{tables} tables, {rounds} rounds each ({SHOES} shoes), {heard} events, {took:.0f} s here")
    print(f"watch  {used:.1f} s of processor time for {live:.0f} s at {pace}: {used / live:.2%} of a core")
    print(f"ratio  {used / (tables * rounds) / audited:.0f} of audit-rounds, {audited * 1e6:.2f} µs a round")
    print(f"target under 5 %: {'met' if used / live < 0.05 else 'missed'}")


def _audited() -> float:
    """Processor seconds of `punto audit-rounds` for a round, on a file as `bench/watch.py` makes it."""
    recorded = importlib.import_module("watch")
    path = recorded.BUILD / f"shoes-{AUDITED}.parquet"
    if not path.exists():
        recorded.BUILD.mkdir(exist_ok=True)
        recorded._write(path, RULES, AUDITED)
    best = float("inf")
    for _ in range(3):
        before = time.process_time()
        assert audit(path, RULES, workers=1).faultless
        best = min(best, time.process_time() - before)
    return best / AUDITED


async def _held(name: str) -> bool:
    return True


def _kept():  # type: ignore[no-untyped-def]
    from punto.watch.live import Kept

    return Kept()


def _empty():  # type: ignore[no-untyped-def]
    from punto.watch.live import Kept, LiveShoe, PlayedRound, Staked
    from punto.watch.settings import Settings

    shoe = LiveShoe("warm", 1, Kept(), Settings())
    shoe.round(PlayedRound(1, (0, 1, 2, 3, None, None), (32,) * 13, (Staked("p", "player", 1),)))
    return shoe


if __name__ == "__main__":
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else TABLES))
