"""The times of the engines of docs/simulation.md, compared with the target, a peer and an earlier commit in one run.

`python bench/limits.py [COMMIT]`. Figures are processor time, the best of several passes that alternate between this
source and the commit. A calibration loop runs before and after. If the machine is not quiet, nothing is judged.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

EDITION = "tiger-buffalo-commission/2025-11-21"
RECORDS, ORACLE_RECORDS, SHOES, ROUNDS = 4_000, 200, 512, 1 << 18
PASSES, ROUNDS_OF_PASSES = 5, 2
QUIET = 1.1
"""On a quiet machine, the largest ratio of wall to processor time, and of the two calibrations."""


class Row(NamedTuple):
    key: str
    unit: str
    wanted: float
    peer: str
    """The key of the figure to compare this one with."""


ROWS = (
    Row("settle, µs a record of ten wagers", "1/60,000 s", 1e6 / 60_000, "plain oracle, µs a record"),
    Row("settle --workers 2, processor time over one's", "2 / 1.8", 2 / 1.8, ""),
    Row("rules list, s", "0.15 s", 0.15, "import typer alone, s"),
    Row("odds, first answer, s", "0.5 s", 0.5, "import typer alone, s"),
    Row("odds, first answer of a fresh install, s", "2 s", 2.0, ""),
    Row("audit-rounds, 10 M rounds, s of two cores", "1.2 s", 1.2, "pyarrow reads the file, s of two cores"),
    Row("odds of a depleted shoe, µs", "10 µs", 10.0, "reference in Python, µs"),
)


def calibrate() -> tuple[float, float]:
    """Processor seconds of a fixed loop, the best of ten, and wall time over processor time, the median of ten."""
    cpu, ratio = [], []
    for _ in range(10):
        wall, used = time.perf_counter(), time.process_time()
        sum(number * number for number in range(200_000))
        cpu.append(time.process_time() - used)
        ratio.append((time.perf_counter() - wall) / cpu[-1])
    return min(cpu), sorted(ratio)[len(ratio) // 2]


def best(work: Callable[[], object], passes: int = PASSES) -> float:
    """Processor time of the best pass, after a first pass that fills the caches."""
    work()
    taken = []
    for _ in range(passes):
        used = time.process_time()
        work()
        taken.append(time.process_time() - used)
    return min(taken)


def program(*words: str, passes: int = PASSES, **environment: str) -> float:
    """Processor time of a whole program and its children, the best of the passes."""
    taken = []
    for _ in range(passes):
        before = os.times()
        subprocess.run(
            words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **environment}
        )
        after = os.times()
        taken.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(taken)


def measure() -> dict[str, float]:
    """All figures for the source that is imported here."""
    return {**_settled(), **_started(), **_audited(), **_valued()}


def _settled() -> dict[str, float]:
    from bench.settle import records
    from punto.game.record import settle_line
    from punto.rulebook import load
    from punto.rulebook.model import Rulebook
    from tests.oracle import plain

    def governing(game: str, edition: str | None, on: str | None) -> tuple[Rulebook, str | None]:
        return load.edition(game, edition or ""), on

    lines = records(RECORDS)
    ours = best(lambda: [settle_line(line, governing) for line in lines])
    oracle = best(lambda: [json.dumps(plain.settle_record(json.loads(line))) for line in lines[:ORACLE_RECORDS]], 2)
    figures = {ROWS[0].key: 1e6 * ours / RECORDS, ROWS[0].peer: 1e6 * oracle / ORACLE_RECORDS}
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(b"\n".join(lines * 10))
        file.flush()
        settle = (sys.executable, "-m", "punto.cli.main", "settle", file.name)
        with suppress(subprocess.CalledProcessError):  # an older commit has no --workers
            figures[ROWS[1].key] = program(*settle, "--workers", "2", passes=2) / program(*settle, passes=2)
    return figures


def _started() -> dict[str, float]:
    punto = (sys.executable, "-m", "punto.cli.main")
    with tempfile.TemporaryDirectory() as empty:
        fresh = program(*punto, "odds", EDITION, "--json", passes=1, PYTHONPYCACHEPREFIX=empty)
    return {
        ROWS[2].key: program(*punto, "rules", "list"),
        ROWS[2].peer: program(sys.executable, "-c", "import typer"),
        ROWS[3].key: program(*punto, "odds", EDITION, "--json"),
        ROWS[4].key: fresh,
    }


def _audited() -> dict[str, float]:
    import pyarrow.parquet as pq

    from bench.audit import BUILD, _write
    from punto.rulebook import load
    from punto.sim.audit.rounds import audit

    rules, path = load.edition(*EDITION.split("/")), BUILD / f"rounds-{ROUNDS}.parquet"
    if not path.exists():
        BUILD.mkdir(exist_ok=True)
        _write(path, rules, ROUNDS)
    scale = 1e7 / ROUNDS / 2
    return {
        ROWS[5].key: scale * best(lambda: audit(path, rules, workers=1)),
        ROWS[5].peer: scale * best(lambda: pq.read_table(path, use_threads=False, memory_map=True)),
    }


def _valued() -> dict[str, float]:
    import numpy as np

    from punto.odds.census import census
    from punto.odds.composition import full
    from punto.rulebook import load
    from punto.sim import analysis

    rules = load.edition(*EDITION.split("/"))
    whole, chance = full(rules, 8), np.random.default_rng(8)
    depths = chance.integers(6, whole.cards, SHOES)
    shoes = [chance.multivariate_hypergeometric(np.array(whole.ranks), depth) for depth in depths]

    def counted() -> None:
        census.cache_clear()
        census(rules.table_of_play, whole)

    return {
        ROWS[6].key: 1e6 / SHOES * best(lambda: analysis.expectations(rules, np.array(shoes)), 20),
        ROWS[6].peer: 1e6 * best(counted),
    }


def main() -> None:
    """Measure this source and the commit in turn, and print one line for each row."""
    if "--measure" in sys.argv:
        print(json.dumps(measure()))
        return
    commit = sys.argv[1] if len(sys.argv) > 1 else "HEAD~1"
    before, waiting = calibrate()
    sources = {"ours": ROOT / "src"}
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, capture_output=True, check=False)
        if archive.returncode == 0:
            subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
            sources["theirs"] = Path(folder) / "src"
        figures: dict[str, dict[str, float]] = {name: {} for name in ("ours", "theirs")}
        for _ in range(ROUNDS_OF_PASSES):
            for name, source in sources.items():
                for key, value in _measured(source).items():
                    figures[name][key] = min(value, figures[name].get(key, value))
    after, waiting_after = calibrate()
    drift = max(before, after) / min(before, after)
    quiet = max(waiting, waiting_after) < QUIET and drift < QUIET
    for row in ROWS:
        ours, theirs, peer = figures["ours"].get(row.key), figures["theirs"].get(row.key), figures["ours"].get(row.peer)
        if ours is None:
            continue
        verdict = ("met" if ours <= row.wanted else "missed") if quiet else "not judged"
        against = f"{peer / ours:8.2f} × {row.peer.rsplit(',', 1)[0]}" if peer else ""
        last = f"{theirs / ours:6.2f} × {commit}" if theirs else f"new since {commit}"
        print(f"{row.key:48} {ours:8.3f}  wanted {row.unit:10} {verdict:10}  {last:18} {against}")
    state = "quiet" if quiet else "noisy, so nothing is judged: read the ratios"
    print(
        f"machine: {state} (wall over processor time {waiting:.2f} before and {waiting_after:.2f} after; "
        f"the calibration loop changed by {100 * drift - 100:.0f} %)"
    )


def _measured(source: Path) -> dict[str, float]:
    words = [sys.executable, str(Path(__file__)), "--measure"]
    path = {**os.environ, "PYTHONPATH": str(source)}
    answer = subprocess.run(words, capture_output=True, check=True, env=path, cwd=ROOT).stdout
    figures: dict[str, float] = json.loads(answer)
    return figures


if __name__ == "__main__":
    main()
