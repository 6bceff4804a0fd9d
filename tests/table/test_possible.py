"""What is offered is accepted, and what is not offered is refused: over random tables and over every transcript."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from punto.game import commands as c
from punto.game import possible, possible_staff
from punto.game.evolve import evolve
from punto.game.refusals import Refusal
from punto.game.table import NEW, Phase, Table
from punto.house.table.governing import in_use
from punto.rulebook.model import Rulebook
from tests.house.live.test_frames import states
from tests.table.driver import Driver
from tests.table.possible_commands import covered, of_patron, of_staff, whole
from tests.transcripts import reading

STRANGER = "zoe"


MOST = 120
"""Commands of one person at one table, drawn at random from those that they might give."""


def agree(chance: random.Random, rules: Rulebook, table: Table, seen: Counter[str]) -> None:
    """Of somebody at a table, of a stranger and of staff: what is offered is what is accepted."""
    people = [*table.patrons, STRANGER]
    for name in chance.sample(people, min(2, len(people))):
        offered = possible.for_patron(rules, table, name)
        _same(rules, table, offered, _some(chance, of_patron(chance, rules, table, name)), seen)
    for name in (chance.choice([*table.staff, STRANGER]),):
        offered = possible_staff.for_staff(rules, table, name)
        _same(rules, table, offered, _some(chance, of_staff(chance, rules, table, name)), seen)


def agree_at(chance: random.Random, table: Table, seen: Counter[str]) -> None:
    rules = in_use(table)
    assert rules is not None
    agree(chance, rules, table, seen)


def _some(chance: random.Random, commands: Iterator[c.AnyCommand]) -> list[c.AnyCommand]:
    every = list(commands)
    return chance.sample(every, min(MOST, len(every)))


def _same(
    rules: Rulebook,
    table: Table,
    offered: tuple[possible.Possible, ...],
    commands: list[c.AnyCommand],
    seen: Counter[str],
) -> None:
    for command in commands:
        accepted, inside = whole(rules, table, command), covered(offered, table, command)
        what = "accepted" if accepted else "refused"
        assert accepted is inside, f"{command} while {table.phase.value} is {what}, offered are {offered}"
        seen[f"{type(command).__name__} {what}"] += 1


@pytest.mark.parametrize("seed", range(3))
def test_what_is_offered_at_a_random_table_is_what_is_accepted(seed: int) -> None:
    chance = random.Random(f"possible {seed}")
    seen: Counter[str] = Counter()
    for _ in range(12):
        driver = Driver(chance)
        driver.play(3)
        tables = [NEW]
        for answer in driver.watched.answers:
            for event in () if isinstance(answer, Refusal) else answer:
                tables.append(evolve(tables[-1], event))
        opened = [one for one in tables if one.settings is not None]
        betting = [one for one in opened if one.phase is Phase.BETTING]
        for table in (*chance.choices(opened, k=10), *chance.choices(betting, k=10)):
            agree_at(chance, table, seen)
    for kind in ("PlaceWager", "RaiseWager", "LowerWager", "WithdrawWager", "DrawCard", "CashChips"):
        assert seen[f"{kind} accepted"], f"no {kind} was accepted"
        assert seen[f"{kind} refused"], f"no {kind} was refused"


@pytest.mark.parametrize("first", "abcdefghijklmnopqrstuvwxyz")
def test_what_is_offered_in_a_transcript_is_what_is_accepted(first: str) -> None:
    """Where something went wrong, too: what random tables do not reach."""
    for name in (*reading.names(), *reading.irregular_names()):
        if not name.rpartition("/")[2].startswith(first):
            continue
        chance = random.Random(name)
        tables = states(name)
        stopped = [one for one in tables if one.irregularity is not None]
        for table in (*chance.choices(tables, k=3), *stopped[:3]):
            agree_at(chance, table, Counter())
