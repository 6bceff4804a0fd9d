"""Record a running house: two nodes as processes on one database, senders that retry, nodes that are killed or paused.
What the senders saw and what the stream holds is then checked against the model of the append protocol."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Final

import asyncpg

from models.appends import Recording
from punto.game import commands as c
from punto.game import notation
from punto.house.store.interface import open_store
from punto.house.table.house import House
from punto.money import Cents
from tests.house.databases import postgres_database
from tests.house.table.playing import BET, LOAD, a_house, actor_of, ask, decoded, joins, opening, rich

NODES: Final = ("n1", "n2")
PATRONS: Final = ("p1", "p2", "p3")
PATIENCE_S: Final = 60.0
FORK: Final = multiprocessing.get_context("fork")

SESSIONS: Final = (
    "SELECT DISTINCT split_part(application_name, ' ', 2) FROM pg_stat_activity "
    "WHERE datname = current_database() AND application_name LIKE 'punto %'"
)
"""Names of the nodes with a session on the server, even if the process has ended."""

Sent = tuple[str, bytes]
"""A key and its command as JSON."""
Answered = tuple[str, int | None]
"""A key, and the version of its last row, or None if refused."""


async def _serve(url: str, pipe: Connection) -> None:
    """Run a node: it carries out the requests from the pipe, all of them concurrently."""
    loop, requests = asyncio.get_running_loop(), asyncio.Queue[Sent]()
    loop.add_reader(pipe.fileno(), lambda: requests.put_nowait(pipe.recv()))
    async with a_house(url) as house, asyncio.TaskGroup() as tasks:
        pipe.send(("ready", 0))
        while True:
            tasks.create_task(_answer(house, pipe, *await requests.get()))


async def _answer(house: House, pipe: Connection, key: str, written: bytes) -> None:
    command = notation.command(written)
    answer = await ask(house, command, key=key, actor=actor_of(command))
    pipe.send((key, decoded(answer)["version"] if answer.accepted else None))


def _live(url: str, pipe: Connection) -> None:
    os.setpgid(0, 0)
    asyncio.run(_serve(url, pipe))


class Node:
    """One node as a process."""

    def __init__(self, name: str, url: str) -> None:
        self.name, self.url = name, url
        self.start()

    def start(self) -> None:
        before = _sessions(self.url)
        self.pipe, theirs = FORK.Pipe()
        self.process = FORK.Process(target=_live, args=(self.url, theirs), daemon=True)
        self.process.start()
        theirs.close()
        assert self.pipe.poll(PATIENCE_S), f"{self.name} does not start"
        assert self.pipe.recv()[0] == "ready"
        self.sessions = _sessions(self.url) - before

    def kill(self) -> None:
        """Kill the process and wait until its sessions end: the server still finishes the last statement of each."""
        self.process.kill()
        self.process.join()
        given_up = time.monotonic() + PATIENCE_S
        while self.sessions & _sessions(self.url):
            assert time.monotonic() < given_up, f"sessions of {self.name} do not end"
            time.sleep(0.002)

    def doze(self, seconds: float) -> None:
        """Pause the process, then let it continue."""
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(self.process.pid, signal.SIGCONT)


def _sessions(url: str) -> set[str]:
    """None for a database in a file: a killed process writes no more."""

    async def fetch_sessions() -> set[str]:
        connection = await asyncpg.connect(url)
        try:
            return {row[0] for row in await connection.fetch(SESSIONS)}
        finally:
            await connection.close()

    return asyncio.run(fetch_sessions()) if url.startswith("postgresql") else set()


class Recorder:
    """Sends requests, and records each request and each answer."""

    def __init__(self, url: str, chance: random.Random) -> None:
        self.chance = chance
        self.events: list[tuple[object, ...]] = []
        self.commands: dict[str, bytes] = {}
        self.answered: set[str] = set()
        self.nodes = [Node(name, url) for name in NODES]

    def ask(self, command: c.AnyCommand, *nodes: Node) -> str:
        """Send a new request to one node, or to several at once."""
        key = f"k{len(self.commands) + 1}"
        self.commands[key] = notation.encode(command)
        self.send(key, *nodes)
        return key

    def send(self, key: str, *nodes: Node) -> None:
        for node in nodes:
            self.events.append(("send", key, node.name))
            node.pipe.send((key, self.commands[key]))

    def listen(self, seconds: float) -> None:
        """Wait at most this long for answers, and record them."""
        for ready in wait([node.pipe for node in self.nodes], seconds):
            node = next(candidate for candidate in self.nodes if candidate.pipe is ready)
            self._hear(node)

    def _hear(self, node: Node) -> None:
        key, version = node.pipe.recv()
        self.events.append(("answer", key, node.name, ("refused",) if version is None else ("accepted", version)))
        self.answered.add(key)

    def until_answered(self, *keys: str) -> None:
        """Retry at random nodes until every request has an answer."""
        given_up = time.monotonic() + PATIENCE_S
        asked_at = time.monotonic()
        while left := [key for key in keys or self.commands if key not in self.answered]:
            assert time.monotonic() < given_up, f"no answer to {left}"
            self.listen(0.05)
            if time.monotonic() - asked_at > 1.0:
                asked_at = time.monotonic()
                for key in left:
                    self.send(key, self.chance.choice(self.nodes))

    def kill(self, node: Node) -> None:
        """Kill and restart a node. The answers that it had sent by then are recorded."""
        node.kill()
        with suppress(EOFError, ConnectionResetError):
            while node.pipe.poll(0):
                self._hear(node)
        self.events.append(("killed", "", node.name))
        node.start()

    def close(self) -> None:
        for node in self.nodes:
            node.kill()


def _bet(chance: random.Random) -> c.AnyCommand:
    """A random command. Many are refused: there is no wager to change yet, or it is too small."""
    patron, stake = chance.choice(PATRONS), Cents(chance.choice((500, 1_000, 2_000)))
    lying: dict[str, Any] = {"patron": patron, "box": 1, "bet": "player"}
    commands: tuple[c.AnyCommand, ...] = (
        c.PlaceWager(**lying, stake_cents=stake),
        c.RaiseWager(**lying, stake_cents=stake),
        c.LowerWager(**lying, stake_cents=stake),
        c.WithdrawWager(**lying),
    )
    return chance.choice(commands)


@contextmanager
def database(engine: str) -> Iterator[str]:
    """A new database, deleted at the end."""
    if engine == "postgresql":
        with postgres_database() as url:
            yield url
    else:
        with tempfile.TemporaryDirectory(prefix="punto-house-") as folder:
            yield f"sqlite:///{folder}/house.db"


def record(url: str, requests: int, seed: int) -> Recording:
    """Record a house in a new database over this many requests."""
    chance = random.Random(seed)
    asyncio.run(_prepared(url))
    recorder = Recorder(url, chance)
    try:
        joined = tuple(joins(name) for name in PATRONS)
        first: tuple[c.AnyCommand, ...] = (opening(), LOAD, *joined, c.Sit(patron=PATRONS[0], box=1), BET)
        for command in first:
            recorder.until_answered(recorder.ask(command, recorder.nodes[0]))
        for _ in range(requests):
            nodes = recorder.nodes if chance.random() < 0.3 else [chance.choice(recorder.nodes)]
            recorder.ask(_bet(chance), *nodes)
            _something(recorder, chance)
        recorder.until_answered()
    finally:
        recorder.close()
    return asyncio.run(_recording(url, recorder.events))


def _something(recorder: Recorder, chance: random.Random) -> None:
    """Sometimes kill or pause a node, then listen."""
    node, luck = chance.choice(recorder.nodes), chance.random()
    if luck < 0.04:
        recorder.kill(node)
    elif luck < 0.08:
        node.doze(0.2)
    recorder.listen(chance.choice((0.0, 0.0, 0.01)))


async def _prepared(url: str) -> None:
    async with a_house(url) as house:
        await rich(house.store, *PATRONS)


async def _recording(url: str, events: list[tuple[object, ...]]) -> Recording:
    """Renumber versions: all rows of a request are one row of the model."""
    store = await open_store(url)
    rows = await store.read("table/T1")
    await store.close()
    firsts = [row for row in rows if row.key is not None]
    last = {row.version + row.count - 1: number for number, row in enumerate(firsts, 1)}
    keys = tuple(str(row.key).partition("/")[2] for row in firsts)

    def seen(event: tuple[object, ...]) -> tuple[object, ...]:
        *more, answer = event
        if isinstance(answer, tuple) and answer[0] == "accepted":
            return (*more, ("accepted", last.get(answer[1], 0)))
        return event

    return Recording(keys, tuple(map(seen, events)))
