"""`punto rng`: test the shuffle of a virtual shoe or of the simulation with a battery that was fixed in advance."""

from __future__ import annotations

import datetime as dt
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from punto.cli.screen import console, fail, print_json, print_table
from punto.cli.streams import NobodyReads

if TYPE_CHECKING:
    from punto.rng.battery import Result
    from punto.rng.sources import House, Simulation

SOURCES: Final = ("house", "simulation")
ENDINGS: Final = (".json", ".html")
MOST_BYTES: Final = 1 << 20
"""The largest output of the outside battery."""
BLOCK: Final = 1 << 20
DIEHARDER: Final = re.compile(
    r"^ *([\w-]+)\| *(\d+)\| *(\d+)\| *(\d+)\|([01]\.\d+)\| *(PASSED|WEAK|FAILED) *$", re.ASCII | re.MULTILINE
)
"""A line of dieharder's table."""


def rng(
    source: Annotated[str, typer.Option(help="house (a virtual shoe) or simulation.")] = "house",
    shoes: Annotated[
        int | None, typer.Option(help="How many shoes to deal, and as many orders of numbered cards; default: 10,000.")
    ] = None,
    decks: Annotated[int, typer.Option(min=1, max=10, help="Decks in a shoe.")] = 8,
    seed: Annotated[int, typer.Option(help="Seed of the simulation; the house uses none.")] = 0,
    report: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Write a .html or .json report; may be repeated.")
    ] = None,
    outside: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File with dieharder's output on --raw; it is included in the report."),
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Write the raw stream to standard output, without end.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Test the random generator: its raw bits, the orders it makes and the cards as dealt, with one family-wise level.

    Exit 1 where a test fails. An honest generator fails once in a hundred batteries: run it again before you act.

    Example: punto rng --source simulation --seed 7 --shoes 2000
    """
    try:
        from punto.rng.battery import run
        from punto.rng.registered import LEAST_SHOES, MOST_SHOES, SHOES
        from punto.sim.run.files import check_place
    except ImportError as error:
        fail(f"the battery needs NumPy and Numba: install punto[fast] ({error})")
    number = SHOES if shoes is None else shoes
    if source not in SOURCES:
        raise typer.BadParameter(f"{source!r}: expected {' or '.join(SOURCES)}", param_hint="--source")
    if not LEAST_SHOES <= number <= MOST_SHOES:
        raise typer.BadParameter(f"{number}: expected {LEAST_SHOES:,} to {MOST_SHOES:,}", param_hint="--shoes")
    drawn = _source(source, seed)
    if raw:
        _pour(drawn)
        return
    try:
        for path in report or ():
            check_place(path, suffixes=ENDINGS)
        other = None if outside is None else _outside(outside)
        with _progress(number) as tell:
            results = run(drawn, shoes=number, decks=decks, tell=tell)
        answer = _answer(drawn, results, shoes=number, decks=decks, outside=other)
        for path in report or ():
            _write(path, answer)
    except (ValueError, OSError) as error:
        fail(error)
    with suppress(NobodyReads):  # a closed pipe does not change the verdict
        if json:
            print_json(answer)
        else:
            _screen(answer)
    if not answer["passed"]:
        failed = [test["id"] for test in answer["tests"] if not test["passed"]]
        fail(f"{len(failed)} of {len(results)} tests failed: {', '.join(failed)}")


def _source(name: str, seed: int) -> House | Simulation:
    from punto.rng.sources import House, Simulation
    from punto.sim.rng import MOST_SEED

    if name == "house":
        return House()
    if not 0 <= seed <= MOST_SEED:
        raise typer.BadParameter(f"{seed}: expected 0 to {MOST_SEED}", param_hint="--seed")
    return Simulation(seed)


def _pour(drawn: House | Simulation) -> None:
    """Write until the reader closes the pipe."""
    while True:
        sys.stdout.buffer.write(drawn.raw(BLOCK))


def _outside(path: Path) -> dict[str, Any]:
    """Parse dieharder's table. Raises ValueError if there is none."""
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    text = data.decode("utf-8", "replace")
    tests = [
        {
            "test": match[1],
            "ntuple": int(match[2]),
            "samples": int(match[3]),
            "psamples": int(match[4]),
            "p": match[5],
            "verdict": match[6],
        }
        for match in DIEHARDER.finditer(text)
    ]
    if not tests or len(data) > MOST_BYTES:
        raise ValueError(
            f"{path.name} is no output of dieharder: expected lines such as diehard_opso|0|2097152|1|0.5|PASSED"
        )
    version = re.search(r"dieharder version ([0-9.]+)", text)
    program = f"dieharder {version[1]}" if version else "dieharder"
    return {"program": program, "sha256": sha256(data).hexdigest(), "tests": tests}


