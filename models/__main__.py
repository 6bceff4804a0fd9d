"""`make model`: check both models with TLC, and that they find planted faults. Prints tables, or JSON by --json."""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any, Final

import msgspec
from rich.console import Console
from rich.table import Table

from models import appends, inputs, recording, table, tlc
from models.appends import Recording
from models.faults import FAULTS
from punto.game.refusals import Refusal
from punto.house.table.replay_script import played

EDITION: Final = "tiger-buffalo-commission/2025-11-21"
"""The edition in which faults are planted: its tables have the most rows."""
RECORDINGS: Final = {"sqlite": 5, "postgresql": 3}
REQUESTS: Final = 40


class Report:
    """The figures, printed as they come, and what is wrong."""

    def __init__(self, *, quiet: bool) -> None:
        self.console = Console(quiet=quiet, width=150)
        self.figures: dict[str, list[dict[str, Any]]] = {}
        self.wrong: list[str] = []

    def add(self, heading: str, /, **figures: Any) -> None:
        self.figures.setdefault(heading, []).append(figures)
        self.console.print(f"  {heading}: " + " · ".join(f"{value}" for value in figures.values()), highlight=False)

    def tables(self) -> None:
        for part, rows in self.figures.items():
            shown = Table(title=part, title_justify="left")
            for name in rows[0]:
                shown.add_column(name, justify="right" if isinstance(rows[0][name], int | float) else "left")
            for row in rows:
                shown.add_row(*(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row.values()))
            self.console.print(shown)


def _table(report: Report, workers: int, *, small: bool) -> None:
    """Check every state of every edition's table."""
    for case, reports in product(table.cases(), (0,) if small else (0, 1)):
        result = table.check(case.given, case.facing, reports=reports, workers=workers if reports else 1)
        for edition in case.editions:
            report.add("table", edition=edition, cards=f"face {case.facing}", reports=reports, **_counts(result))
        if result.broken is not None:
            report.wrong.append(f"{case.editions[0]}: {result.broken}")
            report.console.print(table.script(table.rulebooks()[case.editions[0]], case.given, result))


def _counts(result: tlc.Checked) -> dict[str, Any]:
    return {
        "states": result.distinct,
        "transitions": result.generated,
        "depth": result.depth,
        "seconds": result.seconds,
        "broken": result.broken or "–",
    }


def _faults(report: Report, scripts: Path, workers: int, *, small: bool) -> None:
    """Check that each planted fault is found, and write its counterexample as a script."""
    rules = table.rulebooks()[EDITION]
    table_input = inputs.of(rules)
    faults = FAULTS[:: 8 if small else 1]
    for number, (fault, result) in enumerate(table.planted(table_input, faults, workers=workers), 1):
        if result.broken not in fault.finds:
            report.wrong.append(f"{fault.name}: {result.broken}, expected {' or '.join(fault.finds)}")
        answers = "–"
        if result.broken is not None:
            script = table.script(rules, table_input, result)
            name = "".join(letter if letter.isalnum() else "-" for letter in fault.name.lower())
            (scripts / f"{number:02}-{name}.jsonl").write_text(script)
            answers = _played(script)
        report.add(
            "planted faults", number=number, fault=fault.name, broken=result.broken or "not found", played=answers
        )


def _played(script: str) -> str:
    """How the table without the fault answers a counterexample. In most cases it refuses only the last command."""
    commands = [line.encode() for line in script.splitlines() if not line.startswith("#")]
    refused = [step.answer.code for step in played(commands) if isinstance(step.answer, Refusal)]
    return f"{len(commands) - len(refused)} of {len(commands)}" + (f", {refused[-1]}" if refused else "")


def _appends(report: Report, workers: int, *, small: bool) -> None:
    for size in appends.SIZES[: 1 if small else None]:
        result = appends.check(size, workers=workers)
        report.add("appends", **msgspec.structs.asdict(size), **_counts(result))
        if result.broken is not None:
            report.wrong.append(f"appends: {result.broken}")
    for defect, bad in appends.without_parts():
        report.add(
            "parts left out", part=appends.DEFECTS[defect], broken=bad.broken or "not found", steps=len(bad.steps) - 1
        )
        if bad.broken is None:
            report.wrong.append(f"appends without {defect}: not found")


def _recordings(report: Report, workers: int, *, small: bool) -> None:
    """Record houses. Check that each recording is a behaviour of the model, and that a corrupted one is not."""
    houses = [(engine, seed) for engine, count in RECORDINGS.items() for seed in range(1, count + 1)]
    for engine, seed in houses[: 1 if small else None]:
        with recording.database(engine) as url:
            recorded = recording.record(url, REQUESTS // 4 if small else REQUESTS, seed)
        bad = corrupted(recorded)
        with ThreadPoolExecutor(workers) as several:
            accepted, *wrong = several.map(appends.is_behaviour, (recorded, *bad.values()))
        kinds = [str(event[0]) for event in recorded.events]
        report.add(
            "recordings",
            engine=engine,
            seed=seed,
            requests=len(recorded.keys),
            rows=len(recorded.rows),
            sent=kinds.count("send"),
            answers=kinds.count("answer"),
            kills=kinds.count("killed"),
            behaviour="yes" if accepted else "no",
            corrupted=f"{wrong.count(False)} of {len(bad)} rejected",
        )
        if not accepted or any(wrong):
            taken = [name for name, explained in zip(bad, wrong, strict=True) if explained]
            report.wrong.append(f"{engine} {seed}: explained {accepted}; explained though corrupted: {taken}")


def corrupted(recorded: Recording) -> dict[str, Recording]:
    """Copies of the recording, each with one thing that must not happen."""
    rows, events = recorded.rows, recorded.events
    answer_at = next(
        at for at, event in enumerate(events) if event[0] == "answer" and event[3] == ("accepted", len(rows) - 1)
    )
    refused = ("answer", *events[answer_at][1:3], ("refused",))
    return {
        "a row is lost": Recording(rows[:-2] + rows[-1:], events),
        "two rows are swapped": Recording((*rows[:-2], rows[-1], rows[-2]), events),
        "an effect is doubled": Recording((*rows, rows[-1]), events),
        "a key has two answers": Recording(rows, (*events[: answer_at + 1], refused, *events[answer_at + 1 :])),
        "nobody asked": Recording((*rows, "k0"), events),
    }


def _processor_s() -> float:
    """Processor seconds of this process and its children. A busy machine changes them less than the wall time."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models", description=__doc__)
    parser.add_argument("--small", action="store_true", help="fewer states, faults and recordings")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--scripts", type=Path, default=Path("build/model"), help="where counterexamples go")
    options = parser.parse_args(arguments)
    report, began = Report(quiet=options.json), time.monotonic()
    options.scripts.mkdir(parents=True, exist_ok=True)
    _table(report, options.workers, small=options.small)
    _appends(report, options.workers, small=options.small)
    _recordings(report, options.workers, small=options.small)
    _faults(report, options.scripts, options.workers, small=options.small)
    if options.json:
        print(msgspec.json.encode({**report.figures, "wrong": report.wrong}).decode())
    report.tables()
    took = f"{time.monotonic() - began:.0f} s, {_processor_s():.0f} s of a processor"
    report.console.print(f"model: {took}, " + ("; ".join(report.wrong) or "nothing is wrong"))
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
