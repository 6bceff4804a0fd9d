"""`punto settle`: JSON lines in, JSON lines out, one each, in order, in constant memory."""

from __future__ import annotations

import datetime as dt
import sys
from functools import lru_cache, partial
from typing import IO, TYPE_CHECKING, Annotated

import typer

from punto.cli.lines import batches_of

if TYPE_CHECKING:
    from punto.rulebook.model import Rulebook


def settle(
    file: Annotated[
        str, typer.Argument(help="Records, one JSON object a line; - or nothing for standard input.")
    ] = "-",
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes; the answers keep their order.")] = 1,
) -> None:
    """Settle recorded rounds. A record that breaks a rule gives an error line and the run goes on (exit 1 at the end).

    Example: punto settle rounds.jsonl --workers 2
    """
    if not _run(file, sys.stdout.buffer, workers):
        raise typer.Exit(1)


def _run(file: str, out: IO[bytes], workers: int) -> bool:
    """Settle until the input ends; True when nothing was refused."""
    from punto.cli.processes import in_order
    from punto.game.record import LONGEST_BYTES

    work = partial(settle_batch, now=dt.datetime.now(dt.UTC))
    batches = batches_of(file, LONGEST_BYTES)
    refused = count = 0
    show = sys.stderr.isatty() and not sys.stdout.isatty()
    for answers, records, of_these_refused in map(work, batches) if workers == 1 else in_order(work, batches, workers):
        count += records
        refused += of_these_refused
        out.write(answers)
        out.flush()
        if show:
            sys.stderr.write(f"\rpunto settle: {count} records, {refused} refused")
    if show:
        sys.stderr.write("\n")
    if refused:
        sys.stderr.write(f"punto settle: {refused} of {count} records refused, see their error lines\n")
    return not refused


def settle_batch(batch: list[bytes | None], now: dt.datetime) -> tuple[bytes, int, int]:
    """The answers to these lines, one each, how many there are, and how many of them are refusals."""
    from punto.game.record import settle_line, too_long

    def governing(game: str, edition: str | None, on: str | None) -> tuple[Rulebook, str | None]:
        return governing_at(game, edition, on, now)

    answers, refused = [], 0
    for line in batch:
        answer, good = (too_long(), False) if line is None else settle_line(line, governing)
        refused += not good
        answers.append(answer)
    answers.append(b"")
    return b"\n".join(answers), len(batch), refused


@lru_cache(maxsize=256)
def governing_at(game: str, edition: str | None, on: str | None, now: dt.datetime) -> tuple[Rulebook, str | None]:
    from punto.rulebook import in_force

    name = game if edition is None else f"{game}/{edition}"
    when = now if on is None else in_force.instant(on)
    rules = in_force.governing(name, when)
    return rules, None if "/" in name else in_force.note(rules.source, when)
