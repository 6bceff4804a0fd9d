"""`punto roads`: the shape of its JSON, and rows of letters for people. How roads are drawn is tested in tests/game."""

from __future__ import annotations

import pytest

from punto.game.roads import LONGEST, roads, to_json
from tests.cli.program import call, start

SEQUENCE = "BBPTPPBPBB"


def test_roads_as_json() -> None:
    board = call("roads", SEQUENCE, "--json").json
    assert list(board) == ["bead", "big_road", "ties", "tie_counts", "big_eye", "small", "cockroach", "ask"]
    assert board == to_json(roads(SEQUENCE))
    assert set(board["big_eye"]) == {"sequence", "rows"}
    assert set(board["ask"]) == {"B", "P"}
    assert set(board["ask"]["B"]) == {"big_eye", "small", "cockroach"}


def test_roads_for_people_by_the_real_program() -> None:
    answer = start("roads", SEQUENCE)
    assert (answer.status, answer.err) == (0, "")
    rows = answer.out.splitlines()
    assert rows[rows.index("Bead plate") + 1] == "  B B"
    assert rows[rows.index("Big Road") + 1] == "  B P B P B"
    assert "Ties on the Big Road" in rows
    assert rows[-1] == "Roads record the past and change no odds."


def test_case_does_not_matter() -> None:
    assert call("roads", SEQUENCE.lower(), "--json").out == call("roads", SEQUENCE, "--json").out


def test_a_shoe_before_its_first_hand() -> None:
    answer = call("roads", "", "--json")
    assert (answer.status, answer.json["ties"], answer.json["tie_counts"]) == (0, [], [])


@pytest.mark.parametrize(
    ("sequence", "says"),
    [("BPX", "'X' at position 3 is no result"), ("B P", "' ' at position 2"), ("B" * (LONGEST + 1), "too many")],
    ids=["X", "blank", "endless"],
)
def test_what_is_no_result_exits_1(sequence: str, says: str) -> None:
    answer = call("roads", sequence)
    assert (answer.status, answer.out) == (1, "")
    assert says in answer.err


def test_roads_of_nothing_is_a_usage_error() -> None:
    assert call("roads").status == 2
