"""A test over many rows fails if one of its rows does, and names each row that fails."""

from __future__ import annotations

import pytest

from tests.every import of_every


@of_every([1, 2, 3])
def test_a_row_that_holds(row: int) -> None:
    """It keeps its words."""
    assert row > 0


def test_every_row_that_breaks_is_named() -> None:
    @of_every(["a", "b", "c"])
    def only_b(row: str) -> None:
        assert row == "b", "it is another"

    with pytest.raises(AssertionError) as said:
        only_b()
    assert str(said.value).splitlines()[0] == "2 of 3 rows:"
    assert [line for line in str(said.value).splitlines() if line.startswith(("a: it is", "c: it is"))] != []
    assert "b: " not in str(said.value)


def test_an_error_goes_through() -> None:
    @of_every([0])
    def divides(row: int) -> None:
        assert 1 / row

    with pytest.raises(ZeroDivisionError):
        divides()


def test_no_rows_are_no_proof() -> None:
    with pytest.raises(AssertionError, match="no rows"):
        of_every(())(print)()


def test_its_name_and_words_are_kept() -> None:
    assert (test_a_row_that_holds.__name__, test_a_row_that_holds.__doc__) == (
        "test_a_row_that_holds",
        "It keeps its words.",
    )
