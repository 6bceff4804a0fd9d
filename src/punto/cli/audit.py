"""`punto audit`: read everything that is stored, and recompute it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from punto.cli.screen import console, fail, literal, print_json, print_table
from punto.cli.streams import NobodyReads

if TYPE_CHECKING:
    from punto.house.audit.findings import Finding, Report

SHOWN: Final = 20
"""The most findings or notes on the screen."""


def audit(
    database: Annotated[
        str | None,
        typer.Option(help="sqlite:///path or postgresql://…; default: PUNTO_DATABASE, or the file in the data folder."),
    ] = None,
    heads: Annotated[
        Path | None, typer.Option(help="Compare with the heads in this file, and write them there if all is well.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Replay every stored event and check hash chain, rules, settlements, ledger and shoes.

    It only reads the database; the house may keep running.

    Example: punto audit --database sqlite:///house.sqlite --heads heads.json
    """
    from punto.house.audit import stream_heads as kept
    from punto.house.audit.run import audit as run
    from punto.house.store.default_url import default_url
    from punto.house.store.reader import Unreadable

    try:
        known = kept.read(heads) if heads is not None else {}
        with progress() as tell:
            report = run(database or default_url(), known, tell)
    except (Unreadable, kept.BadHeads, OSError) as error:
        fail(error)
    with suppress(NobodyReads):  # a closed pipe does not change the verdict
        if json:
            print_json(answer(report))
        else:
            screen(report)
    if not report.good:
        count = sum(report.counts.values())
        fail(f"{count} finding{'s' if count > 1 else ''} in {report.seen.rows} rows")
    if heads is not None:
        try:
            kept.write(heads, report.heads)
        except OSError as error:
            fail(f"the heads can't be kept: {error}")


def answer(report: Report) -> dict[str, Any]:
    """The shape of --json."""
    import msgspec

    listed = [msgspec.to_builtins(finding) for finding in report.findings]
    return {
        "database": report.database,
        "good": report.good,
        **msgspec.to_builtins(report.seen),
        "root": report.root,
        "seconds": report.seconds,
        "faults": report.counts,
        "findings": listed,
        "findings_left_off": sum(report.counts.values()) - len(listed),
        "notes": [msgspec.to_builtins(note) for note in report.notes],
        "notes_left_off": sum(report.note_counts.values()) - len(report.notes),
    }


def screen(report: Report) -> None:
    from rich.table import Table

    out = console()
    out.print(f"[bold]{literal(report.database)}[/] replayed in {report.seconds:.1f} s")
    table = Table(show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name in type(report.seen).__struct_fields__:
        table.add_row(name, f"{getattr(report.seen, name):,}")
    print_table(out, table)
    out.print(f"root {report.root}")
    _lines("note", report.notes, report.note_counts)
    if report.good:
        out.print("Nothing is wrong.")
        return
    faults = Table("finding", "times")
    for code, times in sorted(report.counts.items()):
        faults.add_row(code, f"{times:,}")
    print_table(out, faults)
    _lines("", report.findings, report.counts)


def _lines(prefix: str, listed: list[Finding], counts: dict[str, int]) -> None:
    """Print the first findings; --json has more."""
    out = console()
    for finding in listed[:SHOWN]:
        out.print(f"{prefix}: {finding}" if prefix else str(finding), markup=False)
    left = sum(counts.values()) - SHOWN
    if left > 0:
        out.print(f"and {left:,} more: --json lists them")


@contextmanager
def progress() -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("rows", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
