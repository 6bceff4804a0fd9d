"""`punto replay`: play a script of commands at a table, with the same decider as the server."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer

from punto.cli.lines import batches_of
from punto.cli.screen import fail

LONGEST_LINE = 1 << 20


def replay(
    file: Annotated[str, typer.Argument(help="One JSON command a line; - for standard input.")] = "-",
) -> None:
    """Play a script of commands on one table and print what each led to, then the table and every balance.

    Example: punto replay tests/transcripts/insurance-won.jsonl
    """
    refused: list[int] = []
    lines = (line for batch in batches_of(file, LONGEST_LINE) for line in batch)
    for number, (answer, good) in enumerate(played(lines), 1):
        sys.stdout.buffer.write(answer + b"\n")
        refused += [] if good else [number]
    sys.stdout.flush()
    if refused:
        fail(f"commands refused: {len(refused)}, the first is command {refused[0]}")


def run(lines: Iterable[bytes | None]) -> tuple[list[bytes], int]:
    """The answers to a whole script, and how many commands were refused."""
    answers = list(played(lines))
    return [answer for answer, _ in answers], sum(not good for _, good in answers)


def played(lines: Iterable[bytes | None]) -> Iterator[tuple[bytes, bool]]:
    """The answer to each command as a JSON line, and whether it was accepted. The last line has table and balances."""
    from punto.game.audience import Audience, seen, view
    from punto.game.notation import encode
    from punto.game.refusals import Refusal
    from punto.game.table import NEW
    from punto.house.table import replay_script
    from punto.house.table.governing_edition import in_use
    from punto.money import Cents

    table = NEW
    commands = (line for line in lines if line is None or (line.strip() and not line.lstrip().startswith(b"#")))
    for number, step in enumerate(replay_script.played(commands), 1):
        table = step.table
        if isinstance(step.answer, Refusal):
            yield encode({"command": number, "refused": step.answer}), False
        else:
            yield encode({"command": number, "events": [seen(event) for event in step.answer]}), True
    end: dict[str, Any] = {"table": None, "balances": {}}
    rules = in_use(table)
    if rules is not None:
        balances = {name: Cents(patron.balance_cents) for name, patron in table.patrons.items()}
        end = {"table": view(rules, table, Audience.PIT), "balances": balances}
    yield encode(end), True