def _answer(
    drawn: House | Simulation, results: tuple[Result, ...], *, shoes: int, decks: int, outside: dict[str, Any] | None
) -> dict[str, Any]:
    """The shape of --json and of the report."""
    from importlib.metadata import version

    import msgspec

    from punto.rng.registered import LEVEL, RAW_BYTES, SMALL_SHUFFLES, VERSION
    from punto.rulebook.in_force import ZONE

    return {
        "source": drawn.name,
        "generator": drawn.says,
        "seed": drawn.seed,
        "decks": decks,
        "shoes": shoes,
        "raw_bytes": RAW_BYTES * shoes,
        "small_shuffles": SMALL_SHUFFLES * shoes,
        "version": VERSION,
        "level": LEVEL,
        "passed": all(result.passed for result in results),
        "tests": [
            {
                **msgspec.to_builtins(result.test),
                **msgspec.to_builtins(result.figure),
                "adjusted": result.adjusted,
                "passed": result.passed,
            }
            for result in results
        ],
        "outside": outside,
        "punto_version": version("punto"),
        "date": dt.datetime.now(ZONE).date().isoformat(),
    }


@contextmanager
def _progress(shoes: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("shoes", total=shoes)
        yield lambda done: bar.update(task, completed=done)


def _write(path: Path, answer: dict[str, Any]) -> None:
    import msgspec

    from punto.sim.run.files import replace

    if path.suffix == ".json":
        replace(path, msgspec.json.format(msgspec.json.encode(answer), indent=2) + b"\n")
        return
    from punto.report.html import page
    from punto.report.pages.rng import document

    replace(path, page(document(answer)))


def _screen(answer: dict[str, Any]) -> None:
    from rich.table import Table

    screen = console()
    seed = "" if answer["seed"] is None else f", seed {answer['seed']}"
    screen.print(
        f"[bold]{answer['source']}[/]{seed}, {answer['decks']} decks: {answer['shoes']:,} shoes, "
        f"{answer['shoes']:,} orders, {answer['raw_bytes']:,} raw bytes; "
        f"level {answer['level']:g} for all {len(answer['tests'])} tests"
    )
    shown = Table("test", "observations", "statistic", "degrees", "p", "adjusted", "")
    for column in shown.columns[1:6]:
        column.justify = "right"
    for test in answer["tests"]:
        shown.add_row(
            test["id"],
            f"{test['observations']:,}",
            f"{test['statistic']:,.3f}",
            "" if test["degrees"] is None else f"{test['degrees']:,}",
            f"{test['p']:.4f}",
            f"{test['adjusted']:.4f}",
            "passed" if test["passed"] else "[red]FAILED[/]",
        )
    print_table(screen, shown)
    if answer["outside"] is not None:
        verdicts = [test["verdict"] for test in answer["outside"]["tests"]]
        counts = ", ".join(f"{verdicts.count(word)} {word}" for word in ("PASSED", "WEAK", "FAILED"))
        screen.print(f"{answer['outside']['program']}: {counts}")
    screen.print("passed" if answer["passed"] else "[red]failed[/]")
