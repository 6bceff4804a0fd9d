"""Run a program of ours with a clock that steps: `python -m tests.house.faults.stepped_clock FILE python -m MODULE …`.

The file holds the seconds by which the wall clock of that process is off. It is read each time the clock is.
"""

from __future__ import annotations

import runpy
import sys
import time
from pathlib import Path


def main(file: Path, module: str, *arguments: str) -> None:
    real = time.time_ns

    def stepped() -> int:
        return real() + round(float(file.read_text() or 0) * 1e9)

    time.time_ns = stepped
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _, offset, _python, _m, name, *rest = sys.argv
    main(Path(offset), name, *rest)
