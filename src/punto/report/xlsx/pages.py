"""Write a document as a workbook: a sheet for each page, with its tables one below the other."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any, Final

from punto.report.pages.shape import Document, Page, Table
from punto.report.xlsx.book import Book

NUMBER: Final = re.compile(r"-?[0-9][0-9,]*(\.[0-9]+)?", re.ASCII)


def workbook(document: Document) -> bytes:
    """The content of the file."""
    import xlsxwriter

    made = BytesIO()
    with xlsxwriter.Workbook(made, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}) as file:
        book = Book(file)
        sheet = book.sheet("Summary", (32, 60))
        sheet.write_string(0, 0, f"{document.kind}: {document.title}", book.title)
        facts = [*((label, value) for label, value, _ in document.headlines), *document.facts, ("Date", document.date)]
        for at, (label, value) in enumerate(facts, 2):
            sheet.write_string(at, 0, label, book.bold)
            sheet.write_string(at, 1, value)
        for page in document.pages:
            _page(book, page)
    return made.getvalue()


def _page(book: Book, page: Page) -> None:
    widest = max((len(table.columns) for table in page.tables), default=1)
    sheet = book.sheet(page.title[:31], (28, *(16 for _ in range(widest - 1))))
    sheet.write_string(0, 0, page.title, book.title)
    at = 1
    for words in page.words:
        sheet.write_string(at, 0, words, book.quiet)
        at += 1
    for table in page.tables:
        at = _table(book, sheet, table, at + 1) + 1


def _table(book: Book, sheet: Any, table: Table, at: int) -> int:
    sheet.write_string(at, 0, table.title, book.bold)
    book.heads(
        sheet, at + 1, "|".join(("" if column.align == "left" else ">") + column.title for column in table.columns)
    )
    at += 2
    for row in table.rows:
        for column, cell in enumerate(row.cells):
            text = cell.exact or cell.text
            if NUMBER.fullmatch(text):
                sheet.write_number(at, column, float(text.replace(",", "")))
            else:
                sheet.write_string(at, column, cell.text)
        at += 1
    return at
