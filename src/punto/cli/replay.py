"""`punto replay`: a table from a script of commands, by the same decider as the server."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from punto.cli.lines import batches_of
from punto.cli.screen import fail
from punto.codes import Code

if TYPE_CHECKING:
    from punto.game.commands import AnyCommand
    from punto.game.events import AnyEvent
    from punto.game.table import Table
    from punto.rulebook.model import Rulebook

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
    """The answer to each command as a JSON line, and whether it was carried out; at the end the table and balances."""
    from punto.game import recall
    from punto.game.audience import Audience, seen, view
    from punto.game.decide import apply
    from punto.game.notation import encode
    from punto.game.refusals import Refusal
    from punto.game.table import NEW
    from punto.house.table.governing import governing, in_use
    from punto.money import Cents

    table: Table = NEW
    rules: Rulebook | None = None
    events: list[AnyEvent] = []
    script = (line for line in lines if line is None or (line.strip() and not line.lstrip().startswith(b"#")))
    for number, line in enumerate(script, 1):
        try:
            command = _command(table, line)
            past = recall.wanted(table, command)
            held = table if past is None else recall.held(table, recall.past_round(events, past))
            rules = governing(held, command, in_use(table))
        except (ValueError, RecursionError) as error:
            answer: Any = Refusal(Code.BAD_COMMAND, str(error), None)
        else:
            held, answer = apply(rules, held, command)
            table = held if past is None else recall.let_go(held, past)
        if isinstance(answer, Refusal):
            yield encode({"command": number, "refused": answer}), False
        else:
            events += answer
            yield encode({"command": number, "events": [seen(event) for event in answer]}), True
    end: dict[str, Any] = {"table": None, "balances": {}}
    rules = in_use(table)
    if rules is not None:
        balances = {name: Cents(one.balance_cents) for name, one in table.patrons.items()}
        end = {"table": view(rules, table, Audience.PIT), "balances": balances}
    yield encode(end), True


def _command(table: Table, line: bytes | None) -> AnyCommand:
    """Read a command, every key of it once."""
    from punto.game.record import key_twice

    if line is None:
        raise ValueError(f"the line is longer than {LONGEST_LINE} bytes")
    found = _read(table, line)
    fault = key_twice(line)
    if fault is not None:
        raise ValueError(fault)
    return found


def _read(table: Table, line: bytes) -> AnyCommand:
    """A virtual shoe may be given by its `top` cards: the rest follows in the order of new decks."""
    from punto.cards import DECK, CardError, card
    from punto.game.notation import command

    loose = msgspec.json.decode(line) if b'"top"' in line else None
    if not isinstance(loose, dict) or "top" not in loose or table.settings is None:
        return command(line)
    top = msgspec.convert(loose.pop("top"), tuple[str, ...])
    rest = Counter(str(one) for one in DECK * table.settings.decks)
    with suppress(CardError):  # the table itself refuses an order with a card that is none
        rest.subtract(str(card(text)) for text in top)
    loose["order"] = [*top, *(face for face, count in rest.items() for _ in range(count))]
    return command(msgspec.json.encode(loose))
