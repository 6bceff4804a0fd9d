"""Runs: the same tallies for any workers and engines, early ends, checkpoints, files that are whole or not there."""

from __future__ import annotations

import csv
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq
import pytest

from punto.rulebook import load
from punto.sim.kernel.tables import Compiled
from punto.sim.run import blocks as run
from punto.sim.run import engines as run_engines
from punto.sim.run import files as run_files
from punto.sim.run.blocks import Ended, Engine
from punto.sim.shoes import Setup, Tally, no_tally, setup
from punto.sim.stats import precision
from tests.sim.test_kernel import same

RULES = load.edition("tiger-buffalo-non-commission", "2025-11-21")
LIVE = load.edition("live-baccarat-insurance-commission", "undated")
OF = setup(RULES, seed=77)


def dealt(of: Setup, shoes: int, workers: int, size: int, engine: Engine = Engine.NUMBA) -> Tally:
    todo = run.blocks(0, shoes, size)
    tally, ended = run.add_up(of, no_tally(of), run_engines.ready(of, engine, workers=workers)(todo))
    assert ended is Ended.COMPLETE
    return tally


@pytest.mark.parametrize(("workers", "size"), [(1, 1000), (2, 1000), (2, 7), (3, 64), (5, 13), (16, 999)])
def test_any_number_of_workers_and_any_blocks_give_the_same_tally(workers: int, size: int) -> None:
    assert same(dealt(OF, 1001, workers, size), Compiled(OF).deal_range(0, 1001))


def test_the_readable_engine_gives_the_same_tally_in_a_run() -> None:
    of = setup(LIVE, decks=6, seed=5)
    assert same(dealt(of, 21, 2, 4, Engine.PYTHON), dealt(of, 21, 2, 4))


def test_blocks_cover_a_range_and_meet_at_multiples_of_their_size() -> None:
    assert list(run.blocks(0, 10, 4)) == [(0, 4), (4, 4), (8, 2)]
    assert list(run.blocks(3, 10, 4)) == [(3, 1), (4, 4), (8, 2)]
    assert list(run.blocks(5, 5, 4)) == []


def test_results_wait_in_a_short_queue() -> None:
    """Memory stays flat: no more blocks are dealt ahead than the workers need."""
    handed_out = 0

    def todo() -> Iterator[run.Block]:
        nonlocal handed_out
        for block in run.blocks(0, 10_000, 1):
            handed_out += 1
            yield block

    tallies = run.by_threads(Compiled(OF).deal_range, todo(), 2)
    for taken in range(1, 20):
        next(tallies)
        assert handed_out <= taken + 2 * run.AHEAD
    tallies.close()  # type: ignore[attr-defined]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("shoes")]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_run_for_precision_ends_at_the_same_shoe_for_any_workers(workers: int) -> None:
    ready = run_engines.ready(OF, Engine.NUMBA, workers=workers)
    tally, ended = run.add_up(OF, no_tally(OF), ready(run.blocks(0, 1 << 40, 100)), until=0.01)
    assert ended is Ended.PRECISE
    assert same(tally, Compiled(OF).deal_range(0, tally.shoes))
    error = precision(RULES, tally.cells)
    before = precision(RULES, Compiled(OF).deal_range(0, tally.shoes - 100).cells)
    assert error is not None
    assert before is not None
    assert error < 0.01 <= before


def test_a_precise_enough_checkpoint_needs_no_more_shoes() -> None:
    tally = Compiled(OF).deal_range(0, 3000)
    assert run.add_up(OF, tally, iter(()), until=0.5) == (tally, Ended.PRECISE)


def test_an_interrupted_run_is_the_run_of_its_first_shoes() -> None:
    asks = iter([False, False, True])
    ready = run_engines.ready(OF, Engine.NUMBA, workers=2)
    tally, ended = run.add_up(OF, no_tally(OF), ready(run.blocks(0, 1000, 10)), stopped=lambda: next(asks))
    assert (ended, tally.shoes) == (Ended.INTERRUPTED, 30)
    assert same(tally, Compiled(OF).deal_range(0, 30))


def test_a_failure_in_a_block_is_the_runs() -> None:
    def broken(first: int, count: int) -> Tally:
        raise OSError("the machine is gone")

    with pytest.raises(OSError, match="the machine is gone"):
        run.add_up(OF, no_tally(OF), run.by_threads(broken, run.blocks(0, 100, 10), 2))


WRONG = [
    ({"shoes": 0}, "0 shoes"),
    ({"shoes": -5}, "-5 shoes"),
    ({"shoes": 1 << 63}, "shoes can't be dealt"),
    ({"workers": 0}, "0 workers"),
    ({"workers": 100_000}, "100000 workers"),
    ({"until": 0.0}, "standard error of 0.0"),
    ({"until": 1.0}, "standard error of 1.0"),
    ({"until": float("nan")}, "standard error of nan"),
]


