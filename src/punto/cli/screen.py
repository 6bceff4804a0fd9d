"""What every command needs of the terminal: a console, JSON on standard output, a reason on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
import typer

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 140


def console() -> Console:
    """Colour and the terminal's width for people; plain text of a fixed width in a pipe."""
    from rich.console import Console

    return Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=PIPE_WIDTH)


def print_json(value: Any) -> None:
    """One JSON document for programs, in UTF-8 whatever the terminal speaks."""
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
    sys.stdout.flush()


def fail(reason: object) -> NoReturn:
    """Exit 1: something was refused."""
    typer.echo(f"punto: {reason}", err=True)
    raise typer.Exit(1)
