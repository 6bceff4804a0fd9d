"""Parse tables as the regulator prints them: cells between bars, points as "0-5" or "0-1-2"."""

from __future__ import annotations

import re
from fractions import Fraction


class GridError(ValueError):
    """A printed table can't be parsed."""


def rows(text: str, columns: int) -> list[list[str]]:
    """The rows of a printed table without its heading."""
    lines = [line for line in text.splitlines() if line.strip()]
    table = [[cell.strip() for cell in line.split("|")] for line in lines]
    for line, cells in zip(lines, table, strict=True):
        if len(cells) != columns:
            raise GridError(f"the row {line.strip()!r} has {len(cells)} cells: expected {columns}")
    if len(table) < 2:
        raise GridError("the table is empty: expected a heading and at least one row")
    return table[1:]


def points(cell: str) -> tuple[int, ...]:
    """Points of a cell: "4", a range "0-5", a list "0-1-8-9", "any" or "-" (none). A star is not part of them."""
    cell = cell.removesuffix("*")
    if cell == "any":
        return tuple(range(10))
    if cell == "-":
        return ()
    parts = cell.split("-")
    if not all(part.isascii() and part.isdigit() and len(part) == 1 for part in parts):
        raise GridError(f'{cell!r} are no points: expected "4", "0-5", "0-1-8-9", "any" or "-"')
    values = tuple(int(part) for part in parts)
    if len(values) == 2:
        values = tuple(range(values[0], values[1] + 1))
    if not values or list(values) != sorted(set(values)):
        raise GridError(f"{cell!r} are no points: expected rising numbers, each once")
    return values


def span(text: str) -> tuple[int, int]:
    """A range such as "10-16"."""
    match = re.fullmatch(r"([1-9][0-9]?)-([1-9][0-9]?)", text, re.ASCII)
    low, high = (int(part) for part in match.groups()) if match else (1, 0)
    if low > high:
        raise GridError(f'{text!r} is no range: expected "1-6"')
    return low, high


def percent(text: str) -> Fraction:
    """A share such as "25 %"."""
    match = re.fullmatch(r"([1-9][0-9]?|100) %", text, re.ASCII)
    if match is None:
        raise GridError(f'{text!r} is no share: expected "25 %"')
    return Fraction(int(match[1]), 100)
