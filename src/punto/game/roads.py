"""The score boards: bead plate, Big Road and the three roads derived from it.

Here: what the results of a shoe, in order, look like on each board. A road is a pure function of the whole
list of final results, so a void or a correction simply builds it again. Not here: colours and shapes on a
screen, windows that scroll, pairs, and any say on what comes next: roads record the past and change no odds.

The derived roads are taken from the *streaks* (ties dropped, cut into maximal runs), whose depth has no
limit. The drawn grid, where a long streak turns right at the bottom, is only ever an output.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import groupby
from typing import Final

import msgspec

ROWS: Final = 6
LONGEST: Final = 100_000
"""Results that one call takes. A ten-deck shoe ends before its 130th hand; a shuffler never ends."""

MANY_TIES: Final = "+"
"""Ten ties or more on one cell, in rows of text (one character a cell); `tie_counts` and `Roads.ties` are exact."""


class Colour(StrEnum):
    """A mark of a derived road. It has nothing to do with Banker and Player."""

    RED = "R"
    """Regular: the streaks repeat a pattern."""
    BLUE = "B"
    """Irregular."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One drawn mark; column and row count from 0 at the top left."""

    column: int
    row: int
    mark: str


class TieCount(msgspec.Struct, frozen=True, kw_only=True):
    """The ties noted on one cell of the Big Road."""

    column: int
    row: int
    count: int


class Derived(msgspec.Struct, frozen=True, kw_only=True):
    """A derived road: its colours in order, and where they are drawn."""

    sequence: str
    cells: tuple[Cell, ...]


class NextMarks(msgspec.Struct, frozen=True, kw_only=True):
    """The mark that one more decision would add to each derived road, None where it would add none."""

    big_eye: Colour | None
    small: Colour | None
    cockroach: Colour | None


class Roads(msgspec.Struct, frozen=True, kw_only=True):
    """All boards of one list of results. Cells stand in the order in which they were marked."""

    results: str
    bead: tuple[Cell, ...]
    big_road: tuple[Cell, ...]
    ties: tuple[TieCount, ...]
    big_eye: Derived
    small: Derived
    cockroach: Derived
    ask_banker: NextMarks
    ask_player: NextMarks


