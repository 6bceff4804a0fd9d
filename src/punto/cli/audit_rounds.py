"""`punto audit-rounds`: check recorded rounds against an edition. Every wrong cent is reported with its paragraph."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from punto.cli.screen import console, fail, literal, print_json, print_table
from punto.cli.streams import NobodyReads

if TYPE_CHECKING:
    from punto.game.settlement import Limits
    from punto.rulebook.model import Rulebook
    from punto.sim.audit.findings import Finding
    from punto.sim.audit.rounds import Audit

ENDINGS: Final = (".json", ".html", ".csv")
SHOWN: Final = 20
"""The most findings on the screen."""


def audit_rounds(
    file: Annotated[Path, typer.Argument(metavar="FILE.parquet", help="Recorded rounds; docs/audit-rounds.md.")],
    edition: Annotated[
        str | None, typer.Option(help="game or game/edition; default: the edition named in the file.")
    ] = None,
    decks: Annotated[int | None, typer.Option(help="Decks in the shoes; default: the edition's.")] = None,
    maximum: Annotated[str | None, typer.Option(help="The table's maximum on main bets: caps insurance.")] = None,
    maximum_differential: Annotated[
        str | None, typer.Option(help="The table's maximum Differential: caps insurance where --maximum is not given.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a .json, .html or .csv file; .csv lists everything.")
    ] = None,
    most: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="How many findings to list; all are counted.")
    ] = 10_000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Threads.")] = 2,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Check cards, bets and payments of recorded rounds, and their results against the exact distribution.

    Example: punto audit-rounds rounds.parquet --edition tiger-buffalo-commission/2025-11-21
    """
    try:
        from punto.sim.audit.file import RecordedRounds
        from punto.sim.audit.rounds import BadFile, audit
        from punto.sim.run.files import check_place
    except ImportError as error:
        fail(f"an audit needs NumPy, Numba and PyArrow: install punto[fast,reports] ({error})")
    try:
        if report is not None:
            check_place(report, suffixes=ENDINGS)
        opened = RecordedRounds(file)
        rules = _rules(file, edition or opened.edition)
        limits = _limits(maximum, maximum_differential)
        started = time.perf_counter()
        with _listener(report) as listen, _progress(opened.rounds) as tell:
            audited = audit(
                file, rules, decks=decks, limits=limits, workers=workers, most=most, listen=listen, progress=tell
            )
        answer = _answer(file, rules, decks, audited, time.perf_counter() - started)
        if report is not None:
            _write(report, answer)
    except ImportError as error:
        fail(f"reading Parquet needs PyArrow: install punto[reports] ({error})")
    except (BadFile, ValueError, OSError) as error:
        fail(error)
    with suppress(NobodyReads):  # a closed pipe does not change the verdict
        if json:
            print_json(answer)
        else:
            _screen(answer)
    if not audited.faultless:
        count = sum(audited.faults.values())
        fail(f"{count} finding{'s' if count > 1 else ''} in {audited.rounds} rounds")


def _rules(file: Path, name: str | None) -> Rulebook:
    from punto.cli.rules import governing

    if name is None:
        raise ValueError(f"{file} names no edition: give --edition game/edition")
    return governing(name)


def _limits(maximum: str | None, differential: str | None) -> Limits:
    from punto import money
    from punto.game.settlement import Limits

    return Limits(
        maximum_cents=None if maximum is None else money.stake_cents(maximum),
        maximum_differential_cents=None if differential is None else money.stake_cents(differential),
    )


