"""The tables of the scripts in `tests/transcripts`, step by step."""

from __future__ import annotations

from functools import cache
from typing import Final

from punto.game import commands as c
from punto.game import events as e
from punto.game.decide import apply
from punto.game.refusals import Refusal
from punto.game.table import NEW, Table
from punto.house.table.governing_edition import governing
from punto.house.table.replay_script import command_of
from tests.transcripts import reading

SCRIPTS: Final = (*reading.names(), *reading.irregular_names())

Step = tuple[Table, c.AnyCommand, tuple[e.AnyEvent, ...]]
"""The table before an accepted command, the command, and its events."""


@cache
def steps(name: str) -> tuple[Step, ...]:
    """Without reports of rounds that the table no longer holds: the house reads those back."""
    table, rules, history = NEW, None, []
    for line in reading.script(name).read_bytes().splitlines():
        if not line.strip() or line.startswith(b"#"):
            continue
        try:
            command = command_of(table, line)
            rules = governing(table, command, rules)
        except ValueError:
            continue
        after, answer = apply(rules, table, command)
        if not isinstance(answer, Refusal):
            history.append((table, command, answer))
        table = after
    return tuple(history)


def states(name: str) -> list[Table]:
    return [before for before, _, _ in steps(name)]


def decisions(name: str) -> list[Step]:
    return [step for step in steps(name) if isinstance(step[1], c.DecideIrregularity)]
