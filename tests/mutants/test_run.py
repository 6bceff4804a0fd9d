"""The data of `make mutants`: the parts exist, and only what can't matter is left out of the score."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from punto.game.settlement import pay_table
from punto.rulebook import load
from tests.mutants import empty_caches
from tests.mutants.parts import AT_IMPORT, PARTS, Part
from tests.mutants.run import ROOT, Change, Score, equivalents, together, words_of_an_assert
from tests.mutants.trials import PLAN, Measured, Plan, Result, reaching


@pytest.mark.parametrize("part", PARTS.values(), ids=[*PARTS])
def test_source_and_tests_of_a_part_are_there(part: Part) -> None:
    for pattern in (*part.source, *part.tests):
        assert list(ROOT.glob(pattern)), pattern


def test_a_change_that_cannot_matter_is_of_a_function_that_is_there() -> None:
    for function in (*(function for function, _ in equivalents()), *AT_IMPORT):
        module, _, name = function.rpartition(".")
        assert hasattr(importlib.import_module(module), name.removeprefix("x_")), function


def change(was: str, now: str) -> Change:
    return Change("punto.money.x_cents__mutmut_1", (was,), (now,))


def test_the_words_of_an_assert_are_no_behaviour() -> None:
    assert words_of_an_assert(change('assert n >= 0, "never"', 'assert n >= 0, "XXneverXX"'))
    assert not words_of_an_assert(change('assert n >= 0, "never"', 'assert n > 0, "never"'))
    assert not words_of_an_assert(change('return "never"', 'return "XXneverXX"'))
    assert not words_of_an_assert(change("for n in (", "for m in ("))


def test_parts_of_one_name_count_by_their_mutants() -> None:
    scores = [Score("money", 0.5, 10), Score("game/coup", 1.0, 100), Score("game/table", 0.6, 300)]
    assert together(scores) == {"money": 0.5, "game": 0.7}


def test_no_test_finds_an_answer_in_a_cache() -> None:
    empty_caches.pytest_runtest_setup()
    edition = load.edition("tiger-buffalo-commission", "2025-11-21")
    pay_table(edition)
    assert pay_table.cache_info().currsize == 1
    empty_caches.pytest_runtest_setup()
    assert pay_table.cache_info().currsize == 0


TRIED = """
import os

SWITCHED_ON = os.environ.get("MUTANT_UNDER_TEST", "")


def on():
    return os.environ.get("MUTANT_UNDER_TEST", "")


def test_slow():
    assert on() != "m.x_f__mutmut_1"
    while on() == "m.x_f__mutmut_2":
        pass


def test_quick():
    assert not SWITCHED_ON, "nothing is switched on while tests are collected"
    assert on() != "m.x_g__mutmut_1"
"""


def test_a_trial_ends_by_a_failure_or_by_processor_time(tmp_path: Path) -> None:
    (tmp_path / "test_tried.py").write_text(TRIED)
    tests = [f"test_tried.py::test_{name}" for name in ("slow", "quick")]
    names = ["m.x_f__mutmut_1", "m.x_f__mutmut_2", "m.x_f__mutmut_3", "m.x_g__mutmut_1", "m.x_h__mutmut_1"]
    measured = {tests[0]: Measured(2.0, ["m.x_f"]), tests[1]: Measured(1.0, ["m.x_f", "m.x_g"])}
    (tmp_path / "measured").write_bytes(msgspec.json.encode(measured))
    plan = Plan(names=names, seconds=0.2, measured=str(tmp_path / "measured"), results=str(tmp_path / "results"))
    (tmp_path / "plan").write_bytes(msgspec.json.encode(plan))
    quick = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", PLAN: str(tmp_path / "plan"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-qs", "-p", "tests.mutants.trials", "-p", "no:cacheprovider"]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, **quick}, check=True, capture_output=True)
    results = [msgspec.json.decode(line, type=Result) for line in (tmp_path / "results").read_bytes().splitlines()]
    assert [(result.name, result.status, result.tests) for result in results] == [
        (names[0], "killed", 2),
        (names[1], "timeout", 2),
        (names[2], "survived", 2),
        (names[3], "killed", 1),
        (names[4], "no tests", 0),
    ]


def test_the_quickest_of_the_tests_that_reach_a_change_come_first(request: pytest.FixtureRequest) -> None:
    items = [request.node, *(item for item in request.session.items if item is not request.node)][:3]
    measured = {item.nodeid: Measured(9.0 - at, ["m.x_f"] if at else ["m.x_g"]) for at, item in enumerate(items)}
    assert reaching(items, measured, "m.x_f__mutmut_12") == items[:0:-1]
    assert reaching(items, measured, "m.x_g__mutmut_1") == items[:1]
