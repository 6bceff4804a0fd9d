"""A workbook's cell formats, and helpers that all sheets use."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

FONT: Final = "Calibri"
COLOURS: Final = {"player": "#0b4fd6", "banker": "#c8102e", "tie": "#0a7d33"}
QUIET: Final = "#5c6875"


class Book:
    """An open workbook. Formats are made once: a workbook holds a limited number of them."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.title = self._format(bold=True, font_size=14)
        self.bold = self._format(bold=True)
        self.head = self._format(bold=True, font_color=QUIET, bottom=1, text_wrap=True, valign="bottom")
        self.head_right = self._format(
            bold=True, font_color=QUIET, bottom=1, text_wrap=True, valign="bottom", align="right"
        )
        self.quiet = self._format(font_color=QUIET, font_size=9)
        self.text = self._format(text_wrap=True, valign="top")
        self.exact = self._format(align="right", num_format="@", font_size=9, font_color=QUIET)
        self.count = self._format(num_format="#,##0")
        self.figure = self._format(num_format="0.0000000000")
        self.percent = self._format(num_format="0.0000%")
        self.money = self._format(num_format="#,##0.00")
        self.total_count = self._format(bold=True, top=1, num_format="#,##0")
        self.total_figure = self._format(bold=True, top=1, num_format="0.0000000000")
        self.total_exact = self._format(bold=True, top=1, align="right", num_format="@", font_size=9)
        self.total = self._format(bold=True, top=1)
        self.points = self._format(align="center", bold=True, font_color=QUIET)
        self.map = self._format(align="center", border=1, border_color="#d3dae1", num_format="0.0%")
        self._tones = {name: self._format(bold=True, font_color=colour) for name, colour in COLOURS.items()}
        self._plain = self._format(bold=True)

    def _format(self, **looks: Any) -> Any:
        return self.file.add_format({"font_name": FONT, "font_size": 11, **looks})

    def tone(self, name: str) -> Any:
        """The bold format in the colour of a bet: Player blue, Banker red, Tie green."""
        return self._tones.get(name, self._plain)

    def sheet(self, name: str, widths: tuple[int, ...]) -> Any:
        sheet = self.file.add_worksheet(name)
        for at, width in enumerate(widths):
            sheet.set_column(at, at, width)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.set_footer("&L&F · &A&R&P / &N")
        return sheet

    def heads(self, sheet: Any, row: int, titles: str) -> None:
        """Write column titles, separated by |. A title that begins with > is aligned right, for a column of figures."""
        for at, title in enumerate(titles.split("|")):
            sheet.write_string(row, at, title.lstrip(">"), self.head_right if title.startswith(">") else self.head)

    def ratio(self, sheet: Any, row: int, column: int, value: Fraction) -> None:
        """Write a fraction as a formula, so that 19/20 stays exact."""
        if value.denominator == 1:
            sheet.write_number(row, column, value.numerator)
        else:
            sheet.write_formula(row, column, f"={value.numerator}/{value.denominator}", None, float(value))

    def cell(self, row: int, column: int) -> str:
        """The name of a cell: A1 for (0, 0)."""
        letters = ""
        column += 1
        while column:
            column, rest = divmod(column - 1, 26)
            letters = chr(ord("A") + rest) + letters
        return f"{letters}{row + 1}"

    def at(self, sheet: str, row: int, column: int) -> str:
        return f"'{sheet}'!{self.cell(row, column)}"

    def scale(self, sheet: Any, top: int, left: int, bottom: int, right: int, *, good_is_low: bool) -> None:
        """Colour a range: green favours the patron, red the house."""
        low, high = ("#9fd3b2", "#eea0ab") if good_is_low else ("#eea0ab", "#9fd3b2")
        looks: dict[str, Any] = {"type": "3_color_scale", "min_color": low, "mid_color": "#ffffff", "max_color": high}
        looks |= {"mid_type": "num", "mid_value": 0}
        sheet.conditional_format(top, left, bottom, right, looks)
