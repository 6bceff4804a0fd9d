"""Killing a house with SIGKILL, over and over: `python -m tests.house.faults.killing --engine sqlite --kills 10000`.

`make soak` does so on both engines. A life is one run of a house, in a process that is forked from this one, which has
everything imported and no threads: some 25 lives a second, both engines together. Each life recovers, checks what the
life before it left, plays on and is killed, at a random moment or at a commit point. After a batch of kills the whole
database is audited, and the next batch gets a new one.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import os
import random
import select
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from punto.game import commands as c
from punto.house.audit.run import audit
from punto.house.instants import unix_micros
from punto.house.people.accounts import Account, Accounts
from punto.house.store.interface import Store, open_store
from punto.house.store.names import Role
from punto.house.store.person import AccountOpened, ChipsGranted
from punto.money import Cents
from tests.house.databases import administrator, postgres_database
from tests.house.faults import lives, points, scripts
from tests.house.faults.lives import Arm, Game, Said
from tests.patience import LONG_S

BATCH = 25
"""Kills per database."""
WIDTH = 2
"""Tables that are played at a time."""
MOST_ANSWERS = 9
"""A life is killed after this many answers at most, at a random time after the last of them."""
EARLY = 0.2
"""The share of lives that are killed while they start."""
PATIENCE_S = LONG_S

Lines = list[Said]
New = Callable[[], AbstractContextManager[str]]
"""Makes another database in which everybody has chips."""


class Fault(AssertionError):
    """Something that must hold did not hold, or a life stood still."""


def life(work: Callable[[int], Coroutine[Any, Any, None]], kill: Callable[[Said | None], float | None]) -> Lines:
    """Fork a life, listen to it and kill it. `kill` is called at the start and after each line: it gives the seconds
    until the kill, or None."""
    reads, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        _live(work, reads, writes)
    os.close(writes)
    try:
        return list(_heard(pid, reads, kill))
    finally:
        os.close(reads)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _live(work: Callable[[int], Coroutine[Any, Any, None]], reads: int, writes: int) -> None:
    status = 1
    try:
        os.close(reads)
        asyncio.run(work(writes))
        os.write(writes, msgspec.json.encode(Said("over")) + b"\n")
        status = 0
    except BaseException:
        os.write(writes, msgspec.json.encode(Said("fault", text=traceback.format_exc()[-3000:])) + b"\n")
    finally:
        os._exit(status)


def _heard(pid: int, reads: int, kill: Callable[[Said | None], float | None]) -> Iterator[Said]:
    given_up = time.monotonic() + PATIENCE_S
    seconds = kill(None)
    until = None if seconds is None else time.monotonic() + seconds
    rest = b""
    while True:
        now = time.monotonic()
        if now > given_up:
            raise Fault("a life stands still")
        if until is not None and now >= until:
            os.kill(pid, signal.SIGKILL)
            until = None
        ready, _, _ = select.select([reads], [], [], 1.0 if until is None else until - now)
        if not ready:
            continue
        got = os.read(reads, 65536)
        if not got:
            return
        *lines, rest = (rest + got).split(b"\n")
        for line in lines:
            said = msgspec.json.decode(line, type=Said)
            yield said
            seconds = kill(said)
            if seconds is not None:
                until = time.monotonic() + seconds


class Moment:
    """A random moment to kill a life: a while after so many answers, or early, while it still starts."""

    def __init__(self, chance: random.Random, gap_s: float) -> None:
        self.longest_s = gap_s
        self._left = -1 if chance.random() < EARLY else chance.randint(0, MOST_ANSWERS)
        self._after_s = chance.uniform(0, 5 * gap_s if self._left < 0 else 1.5 * gap_s)
        self._last = 0.0

    def __call__(self, said: Said | None) -> float | None:
        if self._left < 0 and said is None:
            return self._after_s
        if said is None or said.mark not in ("whole", "answer"):
            return None
        now = time.monotonic()
        if self._last:
            self.longest_s = now - self._last
        self._last = now
        self._left -= said.mark == "answer"
        return self._after_s if self._left == 0 else None


class Campaign:
    """Kills of houses on one engine, and counts of what happened."""

    def __init__(self, engine: str, new: New, seed: int) -> None:
        self.engine = engine
        self.new = new
        self.chance = random.Random(f"{engine} {seed}")
        self.seed = seed
        self.counts: Counter[str] = Counter()
        self._numbers = itertools.count()
        self._gap_s = 0.01
        self._start = time.perf_counter()

    def random(self, kills: int) -> None:
        """Kill so many times, at random moments."""
        for start in range(0, kills, BATCH):
            with self.new() as url:
                games: list[Game] = []
                for _ in range(min(BATCH, kills - start)):
                    self._killed(url, games)
                self._finished(url, games)
            self._shown(kills)

    def _shown(self, kills: int) -> None:
        """Print the progress, for whoever watches a long run."""
        done = self.counts["kills"]
        rate = done / (time.perf_counter() - self._start)
        print(f"\r{self.engine}: {done:>7,} of {kills:,} kills  {rate:>5.1f} a second", end="", file=sys.stderr)

    def _killed(self, url: str, games: list[Game]) -> None:
        open_games = [game for game in games if not game.done]
        more = [self._game() for _ in range(8)]
        moment = Moment(self.chance, self._gap_s)
        seed = f"{self.seed} {next(self._numbers)}"
        lines = life(lambda pipe: lives.played(url, open_games, more, WIDTH, pipe, seed), moment)
        self._gap_s = 0.9 * self._gap_s + 0.1 * moment.longest_s
        self._learn(lines, games, more)
        self.counts["kills"] += 1
        self.counts["kills before the look was over"] += not any(said.mark == "whole" for said in lines)

    def _finished(self, url: str, games: list[Game]) -> None:
        """A last life is not killed and plays everything to its end; then the whole database is audited."""
        lines = life(lambda pipe: lives.played(url, games, [], WIDTH, pipe, "end"), lambda said: None)
        self._learn(lines, games, [])
        assert all(game.done for game in games), "a script was not played to its end"
        report = audit(url)
        if not report.good:
            raise Fault(f"the audit of {url}: " + "; ".join(str(finding) for finding in report.findings[:5]))
        self.counts["tables"] += len(games)
        self.counts["audited rows"] += report.seen.rows

    def at_points(self, take: Callable[[int], bool] = lambda number: True) -> None:
        """Kill at every commit point of every round of every script, and of the recovery in the middle of each. Opening
        a table and sitting down are alike in all scripts, so their points are taken for the first script only. `take`
        selects among the points; those with recovery are always taken."""
        plans = [(script, arms) for script in scripts.every() for arms in self._arms(script)]
        plans = [plan for number, plan in enumerate(plans) if take(number) or len(plan[1]) > 1]
        for start in range(0, len(plans), BATCH):
            with self.new() as url:
                games: list[Game] = []
                for script, arms in plans[start : start + BATCH]:
                    games.append(Game(f"p{next(self._numbers)}", script))
                    for arm in arms:
                        self._killed_at(url, games, arm)
                self._finished(url, games)

    def _killed_at(self, url: str, games: list[Game], arm: Arm) -> None:
        self._learn(life(lambda pipe: lives.ended_at(url, games, arm, pipe), lambda said: None), games, [])
        self.counts["kills"] += 1
        self.counts["kills in recovery"] += arm.step is None

    def _arms(self, script: scripts.Script) -> list[list[Arm]]:
        """The commit points of a script, found by a run that only counts them. After the third card, recovery is killed
        at each of its points as well, and then left to finish."""
        arms: list[list[Arm]] = []
        opens = next((step.number for step in script.steps if step.opens), 0)
        first = 0 if script is scripts.every()[0] else opens
        draws = [step.number for step in script.steps if isinstance(step.command, c.DrawCard)]
        for step, passed in enumerate(counted(self.new, script)):
            if step >= first:
                arms += [[Arm(step, point)] for point in range(passed)]
            if step in draws[2:3]:
                arms[-1] += [Arm(None, point) for point in range(passed)]
        return arms

    def _game(self) -> Game:
        number = next(self._numbers)
        every = scripts.every()
        return Game(f"r{number}", every[number % len(every)])

    def _learn(self, lines: Lines, games: list[Game], more: list[Game]) -> None:
        by_name = {game.table: game for game in (*games, *more)}
        for game in games:
            game.fresh = set()
        for said in lines:
            if said.mark == "fault":
                raise Fault(f"{self.engine}, seed {self.seed}, after {self.counts['kills']} kills:\n{said.text}")
            if said.mark == "answer":
                assert said.ack is not None
                game = by_name[said.table]
                if game not in games:
                    games.append(game)
                game.acks[said.key] = said.ack
                game.fresh.add(said.key)
                self.counts["answers"] += 1
            elif said.mark == "done":
                by_name[said.table].done = True
                self.counts["scripts to their end"] += 1


def counted(new: New, script: scripts.Script) -> list[int]:
    """How many commit points each step has."""
    counts: list[int] = []

    def kill(said: Said | None) -> None:
        if said is not None and said.mark == "fault":
            raise Fault(said.text)
        if said is not None and said.mark == "step":
            counts.append(int(said.text))

    with new() as url:
        life(lambda pipe: _counting(url, script, pipe), kill)
    assert len(counts) == len(script.steps)
    return counts


async def _counting(url: str, script: scripts.Script, pipe: int) -> None:
    seen = points.Points()
    points.watched(seen)
    game = Game("counted", script)
    async with lives.born(url, lambda said: None, random.Random(0)) as new_life:
        await new_life.begin([])
        for step in script.at(game.table):
            seen.passed.clear()
            await new_life.step(game, step)
            await asyncio.sleep(0.002)  # the writer's thread may still be finishing
            os.write(pipe, msgspec.json.encode(Said("step", text=str(len(seen.passed)))) + b"\n")


@contextmanager
def databases(engine: str) -> Iterator[New]:
    """Copies of one database in which everybody has chips."""
    with ExitStack() as stack:
        if engine == "sqlite":
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="punto-kills-")))
            asyncio.run(peopled(f"sqlite:///{folder / 'first.db'}"))
            numbers = itertools.count()
            yield lambda: _sqlite_copy(folder / "first.db", folder / f"n{next(numbers)}.db")
        else:
            url = stack.enter_context(postgres_database())
            asyncio.run(peopled(url))
            first, of_this = urlsplit(url).path[1:], f"punto_kills_{os.getpid()}"
            yield lambda: administrator().database(f"{of_this}_{time.monotonic_ns()}", first)


@contextmanager
def _sqlite_copy(first: Path, path: Path) -> Iterator[str]:
    source, copy = sqlite3.connect(first), sqlite3.connect(path)
    source.backup(copy)
    source.close()
    copy.close()
    yield f"sqlite:///{path}"
    for left in path.parent.glob(path.name + "*"):
        left.unlink()


async def peopled(url: str) -> None:
    store = await open_store(url)
    try:
        rich = [name for name in scripts.PEOPLE if name != "poor"]
        await granted(store, rich, scripts.RICH_CENTS)
        await granted(store, ["poor"], scripts.POOR_CENTS)
        for by, name, role in (
            ("house", "shift-manager", Role.SHIFT_MANAGER),
            ("house", scripts.SECOND, Role.PIT_MANAGER),
            ("shift-manager", scripts.ASKER, Role.PIT_SUPERVISOR),
        ):
            opened = AccountOpened(by=by, name=name, role=role)
            account = Account(name=name, role=role, guest=False, opened_at=unix_micros())
            assert await Accounts(store)._opened(account, [opened], by)
    finally:
        await store.close()


async def granted(store: Store, names: list[str], cents: int) -> None:
    """Open accounts of guests with chips: account and chips in one commit, and no password to hash."""
    for name in names:
        opened = AccountOpened(by=name, name=name, role=Role.PATRON, guest=True)
        chips = ChipsGranted(by=name, chips_cents=Cents(cents))
        account = Account(name=name, role=Role.PATRON, guest=True, opened_at=unix_micros())
        assert await Accounts(store)._opened(account, [opened, chips], name, moved_cents=cents)


def warm(new: New) -> None:
    """Import, read and compile everything, so that a life starts at once."""
    with new() as url:
        games = [Game(f"w{number}", script) for number, script in enumerate(scripts.every())]
        quiet = os.open(os.devnull, os.O_WRONLY)
        for _ in range(2):
            asyncio.run(lives.played(url, games, [], WIDTH, quiet, "warm"))
        os.close(quiet)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=("sqlite", "postgresql"), required=True)
    parser.add_argument("--kills", type=int, default=0, help="at random moments; 0: at every commit point instead")
    parser.add_argument("--share", type=int, default=1, help="of the commit points take every so many")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    with databases(options.engine) as new:
        warm(new)
        gc.collect()
        gc.freeze()
        campaign = Campaign(options.engine, new, options.seed)
        start = time.perf_counter()
        if options.kills:
            campaign.random(options.kills)
        else:
            campaign.at_points(lambda number: (number + options.seed) % options.share == 0)
        took = time.perf_counter() - start
    print(msgspec.json.encode({**campaign.counts, "seconds": round(took, 1), "seed": options.seed}).decode())


if __name__ == "__main__":
    main()
