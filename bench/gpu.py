"""Rounds a second on a graphics card with every bet and insurance cell tallied. Checks the tallies against the CPU's.

python bench/gpu.py                       builds the same source for the CPU as well, and compares
python bench/gpu.py --shoes 4000000000    for a steady figure
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from punto.rulebook import load
from punto.sim import gpu
from punto.sim.shoes import FLAGS, Setup, Tally, setup

SEED = 20251121
CHECKED = 200_000


def on_the_host(of: Setup, first: int, count: int) -> Tally:
    """Deal with the same source, built by the host's C++ compiler."""
    made_for, deals = gpu.shape(of), gpu.deals(of.rules)
    cells = np.zeros(2 * made_for.atoms * len(FLAGS), np.int64)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "host.so"
        build = ["g++", "-O3", "-std=c++17", "-shared", "-fPIC", "-DPUNTO_HOST", *made_for.defines()]
        subprocess.run([*build, "-x", "c++", str(gpu.SOURCE), "-o", str(library)], check=True)
        ctypes.CDLL(str(library)).deal_range(
            ctypes.c_uint32(of.seed & 0xFFFFFFFF),
            ctypes.c_uint32(of.seed >> 32),
            ctypes.c_uint64(first),
            ctypes.c_uint64(count),
            ctypes.c_void_p(deals.ctypes.data),
            ctypes.c_void_p(cells.ctypes.data),
        )
    return gpu.tally(count, cells)


def main() -> None:
    """Compare, then measure with several numbers of threads a multiprocessor."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--shoes", type=int, default=400_000_000)
    wanted.add_argument("--threads", type=int, nargs="*", default=[384, 448, 480])
    options = wanted.parse_args()
    for name in ("tiger-buffalo-commission/2025-11-21", "live-baccarat-insurance-commission/undated"):
        of = setup(load.edition(*name.split("/")), decks=8, seed=SEED)
        first = 2**32 - CHECKED // 2
        ours, host = gpu.Gpu(of).deal_range(first, CHECKED), on_the_host(of, first, CHECKED)
        same = np.array_equal(ours.cells, host.cells) and np.array_equal(ours.sure, host.sure)
        print(f"{name}: {ours.rounds:,} rounds of {CHECKED:,} shoes, tallies equal to the CPU's: {same}")
        assert same
    of = setup(load.edition("tiger-buffalo-commission", "2025-11-21"), decks=8, seed=SEED)
    for threads in options.threads:
        card = gpu.Gpu(of, threads=threads)
        card.deal_range(0, 1_000_000)
        start = time.perf_counter()
        rounds = card.deal_range(0, options.shoes).rounds
        seconds = time.perf_counter() - start
        print(
            f"{threads} threads: {rounds:,} rounds in {seconds:.3f} s, {rounds / seconds / 1e9:.1f} G rounds a second"
        )


if __name__ == "__main__":
    main()
