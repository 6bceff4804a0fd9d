"""A second implementation of the roads, as dealers learn them; imports nothing from punto.

Where punto computes with streak lengths, this looks at the columns themselves: a column is one streak's
results, as deep as it gets. A mark is red when two places look alike (both filled or both empty), blue when
not.
"""

Grid = dict[tuple[int, int], str]  # (column, row) -> mark


def columns(marks: str) -> list[str]:
    """Cut marks into streaks: one column each, of any depth."""
    streaks: list[str] = []
    for mark in marks:
        if streaks and streaks[-1][0] == mark:
            streaks[-1] = streaks[-1] + mark
        else:
            streaks.append(mark)
    return streaks


def is_filled(cols: list[str], column: int, row: int) -> bool:
    """Is there a mark in this place of the Big Road, before it is drawn in six rows? Rows and columns from 0."""
    return row < len(cols[column])


def derived(results: str, back: int) -> str:
    """The marks of Big Eye Boy (back 1), Small Road (2) or Cockroach Pig (3)."""
    decisions = results.replace("T", "")
    marks = ""
    for i in range(len(decisions)):
        cols = columns(decisions[: i + 1])  # the board at the moment of this decision
        column = len(cols) - 1
        row = len(cols[column]) - 1
        if row > 0:
            # Down the column: compare the place `back` columns to the left with the place above that one.
            if column - back < 0:
                continue
            here = is_filled(cols, column - back, row)
            above = is_filled(cols, column - back, row - 1)
            marks = marks + ("R" if here == above else "B")
        else:
            # A new column: compare the heights of the column before it and the one `back` further left.
            if column - 1 - back < 0:
                continue
            marks = marks + ("R" if len(cols[column - 1]) == len(cols[column - 1 - back]) else "B")
    return marks


def drawn(marks: str) -> Grid:
    """The six-row drawing, one mark at a time."""
    grid: Grid = {}
    previous = ""
    start = -1
    column = row = 0
    for mark in marks:
        if mark != previous:
            start = start + 1
            while (start, 0) in grid:
                start = start + 1
            column, row = start, 0
        elif row < 5 and (column, row + 1) not in grid:
            row = row + 1
        else:
            while (column, row) in grid:
                column = column + 1
        grid[(column, row)] = mark
        previous = mark
    return grid


def tie_counts(results: str) -> dict[tuple[int, int], int]:
    """How many ties lie on which place of the drawn Big Road."""
    decisions_before = 0
    on_decision: dict[int, int] = {}
    for result in results:
        if result != "T":
            decisions_before = decisions_before + 1
        elif decisions_before == 0:
            on_decision[1] = on_decision.get(1, 0) + 1
        else:
            on_decision[decisions_before] = on_decision.get(decisions_before, 0) + 1
    places = list(drawn(results.replace("T", "")))  # in the order of the decisions
    if not places:
        places = [(0, 0)]
    return {places[decision - 1]: on_decision[decision] for decision in on_decision}


def tie_marks(results: str) -> Grid:
    """The same as one character per place."""
    counts = tie_counts(results)
    return {place: str(counts[place]) if counts[place] <= 9 else "+" for place in counts}


def rows(grid: Grid) -> list[str]:
    """Six rows of text, cut off after the last filled column."""
    width = 0
    for column, _ in grid:
        width = max(width, column + 1)
    return ["".join(grid.get((column, row), ".") for column in range(width)) for row in range(6)]


def ask(results: str, side: str, back: int) -> str | None:
    """What one more result of a side adds to a derived road: the road with it, less the road without it."""
    added = derived(results + side, back)[len(derived(results, back)) :]
    return added or None


def boards(results: str) -> dict[str, object]:
    """Everything, in the shape of `punto roads --json`."""
    bead: Grid = {}
    for i in range(len(results)):
        bead[(i // 6, i % 6)] = results[i]
    decisions = results.replace("T", "")
    big_road = drawn(decisions)
    if results and not decisions:
        big_road = {(0, 0): "T"}
    answer: dict[str, object] = {
        "bead": rows(bead),
        "big_road": rows(big_road),
        "ties": rows(tie_marks(results)) if "T" in results else [],
        "tie_counts": [
            {"column": column, "row": row, "count": count} for (column, row), count in tie_counts(results).items()
        ],
    }
    names = {"big_eye": 1, "small": 2, "cockroach": 3}
    for name, back in names.items():
        sequence = derived(results, back)
        answer[name] = {"sequence": sequence, "rows": rows(drawn(sequence))}
    answer["ask"] = {side: {name: ask(results, side, back) for name, back in names.items()} for side in "BP"}
    return answer
