"""`punto settle`: answer JSON lines with JSON lines, in order and in constant memory."""

from __future__ import annotations

import datetime as dt
import os
import sys
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from punto.cli.lines import Batch, ReadFailed, Rest, cannot_read, next_batch, open_lines
from punto.cli.screen import fail

if TYPE_CHECKING:
    from punto.rulebook.model import Rulebook


class Total(NamedTuple):
    records: int
    refused: int


def settle(
    file: Annotated[
        str, typer.Argument(help="Records, one JSON object a line; - or nothing for standard input.")
    ] = "-",
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Number of processes; answers come in the order of the records.")
    ] = 1,
) -> None:
    """Settle recorded rounds. A record that breaks a rule gives an error line and the run goes on (exit 1 at the end).

    Example: punto settle rounds.jsonl --workers 2
    """
    if not _run(file, workers):
        raise typer.Exit(1)


def _run(file: str, workers: int) -> bool:
    """Settle until the input ends. Return whether nothing was refused."""
    from punto.cli.relay import Work, WorkerLost
    from punto.game.record import LONGEST_BYTES

    if workers > 1 and not hasattr(os, "fork"):
        fail("this system can't share input and output between processes: run without --workers")
    show = sys.stderr.isatty() and not sys.stdout.isatty()
    with open_lines(file) as source:
        work = Work(
            take=lambda rest: next_batch(source, rest, LONGEST_BYTES),
            work=partial(settle_batch, now=dt.datetime.now(dt.UTC)),
            give=partial(_write, show=show),
        )
        try:
            start = Rest(), Total(0, 0)
            count, refused = work.alone(*start) if workers == 1 else work.shared(workers, *start)
        except ReadFailed as error:
            cannot_read(file, error)
        except WorkerLost as error:
            fail(error)
    if show:
        sys.stderr.write("\n")
    if refused:
        sys.stderr.write(f"punto settle: {refused} of {count} records refused, see their error lines\n")
    return not refused


def _write(settled: tuple[bytes, Total], before: Total, show: bool) -> Total:
    answers, of_these = settled
    total = Total(before.records + of_these.records, before.refused + of_these.refused)
    sys.stdout.buffer.write(answers)
    sys.stdout.buffer.flush()
    if show:
        sys.stderr.write(f"\rpunto settle: {total.records} records, {total.refused} refused")
    return total


def settle_batch(batch: Batch, now: dt.datetime) -> tuple[bytes, Total]:
    """The answers to these lines, and how many lines and refusals there are."""
    from punto.game.record import settle_line, too_long

    def governing(game: str, edition: str | None, on: str | None) -> tuple[Rulebook, str | None]:
        return governing_at(game, edition, on, now)

    answers, refused = [], 0
    for line in batch:
        answer, good = (too_long(), False) if line is None else settle_line(line, governing)
        refused += not good
        answers.append(answer)
    answers.append(b"")
    return b"\n".join(answers), Total(len(batch), refused)


@lru_cache(maxsize=256)
def governing_at(game: str, edition: str | None, on: str | None, now: dt.datetime) -> tuple[Rulebook, str | None]:
    from punto.rulebook import in_force

    name = game if edition is None else f"{game}/{edition}"
    when = now if on is None else in_force.instant(on)
    rules = in_force.governing(name, when)
    return rules, None if "/" in name else in_force.note(rules.source, when)
