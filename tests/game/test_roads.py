"""The roads: the vectors, the laws, and every short sequence against the plain second implementation."""

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.game.roads import LONGEST, Cell, Derived, NextMarks, Roads, TieCount, roads, to_json
from tests.oracle import plain_roads

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "vectors" / "roads.json").read_text(encoding="utf-8")
)
RESULTS = st.text(alphabet="BPT", max_size=120)
STREAKY = st.lists(st.tuples(st.sampled_from("BPT"), st.integers(1, 14)), max_size=25).map(
    lambda streaks: "".join(mark * length for mark, length in streaks)
)
"""Long streaks, so that tails turn at the bottom and run into each other."""
SHOES = RESULTS | STREAKY
LAST_TIE_FREE_LENGTH = 12
LAST_LENGTH_WITH_TIES = 8


def derived_roads(boards: Roads) -> tuple[Derived, Derived, Derived]:
    return boards.big_eye, boards.small, boards.cockroach


def next_marks(marks: NextMarks) -> tuple[str | None, str | None, str | None]:
    return marks.big_eye, marks.small, marks.cockroach


def drawings(boards: Roads) -> tuple[tuple[Cell, ...], ...]:
    return boards.bead, boards.big_road, *(road.cells for road in derived_roads(boards))


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_vector(vector: dict[str, Any]) -> None:
    expected = {key: value for key, value in vector.items() if key not in ("id", "input")}
    actual = to_json(roads(vector["input"]))
    del actual["tie_counts"]  # newer than the vectors; compared with the plain roads below
    assert actual == expected


def test_every_short_sequence_without_ties() -> None:
    """Exhaustive: all 8,191 lists of up to twelve decisions."""
    for length in range(LAST_TIE_FREE_LENGTH + 1):
        for marks in product("BP", repeat=length):
            results = "".join(marks)
            assert to_json(roads(results)) == plain_roads.boards(results), results


def test_every_short_sequence_with_ties() -> None:
    """Exhaustive: all 9,841 lists of up to eight results."""
    for length in range(LAST_LENGTH_WITH_TIES + 1):
        for marks in product("BPT", repeat=length):
            results = "".join(marks)
            assert to_json(roads(results)) == plain_roads.boards(results), results


@given(SHOES)
def test_whole_shoes_agree_with_the_plain_roads(results: str) -> None:
    assert to_json(roads(results)) == plain_roads.boards(results)


@given(SHOES, st.sampled_from("BP"))
def test_appending_equals_asking(results: str, side: str) -> None:
    before = roads(results)
    after = roads(results + side)
    marks = next_marks(before.ask_banker if side == "B" else before.ask_player)
    for old, new, mark in zip(derived_roads(before), derived_roads(after), marks, strict=True):
        assert new.sequence == old.sequence + (mark or "")


@given(SHOES)
def test_asking_gives_opposite_marks_or_none(results: str) -> None:
    boards = roads(results)
    for banker, player in zip(next_marks(boards.ask_banker), next_marks(boards.ask_player), strict=True):
        assert (banker, player) in (("R", "B"), ("B", "R"), (None, None))


@given(SHOES)
def test_ties_change_no_derived_road(results: str) -> None:
    with_ties, without = roads(results), roads(results.replace("T", ""))
    assert derived_roads(with_ties) == derived_roads(without)
    assert with_ties.ask_banker == without.ask_banker
    assert with_ties.ask_player == without.ask_player


@given(SHOES)
def test_swapping_banker_and_player_changes_no_derived_colour(results: str) -> None:
    boards, swapped = roads(results), roads(results.translate(str.maketrans("BP", "PB")))
    assert derived_roads(boards) == derived_roads(swapped)
    assert (boards.ask_banker, boards.ask_player) == (swapped.ask_player, swapped.ask_banker)


@given(SHOES)
def test_cells_never_collide_and_lie_on_six_rows(results: str) -> None:
    for cells in drawings(roads(results)):
        assert len({(cell.column, cell.row) for cell in cells}) == len(cells)
        assert all(0 <= cell.row < 6 and cell.column >= 0 for cell in cells)


@given(SHOES)
def test_no_mark_is_lost(results: str) -> None:
    boards = roads(results)
    decisions = results.replace("T", "")
    assert "".join(cell.mark for cell in boards.bead) == results
    assert "".join(cell.mark for cell in boards.big_road) == (decisions or "T" * bool(results))
    assert sum(tie.count for tie in boards.ties) == results.count("T")
    for road in derived_roads(boards):
        assert "".join(cell.mark for cell in road.cells) == road.sequence


@given(SHOES.filter(bool), st.data())
def test_removing_a_hand_equals_building_the_shorter_list(results: str, data: st.DataObject) -> None:
    """Boards have no memory: a hand taken out in the middle leaves what the plain roads draw without it."""
    hand = data.draw(st.integers(0, len(results) - 1))
    shorter = results[:hand] + results[hand + 1 :]
    assert to_json(roads(shorter)) == plain_roads.boards(shorter)
    for cells, earlier in zip(drawings(roads(results)), drawings(roads(results[:hand])), strict=True):
        if earlier != (Cell(column=0, row=0, mark="T"),):  # ties before a decision: the one mark that is replaced later
            assert cells[: len(earlier)] == earlier


def test_a_derived_road_looks_at_the_streak_and_not_at_the_drawing() -> None:
    """Nine after seven: both streaks turn at the bottom, yet the eighth is one past the end of the first streak."""
    assert roads("B" * 7 + "P" * 9).big_eye.sequence == "RRRRRRBR"


def test_ten_ties_on_a_cell() -> None:
    boards = roads("B" + "T" * 12)
    assert boards.ties == (TieCount(column=0, row=0, count=12),)
    assert to_json(boards)["ties"] == ["+", ".", ".", ".", ".", "."]
    assert to_json(boards)["tie_counts"] == [{"column": 0, "row": 0, "count": 12}]


def test_small_letters_are_read_too() -> None:
    assert roads("bpt") == roads("BPT")


@pytest.mark.parametrize(
    ("results", "character", "position"),
    [("BPX", "'X'", 3), (" B", "' '", 1), ("B\n", r"'\n'", 2), ("BßP", "'ß'", 2), ("庄", "'庄'", 1)],
)
def test_another_character_is_refused(results: str, character: str, position: int) -> None:
    expected = f"{character} at position {position} is no result: expected B (Banker), P (Player) or T (Tie)"
    with pytest.raises(ValueError, match=re.escape(expected)):
        roads(results)


def test_too_many_results_are_refused() -> None:
    with pytest.raises(ValueError, match=f"at most {LONGEST}"):
        roads("B" * (LONGEST + 1))


def test_the_record_goes_to_a_browser_and_back() -> None:
    boards = roads("TBBPTPPB")
    assert msgspec.json.decode(msgspec.json.encode(boards), type=Roads) == boards
