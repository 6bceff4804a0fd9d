"""`punto simulate`: deal many shoes, and compare every bet and insurance offer with its exact value."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from punto.cli.screen import fail, print_json

if TYPE_CHECKING:
    from punto.rulebook.model import Rulebook
    from punto.sim.run.blocks import Progress
    from punto.sim.run.simulation import Plan
    from punto.sim.shoes import Tally
    from punto.sim.stats import Exact

SHOES: Final = 100_000


def simulate(
    game: Annotated[str, typer.Argument(help="game or game/edition")],
    shoes: Annotated[int | None, typer.Option(help=f"Shoes to deal; {SHOES} unless --until says when to stop.")] = None,
    seed: Annotated[int, typer.Option(help="0 to 2⁶⁴ - 1: the same seed deals the same shoes everywhere.")] = 0,
    decks: Annotated[int | None, typer.Option(help="Decks in a shoe; default: the edition's.")] = None,
    cut: Annotated[int, typer.Option(help="Cards behind the cut card.")] = 16,
    workers: Annotated[int | None, typer.Option(help="Threads, or tasks of a cluster; default: all cores.")] = None,
    engine: Annotated[str, typer.Option(help="numba, python, gpu or ray; all give the same counts.")] = "numba",
    address: Annotated[str, typer.Option(help="Ray's cluster: host:port, ray://host:port or local.")] = "local",
    until: Annotated[
        float | None, typer.Option(help="Stop when the standard error of every main bet is below this, e.g. 0.0001.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Save progress to this file; if it exists, continue from it.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write results to a .json, .csv or .parquet file.")] = None,
    show: Annotated[
        int | None, typer.Option(help="Only print the shoe with this number (from 0), round by round.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Deal many shoes and compare every bet and every insurance offer with its exact value.

    Example: punto simulate tiger-buffalo-commission --shoes 100000 --seed 7
    """
    from punto.cli import simulate_shown
    from punto.cli.rules import governing

    rules = governing(game)
    try:
        from punto.sim import shoes as engines
        from punto.sim.cluster import NoCluster
        from punto.sim.gpu import NoGpu
        from punto.sim.run import simulation
        from punto.sim.run.blocks import Ended, Engine
    except ImportError as error:
        fail(f"simulation needs NumPy and Numba: install punto[fast] ({error})")
    if engine not in set(Engine):
        raise typer.BadParameter(f"{engine!r}: expected {', '.join(Engine)}", param_hint="--engine")
    try:
        of = engines.setup(rules, decks=decks, cut=cut, seed=seed, shoe=show)
        if show is not None:
            simulate_shown.shoe(of, show, json=json)
            return
        plan = simulation.Plan(
            of=of,
            engine=Engine(engine),
            shoes=shoes if shoes is not None else SHOES if until is None else engines.MOST_INDEX,
            workers=_cores() if workers is None else workers,
            address=address,
            until=until,
            checkpoint=checkpoint,
            out=out,
        )
        run = simulation.ready(plan)
        with _stop_signals() as stopped, _progress(plan, run.before) as tell:
            result, fault = simulation.simulate(run, _exact(rules, of.decks), stopped=stopped, tell=tell)
    except (ValueError, NoCluster, NoGpu, OSError) as error:
        fail(error)
    if json:
        print_json(result)
    else:
        simulate_shown.tables(result)
    if fault is not None:
        fail(fault)
    if result["ended"] == Ended.INTERRUPTED:
        fail(f"interrupted: these are the first {result['shoes']} shoes, and a valid result")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _exact(rules: Rulebook, decks: int) -> Exact:
    """The exact figures of a full shoe."""
    from punto.odds.composition import full
    from punto.odds.insurance import cells
    from punto.odds.value import count, values
    from punto.sim.stats import Exact

    whole = full(rules, decks)
    return Exact(
        bets={bet: value.expectation for bet, value in values(rules, whole).items()},
        offers={(cell.after, cell.player_points, cell.banker_points): cell.expectation for cell in cells(rules, whole)},
        outcomes=count(rules, whole).outcome_counts,
    )


@contextmanager
def _stop_signals() -> Iterator[Callable[[], bool]]:
    """Ctrl-C or SIGTERM ends the run after the current block. A second signal ends it at once."""
    signals: list[int] = []
    watched = (signal.SIGINT, signal.SIGTERM)
    try:
        before = {number: signal.getsignal(number) for number in watched}

        def note(number: int, frame: object) -> None:
            signals.append(number)
            for each in watched:
                signal.signal(each, before[each])

        for number in watched:
            signal.signal(number, note)
    except ValueError:  # only the main thread can handle signals
        yield lambda: False
        return
    try:
        yield lambda: bool(signals)
    finally:
        for number in watched:
            signal.signal(number, before[number])


@contextmanager
def _progress(plan: Plan, before: Tally) -> Iterator[Callable[[Progress], None]]:
    """A progress bar with rounds a second on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    text = TextColumn("{task.fields[text]}")
    with Bar(BarColumn(), text, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=plan.shoes if plan.until is None else None, completed=before.shoes, text="")
        started = time.perf_counter()

        def tell(progress: Progress) -> None:
            rate = (progress.tally.rounds - before.rounds) / (time.perf_counter() - started)
            text = (
                f"{progress.tally.shoes:,} shoes, {progress.tally.rounds:,} rounds, {rate / 1e6:.1f} million a second"
            )
            if progress.error is not None:
                text += f", standard error {progress.error:.2e}"
            bar.update(task, completed=progress.tally.shoes, text=text)

        yield tell
