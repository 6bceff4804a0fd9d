"""A plugin of pytest for `make mutants`: whether the tests notice each change that mutmut has made.

The tests are collected once and measured: how much processor time each takes, and which functions it reaches. Then each
change is switched on in a process of its own, which has run no test yet, and the tests that reach its function are run
there, the quickest first, until one fails. The time limit is one of processor time, so that a busy machine makes no
difference. Trials start in the order of the plan, and the result of each is written down as soon as it ends.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import BinaryIO, Final

import msgspec
import pytest

PLAN: Final = "MUTANT_PLAN"
"""The variable that names the file of a plan."""
SWITCH: Final = "MUTANT_UNDER_TEST"
"""The variable by which mutmut switches a change on; `stats` makes it note the functions that are reached."""
_FAILED: Final = 1
_TIMEOUT: Final = 36
_WORDS: Final = {0: "survived", _TIMEOUT: "timeout"}
"""Results by the exit status of a trial. Any other status: a test failed, or the change killed the process."""
_MOST_BYTES: Final = 8 << 30
"""Memory of a trial: a change that makes an endless list fails a test and not the machine."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """`names` are mutmut's, `measured` and `results` files; a test may take `seconds` of processor time."""

    names: list[str]
    measured: str
    results: str
    children: int = 1
    seconds: float = 60.0


class Measured(msgspec.Struct, frozen=True):
    """How much processor time a test takes, and which functions it reaches."""

    seconds: float
    reached: list[str]


class Result(msgspec.Struct, frozen=True):
    name: str
    status: str
    tests: int
    seconds: float


_failed: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _failed.append(f"{report.nodeid}: {report.longreprtext[-2000:]}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    plan = msgspec.json.decode(Path(os.environ[PLAN]).read_bytes(), type=Plan)
    file = Path(plan.measured)
    if not file.exists():
        os.waitpid(_forked(partial(_measure, session, file)), 0)
    if not file.exists():
        raise pytest.UsageError("a test fails without any change")
    measured = msgspec.json.decode(file.read_bytes(), type=dict[str, Measured])
    running: dict[int, tuple[str, int]] = {}
    with Path(plan.results).open("ab") as results:
        for name in plan.names:
            items = reaching(session.items, measured, name)
            if len(running) >= plan.children:
                _finish(running, results)
            running[_forked(partial(_try, name, items, plan.seconds))] = (name, len(items))
        while running:
            _finish(running, results)
    return True


def reaching(items: list[pytest.Item], measured: dict[str, Measured], name: str) -> list[pytest.Item]:
    """The tests that reach the function of a change, the quickest first."""
    function = name.partition("__mutmut_")[0]
    reach = [item for item in items if function in measured[item.nodeid].reached]
    return sorted(reach, key=lambda item: measured[item.nodeid].seconds)


def _forked(act: Callable[[], int]) -> int:
    """Fork a process that calls `act` and ends with the status that `act` returns; returns its id."""
    pid = os.fork()
    if pid:
        return pid
    status = _FAILED
    try:
        status = act()
    finally:
        os._exit(status)


def _silently() -> None:
    silence = os.open(os.devnull, os.O_WRONLY)
    for file in (1, 2):
        os.dup2(silence, file)


def _run(item: pytest.Item) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def _measure(session: pytest.Session, file: Path) -> int:
    from mutmut.state import state  # type: ignore[import-not-found]

    os.environ[SWITCH] = "stats"
    measures = {}
    for item in session.items:
        state()._stats.clear()
        began = time.process_time()
        _run(item)
        if _failed:
            sys.stderr.write(_failed[0])
            return _FAILED
        measures[item.nodeid] = Measured(time.process_time() - began, sorted(state()._stats))
    file.write_bytes(msgspec.json.encode(measures))
    return 0


def _try(name: str, items: list[pytest.Item], seconds: float) -> int:
    _silently()
    os.environ[SWITCH] = name
    signal.signal(signal.SIGPROF, _end)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    for item in items:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        _run(item)
        if _failed:
            return _FAILED
    return 0


def _end(_signal: int, _frame: FrameType | None) -> None:
    os._exit(_TIMEOUT)


def _finish(running: dict[int, tuple[str, int]], results: BinaryIO) -> None:
    """Waits for the next trial to end, and writes it down."""
    pid, status, used = os.wait4(-1, 0)
    if pid not in running:
        return
    name, tests = running.pop(pid)
    word = _WORDS.get(os.waitstatus_to_exitcode(status), "killed") if tests else "no tests"
    result = Result(name, word, tests, round(used.ru_utime + used.ru_stime, 2))
    results.write(msgspec.json.encode(result) + b"\n")
    results.flush()
    sys.stderr.write(f"  {result.seconds:7.2f} s  {word:8}  {name}\n")
