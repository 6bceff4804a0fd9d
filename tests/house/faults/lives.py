"""One life of a house: a process that opens a store, recovers, checks what the life before it left, and plays on.

It reports every answer of the house at once through a pipe. The process at the other end kills it.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa

from punto.game import commands as c
from punto.game import notation
from punto.game.audience import Audience
from punto.house.instants import unix_micros
from punto.house.store import schema
from punto.house.store.answers import Answer
from punto.house.store.approval import hash_of
from punto.house.store.interface import Store, open_store
from punto.house.store.people_tables import approvals
from punto.house.store.records import Away
from punto.house.table import ledger
from punto.house.table.directory import Directory
from punto.house.table.house import House
from punto.house.table.recovery import recover
from punto.house.table.request import Request, body_of
from tests.house.faults import laws
from tests.house.faults.laws import Ack, Command
from tests.house.faults.points import Points, watched
from tests.house.faults.scripts import SECOND, Script, Step, due, ends, topped

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

AGAIN = 2
"""How many older answers of a table a life asks for again, besides all those of the life before it."""


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line through the pipe: an answer, a mark that was reached, or what is wrong."""

    mark: str
    table: str = ""
    key: str = ""
    ack: Ack | None = None
    text: str = ""


class Game(msgspec.Struct):
    """A script at a table, and its answers so far."""

    table: str
    script: Script
    acks: dict[str, Ack] = {}
    fresh: set[str] = set()
    """Keys that the last life answered."""
    done: bool = False

    @property
    def stream(self) -> str:
        return f"table/{self.table}"


class Arm(msgspec.Struct, frozen=True):
    """Where a life is to end: at a commit point of one step of the newest table, or of recovery (`step` is None)."""

    step: int | None
    point: int


class Life:
    def __init__(self, store: Store, say: Callable[[Said], None], chance: random.Random) -> None:
        self.store = store
        self.say = say
        self.chance = chance
        self.house = House(store, new_shoe=self._shuffled)
        self._top: tuple[str, ...] = ()
        self._shuffling = asyncio.Lock()
        self._bodies: dict[str, bytes] = {}
        """Hashes by the id of an approval, found without a wait so that commands sent together stay in order."""

    async def begin(self, games: Iterable[Game]) -> None:
        """Recover, and compare everything with the answers of the lives before."""
        known = [game for game in games if not game.done]
        # Read after this: until a life is alone, the commands of the last life may still be written.
        assert await self.store.alone(), "nobody else lives"
        before = {game.table: await self.commands(game) for game in known}
        recovered = await recover(self.house)
        for game in known:
            history = await self.commands(game)
            laws.restarted(game.table, before[game.table], history, recovered=game.table in recovered)
            await self.examine(game, history)
            await self.answer_again(game, game.fresh)
            await self.answer_again(game, self.chance.sample(sorted(game.acks), min(AGAIN, len(game.acks))))
        await self.wallets()
        self.say(Said("whole"))

    async def commands(self, game: Game) -> list[Command]:
        return laws.commands(game.stream, await self.store.read(game.stream))

    async def examine(self, game: Game, history: list[Command]) -> None:
        laws.asked_in_order(game.stream, history, game.script.at(game.table))
        laws.none_lost(game.stream, history, game.acks)
        laws.money(game.table, history, await self.store.transfers(game.stream))

    async def wallets(self) -> None:
        """Every wallet is the sum of all transfers from and to it, over all streams."""
        moved = schema.transfers
        due: Counter[str] = Counter()
        for column, sign in ((moved.c.giver, -1), (moved.c.taker, 1)):
            query = sa.select(column.label("account"), sa.func.sum(moved.c.cents).label("cents")).group_by(column)
            for row in await self.store.fetch(query):
                due[row["account"]] += sign * int(row["cents"])
        assert sum(due.values()) == 0
        for row in await self.store.fetch(sa.select(schema.wallets)):
            assert row["cents"] == due[ledger.wallet(row["person"])], f"the wallet of {row['person']}"

    async def answer_again(self, game: Game, keys: Iterable[str]) -> None:
        """A key that was answered before gets the identical answer."""
        steps = {f"{step.actor}/{step.key}": step for step in game.script.at(game.table)}
        for key in keys:
            answer = await self._ask(game, steps[key])
            assert _ack(answer) == game.acks[key], f"{game.table}: {key} was answered otherwise: {answer.json.decode()}"

    async def play(self, game: Game, *, until: int | None = None, at_once: bool = False) -> None:
        """Play what is still due of a script: each step after the answer to the one before, or all at once."""
        void = laws.voided(await self.commands(game))
        steps = game.script.at(game.table)[:until]
        left = [step for step in steps if f"{step.actor}/{step.key}" not in game.acks]
        known = {command.key for command in await self.commands(game)}
        due_steps = [step for step in left if due(step, void) or f"{step.actor}/{step.key}" in known]
        for step in due_steps:
            if step.approval:
                await self._approved(game, step)
        for together in _grouped(due_steps, at_once=at_once):
            await asyncio.gather(*(self.step(game, step) for step in together))

    async def step(self, game: Game, step: Step) -> None:
        answer = await self._ask(game, step)
        ack, key = _ack(answer), f"{step.actor}/{step.key}"
        self.say(Said("answer", game.table, key, ack))
        game.acks[key] = ack

    async def end(self, game: Game, again: int | None = None) -> None:
        """The script is over: everything is as in an unbroken run, and every key (or some) still has its answer."""
        history = await self.commands(game)
        await self.examine(game, history)
        steps = game.script.at(game.table)
        laws.as_scripted(game.script, steps, history, game.acks, ends(game.script, laws.voided(history)))
        await self.answer_again(game, self.chance.sample(sorted(game.acks), again or len(game.acks)))
        game.done = True
        self.say(Said("done", game.table))

    async def _ask(self, game: Game, step: Step) -> Answer:
        body = await self._approved(game, step) if step.approval else body_of([step.command])
        request = Request([step.command], step.key, step.actor, body, Audience.PIT)
        if not isinstance(step.command, c.LoadShoe):
            return await self.house.command(game.table, request)
        async with self._shuffling:
            self._top = step.top
            return await self.house.command(game.table, request)

    async def _approved(self, game: Game, step: Step) -> bytes:
        """The hash of what a second person has approved: entered once, and found again by every later life."""
        if step.approval in self._bodies:
            return self._bodies[step.approval]
        what = {"table": game.table, "command": notation.plain(step.command), **(step.details or {})}
        digest = hash_of(step.approval, "late-settlement", what, step.actor)
        known = sa.select(approvals.c.id).where(approvals.c.id == step.approval)
        text = msgspec.json.encode(what, order="sorted").decode()
        row = {"id": step.approval, "hash": digest, "act": "late-settlement", "what": text, "state": "approved"}
        signatures = {
            "asked_by": step.actor,
            "asked_at": unix_micros(),
            "decided_by": SECOND,
            "decided_at": unix_micros(),
        }

        while not await self.store.fetch(known):
            with suppress(Away):  # nobody knows whether it was stored: look again
                await self.store.execute(sa.insert(approvals).values(**row, **signatures))
        self._bodies[step.approval] = bytes.fromhex(digest)
        return self._bodies[step.approval]

    def _shuffled(self, decks: int) -> tuple[str, ...]:
        return topped(self._top, decks)


