"""`punto report`: a report on a game for a laboratory, an operator or a regulator, or on what a new edition changed."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from punto.cli.screen import console, fail, print_json, print_table

if TYPE_CHECKING:
    from punto.report.compare import Comparison
    from punto.report.content import Step
    from punto.report.simulation import Simulated

MOST_BYTES: Final = 16 << 20
"""The largest simulation result."""


def report(
    names: Annotated[list[str], typer.Argument(metavar="GAME[/EDITION]...", help="One game, or two to compare.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Ends in .xlsx, .pdf, .html, .csv, .parquet or .json.")
    ] = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare two editions: what the second one changed, in money.")
    ] = False,
    decks: Annotated[int | None, typer.Option(help="Decks in the shoe; default: the edition's.")] = None,
    layout: Annotated[str | None, typer.Option(help="Only the bets of this layout.")] = None,
    simulation: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What punto simulate --json wrote, set beside the exact figures."),
    ] = None,
    date: Annotated[str | None, typer.Option(help="The report's date, e.g. 2026-01-31; default: today.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Write a report on a game: every bet, insurance, risk, counting and the rules in our words.

    Example: punto report tiger-buffalo-commission/2025-11-21 --decks 8 --out tiger-buffalo.pdf
    """
    from importlib.metadata import version

    from punto.odds.composition import OddsError
    from punto.report.records import ReportError
    from punto.report.write import UnknownEnding, check, write

    _usage(names, out, compare=compare, layout=layout, simulation=simulation, json=json)
    day = _date(date)
    try:
        if out is not None:
            check(out)
        with _progress() as step:
            content: Any = _content(
                names,
                compare=compare,
                decks=decks,
                layout=layout,
                simulation=simulation,
                day=day,
                made=version("punto"),
                step=step,
            )
            if out is not None:
                step(f"writing {out.name}")
                write(content, out)
    except UnknownEnding as error:
        raise typer.BadParameter(str(error), param_hint="--out") from None
    except (ReportError, OddsError) as error:
        fail(error)
    if out is not None:
        _receipt(content, out, json=json)
    elif json:
        from punto.report.as_json import plain

        print_json(plain(content))
    if compare and not json:
        _show(content)


def _usage(
    names: list[str], out: Path | None, *, compare: bool, layout: str | None, simulation: Path | None, json: bool
) -> None:
    wanted = 2 if compare else 1
    if len(names) != wanted:
        how = "two editions to compare" if compare else "one game; two are compared with --compare"
        raise typer.BadParameter(f"expected {how}, got {len(names)}", param_hint="GAME[/EDITION]")
    if compare and layout is not None:
        raise typer.BadParameter("can't be used with --compare, which covers all layouts", param_hint="--layout")
    if compare and simulation is not None:
        raise typer.BadParameter(
            "can't be used with --compare: a simulation is of one edition", param_hint="--simulation"
        )
    if not compare and out is None and not json:
        raise typer.BadParameter("expected a file to write, or --json to print the report", param_hint="--out")


def _date(text: str | None) -> str:
    from punto.rulebook.in_force import ZONE

    if text is None:
        return dt.datetime.now(ZONE).date().isoformat()
    try:
        return dt.date.fromisoformat(text).isoformat()
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no date: expected one such as 2026-01-31", param_hint="--date") from None


def _content(
    names: list[str],
    *,
    compare: bool,
    decks: int | None,
    layout: str | None,
    simulation: Path | None,
    day: str,
    made: str,
    step: Step,
) -> Any:
    from punto.cli.rules import governing
    from punto.report.compare import compare as compared
    from punto.report.content import build

    books = [governing(name) for name in names]
    if compare:
        step("comparison")
        return compared(*books, date=day, version=made, decks=decks)
    simulated = None if simulation is None else _simulated(simulation)
    return build(books[0], date=day, version=made, decks=decks, layout=layout, simulated=simulated, step=step)


def _simulated(path: Path) -> Simulated:
    from punto.report.records import ReportError
    from punto.report.simulation import Simulated

    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ReportError(f"{path} can't be read: {error.strerror or error}") from None
    if len(data) > MOST_BYTES:
        raise ReportError(f"{path} is no result of punto simulate --json: it is longer than {MOST_BYTES:,} bytes")
    return Simulated(name=path.name, data=data)


@contextmanager
def _progress() -> Iterator[Step]:
    """A progress bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from punto.report.content import STEPS

    shown = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*shown, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=len(STEPS) + 1)
        begun = False

        def step(name: str) -> None:
            nonlocal begun
            bar.update(task, description=name, advance=1 if begun else 0)
            begun = True

        yield step


def _receipt(content: Any, out: Path, *, json: bool) -> None:
    """Print what was written, so that the file can be identified later."""
    data = out.read_bytes()
    digest = sha256(data).hexdigest()
    cover = getattr(content, "cover", None) or content.new
    if json:
        answer = {
            "file": str(out),
            "format": out.suffix.lower().lstrip("."),
            "bytes": len(data),
            "sha256": digest,
            "game": cover.game,
            "edition": cover.edition,
            "decks": cover.decks,
            "coups": str(cover.coups),
            "data_sha256": cover.data_sha256,
            "date": cover.date,
        }
        print_json(answer)
        return
    typer.echo(f"{out}: {cover.id}, {cover.decks} decks, {len(data):,} bytes, sha256 {digest}")


def _show(comparison: Comparison) -> None:
    """Print the comparison: the same tables as in the files."""
    from rich.table import Table

    from punto.report.pages.document import document

    screen = console()
    laid = document(comparison)
    screen.print(f"[bold]{laid.subtitle}[/]")
    for page in laid.pages:
        for words in page.words:
            screen.print(words)
        for table in page.tables:
            shown = Table(title=table.title)
            for column in table.columns:
                shown.add_column(column.title, justify="left" if column.align == "left" else "right")
            for line in table.rows:
                shown.add_row(*(cell.text for cell in line.cells))
            print_table(screen, shown)
