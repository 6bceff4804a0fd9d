"""Show records as tables without cutting anything: columns that do not fit go into a further table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.table import Table

GAP: Final = 2
"""Blanks between two columns."""

LONG: Final = 40
"""A longer text may wrap within its cell."""


def plain_tables(title: str, rows: list[dict[str, Any]], form: str, width: int) -> Iterator[Table]:
    """One table, or several that repeat the columns before the first figure, which name the row. A square table has
    numbers as headings, so that its columns stay narrow."""
    if not rows:
        return
    names = list(rows[0])
    columns = [[format(v, form) if isinstance(v, float) else str(v) for v in (row[n] for row in rows)] for n in names]
    heads = [name.replace("_", "\n") for name in names]
    if len(names) == len(rows) + 1 and names[1:] == columns[0]:
        heads = [names[0], *(str(at) for at in range(1, len(names)))]
        columns[0] = [f"{at} {name}" for at, name in enumerate(columns[0], start=1)]
    keys = next((at for at, value in enumerate(rows[0].values()) if isinstance(value, float)), len(names))
    needed = [_least(head, texts) for head, texts in zip(heads, columns, strict=True)]
    for block in _blocks(needed, keys, width):
        yield _table(title, [heads[at] for at in block], [columns[at] for at in block])


def _least(head: str, texts: list[str]) -> int:
    """The width that a column needs."""
    parts = [part for text in texts for part in (text.split() if len(text) > LONG else [text])]
    return max(map(len, (*head.split("\n"), *parts))) + GAP


def _blocks(needed: list[int], keys: int, width: int) -> Iterator[list[int]]:
    """The columns of each table. Each has at least one figure."""
    named = list(range(keys))
    room = width - GAP - sum(needed[:keys])
    block, left = [*named], room
    for at in range(keys, len(needed)):
        if needed[at] > left and len(block) > keys:
            yield block
            block, left = [*named], room
        block.append(at)
        left -= needed[at]
    yield block


def _table(title: str, heads: list[str], columns: list[list[str]]) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    shown = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), title=title)
    for at, (head, texts) in enumerate(zip(heads, columns, strict=True)):
        shown.add_column(head, justify="right" if at else "left", no_wrap=max(map(len, texts)) <= LONG)
    for row in zip(*columns, strict=True):
        shown.add_row(*row)
    return shown
