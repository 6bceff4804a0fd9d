"""How often honest shoes show runs of cards, compared with the exact prediction.

`python bench/watch_honest.py [--shoes N]`. watch_honest.cu counts the runs, on a graphics card if there is one with
nvcc (a hundred million shoes took 14 s on an H200), else on the processor. `--counts FILE` reads the
output of the program from another machine.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from fractions import Fraction
from math import factorial
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE.parent / "build"
CARDS, COPIES, SYMBOLS = 416, 8, 52
PAST, NEW = 4, 4
"""Sequences to compare with, of the last shoe and of new decks."""


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--shoes", type=int, default=1_000_000)
    options.add_argument("--counts", type=Path)
    arguments = options.parse_args()
    text = arguments.counts.read_text() if arguments.counts else _run(arguments.shoes)
    rows = [[int(word) for word in line.split()] for line in text.splitlines()]
    shoes = rows[3][0]
    print(f"{shoes:,} honest shoes")
    print("cards  against the last shoe      predicted    z    against new decks     predicted    z    runs of so many")
    for length in range(3, 12):
        of_past = shoes * PAST * (CARDS - length + 1) ** 2 * alike(length)
        of_new = (
            shoes * NEW * (CARDS - length + 1) * (104 - length + 1) * Fraction(COPIES**length, falling(CARDS, length))
        )
        figures = ((rows[0][length], float(of_past)), (rows[1][length], float(of_new)))
        shown = "".join(f"{seen:>20,} {said:>18,.2f} {(seen - said) / said**0.5:>+5.1f}" for seen, said in figures)
        print(f"{length:>5} {shown} {rows[2][length]:>18,}")


def falling(base: int, count: int) -> int:
    return factorial(base) // factorial(base - count)


def alike(length: int) -> Fraction:
    """The exact chance that this many places of one honest shoe hold the same cards as this many places of another."""
    ways = [Fraction(1)] + [Fraction(0)] * length
    kind = [Fraction(falling(COPIES, m) ** 2, factorial(m)) for m in range(min(COPIES, length) + 1)]
    for _ in range(SYMBOLS):
        ways = [
            sum((kind[m] * ways[total - m] for m in range(min(total, len(kind) - 1) + 1)), Fraction(0))
            for total in range(length + 1)
        ]
    return factorial(length) * ways[length] / Fraction(falling(CARDS, length)) ** 2


def _run(shoes: int) -> str:
    BUILD.mkdir(exist_ok=True)
    program, source = BUILD / "watch_honest", HERE / "watch_honest.cu"
    if shutil.which("nvcc") and shutil.which("nvidia-smi"):
        words = ["nvcc", "-O3", "-arch=native", "-o", str(program), str(source)]
    else:
        words = ["c++", "-O3", "-march=native", "-x", "c++", "-o", str(program), str(source)]
    subprocess.run(words, check=True)
    return subprocess.run([str(program), str(shoes)], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
