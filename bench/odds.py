"""How fast a shoe is analysed: the reference, the compiled closed form and the compiled brute force, in one run.

Times are the best of several short passes on one core: other work on the machine can only add to them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from punto.odds.census import census
from punto.odds.composition import full
from punto.odds.insurance import cells
from punto.odds.value import values
from punto.rulebook import load
from punto.sim import analysis
from tests.odds import brute

SHOES, PASS = 10_000, 256
"""Depleted shoes in all, and in a pass, short so that one runs on a quiet core."""

REFERENCE_MS, BATCH_S, RATIO = 10, 1, 50
"""The targets."""


def best(times: int, work: Callable[[], object]) -> float:
    """Seconds of the best pass, after a first pass that compiles and fills the caches."""
    work()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def main() -> None:
    """Print one line for each engine, then the ratios."""
    rules = load.edition("tiger-buffalo-commission", "2025-11-21")
    whole = full(rules, 8)
    chance = np.random.default_rng(8)
    ranks = np.array(whole.ranks)
    depths = chance.integers(6, whole.cards, SHOES)
    depleted = np.array([chance.multivariate_hypergeometric(ranks, depth) for depth in depths])

    def reference() -> None:
        census.cache_clear()
        values(rules, whole)
        cells(rules, whole)

    def counted() -> None:
        census.cache_clear()
        census(rules.table_of_play, whole)

    counts = best(30, counted)
    everything = best(30, reference)
    walk = best(20, lambda: brute.walk(whole.ranks))
    short = best(60, lambda: analysis.expectations(rules, depleted[:PASS])) / PASS
    batch = best(5, lambda: analysis.expectations(rules, depleted))
    insured = best(5, lambda: analysis.offer_expectations(rules, depleted))
    single = best(30, lambda: analysis.count(rules, [whole.ranks]))
    print(f"reference in Python   {1e3 * counts:9.2f} ms a shoe, counts of 3,394 atoms and 779 outcomes")
    print(
        f"                      {1e3 * everything:9.2f} ms with {len(rules.bets)} bets and 83 insurance offers valued"
    )
    print(f"brute force, compiled {1e3 * walk:9.2f} ms a shoe, all sequences of six ranks")
    print(f"closed form, compiled {1e6 * short:9.2f} µs a shoe in passes of {PASS}, every bet's expectation")
    print(f"                      {batch:9.3f} s for {SHOES:,} depleted shoes")
    print(f"                      {insured:9.3f} s for their 83 insurance offers")
    print(f"                      {1e3 * single:9.2f} ms for one shoe alone")
    print(f"ratio to brute force  {walk / short:9.0f}")
    print(f"ratio to reference    {everything / short:9.0f}")
    met = (1e3 * everything < REFERENCE_MS, batch < BATCH_S, walk / short >= RATIO)
    answer = "met" if all(met) else f"met: {met}"
    print(f"targets               under {REFERENCE_MS} ms, under {BATCH_S} s, at least {RATIO} ×: {answer}")


if __name__ == "__main__":
    main()
