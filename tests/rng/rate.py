"""How often an honest generator passes the battery, and whether each test's p is spread as it should be.

`python -m tests.rng.rate` takes minutes: 1,000 batteries. The level promises that at least 99 % of them pass.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from math import exp, sqrt

from punto.rng.battery import Source, run
from punto.rng.registered import LEVEL, REGISTERED
from punto.rng.sources import House, Simulation
from tests.rng.planted import honest


def source(name: str, repetition: int) -> Source:
    """Seeds are the numbers of the repetitions: nothing is chosen. `shuffle` is the house's, with bits from a seed."""
    if name == "shuffle":
        return honest(repetition)
    return House() if name == "house" else Simulation(repetition)


def batteries(name: str, repetitions: int, shoes: int, decks: int = 8) -> list[list[float]]:
    """p of every test, in the order of the list, for every repetition."""
    p_values = []
    for repetition in range(repetitions):
        results = run(source(name, repetition), shoes=shoes, decks=decks)
        p_values.append([result.figure.p for result in results])
        if sys.stderr.isatty():
            print(f"\r{repetition + 1} of {repetitions}", end="", file=sys.stderr)
    return p_values


def passes(p_values: Sequence[Sequence[float]]) -> int:
    """How many batteries pass. By Holm a family fails where its smallest p fails by Bonferroni."""
    return sum(len(REGISTERED) * min(ps) >= LEVEL for ps in p_values)


def kolmogorov(ps: Sequence[float]) -> float:
    """The chance that uniform numbers lie at least this far from the diagonal (Kolmogorov-Smirnov, many numbers)."""
    size = len(ps)
    far = max(max((at + 1) / size - p, p - at / size) for at, p in enumerate(sorted(ps)))
    x = (sqrt(size) + 0.12 + 0.11 / sqrt(size)) * far
    return min(1.0, 2 * sum((-1) ** (k - 1) * exp(-2 * k * k * x * x) for k in range(1, 101))) if x > 0.2 else 1.0


def many(ps: Sequence[float]) -> bool:
    """Whether a test has so many different values of p that they can be uniform at all."""
    return len(set(ps)) > len(ps) / 4


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", choices=("simulation", "shuffle", "house"), default="simulation")
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--shoes", type=int, default=500)
    words = parser.parse_args()
    p_values = batteries(words.source, words.repetitions, words.shoes)
    print(f"{words.source}: {words.repetitions} batteries of {words.shoes} shoes, level {LEVEL}")
    for at, test in enumerate(REGISTERED):
        ps = [battery[at] for battery in p_values]
        below = sum(p < 0.01 for p in ps)
        spread = f"uniform by Kolmogorov-Smirnov: p = {kolmogorov(ps):.3f}" if many(ps) else "few different values"
        print(f"  {test.id:22} p < 0.01 in {below:3}, {spread}")
    good = passes(p_values)
    error = sqrt(LEVEL * (1 - LEVEL) / words.repetitions)
    share = good / words.repetitions
    print(f"passed: {good} of {words.repetitions} ({share:.2%}); promised: {1 - LEVEL:.0%} ± {error:.2%}")


if __name__ == "__main__":
    main()
