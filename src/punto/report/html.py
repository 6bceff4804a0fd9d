"""A report as one HTML file: no scripts, no external addresses, light and dark, for screen and paper."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Final

from punto.report.pages.shape import Cell, Column, Document, Page, Row, Table

CSS: Final = Path(__file__).with_name("report.css")


def page(document: Document) -> bytes:
    """The content of the HTML file. The same document gives the same bytes."""
    style = re.sub(r"\s*\n\s*", "\n", CSS.read_text("utf-8"))
    links = "".join(f'<a href="#{page.id}">{escape(page.title)}</a>' for page in document.pages)
    body = "".join(_page(page) for page in document.pages)
    text = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(document.subtitle)} · {escape(document.kind)}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n"
        f'{_cover(document)}<nav aria-label="Contents">{links}</nav>\n<main>\n{body}</main>\n'
        f"<footer>{escape(document.subtitle)} · {escape(document.date)}</footer>\n</body>\n</html>\n"
    )
    return text.encode()


def _cover(document: Document) -> str:
    names = ", ".join(f'{escape(of)} <span lang="zh">{escape(text)}</span>' for of, text in document.names)
    facts = "".join(f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>" for label, value in document.facts)
    facts += f"<div><dt>Names on the layout</dt><dd>{names}</dd></div>" if names else ""
    figures = "".join(
        f'<li class="{tone}"><span>{escape(label)}</span><strong>{escape(value)}</strong></li>'
        for label, value, tone in document.headlines
    )
    return (
        f"<header>\n<p class=kind>{escape(document.kind)}</p>\n<h1>{escape(document.title)}</h1>\n"
        f"<p class=subtitle>{escape(document.subtitle)}</p>\n<ul class=headlines>{figures}</ul>\n"
        f"<dl>{facts}</dl>\n</header>\n"
    )


def _page(page: Page) -> str:
    words = "".join(f"<p>{escape(text)}</p>\n" for text in page.words)
    chart = f"<figure>{page.chart}</figure>\n" if page.chart else ""
    tables = "".join(_table(table) for table in page.tables)
    return (
        f'<section id="{page.id}">\n<h2>{escape(page.title)}</h2>\n{words}{chart}'
        f"<div class=tables>{tables}</div></section>\n"
    )


def _table(table: Table) -> str:
    cite = f" <small>{escape(table.paragraph)}</small>" if table.paragraph else ""
    heads = "".join(
        f"<th scope=col{_left(column)}><span>{escape(column.title)}</span></th>" for column in table.columns
    )
    rows = "".join(_row(row, table.columns) for row in table.rows)
    note = f"<p class=note>{escape(table.note)}</p>\n" if table.note else ""
    return (
        f'<div class="block {table.kind}">\n<h3 class="{table.tone}">{escape(table.title)}{cite}</h3>\n'
        f"<div class=scroll tabindex=0><table>\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{rows}</tbody>\n</table></div>\n{note}</div>\n"
    )


def _row(row: Row, columns: tuple[Column, ...]) -> str:
    tone = f" class={row.tone}" if row.tone else ""
    cells = "".join(_cell(cell, column, at) for at, (cell, column) in enumerate(zip(row.cells, columns, strict=True)))
    return f"<tr{tone}>{cells}</tr>\n"


def _cell(cell: Cell, column: Column, at: int) -> str:
    tag = "th scope=row" if at == 0 else "td"
    classes = [name for name in ("l" if column.align == "left" else "", cell.tone) if name]
    if cell.heat is not None:
        classes.append("hot" if cell.heat >= 0 else "cool")
    kind = f' class="{" ".join(classes)}"' if classes else ""
    heat = f' style="--h:{abs(cell.heat):.3f}"' if cell.heat is not None else ""
    exact = f' title="{escape(cell.exact)}"' if cell.exact and cell.exact != cell.text else ""
    bar = f'<i class=bar style="width:{100 * cell.bar:.1f}%"></i>' if cell.bar is not None else ""
    return f"<{tag}{kind}{heat}{exact}>{bar}{escape(cell.text)}</{tag[:2]}>"


def _left(column: Column) -> str:
    return " class=l" if column.align == "left" else ""
