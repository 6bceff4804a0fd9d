"""Random rounds by the hundred thousand: `python -m tests.table.soak --rounds 1000000` (`make soak`)."""

from __future__ import annotations

import argparse
import multiprocessing
import random
import time
from collections import Counter

from tests.table.driver import Driver
from tests.table.twins import alike

CLOSELY = 8
"""One table in so many is watched closely: JSON, views, two shoes alike."""


def play(seed: int, rounds: int) -> tuple[int, Counter[str], int]:
    """Random tables until so many rounds are settled: how many were, what happened, how many shoes were compared."""
    played, twins, number = 0, 0, 0
    counts: Counter[str] = Counter()
    while played < rounds:
        chance = random.Random(f"{seed}.{number}")
        driver = Driver(chance, closely=number % CLOSELY == 0)
        try:
            driver.play(chance.choice((4, 12, 40, 90)))
            if number % CLOSELY in (0, 3):
                twins += alike(driver.watched, chance)
        except Exception as fault:
            # Always an AssertionError: a StopIteration would end the pool's loop as if all rounds had been played.
            name = f"random.Random('{seed}.{number}')"
            raise AssertionError(f"the table of {name} broke a law: {type(fault).__name__}: {fault}") from fault
        played += driver.watched.rounds
        counts += driver.watched.happened
        number += 1
    return played, counts, twins


def _job(job: tuple[int, int]) -> tuple[int, Counter[str], int]:
    return play(*job)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    share = 5_000
    jobs = [(options.seed + at, min(share, options.rounds - at * share)) for at in range(-(-options.rounds // share))]
    start = time.perf_counter()
    played, twins = 0, 0
    counts: Counter[str] = Counter()
    print(f"soak: {options.rounds:,} rounds from seed {options.seed} on {options.workers} workers")
    with multiprocessing.Pool(options.workers) as pool:
        for rounds, kinds, compared in pool.imap_unordered(_job, jobs):
            played, twins, counts = played + rounds, twins + compared, counts + kinds
            took = time.perf_counter() - start
            print(f"\r{played:>12,} rounds  {played / took:>8,.0f} a second", end="", flush=True)
    assert played >= options.rounds, f"only {played:,} of {options.rounds:,} rounds were played"
    print(f"\nsoak: {played:,} rounds, {twins:,} shoes compared, {len(counts)} kinds of answer, no law broken")


if __name__ == "__main__":
    main()
