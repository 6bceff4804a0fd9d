"""Answer questions at a table: play a script of commands and report the result in the kit's terms."""

from __future__ import annotations

from typing import Any

import msgspec

from punto import money
from punto.game import events as e
from punto.game.refusals import Refusal
from punto.game.table import NEW, Table
from punto.house.table import replay_script
from punto.house.table.replay_script import Played


def play(commands: list[dict[str, Any]]) -> dict[str, Any]:
    """For each command: whether it was accepted, the phase and all balances. At the end: what patrons owe."""
    steps = played(commands)
    owed = steps[-1].table.owed_cents if steps else {}
    return {
        "steps": [_step(step) for step in steps],
        "owed": {name: money.amount(cents) for name, cents in owed.items() if cents},
    }


def played(commands: list[dict[str, Any]]) -> list[Played]:
    return list(replay_script.played(msgspec.json.encode(command) for command in commands))


def table_after(commands: list[dict[str, Any]]) -> tuple[Table, list[bool]]:
    """The table at the end of a script, and which of its commands were carried out."""
    steps = played(commands)
    return steps[-1].table if steps else NEW, [not isinstance(step.answer, Refusal) for step in steps]


def _step(step: Played) -> dict[str, Any]:
    state: dict[str, Any] = {
        "accepted": not isinstance(step.answer, Refusal),
        "phase": step.table.phase.value,
        "balances": {name: money.amount(patron.balance_cents) for name, patron in step.table.patrons.items()},
    }
    if not isinstance(step.answer, Refusal):
        for event in step.answer:
            if isinstance(event, e.RoundSettled):
                state["winner"] = event.winner
                state["lines"] = sorted(
                    [line.patron, str(line.bet), line.result, money.amount(line.handed_back_cents)]
                    for line in event.lines
                )
    return state
