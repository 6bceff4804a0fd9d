"""`punto settle`: JSON lines in, JSON lines out, one each, in order, in constant memory."""

from __future__ import annotations

import datetime as dt
import sys
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Annotated

import typer

from punto.cli.lines import batches_of

if TYPE_CHECKING:
    from punto.rulebook.model import Rulebook


def settle(
    file: Annotated[
        str, typer.Argument(help="Records, one JSON object a line; - or nothing for standard input.")
    ] = "-",
) -> None:
    """Settle recorded rounds. A record that breaks a rule gives an error line and the run goes on (exit 1 at the end).

    Example: punto settle rounds.jsonl
    """
    if not _run(file, sys.stdout.buffer):
        raise typer.Exit(1)


def _run(file: str, out: IO[bytes]) -> bool:
    """Settle until the input ends; True when nothing was refused."""
    from punto.game.record import LONGEST_BYTES, settle_line, too_long

    refused = count = 0
    now = dt.datetime.now(dt.UTC)

    def governing(game: str, edition: str | None, on: str | None) -> tuple[Rulebook, str | None]:
        return _governing(game, edition, on, now)

    show = sys.stderr.isatty() and not sys.stdout.isatty()
    for batch in batches_of(file, LONGEST_BYTES):
        answers = []
        for line in batch:
            answer, good = (too_long(), False) if line is None else settle_line(line, governing)
            refused += not good
            answers.append(answer)
        count += len(answers)
        answers.append(b"")
        out.write(b"\n".join(answers))
        out.flush()
        if show:
            sys.stderr.write(f"\rpunto settle: {count} records, {refused} refused")
    if show:
        sys.stderr.write("\n")
    if refused:
        sys.stderr.write(f"punto settle: {refused} of {count} records refused, see their error lines\n")
    return not refused


@lru_cache(maxsize=256)
def _governing(game: str, edition: str | None, on: str | None, now: dt.datetime) -> tuple[Rulebook, str | None]:
    from punto.rulebook import in_force

    name = game if edition is None else f"{game}/{edition}"
    when = now if on is None else in_force.instant(on)
    rules = in_force.governing(name, when)
    return rules, None if "/" in name else in_force.note(rules.source, when)
