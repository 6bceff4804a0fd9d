"""Every transcript played through the decider: each event with the table before and after it."""

from __future__ import annotations

from functools import cache

import msgspec

from punto.game.decide import apply
from punto.game.events import AnyEvent
from punto.game.evolve import evolve
from punto.game.refusals import Refusal
from punto.game.table import NEW, Table
from punto.house.table.governing_edition import governing
from punto.house.table.replay_script import command_of
from punto.rulebook.model import Rulebook
from tests.transcripts import reading


class Step(msgspec.Struct, frozen=True):
    before: Table
    event: AnyEvent
    after: Table
    rules: Rulebook


def names() -> list[str]:
    return [*reading.names(), *reading.irregular_names()]


@cache
def steps(name: str) -> tuple[Step, ...]:
    table: Table = NEW
    rules: Rulebook | None = None
    all_steps = []
    for line in reading.script(name).read_bytes().splitlines():
        if not line.strip() or line.startswith(b"#"):
            continue
        try:
            command = command_of(table, line)
            rules = governing(table, command, rules)
        except ValueError:
            continue
        _, answer = apply(rules, table, command)
        if isinstance(answer, Refusal):
            continue
        for event in answer:
            after = evolve(table, event)
            all_steps.append(Step(table, event, after, rules))
            table = after
    return tuple(all_steps)