def _ack(answer: Answer) -> Ack:
    version = msgspec.json.decode(answer.json)["version"] if answer.accepted else 0
    return Ack(answer.accepted, version, hashlib.sha256(answer.json).hexdigest())


def _grouped(steps: list[Step], *, at_once: bool) -> list[list[Step]]:
    """Wagers and insurance of several patrons come in together, as they do at a table. `at_once`: everything does, but
    opening a table or loading a shoe is finished before the next step."""
    groups: list[list[Step]] = []
    for step in steps:
        if at_once:
            joins = not groups or not isinstance(groups[-1][-1].command, c.OpenTable | c.LoadShoe)
        else:
            alike = isinstance(step.command, c.PlaceWager | c.TakeInsurance)
            joins = bool(groups) and alike and type(step.command) is type(groups[-1][-1].command)
        if groups and joins:
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups


@asynccontextmanager
async def born(url: str, say: Callable[[Said], None], chance: random.Random) -> AsyncIterator[Life]:
    store = await open_store(url)
    life = Life(store, say, chance)
    try:
        yield life
    finally:
        await life.house.close()
        await store.close()


async def played(url: str, games: list[Game], more: Iterable[Game], width: int, pipe: int, seed: str) -> None:
    """A life that plays so many tables at a time, until it is killed or nothing is left to play."""
    async with born(url, lambda said: _write(pipe, said), random.Random(seed)) as life:
        await life.begin(games)
        waiting = [*(game for game in games if not game.done), *more][::-1]

        async def play_waiting() -> None:
            while waiting:
                game = waiting.pop()
                await life.play(game)
                await life.end(game)

        await asyncio.gather(*(play_waiting() for _ in range(width)))
        # As at a start: list tables whose life was killed before it listed them. The audit may expect them by now.
        await Directory(life.store).load()


async def ended_at(url: str, games: list[Game], arm: Arm | None, pipe: int) -> None:
    """A life that finishes what the one before it left, and ends at a commit point of the newest table."""
    points = Points()
    watched(points)
    async with born(url, lambda said: _write(pipe, said), random.Random(len(games))) as life:
        assert await life.store.alone(), "nobody else lives"  # the points from here on are those of recovery
        if arm is not None and arm.step is None:
            points.arm(arm.point)
        *known, newest = games
        await life.begin([*known, newest] if arm is None or arm.step is None else known)
        assert arm is None or arm.step is not None, f"recovery has no commit point {arm.point}: {points.passed}"
        for game in known if arm is not None else games:
            if not game.done:
                await life.play(game, at_once=True)
                await life.end(game, AGAIN)
        if arm is not None and arm.step is not None:
            await life.play(newest, until=arm.step, at_once=True)
            points.arm(arm.point)
            await life.step(newest, newest.script.at(newest.table)[arm.step])
            raise AssertionError(f"step {arm.step} of {newest.script.name} has no point {arm.point}: {points.passed}")


def _write(pipe: int, said: Said) -> None:
    os.write(pipe, msgspec.json.encode(said) + b"\n")
