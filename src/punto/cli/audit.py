"""`punto audit`: everything stored is read again, and worked out again."""

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
"""Findings, and notes, on the screen."""


def audit(
    database: Annotated[
        str | None, typer.Option(help="sqlite:///path or postgresql://…; default the house's own.")
    ] = None,
    heads: Annotated[
        Path | None, typer.Option(help="Compare with the heads in this file, and write them there if all is well.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Replay every stored event: hash chain, rules, settlements, ledger, shoes. It only reads; the house may run.

    Example: punto audit --database sqlite:///house.sqlite --heads heads.json
    """
    from punto.house.audit import heads as kept
    from punto.house.audit.reading import Unreadable
    from punto.house.audit.run import audit as run
    from punto.house.store.default_file import default_url

    try:
        known = kept.read(heads) if heads is not None else {}
        with progress() as tell:
            found = run(database or default_url(), known, tell)
    except (Unreadable, kept.BadHeads, OSError) as error:
        fail(error)
    with suppress(NobodyReads):  # the verdict stands all the same
        if json:
            print_json(answer(found))
        else:
            screen(found)
    if not found.good:
        count = sum(found.counts.values())
        fail(f"{count} finding{'s' if count > 1 else ''} in {found.seen.rows} rows")
    if heads is not None:
        try:
            kept.write(heads, found.heads)
        except OSError as error:
            fail(f"the heads can't be kept: {error}")


def answer(found: Report) -> dict[str, Any]:
    """The shape of --json."""
    import msgspec

    listed = [msgspec.to_builtins(one) for one in found.findings]
    return {
        "database": found.database,
        "good": found.good,
        **msgspec.to_builtins(found.seen),
        "root": found.root,
        "seconds": found.seconds,
        "faults": found.counts,
        "findings": listed,
        "findings_left_off": sum(found.counts.values()) - len(listed),
        "notes": [msgspec.to_builtins(one) for one in found.notes],
        "notes_left_off": sum(found.note_counts.values()) - len(found.notes),
    }


def screen(found: Report) -> None:
    from rich.table import Table

    out = console()
    out.print(f"[bold]{literal(found.database)}[/] replayed in {found.seconds:.1f} s")
    table = Table(show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name in type(found.seen).__struct_fields__:
        table.add_row(name, f"{getattr(found.seen, name):,}")
    print_table(out, table)
    out.print(f"root {found.root}")
    _lines("note", found.notes, found.note_counts)
    if found.good:
        out.print("Nothing is wrong.")
        return
    faults = Table("finding", "times")
    for code, times in sorted(found.counts.items()):
        faults.add_row(code, f"{times:,}")
    print_table(out, faults)
    _lines("", found.findings, found.counts)


def _lines(prefix: str, listed: list[Finding], counts: dict[str, int]) -> None:
    """The first of them; --json has more."""
    out = console()
    for one in listed[:SHOWN]:
        out.print(f"{prefix}: {one}" if prefix else str(one), markup=False)
    left = sum(counts.values()) - SHOWN
    if left > 0:
        out.print(f"and {left:,} more: --json lists them")


@contextmanager
def progress() -> Iterator[Callable[[int, int], None] | None]:
    """How far it is, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("rows", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
