"""`punto simulate`: many shoes by an edition's procedure, every bet and insurance offer against its exact value."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from punto.cli.screen import fail, print_json

if TYPE_CHECKING:
    from punto.rulebook.model import Rulebook
    from punto.sim.run.blocks import Ended, Engine, Progress
    from punto.sim.shoes import Setup, Tally
    from punto.sim.stats import Exact

SHOES: Final = 100_000
CHECKPOINT_S: Final = 10.0
"""Seconds between two checkpoints."""


def simulate(
    game: Annotated[str, typer.Argument(help="game or game/edition")],
    shoes: Annotated[int | None, typer.Option(help=f"Shoes to deal; {SHOES} unless --until says when to stop.")] = None,
    seed: Annotated[int, typer.Option(help="0 to 2⁶⁴ - 1: the same seed deals the same shoes everywhere.")] = 0,
    decks: Annotated[int | None, typer.Option(help="Decks in a shoe; default the edition's.")] = None,
    cut: Annotated[int, typer.Option(help="Cards behind the cut card.")] = 16,
    workers: Annotated[int | None, typer.Option(help="Threads, or tasks of a cluster; default all cores.")] = None,
    engine: Annotated[str, typer.Option(help="numba, python, gpu or ray: equal tallies.")] = "numba",
    address: Annotated[str, typer.Option(help="Ray's cluster: host:port, ray://host:port or local.")] = "local",
    until: Annotated[float | None, typer.Option(help="Stop when every main bet's standard error is below.")] = None,
    checkpoint: Annotated[Path | None, typer.Option(help="Save here as it goes, and go on from here.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write results to a .json, .csv or .parquet file.")] = None,
    show: Annotated[int | None, typer.Option(help="Print this shoe of the run, round by round.")] = None,
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
        from punto.sim.run import blocks as run
        from punto.sim.run import files as run_files
    except ImportError as error:
        fail(f"simulation needs NumPy and Numba: install punto[fast] ({error})")
    if engine not in set(run.Engine):
        raise typer.BadParameter(f"{engine!r}: expected {', '.join(run.Engine)}", param_hint="--engine")
    wanted = shoes if shoes is not None else SHOES if until is None else engines.MOST_INDEX
    hands = _cores() if workers is None else workers
    try:
        of = engines.setup(rules, decks=decks, cut=cut, seed=seed, shoe=show)
        if show is not None:
            simulate_shown.shoe(of, show, json=json)
            return
        run.check(shoes=wanted, workers=hands, until=until)
        if out is not None and out == checkpoint:
            raise ValueError(f"{out} can't be the checkpoint and the result: the same file can't be both")
        for path in (out, checkpoint):
            if path is not None:
                run_files.check_place(path, suffixes=tuple(run_files.FORMATS) if path is out else None)
        found, fault = _run(of, run.Engine(engine), address, wanted, hands, until, checkpoint)
        if out is not None:
            fault = _unwritten(out, partial(run_files.write, out, found)) or fault
    except (ValueError, NoCluster, NoGpu, OSError) as error:
        fail(error)
    if json:
        print_json(found)
    else:
        simulate_shown.tables(found)
    if fault is not None:
        fail(fault)
    if found["ended"] == run.Ended.INTERRUPTED:
        fail(f"interrupted: these are the first {found['shoes']} shoes, and a valid result")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _run(
    of: Setup, engine: Engine, address: str, shoes: int, workers: int, until: float | None, checkpoint: Path | None
) -> tuple[dict[str, Any], str | None]:
    """Deal, and put the figures in the shape of --json; and why the checkpoint is not written, if it is not."""
    from punto.sim.run import blocks as run
    from punto.sim.run import engines as run_engines
    from punto.sim.run import files as run_files
    from punto.sim.shoes import no_tally

    before = no_tally(of) if checkpoint is None else run_files.resume(checkpoint, of, shoes)
    compiling = time.perf_counter()
    dealt = run_engines.ready(of, engine, address=address, workers=workers)
    started = time.perf_counter()
    with _asked_to_stop() as stopped, _progress(shoes, until, before) as tell:
        saved = -inf  # the first block is saved at once

        def after_block(progress: Progress) -> None:
            nonlocal saved
            tell(progress)
            if checkpoint is not None and time.monotonic() - saved > CHECKPOINT_S:
                _unwritten(checkpoint, partial(run_files.save, checkpoint, of, progress.tally))  # the last one tells
                saved = time.monotonic()

        todo = run.blocks(before.shoes, shoes, run_engines.BLOCK[engine])
        tally, ended = run.add_up(of, before, dealt(todo), until=until, stopped=stopped, tell=after_block)
    seconds = time.perf_counter() - started
    fault = None if checkpoint is None else _unwritten(checkpoint, partial(run_files.save, checkpoint, of, tally))
    timing = {
        "compile_seconds": started - compiling,
        "seconds": seconds,
        "rounds_per_second": (tally.rounds - before.rounds) / seconds,
    }
    hands = 1 if engine is run.Engine.GPU else workers
    return _answer(of, tally, ended, {"engine": engine.value, "workers": hands, **timing}), fault


def _unwritten(path: Path, write: Callable[[], None]) -> str | None:
    """Write a file, or say why it is not written: what a long run has found is not thrown away for a full disk."""
    try:
        write()
    except OSError as error:
        return f"{path} is not written: {error.strerror}"
    return None


def _answer(of: Setup, tally: Tally, ended: Ended, timing: dict[str, Any]) -> dict[str, Any]:
    """CONTRACTS: the shape of --json."""
    from msgspec import to_builtins

    from punto.sim import stats

    rules, exact = of.rules, _exact(of.rules, of.decks)
    bets, offers = stats.bet_lines(rules, tally.cells, exact), stats.offer_lines(rules, tally.cells, exact)
    like_bets, like_offers = stats.bet_lines(rules, tally.sure, exact), stats.offer_lines(rules, tally.sure, exact)
    z = [line.z for line in (*like_bets.values(), *like_offers.values()) if line.z is not None]
    return {
        "game": rules.source.game,
        "edition": rules.source.edition,
        "decks": of.decks,
        "cut": of.cut,
        "seed": of.seed,
        "shoes": tally.shoes,
        "rounds": tally.rounds,
        "ended": ended.value,
        **timing,
        "bets": {bet.value: line.shown(like_bets[bet]) for bet, line in bets.items()},
        "insurance": [
            {
                "bet": one.bet.value,
                "after": one.after.value,
                "player_points": one.player_points,
                "banker_points": one.banker_points,
                "odds": str(one.odds),
                "offered": line.times,
                **line.shown(like_offers[one]),
            }
            for one, line in offers.items()
        ],
        "compared": {
            "rounds_per_shoe": of.sure_rounds,
            "rounds": int(tally.sure.sum()),
            "largest_z": max(map(abs, z), default=None),
            "chi_square": to_builtins(stats.chi_square(rules, tally.sure, exact)),
        },
        "chi_square_all_rounds": to_builtins(stats.chi_square(rules, tally.cells, exact)),
    }


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
def _asked_to_stop() -> Iterator[Callable[[], bool]]:
    """Ctrl-C and a polite kill end the run after the block in work. A second one ends it at once."""
    asked: list[int] = []
    watched = (signal.SIGINT, signal.SIGTERM)
    try:
        before = {number: signal.getsignal(number) for number in watched}

        def note(number: int, frame: object) -> None:
            asked.append(number)
            for one in watched:
                signal.signal(one, before[one])

        for number in watched:
            signal.signal(number, note)
    except ValueError:  # not the main thread: nobody can interrupt it
        yield lambda: False
        return
    try:
        yield lambda: bool(asked)
    finally:
        for number in watched:
            signal.signal(number, before[number])


@contextmanager
def _progress(shoes: int, until: float | None, before: Tally) -> Iterator[Callable[[Progress], None]]:
    """A bar on a terminal, with rounds a second; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    text = TextColumn("{task.fields[told]}")
    with Bar(BarColumn(), text, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=shoes if until is None else None, completed=before.shoes, told="")
        started = time.perf_counter()

        def tell(progress: Progress) -> None:
            rate = (progress.tally.rounds - before.rounds) / (time.perf_counter() - started)
            told = (
                f"{progress.tally.shoes:,} shoes, {progress.tally.rounds:,} rounds, {rate / 1e6:.1f} million a second"
            )
            if progress.error is not None:
                told += f", standard error {progress.error:.2e}"
            bar.update(task, completed=progress.tally.shoes, told=told)

        yield tell
