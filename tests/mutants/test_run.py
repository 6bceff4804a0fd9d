"""What `make mutants` goes by: the parts are there, and only what can't matter is left out of the score."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from punto.game.settlement import pay_table
from punto.rulebook import load
from tests.mutants import empty_caches, processor_time, quickest_first
from tests.mutants.parts import AT_IMPORT, PARTS, Part
from tests.mutants.run import ROOT, Change, Score, equivalents, together, words_of_an_assert


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


def test_the_quickest_tests_come_first(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    items = [request.node, *(item for item in request.session.items if item is not request.node)][:3]
    before = [*items]
    quickest_first.pytest_collection_modifyitems(items)
    assert items == before, "nothing is measured yet"
    measured = {"duration_by_test": {item.nodeid: 9.0 - at for at, item in enumerate(items)}}
    quickest_first.MEASURED.write_text(json.dumps(measured))
    quickest_first.pytest_collection_modifyitems(items)
    assert items == before[::-1]


@pytest.mark.parametrize(("body", "status"), [("while True: pass", processor_time.TIMEOUT), ("time.sleep(0.4)", 0)])
def test_processor_time_ends_a_test_and_a_clock_does_not(tmp_path: Path, body: str, status: int) -> None:
    (tmp_path / "test_body.py").write_text(f"import time\n\n\ndef test_body():\n    {body}\n")
    quick = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "MUTANT_TEST_SECONDS": "0.2"}
    environment = {**os.environ, **quick, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutants.processor_time", "-p", "no:cacheprovider"]
    assert subprocess.run([*command, str(tmp_path)], cwd=tmp_path, env=environment).returncode == status
