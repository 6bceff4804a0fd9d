"""`punto replay`: a table from a script of commands, by the same decider as the server."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from punto.cli.screen import fail

if TYPE_CHECKING:
    from punto.game.commands import AnyCommand
    from punto.game.table import Table
    from punto.rulebook.model import Rulebook

LONGEST_LINE = 1 << 20


def replay(
    file: Annotated[str, typer.Argument(help="One JSON command a line; - for standard input.")] = "-",
) -> None:
    """Play a script of commands on one table and print what each led to, then the table and every balance.

    Example: punto replay tests/transcripts/insurance-won.jsonl
    """
    try:
        lines = sys.stdin.buffer.readlines() if file == "-" else Path(file).read_bytes().splitlines()
    except OSError as error:
        fail(f"{file}: {error.strerror}")
    answers, refused = run(lines)
    for answer in answers:
        sys.stdout.buffer.write(answer + b"\n")
    if refused:
        fail(f"{refused} commands refused")


def run(lines: list[bytes]) -> tuple[list[bytes], int]:
    """The answers to a script, a JSON line each and one for the end, and how many commands were refused."""
    from punto.game.audience import Audience, seen, view
    from punto.game.decide import apply
    from punto.game.notation import encode
    from punto.game.refusals import Refusal
    from punto.game.table import NEW
    from punto.money import Cents

    table: Table = NEW
    rules: Rulebook | None = None
    answers, refused = [], 0
    script = [line for line in lines if line.strip() and not line.lstrip().startswith(b"#")]
    for number, line in enumerate(script, 1):
        try:
            command = _command(table, line)
            rules = governing(table, command, rules)
        except ValueError as error:
            answer: Any = Refusal("bad-command", str(error), None)
        else:
            table, answer = apply(rules, table, command)
        if isinstance(answer, Refusal):
            refused += 1
            answers.append(encode({"command": number, "refused": answer}))
        else:
            answers.append(encode({"command": number, "events": [seen(event) for event in answer]}))
    end: dict[str, Any] = {"table": None, "balances": {}}
    if rules is not None and table.settings is not None:
        balances = {name: Cents(one.balance_cents) for name, one in table.patrons.items()}
        end = {"table": view(rules, table, Audience.PIT), "balances": balances}
    answers.append(encode(end))
    return answers, refused


def _command(table: Table, line: bytes) -> AnyCommand:
    """Read a command. A virtual shoe may be given by its `top` cards: the rest follows in the order of new decks."""
    from punto.cards import DECK
    from punto.game.notation import command

    if len(line) > LONGEST_LINE:
        raise ValueError(f"the line is longer than {LONGEST_LINE} bytes")
    if b'"top"' in line and table.settings is not None:
        loose = msgspec.json.decode(line)
        top = loose.pop("top")
        rest = Counter(str(one) for one in DECK * table.settings.decks)
        rest.subtract(Counter(top))
        loose["order"] = [*top, *(face for face, count in rest.items() for _ in range(count))]
        line = msgspec.json.encode(loose)
    return command(line)


def governing(table: Table, command: AnyCommand, rules: Rulebook | None) -> Rulebook:
    """E2: the edition of the round concerned, or the one in force when a round's betting opens."""
    from punto.game.commands import DecideIrregularity, OpenBetting, OpenTable, ReportIrregularity
    from punto.rulebook import in_force

    if isinstance(command, OpenTable):
        if command.edition is not None:
            name, on = command.edition, None
        elif command.game is not None and command.on is not None:
            name, on = command.game, command.on
        else:
            raise ValueError("open-table needs an edition, or a game and the date `on` which it is played")
        return in_force.governing(name, in_force.instant(on or "2025-11-21"))
    if rules is None:
        raise ValueError("the first command is open-table")
    unpinned = table.settings is not None and not table.settings.pinned
    if isinstance(command, OpenBetting) and command.on is not None and unpinned:
        return in_force.governing(rules.source.game, in_force.instant(command.on))
    past = command.round if isinstance(command, ReportIrregularity) else None
    if isinstance(command, DecideIrregularity) and table.irregularity is not None:
        past = table.irregularity.round
    name = table.past[past].edition if past in table.past else table.round.edition if table.round else rules.id
    return in_force.governing(name, in_force.instant("2025-11-21"))
