"""The layout of a report for people: pages of tables with formatted cells. HTML, PDF and `xlsx.pages` use it."""

from __future__ import annotations

from typing import Any

import msgspec


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table cell. `exact` is the exact value of the rounded figure in `text`."""

    text: str
    exact: str = ""
    tone: str = ""
    """small, flag, player, banker or tie."""
    heat: float | None = None
    """-1 to 1: how strongly the cell is coloured, red for the house, green for the patron."""
    bar: float | None = None
    """0 to 1: the length of a bar drawn in the cell."""


class Column(msgspec.Struct, frozen=True):
    title: str
    align: str = "right"


class Row(msgspec.Struct, frozen=True):
    cells: tuple[Cell, ...]
    tone: str = ""
    """total, or empty."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str = ""
    paragraph: str = ""
    tone: str = ""
    """player, banker or tie: the colour of the table's heading."""
    kind: str = "table"
    """table, matrix (many narrow columns) or map (the points of both hands)."""


class Page(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    title: str
    words: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    chart: str = ""
    wide: bool = False


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A report or a comparison, ready to be written as a file."""

    kind: str
    title: str
    subtitle: str
    date: str
    names: tuple[tuple[str, str], ...]
    """Chinese names of the hands, if the source prints them: what is named, and the name."""
    facts: tuple[tuple[str, str], ...]
    headlines: tuple[tuple[str, str, str], ...]
    """The few figures of the cover: label, figure, tone."""
    pages: tuple[Page, ...]


def cell(text: object, exact: object = "", tone: str = "", heat: float | None = None, bar: float | None = None) -> Cell:
    return Cell(str(text), str(exact), tone, heat, bar)


def row(*cells: Any, tone: str = "") -> Row:
    """A row of cells. A plain text becomes a plain cell."""
    return Row(tuple(content if isinstance(content, Cell) else cell(content) for content in cells), tone)


def columns(text: str) -> tuple[Column, ...]:
    """Columns from titles separated by |. A title that begins with < is aligned left."""
    titles = (title.strip() for title in text.split("|"))
    return tuple(Column(title[1:], "left") if title.startswith("<") else Column(title) for title in titles)
