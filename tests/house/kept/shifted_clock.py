"""Runs a Python program with the wall clock moved by so many seconds: `shifted_clock SECONDS python -m ...`.

A kept house was played at fixed dates, which lie before every later audit.
"""

from __future__ import annotations

import runpy
import sys
import time


def run(seconds: int, module: str) -> None:
    whole, parts = time.time, time.time_ns
    time.time = lambda: whole() + seconds
    time.time_ns = lambda: parts() + seconds * 1_000_000_000
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _, moved, _, _, *sys.argv = sys.argv
    run(int(moved), sys.argv[0])
