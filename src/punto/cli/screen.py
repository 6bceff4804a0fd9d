"""Output of every command: a console, JSON on standard output, the reason of a failure on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PIPE_WIDTH = 140


def console() -> Console:
    """Colour and the terminal's width for people; plain text of a fixed width in a pipe."""
    from rich.console import Console

    return Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=PIPE_WIDTH)


def print_table(screen: Console, table: Table) -> None:
    """Print a whole table. A text that does not fit wraps within its cell: a cut figure would be a wrong one."""
    for column in table.columns:
        column.overflow = "fold"
    screen.print(table)


def literal(text: str) -> str:
    """Escape text from outside: markup is shown as it is, control characters are replaced."""
    from rich.markup import escape

    return escape("".join(character if character.isprintable() else "�" for character in text))


def print_json(value: Any) -> None:
    """Print one JSON document, in UTF-8 whatever the terminal's encoding."""
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
    sys.stdout.flush()


def fail(reason: object) -> NoReturn:
    """Print the reason and exit 1."""
    typer.echo(f"punto: {reason}", err=True)
    raise typer.Exit(1)
