"""`make conformance-strength`: every defect planted in turn, and how many vectors of the default pack fail for it.

`python -m tests.conformance.strength --edition GAME/EDITION` tries one edition, `--edition "*"` the mistakes in code.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from typing import Final, NamedTuple

from punto.conformance import pack as packs
from tests.conformance.defects import every_defect
from tests.conformance.make_hands import EDITIONS
from tests.conformance.mistakes import every_mistake
from tests.conformance.planting import Defect, Noticed, noticed

PROCESSES: Final = 2
LEAST: Final = 0.99


class Tried(NamedTuple):
    name: str
    kind: str
    noticed: Noticed

    @property
    def caught(self) -> bool:
        return self.noticed.failed > 0


def planted_in(edition: str) -> list[Defect]:
    return list(every_mistake()) if edition == "*" else list(every_defect(edition))


def tried(defects: Iterable[Defect]) -> list[Tried]:
    vectors = packs.load().vectors
    return [Tried(defect.name, defect.kind, noticed(defect, vectors)) for defect in defects]


def all_in(edition: str) -> list[Tried]:
    return tried(planted_in(edition))


def table(trials: list[Tried]) -> str:
    """By kind: defects planted and caught, and how many vectors fail for one defect, fewest and median."""
    kinds: dict[str, list[Tried]] = defaultdict(list)
    for trial in trials:
        kinds[trial.kind].append(trial)
    rows = ["| planted | defects | caught | not caught | vectors that fail: fewest, median |", "|---|---|---|---|---|"]
    for kind, group in [*sorted(kinds.items()), ("all", trials)]:
        failed = sorted(trial.noticed.failed for trial in group if trial.caught) or [0]
        caught = sum(trial.caught for trial in group)
        rows.append(
            f"| {kind} | {len(group)} | {caught} | {len(group) - caught} | {failed[0]}, {failed[len(failed) // 2]} |"
        )
    return "\n".join(rows)


def survivors(trials: list[Tried]) -> list[str]:
    return [
        f"- {trial.name}" + (f" ({trial.noticed.doubtful} vectors cannot tell)" if trial.noticed.doubtful else "")
        for trial in trials
        if not trial.caught
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", action="append", help="only this edition, or * for mistakes in code")
    chosen = parser.parse_args().edition or [*EDITIONS, "*"]
    with ProcessPoolExecutor(PROCESSES) as pool:
        trials = [trial for part in pool.map(all_in, chosen) for trial in part]
    print(table(trials))
    rest = survivors(trials)
    share = 1 - len(rest) / len(trials)
    print(f"\n{len(trials) - len(rest)} of {len(trials)} defects are caught: {100 * share:.2f} %")
    if rest:
        print("Not caught:\n" + "\n".join(rest))
    doubtful = Counter(trial.kind for trial in trials if not trial.caught and trial.noticed.doubtful)
    print(f"of these only doubted: {sum(doubtful.values())}")
    sys.exit(0 if share >= LEAST else 1)


if __name__ == "__main__":
    main()
