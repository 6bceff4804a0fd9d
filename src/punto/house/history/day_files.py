"""The day as files: CSV with a row for each line of the sheet, and a workbook with the same figures and a chart."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any, Final

from punto.house.history.day_figures import Figures, Part
from punto.house.history.day_sheet import DaySheet
from punto.money import amount

XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
HEAD: Final = (
    *("of", "name", "edition", "rounds", "wagers", "wagered", "handed_back", "result", "theoretical", "deviation"),
    *("off_by", "put_right", "commission", "edge"),
)
MONEY: Final = frozenset({"wagered", "handed_back", "result", "theoretical", "deviation", "put_right", "commission"})
Row = dict[str, Any]
"""Values by column; money is in cents."""


def rows(sheet: DaySheet) -> Iterator[Row]:
    """The house, games and tables (each with rows for bets and insurance), then bets, and reports by paragraph."""
    yield from _figures("house", "", "", sheet.house)
    for game in sheet.games:
        yield from _figures("game", game.name, game.edition, game.figures)
    for table in sheet.tables:
        yield from _figures("table", table.name, table.edition, table.figures)
    for bet in sheet.bets:
        yield {"of": "bet", "name": bet.bet, "edition": bet.edition, **_part(bet.part), "edge": bet.edge}
    for report in sheet.irregularities:
        named = f"{report.paragraph} {report.kind}"
        yield {"of": "irregularity", "name": named, "edition": report.edition, "rounds": report.reports}


def _figures(of: str, name: str, edition: str, figures: Figures) -> Iterator[Row]:
    where = {"name": name, "edition": edition, "rounds": figures.rounds}
    whole = {
        "result": figures.result_cents,
        "theoretical": figures.theoretical_cents,
        "put_right": figures.put_right_cents,
    }
    yield {"of": of, **where, **whole, "commission": figures.commission_cents}
    yield {"of": f"{of} bets", **where, **_part(figures.bets), "commission": figures.commission_cents}
    yield {"of": f"{of} insurance", **where, **_part(figures.insurance)}


def _part(part: Part) -> Row:
    return {
        "wagers": part.wagers,
        "wagered": part.wagered_cents,
        "handed_back": part.handed_back_cents,
        "result": part.result_cents,
        "theoretical": part.theoretical_cents,
        "deviation": part.deviation_cents,
        "off_by": part.off_by,
    }


def as_csv(sheet: DaySheet) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow((*HEAD, "since", "until"))
    for row in rows(sheet):
        writer.writerow((*(_text(row, name) for name in HEAD), sheet.since, sheet.until))
    return text.getvalue().encode()


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    if value is None:
        return ""
    if name in MONEY:
        return amount(value)
    return f"{value:.6f}" if isinstance(value, float) else str(value)


def as_xlsx(sheet: DaySheet) -> bytes:
    """Raises ImportError if xlsxwriter is not installed."""
    import xlsxwriter

    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True, "constant_memory": False}) as book:
        bold, money = book.add_format({"bold": True, "bottom": 1}), book.add_format({"num_format": "#,##0.00"})
        plain = book.add_format({"num_format": "0.0000"})
        every = list(rows(sheet))
        for title, kinds in _SHEETS.items():
            page = book.add_worksheet(title)
            page.freeze_panes(1, 2)
            page.set_column(0, len(HEAD), 14)
            page.write_row(0, 0, HEAD, bold)
            for at, row in enumerate((row for row in every if row["of"].partition(" ")[0] in kinds), 1):
                for column, name in enumerate(HEAD):
                    _cell(page, at, column, row.get(name), money if name in MONEY else plain)
        _course(book, sheet, bold, money)
    return file.getvalue()


_SHEETS: Final = {"House": ("house", "game"), "Tables": ("table",), "Bets": ("bet",), "Reports": ("irregularity",)}


def _cell(page: Any, row: int, column: int, value: Any, looks: Any) -> None:
    if value is None:
        return
    if isinstance(value, str):
        page.write_string(row, column, value)
    elif isinstance(value, float):
        page.write_number(row, column, value, looks)
    else:
        money = HEAD[column] in MONEY
        page.write_number(row, column, value / 100 if money else value, looks if money else None)


def _course(book: Any, sheet: DaySheet, bold: Any, money: Any) -> None:
    """The cumulative result over time, beside the theoretical one."""
    page = book.add_worksheet("Course")
    page.write_row(0, 0, ("until", "rounds", "result", "theoretical", "result so far", "theoretical so far"), bold)
    page.set_column(0, 5, 22)
    result = theoretical = 0
    for at, step in enumerate(sheet.course, 1):
        result += step.result_cents
        theoretical += step.theoretical_cents
        page.write_string(at, 0, step.at)
        page.write_number(at, 1, step.rounds)
        for column, cents in enumerate((step.result_cents, step.theoretical_cents, result, theoretical), 2):
            page.write_number(at, column, cents / 100, money)
    last = len(sheet.course)
    if not last:
        return
    chart = book.add_chart({"type": "line"})
    for column, name in ((4, "result"), (5, "theoretical")):
        values = ["Course", 1, column, last, column]
        chart.add_series({"name": name, "categories": ["Course", 1, 0, last, 0], "values": values})
    page.insert_chart("H2", chart)
