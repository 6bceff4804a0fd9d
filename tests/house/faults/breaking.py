"""Run a life with a fault, and check what it left."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from punto.house.audit.run import audit
from tests.house.faults import killing, lives, one_life
from tests.house.faults.lives import Game, Said
from tests.patience import LONG_S

ROOT = Path(__file__).parents[3]


def peopled(url: str) -> str:
    asyncio.run(killing.peopled(url))
    return url


def run(url: str, *options: str, under: Sequence[str] = ()) -> tuple[int, list[Said]]:
    """Run a life in a process of its own: its exit status, and the lines that it printed."""
    command = [*under, sys.executable, "-m", "tests.house.faults.one_life", url, *options]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, timeout=LONG_S)
    said = [msgspec.json.decode(line, type=Said) for line in done.stdout.splitlines()]
    assert said, done.stderr.decode()[-3000:]
    return done.returncode, said


def games_of(said: Sequence[Said], rounds: int = 3) -> list[Game]:
    """The tables at which something was answered, with the answers."""
    games = {game.table: game for game in one_life.games(rounds)}
    for line in said:
        if line.ack is not None:
            games[line.table].acks[line.key] = line.ack
            games[line.table].fresh.add(line.key)
    return [game for game in games.values() if game.acks]


def sound(url: str, games: list[Game]) -> None:
    """Once the fault is gone, all that was answered is there, play goes on to the end, and the audit finds no fault."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    try:
        asyncio.run(asyncio.wait_for(lives.played(url, games, [], 1, quiet, "after"), LONG_S))
    finally:
        os.close(quiet)
    report = audit(url)
    assert report.good, report.findings[:5]


def halted(said: Sequence[Said]) -> str:
    """Why the house halted. It gave some answers before that, and none after."""
    assert said[-1].mark == "halted", said[-1]
    assert sum(line.mark == "answer" for line in said) > 3
    return said[-1].text
