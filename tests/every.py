"""One test for many rows: a rule that holds for all of them is one test, which names every row that breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Row = TypeVar("Row")


def of_every(rows: Iterable[Row]) -> Callable[[Callable[[Row], None]], Callable[[], None]]:
    """For a test that takes a row and nothing else."""
    every = tuple(rows)

    def folded(holds: Callable[[Row], None]) -> Callable[[], None]:
        def test() -> None:
            assert every, "there are no rows"
            broken = [f"{row}: {fault}" for row in every if (fault := _fault(holds, row)) is not None]
            assert not broken, f"{len(broken)} of {len(every)} rows:\n" + "\n".join(broken)

        test.__name__, test.__doc__, test.__module__ = holds.__name__, holds.__doc__, holds.__module__
        return test

    return folded


def _fault(holds: Callable[[Row], None], row: Row) -> str | None:
    try:
        holds(row)
    except AssertionError as fault:
        return str(fault)
    return None