def roads(results: str) -> Roads:
    """Every board for the results of a shoe: B, P and T in the order of play."""
    results = _checked(results)
    decisions = results.replace("T", "")
    lengths = _streak_lengths(decisions)
    big_road = _drawn(decisions)
    if results and not decisions:
        big_road = (Cell(column=0, row=0, mark="T"),)
    return Roads(
        results=results,
        bead=tuple(Cell(column=i // ROWS, row=i % ROWS, mark=mark) for i, mark in enumerate(results)),
        big_road=big_road,
        ties=_tie_counts(results, big_road),
        big_eye=_derived(lengths, 1),
        small=_derived(lengths, 2),
        cockroach=_derived(lengths, 3),
        ask_banker=_next_marks("B", decisions, lengths),
        ask_player=_next_marks("P", decisions, lengths),
    )


def to_json(boards: Roads) -> dict[str, object]:
    """The shape of `punto roads --json`: six rows of text a board, top to bottom, `.` for an empty cell.

    `tie_counts` says what a character of `ties` can't: ten ties or more.
    """
    tie_cells = [Cell(column=t.column, row=t.row, mark=_tie_text(t.count)) for t in boards.ties]
    return {
        "bead": rows_of(boards.bead),
        "big_road": rows_of(boards.big_road),
        "ties": rows_of(tie_cells) if tie_cells else [],
        "tie_counts": [msgspec.structs.asdict(tie) for tie in boards.ties],
        "big_eye": _derived_json(boards.big_eye),
        "small": _derived_json(boards.small),
        "cockroach": _derived_json(boards.cockroach),
        "ask": {"B": _ask_json(boards.ask_banker), "P": _ask_json(boards.ask_player)},
    }


def rows_of(cells: Sequence[Cell]) -> list[str]:
    """A board as six rows of text, as wide as its last marked column."""
    width = max((cell.column for cell in cells), default=-1) + 1
    grid = [["."] * width for _ in range(ROWS)]
    for cell in cells:
        grid[cell.row][cell.column] = cell.mark
    return ["".join(row) for row in grid]


def _checked(results: str) -> str:
    if len(results) > LONGEST:
        raise ValueError(f"{len(results)} results are too many: at most {LONGEST} are expected")
    for position, character in enumerate(results, start=1):
        if character not in "BPTbpt":
            raise ValueError(
                f"{character!r} at position {position} is no result: expected B (Banker), P (Player) or T (Tie)"
            )
    return results.upper()


def _streak_lengths(marks: Iterable[str]) -> list[int]:
    return [len(list(streak)) for _, streak in groupby(marks)]


def _drawn(marks: str) -> tuple[Cell, ...]:
    """Where the marks of a road lie: each streak down from the top, then right where it can't fall."""
    cells: list[Cell] = []
    taken: set[tuple[int, int]] = set()
    start = -1
    for mark, streak in groupby(marks):
        start += 1
        while (start, 0) in taken:
            start += 1
        column, row = start, 0
        for depth, _ in enumerate(streak):
            if depth > 0:
                column, row = _next_cell(column, row, taken)
            taken.add((column, row))
            cells.append(Cell(column=column, row=row, mark=mark))
    return tuple(cells)


def _next_cell(column: int, row: int, taken: set[tuple[int, int]]) -> tuple[int, int]:
    if row + 1 < ROWS and (column, row + 1) not in taken:
        return column, row + 1
    # A streak goes down and to the right, and begins right of all earlier ones, which therefore lie below it.
    assert (column + 1, row) not in taken, "an earlier streak lies above a later one"
    return column + 1, row


def _tie_counts(results: str, big_road: Sequence[Cell]) -> tuple[TieCount, ...]:
    """Ties count on the cell of the latest decision, those before the first decision on the first cell."""
    counts: dict[int, int] = {}
    decided = 0
    for result in results:
        if result == "T":
            latest = max(decided - 1, 0)
            counts[latest] = counts.get(latest, 0) + 1
        else:
            decided += 1
    return tuple(TieCount(column=big_road[i].column, row=big_road[i].row, count=count) for i, count in counts.items())


def _tie_text(count: int) -> str:
    return str(count) if count < 10 else MANY_TIES


def _mark(lengths: Sequence[int], streak: int, depth: int, back: int) -> Colour | None:
    """The mark that a decision adds to a derived road, if any.

    The decision is the `depth`-th of streak number `streak` (both from 1); `back` is how many streaks the
    road looks back. Only earlier streaks are looked up, so the decision may be one that has not happened yet.
    """
    if depth >= 2:
        if streak - back < 1:
            return None
        return Colour.BLUE if depth == lengths[streak - back - 1] + 1 else Colour.RED
    if streak - 1 - back < 1:
        return None
    return Colour.RED if lengths[streak - 2] == lengths[streak - 2 - back] else Colour.BLUE


def _derived(lengths: Sequence[int], back: int) -> Derived:
    marks = [
        mark
        for streak, length in enumerate(lengths, start=1)
        for depth in range(1, length + 1)
        if (mark := _mark(lengths, streak, depth, back)) is not None
    ]
    sequence = "".join(marks)
    return Derived(sequence=sequence, cells=_drawn(sequence))


def _next_marks(side: str, decisions: str, lengths: Sequence[int]) -> NextMarks:
    if decisions.endswith(side):
        streak, depth = len(lengths), lengths[-1] + 1
    else:
        streak, depth = len(lengths) + 1, 1
    return NextMarks(
        big_eye=_mark(lengths, streak, depth, 1),
        small=_mark(lengths, streak, depth, 2),
        cockroach=_mark(lengths, streak, depth, 3),
    )


def _derived_json(road: Derived) -> dict[str, object]:
    return {"sequence": road.sequence, "rows": rows_of(road.cells)}


def _ask_json(marks: NextMarks) -> dict[str, str | None]:
    return {
        "big_eye": marks.big_eye and marks.big_eye.value,
        "small": marks.small and marks.small.value,
        "cockroach": marks.cockroach and marks.cockroach.value,
    }
