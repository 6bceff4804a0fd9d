"""A plugin of pytest for `make mutants`: a test that takes too much of a processor ends the run as a timeout.

mutmut's own clock strikes earlier where other work keeps the processor, and what it ends would count as noticed.
Processor time is the same on a busy machine.
"""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import Final

TIMEOUT: Final = 36
"""The exit status that mutmut reads so."""
SECONDS: Final = float(os.environ.get("MUTANT_TEST_SECONDS", "60"))
"""For one test. The slowest of a part takes a few."""


def _end(_signal: int, _frame: FrameType | None) -> None:
    os._exit(TIMEOUT)


def pytest_runtest_setup() -> None:
    signal.signal(signal.SIGPROF, _end)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)


def pytest_runtest_teardown() -> None:
    signal.setitimer(signal.ITIMER_PROF, 0)