def _answer(file: Path, rules: Rulebook, decks: int | None, audited: Audit, seconds: float) -> dict[str, Any]:
    """The shape of --json and of the report."""
    import msgspec

    from punto import money
    from punto.odds.composition import full
    from punto.odds.value import count
    from punto.sim.audit.chance import chance

    exact = count(rules, full(rules, decks)).outcome_counts
    compared = chance(rules, audited.outcomes, exact)
    total = sum(audited.faults.values())
    return {
        "file": file.name,
        "game": rules.source.game,
        "edition": rules.source.edition,
        "rounds": audited.rounds,
        "judged": audited.judged,
        "wagers": audited.wagers,
        "unjudged_wagers": audited.unjudged_wagers,
        "seconds": seconds,
        "faults": audited.faults,
        "overpaid": money.amount(audited.overpaid_cents),
        "underpaid": money.amount(audited.underpaid_cents),
        "bets": {
            name: {
                "wagers": bet.wagers,
                "staked": money.amount(bet.staked_cents),
                "handed_back": money.amount(bet.handed_back_cents),
                "due": money.amount(bet.due_cents),
            }
            for name, bet in audited.bets.items()
        },
        "results": msgspec.to_builtins(compared.results),
        "chi_square": msgspec.to_builtins(compared.chi_square),
        "chi_square_results": msgspec.to_builtins(compared.chi_square_results),
        "findings": [msgspec.to_builtins(finding) for finding in audited.findings],
        "findings_left_off": total - len(audited.findings),
    }


@contextmanager
def _listener(report: Path | None) -> Iterator[Callable[[Finding], None] | None]:
    """Write every finding to a .csv as it is found. The file appears only when it is complete."""
    import msgspec

    from punto.sim.audit.findings import Finding

    if report is None or report.suffix != ".csv":
        yield None
        return
    beside = report.with_name(f".{report.name}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(Finding.__struct_fields__)
            yield lambda entry: writer.writerow(msgspec.structs.astuple(entry))
        beside.replace(report)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def _progress(rounds: int) -> Iterator[Callable[[int], None] | None]:
    """Show a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("rounds", total=rounds)
        yield lambda done: bar.advance(task, done)


def _write(report: Path, answer: dict[str, Any]) -> None:
    import msgspec

    from punto.sim.run.files import replace

    if report.suffix == ".json":
        replace(report, msgspec.json.format(msgspec.json.encode(answer), indent=2) + b"\n")
    elif report.suffix == ".html":
        from punto.report.html import page
        from punto.report.pages.recorded_rounds import document

        replace(report, page(document(answer)))


def _screen(answer: dict[str, Any]) -> None:
    from rich.table import Table

    screen = console()
    screen.print(f"[bold]{literal(answer['file'])}[/] against [bold]{answer['game']}/{answer['edition']}[/]")
    rate = answer["rounds"] / max(answer["seconds"], 1e-9)
    screen.print(
        f"{answer['rounds']:,} rounds with {answer['wagers']:,} wagers in {answer['seconds']:.2f} s "
        f"({rate / 1e6:.1f} million rounds a second)"
    )
    shares = Table("result", "rounds", "expected", "z", title="Results")
    for name, share in answer["results"].items():
        z = "" if share["z"] is None else f"{share['z']:+.2f}"
        shares.add_row(name, f"{share['observed']:,}", f"{share['expected']:,.1f}", z)
    print_table(screen, shares)
    for key, what in (("chi_square_results", "player, banker and tie"), ("chi_square", "all settlement classes")):
        chi = answer[key]
        if chi is not None:
            figures = f"{chi['statistic']:.1f} on {chi['degrees']} degrees of freedom, p = {chi['p']:.4f}"
            screen.print(f"chi-square over {what}: {figures}")
    if not answer["faults"]:
        screen.print("[green]Nothing is wrong with any round.[/]")
        return
    counts = ", ".join(f"{count:,} {code}" for code, count in answer["faults"].items())
    screen.print(f"[red]{counts}[/]; overpaid {answer['overpaid']}, underpaid {answer['underpaid']}")
    rows = Table("round", "wager", "finding", "paragraph", title="Findings")
    for finding in answer["findings"][:SHOWN]:
        says = literal(f"{finding['code']}: {finding['message']}")
        rows.add_row(literal(str(finding["round"])), str(finding["wager"] or ""), says, finding["paragraph"])
    print_table(screen, rows)
    rest = sum(answer["faults"].values()) - min(SHOWN, len(answer["findings"]))
    if rest:
        screen.print(f"and {rest:,} more: --json, or --report with a .csv file, lists them")
