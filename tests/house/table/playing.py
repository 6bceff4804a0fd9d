"""A house on a real store, and people who send it commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import msgspec

from punto.cards import DECK
from punto.game import commands as c
from punto.game.audience import Audience
from punto.game.table import TableLimits, conserved
from punto.house.live.hub import Hub
from punto.house.store.answers import Answer
from punto.house.store.dealing_pace import AT_ONCE
from punto.house.store.interface import Store, open_store
from punto.house.table.house import House
from punto.house.table.node_clock import NodeClock
from punto.house.table.request import Request, body_of
from punto.money import Cents
from punto.rulebook.model import Rank
from tests.house.store.units import added, granted

TIGER = "tiger-buffalo-non-commission/2025-11-21"
LIMITS = TableLimits(minimum_cents=Cents(1000), maximum_differential_cents=Cents(100_000), maximum_cents=Cents(200_000))
START = 1_800_000_000_000_000

keys: Iterator[int] = count()


class Time:
    """A clock that passes and steps only when a test says so."""

    def __init__(self, at: int = START) -> None:
        self.at = at
        self.passed = 7_000_000

    def __call__(self) -> int:
        """The time on the wall clock."""
        return self.at

    def monotonic(self) -> int:
        return self.passed

    def pass_by(self, seconds: float) -> None:
        micros = round(seconds * 1_000_000)
        self.at += micros
        self.passed += micros

    def step(self, seconds: float) -> None:
        """Somebody sets the wall clock."""
        self.at += round(seconds * 1_000_000)


def opening(table: str = "T1", **settings: Any) -> c.OpenTable:
    fields: dict[str, Any] = {"edition": TIGER, "layout": "H", "positions": 6, "limits": LIMITS, "source": "virtual"}
    return c.OpenTable(by="sue", rank=Rank.PIT_MANAGER, table=table, **{**fields, **settings})


def topped(top: str) -> Callable[[int], tuple[str, ...]]:
    """Shoes with these cards on top."""
    first = top.split()

    def order(decks: int) -> tuple[str, ...]:
        rest = Counter(str(card) for card in DECK * decks)
        rest.subtract(first)
        return (*first, *rest.elements())

    return order


@asynccontextmanager
async def a_house(url: str, now: Time | None = None, **facts: Any) -> AsyncIterator[House]:
    store = await open_store(url)
    clock = NodeClock(store, now, now.monotonic) if now is not None else NodeClock(store)
    house = House(store, clock=clock, **{"pace_of": lambda table: AT_ONCE, **facts})
    hubs[house] = Hub(house)
    try:
        yield house
    finally:
        await house.close()
        hubs.pop(house).close()
        await store.close()


hubs: dict[House, Hub] = {}
"""The hub of each house that is open."""


def actor_of(command: c.AnyCommand) -> str:
    """Who gives a command: the member of staff that it names, or the patron."""
    names = (getattr(command, name, None) for name in ("by", "patron", "name"))
    return next(str(name) for name in names if name is not None)


async def ask(
    house: House,
    *commands: c.AnyCommand,
    table: str = "T1",
    key: str | None = None,
    actor: str = "sue",
    audience: Audience = Audience.PIT,
) -> Answer:
    request = Request(commands, key or f"k{next(keys)}", actor, body_of(commands), audience)
    return await house.command(table, request)


async def did(
    house: House, *commands: c.AnyCommand, table: str = "T1", actor: str | None = None
) -> list[dict[str, Any]]:
    """Send each command by itself, from the person it names. None may be refused. Returns their events."""
    events = []
    for command in commands:
        answer = await ask(house, command, table=table, actor=actor or actor_of(command))
        assert answer.accepted, answer.json
        events += decoded(answer)["events"]
    return events


def decoded(answer: Answer) -> dict[str, Any]:
    decoded: dict[str, Any] = msgspec.json.decode(answer.json)
    return decoded


async def rich(store: Store, *people: str, cents: int = 10_000_000) -> None:
    for person in people:
        await added(store, granted(person, cents))


def joins(patron: str, cents: int = 1_000_000) -> c.Join:
    return c.Join(patron=patron, chips_cents=Cents(cents))


def wager(patron: str, cents: int, bet: str = "player", box: int = 1) -> c.PlaceWager:
    return c.PlaceWager(patron=patron, box=box, bet=bet, stake_cents=Cents(cents))


LOAD = c.LoadShoe(by="sue", count=416, shuffled=True)
BET = c.OpenBetting(by="sue")
CLOSE = c.CloseBetting(by="sue")
DRAW = c.DrawCard(by="sue")
SETTLE = c.Settle(by="sue")


async def betting(house: House, *patrons: str, table: str = "T1", **settings: Any) -> None:
    """A table with betting open and these patrons standing at box 1, where a host sits."""
    await rich(house.store, *patrons)
    host = (c.Join(patron="host"), c.Sit(patron="host", box=1))
    await did(house, opening(table, **settings), LOAD, *host, *(joins(patron) for patron in patrons), BET, table=table)


async def sound(house: House, table: str = "T1") -> None:
    """Chips are conserved, and the transfers of the stream add up to them."""
    state = (await house.newest(table)).table
    assert conserved(state)
    balance: Counter[str] = Counter()
    for transfer in await house.store.transfers(f"table/{table}"):
        balance[transfer.giver] -= transfer.cents
        balance[transfer.taker] += transfer.cents
    assert sum(balance.values()) == 0
    assert balance[f"house/{table}"] == state.house_cents
    for name, patron in state.patrons.items():
        assert balance[f"chips/{table}/{name}"] == patron.balance_cents
