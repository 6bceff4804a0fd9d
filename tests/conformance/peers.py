"""`make conformance-peers`: public engines through their adapters, and what each gets wrong (`… peers FOLDER`)."""

from __future__ import annotations

import os
import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from punto.conformance import pack as packs
from punto.conformance.judge import Result
from punto.conformance.report import Report, by_level
from punto.conformance.run import Plan, run

ADAPTERS: Final = Path(__file__).parents[2] / "conformance" / "adapters"
EXAMPLES: Final = 3


def commands(folder: Path) -> dict[str, str]:
    node = f"NODE_PATH={shlex.quote(str(folder / 'node_modules'))} node"
    python = f"PYTHONPATH={shlex.quote(str(folder / 'python'))} {shlex.quote(sys.executable)}"
    return {
        "baccarat-engine": f"{node} {shlex.quote(str(ADAPTERS / 'baccarat-engine.cjs'))}",
        "bac-motor": f"{node} {shlex.quote(str(ADAPTERS / 'bac-motor.cjs'))}",
        "pybaccarat": f"{python} {shlex.quote(str(ADAPTERS / 'pybaccarat_adapter.py'))}",
    }


def print_report(report: Report) -> None:
    """By level, then the kinds of difference with an example each."""
    about = report.about
    print(f"\n{about.engine} {about.version}" + (f": {report.trouble}" if report.trouble else ""))
    for level, counts in by_level(report.outcomes).items():
        if counts[Result.INAPPLICABLE.value] < sum(counts.values()):
            print(f"  {level.value}: " + ", ".join(f"{number} {name}" for name, number in counts.items() if number))
    failed = [outcome for outcome in report.outcomes if outcome.result is Result.FAILED]
    places = Counter(outcome.note.partition(":")[0] for outcome in failed)
    for place, number in places.most_common():
        examples = [outcome for outcome in failed if outcome.note.startswith(f"{place}:")]
        print(f"  {number} times at {place}")
        for outcome in examples[:EXAMPLES]:
            print(f"    {outcome.id}: {outcome.note}")


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    pack = packs.load(exhaustive="--exhaustive" in sys.argv)
    for name, command in commands(folder).items():
        if not (folder / "node_modules").is_dir():
            sys.exit(f"peers: {name} is not there: run make conformance-peers")
        print_report(run(pack, pack.vectors, Plan(command=command, jobs=min(2, os.cpu_count() or 1))))


if __name__ == "__main__":
    main()
