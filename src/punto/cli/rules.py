"""`punto rules`: list editions, show one, compare two, and count the paragraphs that tests prove."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from punto.cli.screen import console, fail, print_json, print_table
from punto.rulebook import in_force as dates
from punto.rulebook import load
from punto.rulebook.check import RuleError

if TYPE_CHECKING:
    from punto.rulebook.diff import Changed
    from punto.rulebook.model import Rulebook

app = typer.Typer(
    help="""The rulebooks: list, show, in-force, diff, trace.

    Example: punto rules in-force tiger-buffalo-commission --on 2025-06-01
    """,
    no_args_is_help=True,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Name = Annotated[str, typer.Argument(help="game or game/edition, e.g. tiger-buffalo-commission/2025-11-21")]


def governing(name: str, on: dt.datetime | None = None) -> Rulebook:
    """The rulebook of this name, by default the one in force now. Exit 1 if there is none."""
    try:
        return dates.governing(name, on or dt.datetime.now(dates.ZONE))
    except RuleError as error:
        fail(error)


@app.command("list")
def list_editions(json: Json = False) -> None:
    """List every edition in the library.

    Example: punto rules list --json
    """
    held = [(source, *load.outline(source)) for source in load.catalogue()]
    if json:
        print_json(
            [
                {
                    "game": source.game,
                    "edition": source.edition,
                    "in_force_from": source.in_force_from and source.in_force_from.isoformat(),
                    "title": source.title,
                    "layouts": layouts,
                    "bets": bets,
                }
                for source, layouts, bets in held
            ]
        )
        return
    for source, layouts, bets in held:
        since = source.in_force_from.strftime("%d %b %Y, %H:%M %z") if source.in_force_from else "always"
        span = layouts[0] if len(layouts) == 1 else f"{layouts[0]}–{layouts[-1]}"
        typer.echo(f"{source.id:<55} {since:<26} layouts {span:<5} {len(bets)} bets")


@app.command()
def show(name: Name, json: Json = False) -> None:
    """Show an edition: pay tables, layouts, insurance, every paragraph in our words.

    Example: punto rules show tiger-buffalo-commission/2025-11-21
    """
    from punto.cli.rules_show import as_json, as_text

    rules = governing(name)
    if json:
        print_json(as_json(rules))
    else:
        as_text(console(), rules)


@app.command("in-force")
def in_force(
    game: Annotated[str, typer.Argument(help="e.g. tiger-buffalo-commission")],
    on: Annotated[
        str | None,
        typer.Option(help="A date such as 2025-06-01, or an instant such as 2025-06-01T08:00:00+08:00; default: now."),
    ] = None,
    json: Json = False,
) -> None:
    """Say which edition governs a game on a date.

    Example: punto rules in-force tiger-buffalo-commission --on 2025-06-01
    """
    try:
        when = dates.instant(on) if on is not None else dt.datetime.now(dates.ZONE)
        source = dates.in_force(game, when)
    except RuleError as error:
        fail(error)
    note = dates.note(source, when)
    since = source.in_force_from and source.in_force_from.isoformat()
    if json:
        answer = {
            "game": game,
            "edition": source.edition,
            "on": when.isoformat(),
            "in_force_from": since,
            "note": note,
        }
        print_json(answer)
        return
    typer.echo(f"{source.id}  {source.title}, {f'in force from {since}' if since else 'always in force'}")
    if note:
        typer.echo(f"note: {note}")


@app.command()
def diff(old: Name, new: Name, json: Json = False) -> None:
    """Show what changed between two editions.

    Example: punto rules diff tiger-buffalo-commission/2024-05-14 tiger-buffalo-commission/2025-11-21
    """
    from punto.rulebook.diff import diff as compare
    from punto.rulebook.diff import pays

    before, after = governing(old), governing(new)
    difference = compare(before, after)
    if json:
        print_json(difference)
        return
    screen = console()
    screen.print(f"[bold]{difference.old}[/] → [bold]{difference.new}[/]")
    for bet in difference.bets_added:
        rule = after.bets[bet]  # type: ignore[index]  # a bet's name is a string and a Bet at once
        where = " ".join(layout.id for layout in after.layouts.values() if bet in layout.bets)
        screen.print(f"[green]+ bet[/] {rule.name}: {pays(rule)}; layouts {where} ({rule.cite})")
    for bet in difference.bets_removed:
        screen.print(f"[red]- bet[/] {bet}")
    for name in difference.layouts_added:
        low, high = after.layouts[name].positions
        bets = ", ".join(after.bets[bet].name for bet in after.layouts[name].bets)
        screen.print(f"[green]+ layout[/] {name}, {low}–{high} positions: {bets}")
    for name in difference.layouts_removed:
        screen.print(f"[red]- layout[/] {name}")
    for kind in ("odds", "layouts", "insurance", "procedure", "irregularities"):
        changes: tuple[Changed, ...] = getattr(difference, f"{kind}_changed")
        if not changes:
            screen.print(f"  {kind}: nothing changed" if kind != "layouts" else "  layouts in both: nothing changed")
        for change in changes:
            _changed(screen, kind, change)
    for paragraph in difference.paragraphs_reworded:
        _changed(screen, "paragraph", paragraph)
    for number in difference.paragraphs_added:
        screen.print(f"[green]+ {number}[/] {after.gist(number)}")
    for number in difference.paragraphs_removed:
        screen.print(f"[red]- {number}[/] {before.gist(number)}")
    moved = ", ".join(f"{paragraph.old}→{paragraph.new}" for paragraph in difference.paragraphs_renumbered)
    screen.print(f"  renumbered: {moved or 'none'}")


def _changed(screen: Any, kind: str, change: Changed) -> None:
    screen.print(f"[yellow]~ {kind}[/] {change.what} ({change.old_paragraph or '–'} → {change.new_paragraph or '–'})")
    screen.print(f"    was: {change.old}", markup=False)
    screen.print(f"    now: {change.new}", markup=False)


@app.command()
def trace(
    name: Annotated[str | None, typer.Argument(help="game/edition; default: all")] = None,
    json: Json = False,
    matrix: Annotated[bool, typer.Option("--matrix", help="Every paragraph with its data, code and tests.")] = False,
) -> None:
    """Count the binding paragraphs that a test proves. Exit 1 when one is unproved.

    Example: punto rules trace tiger-buffalo-commission/2025-11-21 --matrix
    """
    from punto.rulebook import trace as tracing

    known = tracing.proofs()
    names = [name] if name is not None else [source.id for source in load.catalogue()]
    books = [governing(name) for name in names]
    counts = [tracing.trace(rules, known) for rules in books]
    if json and matrix:
        print_json({rules.id: tracing.matrix(rules, known) for rules in books})
    elif json:
        print_json([msgspec.structs.asdict(count) for count in counts])
    elif matrix:
        _print_matrix(books, known)
    else:
        for count in counts:
            percent = 100 * count.proved / count.binding
            missing = f"  unproved: {' '.join(count.unproved)}" if count.unproved else ""
            typer.echo(
                f"{count.game + '/' + count.edition:<55} {count.paragraphs:>4} paragraphs {count.binding:>4} binding"
                f" {count.proved:>4} proved ({percent:.1f} %){missing}"
            )
    for rules, count in zip(books, counts, strict=True):
        if count.unproved:
            fail(f"{rules.id}: no test proves {' '.join(count.unproved)}")


def _print_matrix(books: list[Rulebook], known: Any) -> None:
    from rich.table import Table

    from punto.rulebook import trace as tracing

    for rules in books:
        table = Table("paragraph", "kind", "topic", "data", "code", "tests", title=rules.id)
        for row in tracing.matrix(rules, known):
            cells = ("\n".join(part) for part in (row.topics, row.data, row.code, row.tests))
            table.add_row(row.paragraph, row.disposition, *cells)
        print_table(console(), table)