@pytest.mark.parametrize(("options", "text"), WRONG)
def test_what_can_t_be_run_is_refused_in_a_sentence(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        run.check(**{"shoes": 1, "workers": 1, "until": None, **options})


# Checkpoints.


def test_a_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "run.checkpoint"
    assert run_files.resume(path, OF, 10).shoes == 0
    run_files.save(path, OF, Compiled(OF).deal_range(0, 37))
    before = run_files.resume(path, OF, 100)
    ready = run_engines.ready(OF, Engine.NUMBA, workers=2)
    tally, _ = run.add_up(OF, before, ready(run.blocks(before.shoes, 100, 16)))
    assert same(tally, Compiled(OF).deal_range(0, 100))
    assert [file.name for file in tmp_path.iterdir()] == ["run.checkpoint"]


OTHERS = [
    (setup(RULES, seed=78), "its seed is 77, expected 78"),
    (setup(RULES, seed=77, decks=6), "its decks is 8, expected 6"),
    (setup(RULES, seed=77, cut=20), "its cut is 16, expected 20"),
    (setup(LIVE, seed=77), "its edition is tiger-buffalo-non-commission/2025-11-21, expected live"),
]


@pytest.mark.parametrize(("other", "text"), OTHERS, ids=[text for _, text in OTHERS])
def test_the_checkpoint_of_another_run_is_refused(tmp_path: Path, other: Setup, text: str) -> None:
    path = tmp_path / "run.checkpoint"
    run_files.save(path, OF, Compiled(OF).deal_range(0, 5))
    with pytest.raises(run_files.RunFileError, match=text):
        run_files.resume(path, other, 100)


def test_a_checkpoint_beyond_the_shoes_asked_for_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.checkpoint"
    run_files.save(path, OF, Compiled(OF).deal_range(0, 5))
    assert run_files.resume(path, OF, 5).shoes == 5
    with pytest.raises(run_files.RunFileError, match="holds 5 shoes already: expected at most the 4"):
        run_files.resume(path, OF, 4)


def test_a_file_that_is_no_checkpoint_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    for content in ("my notes", "{}", '{"file": "punto-simulate-checkpoint"}'):
        path.write_text(content)
        with pytest.raises(run_files.RunFileError, match="is no checkpoint"):
            run_files.resume(path, OF, 5)
        assert path.read_text() == content


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"shoes": 6}, "is damaged"),
        ({"cells": [[1, 2, 3]]}, "another shape"),
        ({"cells": [[1], [2, 3]]}, "another shape"),
        ({"sure": [[0] * 5] * len(OF.atoms)}, "is damaged"),
        ({"shoes": 40}, "is damaged"),
        ({"shoes": 1}, "is damaged"),
        ({"sure": None}, "is no checkpoint"),
    ],
)
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, change: dict[str, Any], text: str) -> None:
    path = tmp_path / "run.checkpoint"
    run_files.save(path, OF, Compiled(OF).deal_range(0, 5))
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(run_files.RunFileError, match=text):
        run_files.resume(path, OF, 50)


def test_one_count_changed_in_a_checkpoint_is_seen(tmp_path: Path) -> None:
    """Sums alone do not show it: shoes differ in their rounds, and one count may rise as another falls."""
    path = tmp_path / "run.checkpoint"
    run_files.save(path, OF, Compiled(OF).deal_range(0, 5))
    kept = json.loads(path.read_text())
    kept["cells"][0][0] += 1
    path.write_text(json.dumps(kept))
    with pytest.raises(run_files.RunFileError, match="is damaged: its counts are not those that were saved"):
        run_files.resume(path, OF, 50)


# Files.

ANSWER: dict[str, Any] = {
    "game": "g",
    "shoes": 3,
    "bets": {
        "tie": {"won": {"8": 2}, "returned": 0, "lost": 5, "expectation": 0.5, "standard_error": 0.1, "exact": -0.1}
    },
    "insurance": [
        {"bet": "player_insurance", "after": "four-cards", "player_points": 5, "banker_points": 4, "odds": "3/2"}
        | {"won": {"3/2": 1}, "returned": 2, "lost": 3, "expectation": None, "z": None}
    ],
}


def test_results_in_three_formats(tmp_path: Path) -> None:
    for suffix in run_files.FORMATS:
        path = tmp_path / f"result{suffix}"
        run_files.check_place(path, suffixes=tuple(run_files.FORMATS))
        run_files.write(path, ANSWER)
    assert json.loads((tmp_path / "result.json").read_text()) == ANSWER
    with (tmp_path / "result.csv").open() as file:
        rows = list(csv.DictReader(file))
    table = pq.read_table(tmp_path / "result.parquet")
    assert [(row["bet"], row["result"], row["odds"], row["times"]) for row in rows] == [
        ("tie", "won", "8", "2"),
        ("tie", "returned", "", "0"),
        ("tie", "lost", "", "5"),
        ("player_insurance", "won", "3/2", "1"),
        ("player_insurance", "returned", "", "2"),
        ("player_insurance", "lost", "", "3"),
    ]
    assert table.column_names == list(rows[0]) == list(run_files.COLUMNS)
    assert table["times"].to_pylist() == [2, 0, 5, 1, 2, 3]
    assert msgspec.json.decode(table.schema.metadata[b"punto"]) == {"game": "g", "shoes": 3}


@pytest.mark.parametrize("name", ["result.xlsx", "result", "missing/result.json", "folder.json"])
def test_a_place_where_nothing_can_be_written_is_refused_before_the_work(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(run_files.RunFileError):
        run_files.check_place(tmp_path / name, suffixes=tuple(run_files.FORMATS))


def test_a_file_that_can_t_be_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text("old")
    with pytest.raises(TypeError):
        run_files.write(path, {"bets": object()})
    assert (path.read_text(), len(list(tmp_path.iterdir()))) == ("old", 1)
