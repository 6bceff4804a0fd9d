"""What every command needs of the terminal: a console, JSON on standard output, a reason on standard error."""

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
    """Whole: what finds no room goes on in the next line of its cell. A figure cut short is another figure."""
    for column in table.columns:
        column.overflow = "fold"
    screen.print(table)


def literal(text: str) -> str:
    """Text of others, to be shown as it stands: no markup is in it, and nothing that moves a cursor."""
    from rich.markup import escape

    return escape("".join(character if character.isprintable() else "�" for character in text))


def print_json(value: Any) -> None:
    """One JSON document for programs, in UTF-8 whatever the terminal speaks."""
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
    sys.stdout.flush()


def fail(reason: object) -> NoReturn:
    """Exit 1: something was refused."""
    typer.echo(f"punto: {reason}", err=True)
    raise typer.Exit(1)
