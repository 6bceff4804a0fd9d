"""A small spreadsheet: reads an .xlsx as the zip of XML it is, and works its formulas out without its cached values."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from io import BytesIO
from math import sqrt
from typing import Any
from xml.etree import ElementTree

from punto.sim.estimates import upper_gamma

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
REFERENCE = re.compile(r"(?:'([^']+)'!)?\$?([A-Z]{1,3})\$?([0-9]+)(?::\$?([A-Z]{1,3})\$?([0-9]+))?(?![A-Z0-9(])")
STRING = re.compile(r'"[^"]*"')


class Sheet:
    """Cells by name: texts, numbers (as floats, the way a spreadsheet holds them) and formulas with cached values."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.numbers: dict[str, float] = {}
        self.written: dict[str, str] = {}
        """Numbers as they are written in the file."""
        self.formulas: dict[str, str] = {}
        self.cached: dict[str, str] = {}


class Workbook:
    def __init__(self, data: bytes) -> None:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = [sheet.get("name") for sheet in _root(archive, "xl/workbook.xml").iter(f"{MAIN}sheet")]
            shared = [_text(string) for string in _root(archive, "xl/sharedStrings.xml").iter(f"{MAIN}si")]
            self.sheets = {
                str(name): _sheet(_root(archive, f"xl/worksheets/sheet{at}.xml"), shared)
                for at, name in enumerate(names, 1)
            }
        self._known: dict[tuple[str, str], Any] = {}

    def value(self, sheet: str, cell: str) -> Any:
        """The value of a cell, with formulas worked out."""
        key = (sheet, cell)
        if key not in self._known:
            page = self.sheets[sheet]
            if cell in page.formulas:
                self._known[key] = self._work_out(sheet, page.formulas[cell])
            else:
                self._known[key] = page.numbers.get(cell, page.texts.get(cell))
        return self._known[key]

    def _work_out(self, sheet: str, formula: str) -> Any:
        texts: list[str] = []

        def keep(match: re.Match[str]) -> str:
            texts.append(match[0])
            return f"TEXT[{len(texts) - 1}]"

        def refer(match: re.Match[str]) -> str:
            where, left, top, right, bottom = match.groups()
            page = where or sheet
            if right is None:
                return f"CELL({page!r},{left + top!r})"
            assert left == right, "the formulas add up columns"
            cells = [f"{left}{row}" for row in range(int(top), int(bottom) + 1)]
            return f"[CELL({page!r},one) for one in {cells!r}]"

        code = REFERENCE.sub(refer, STRING.sub(keep, formula))
        names: dict[str, Any] = {
            "__builtins__": {},
            "CELL": self.value,
            "TEXT": [text.strip('"') for text in texts],
            **FUNCTIONS,
        }
        return eval(code.replace("IF(", "WHEN(").replace("SUMWHEN(", "SUMIF("), names)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "CHIDIST": lambda statistic, degrees: upper_gamma(degrees / 2, statistic / 2),
    "SUM": sum,
    "SQRT": sqrt,
    "WHEN": lambda condition, yes, no: yes if condition else no,
    "SUMIF": lambda keys, wanted, of: sum(value for key, value in zip(keys, of, strict=True) if key == wanted),
    "SUMPRODUCT": lambda *columns: sum(_product(values) for values in zip(*columns, strict=True)),
}


def _product(values: tuple[float, ...]) -> float:
    product = 1.0
    for value in values:
        product *= value
    return product


def _root(archive: zipfile.ZipFile, name: str) -> ElementTree.Element:
    return ElementTree.fromstring(archive.read(name))


def _text(item: ElementTree.Element) -> str:
    return "".join(part.text or "" for part in item.iter(f"{MAIN}t"))


def _sheet(root: ElementTree.Element, shared: list[str]) -> Sheet:
    page = Sheet()
    for cell in root.iter(f"{MAIN}c"):
        name = str(cell.get("r"))
        formula, value = cell.find(f"{MAIN}f"), cell.find(f"{MAIN}v")
        written = "" if value is None else value.text or ""
        if formula is not None:
            page.formulas[name], page.cached[name] = formula.text or "", written
        elif cell.get("t") == "s":
            page.texts[name] = shared[int(written)]
        elif value is not None:
            page.written[name], page.numbers[name] = written, float(written)
    return page
