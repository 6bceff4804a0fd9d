"""A house that was played in: random tables at which things go wrong, driven through the real service and store."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from punto import money
from punto.game import commands as c
from punto.game import notation
from punto.game.audience import Audience
from punto.game.decide import Answer
from punto.game.irregularities.ruling import needs_second_person
from punto.game.refusals import Refusal
from punto.game.table import NEW, Table
from punto.house.instants import unix_micros
from punto.house.people.accounts import Account, Accounts
from punto.house.people.approvals import Approvals
from punto.house.people.older_approvals import carry_over
from punto.house.store import snapshots
from punto.house.store.answers import Answer as Heard
from punto.house.store.approval import Approval, subject
from punto.house.store.dealing_pace import PACE
from punto.house.store.interface import Store, open_store
from punto.house.store.names import MANAGER, Role
from punto.house.store.people_tables import people as people_rows
from punto.house.store.person import AccountOpened, BalanceAdjusted, ChipsGranted, PasswordSet
from punto.house.store.schema import tables
from punto.house.table.house import House
from punto.house.table.request import Request
from punto.money import Cents
from punto.rulebook.model import Rulebook
from tests.house.table.playing import actor_of
from tests.irregularities import playing
from tests.irregularities.laws import BOOKS, Ruled
from tests.irregularities.trouble import PATRONS, STAFF

RICH_CENTS = 10**12


class Recorded(Ruled):
    """Remembers the commands. The edition is the one that the table was opened under."""

    def __init__(self, rules: Rulebook, *, closely: bool = False) -> None:
        super().__init__(rules, closely=closely)
        self.asked: list[tuple[c.AnyCommand, bool]] = []

    def send(self, command: c.AnyCommand, rules: Rulebook | None = None) -> Answer:
        answer = super().send(command, self.opened_under if isinstance(command, c.OpenBetting) else rules)
        self.asked.append((command, not isinstance(answer, Refusal)))
        return answer


def commands(seed: int, rules: Rulebook, rounds: int) -> list[tuple[c.AnyCommand, bool]]:
    """The commands sent to one random table, and whether each was accepted."""
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


async def _snapshot(store: Store, stream: str) -> None:
    table, _, head = await snapshots.load(store, stream)
    assert await snapshots.keep(store, snapshots.taken(stream, table, head), unix_micros())


async def play(url: str, number: int = 3, rounds: int = 8, seed: int = 1) -> Counter[str]:
    """Play `number` tables of different editions in the house of this database. Returns a count of the answers."""
    store = await open_store(url)
    answers: Counter[str] = Counter()
    try:
        people = Accounts(store)
        await _peopled(store, people)
        books = tuple(BOOKS.values())
        for at in range(number):
            script = Script(f"t{seed}-{at}", seed * 5000 + at, books[(seed + at) % len(books)], rounds)
            house = House(store, new_shoe=script.shuffled)
            for number, (command, _) in enumerate(script.asked):
                answer = await asked_of(house, store, script.name, command, f"k{number}")
                answers[answer.code or "accepted"] += 1
            await house.close()
            await _snapshot(store, f"table/{script.name}")
            settings = (await snapshots.load(store, f"table/{script.name}"))[0].opened
            pace = msgspec.json.encode(PACE).decode() if settings.source == "virtual" else None
            listed = {"game": script.rules.source.game, "pace": pace, "demo": False, "opened_at": unix_micros()}
            await store.execute(sa.insert(tables).values(id=script.name, **listed))
        await _adjusted(store, people)
    finally:
        await store.close()
    return answers


async def _peopled(store: Store, people: Accounts) -> None:
    """Staff as the first start opens them, staff of the random tables (managers made by two persons), rich guests."""
    if await people.find("ann") is not None:
        return
    await carry_over(store)
    for role in (Role.PIT_MANAGER, Role.SHIFT_MANAGER):
        await _opened(people, AccountOpened(by="house", name=role.value, role=role))
    for name, rank in STAFF.items():
        role = Role(rank.value)
        first = role if role not in MANAGER else Role.PIT_SUPERVISOR
        await _opened(people, AccountOpened(by="shift-manager", name=name, role=first))
        if role is not first:
            await _raised(store, people, name, role)
    for name in PATRONS:
        chips = ChipsGranted(by=name, chips_cents=Cents(RICH_CENTS))
        await _opened(people, AccountOpened(by=name, name=name, role=Role.PATRON, guest=True), chips)


async def _opened(people: Accounts, opened: AccountOpened, chips: ChipsGranted | None = None) -> None:
    """Open an account. Staff are marked as having set their own password; none is hashed, as that takes long."""
    moved = 0 if chips is None else chips.chips_cents
    account = Account(name=opened.name, role=opened.role, guest=opened.guest, opened_at=unix_micros())
    assert await people._opened(account, [opened, *(() if chips is None else (chips,))], opened.by, moved_cents=moved)
    if not opened.guest:
        own = sa.update(people_rows).where(people_rows.c.name == opened.name).values(password_by=opened.name)
        await people._changed(opened.name, PasswordSet(by=opened.name), own)


async def _raised(store: Store, people: Accounts, name: str, role: Role) -> None:
    async def carry_out(approval: Approval) -> tuple[bool, dict[str, Any]]:
        person = await people.on_record(name)
        assert person is not None
        key, body = f"approval-{approval.id}", bytes.fromhex(approval.hash)
        assert await people.set_role(name, role, "pit-manager", expected=person.version, key=key, body=body)
        return True, {"role": role.value}

    what = {"person": name, "role": role.value, "was": Role.PIT_SUPERVISOR.value}
    await _approved(Approvals(store, carry_out), "rank", what, "shift-manager")


async def _approved(held: Approvals, act: str, what: dict[str, Any], asked_by: str) -> None:
    approval = await held.ask(act, what, asked_by)
    assert isinstance(await held.approve(approval, "pit-manager", approval.hash), Approval)


async def asked_of(house: House, store: Store, table: str, command: c.AnyCommand, key: str) -> Heard:
    """Send a command as people do: if it needs two persons, it is asked for and approved."""
    if not _takes_two(await house.table(table) if key != "k0" else NEW, command):
        body = hashlib.sha256(notation.encode(command)).digest()
        return await house.command(table, Request([command], key, actor_of(command), body))
    heard: list[Heard] = []

    async def carry_out(approval: Approval) -> tuple[bool, dict[str, Any]]:
        key, body = f"approval-{approval.id}", bytes.fromhex(approval.hash)
        heard.append(await house.command(table, Request([command], key, approval.asked_by, body, Audience.PIT)))
        return heard[0].accepted, msgspec.json.decode(heard[0].json)

    assert isinstance(command, c.DecideIrregularity | c.ReportChips)
    what = {"table": table, "command": notation.plain(command), **subject(await house.table(table))}
    await _approved(Approvals(store, carry_out), "late-settlement", what, command.by)
    return heard[0]


def _takes_two(table: Table, command: c.AnyCommand) -> bool:
    if isinstance(command, c.DecideIrregularity):
        return needs_second_person(table, command)
    return isinstance(command, c.ReportChips) and table.round is not None and table.round.ended


async def _adjusted(store: Store, people: Accounts) -> None:
    """A balance adjustment by two persons, as the back office makes it, and one that was rejected."""

    async def carry_out(approval: Approval) -> tuple[bool, dict[str, Any]]:
        reason = approval.what["reason"]
        event = BalanceAdjusted(
            by="pit-manager", cents=Cents(-100), reason=reason, approval=approval.id, asked_by=approval.asked_by
        )
        key, body = f"approval-{approval.id}", bytes.fromhex(approval.hash)
        await people.append("ann", [event], "pit-manager", moved_cents=-100, key=key, body=body)
        return True, {"wallet": money.amount(await store.wallet("ann"))}

    what = {"person": "ann", "cents": "-1.00", "reason": "a chip was found"}
    held = Approvals(store, carry_out)
    await _approved(held, "balance-adjustment", what, "sue")
    await held.reject(await held.ask("balance-adjustment", what, "sue"), "pit-manager")
