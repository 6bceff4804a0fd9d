"""A house that was played in: random tables at which things go wrong, driven through the real service and store."""

from __future__ import annotations

import hashlib
import random
from collections import Counter

import msgspec
import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from punto.game import commands as c
from punto.game import notation
from punto.game.decide import Answer
from punto.game.refusals import Refusal
from punto.house import snapshots
from punto.house.people.accounts import Accounts
from punto.house.people.approvals import hash_of
from punto.house.people.events import BalanceAdjusted, ChipsGranted
from punto.house.people.names import Role
from punto.house.people.tables import approvals
from punto.house.schema import tables
from punto.house.service import House
from punto.house.store import Store, open_store
from punto.house.stored import Snapshot
from punto.money import Cents
from punto.rulebook.model import Rulebook
from tests.irregularities import playing
from tests.irregularities.laws import BOOKS, Ruled
from tests.irregularities.trouble import PATRONS

RICH_CENTS = 10**12


class Recorded(Ruled):
    """Remembers what was asked. The edition is the one that the table was opened under."""

    def __init__(self, rules: Rulebook, *, closely: bool = False) -> None:
        super().__init__(rules, closely=closely)
        self.asked: list[tuple[c.AnyCommand, bool]] = []

    def send(self, command: c.AnyCommand, rules: Rulebook | None = None) -> Answer:
        answer = super().send(command, self.opened_under if isinstance(command, c.OpenBetting) else rules)
        self.asked.append((command, not isinstance(answer, Refusal)))
        return answer


def commands(seed: int, rules: Rulebook, rounds: int) -> list[tuple[c.AnyCommand, bool]]:
    """What was asked at one random table, and whether it was carried out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(playing, "Ruled", Recorded)
        table = playing.Table(random.Random(seed), rules, often=0.1)
        table.play(rounds)
        assert isinstance(table.ruled, Recorded)
        return table.ruled.asked


class Script:
    """One table's commands, and the shoes that the house is to shuffle there."""

    def __init__(self, name: str, seed: int, rules: Rulebook, rounds: int) -> None:
        self.name, self.rules = name, rules
        self.orders: list[tuple[str, ...]] = []
        self.asked: list[tuple[c.AnyCommand, bool]] = []
        for command, good in commands(seed, rules, rounds):
            if isinstance(command, c.OpenTable):
                command = replace(command, table=name)
            if isinstance(command, c.LoadShoe) and command.order is not None:
                if good:
                    self.orders.append(command.order)
                command = replace(command, order=None)
            self.asked.append((command, good))

    def shuffled(self, decks: int) -> tuple[str, ...]:
        return self.orders.pop(0)


async def _snapshot(store: Store, stream: str) -> Snapshot:
    table, _, head = await snapshots.load(store, stream)
    return Snapshot(stream, table.version, head, snapshots.shape(), snapshots.encode(table))


async def play(url: str, number: int = 3, rounds: int = 8, seed: int = 1) -> Counter[str]:
    """Play in the house of this database: so many tables of different editions. What was answered, counted."""
    store = await open_store(url)
    answers: Counter[str] = Counter()
    try:
        people = Accounts(store)
        for name in PATRONS:
            if await people.find(name) is None:
                await people.open(name, Role.PATRON, "a password of some length", "house")
                grant = ChipsGranted(by="house", chips_cents=Cents(RICH_CENTS))
                await people.append(name, [grant], "house", moved_cents=RICH_CENTS)
        books = tuple(BOOKS.values())
        for at in range(number):
            script = Script(f"t{seed}-{at}", seed * 1000 + at, books[(seed + at) % len(books)], rounds)
            house = House(store, shuffled=script.shuffled)
            for number, (command, _) in enumerate(script.asked):
                body = hashlib.sha256(notation.encode(command)).digest()
                answer = await house.command(script.name, [command], f"k{number}", "sue", body)
                answers[answer.code or "accepted"] += 1
            await house.close()
            await store.keep(await _snapshot(store, f"table/{script.name}"))
            game = script.rules.source.game
            await store.execute(sa.insert(tables).values(id=script.name, game=game, demo=False, opened_at=0))
        await _adjusted(store, people, f"a{seed}")
    finally:
        await store.close()
    return answers


async def _adjusted(store: Store, people: Accounts, id: str) -> None:
    """A balance adjusted by two persons, as the back office does it, and one that was turned down."""
    for number, (state, by) in enumerate((("done", "max"), ("rejected", "pia"))):
        what = {"person": "ann", "cents": "-1.00", "reason": "a chip was found"}
        digest = hash_of(f"{id}{number}", "balance-adjustment", what, "pia")
        row = {"id": f"{id}{number}", "hash": digest, "act": "balance-adjustment", "asked_by": "pia", "asked_at": 1}
        text = msgspec.json.encode(what, order="sorted").decode()
        values = {**row, "what": text, "state": state, "decided_by": by, "decided_at": 2}
        await store.execute(sa.insert(approvals).values(**values))
        if state == "done":
            event = BalanceAdjusted(
                by=by, cents=Cents(-100), reason="a chip was found", approval=f"{id}{number}", asked_by="pia"
            )
            key, body = f"approval-{id}{number}", bytes.fromhex(digest)
            await people.append("ann", [event], by, moved_cents=-100, key=key, body=body)
