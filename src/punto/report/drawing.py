"""The chart of the bands of the actual hold, which no table can replace. Plain SVG, without a font or a library."""

from __future__ import annotations

from collections.abc import Callable
from math import log10
from typing import Final

from punto.report.figures import percent, power
from punto.report.records import Band, BetSheet, Report
from punto.rulebook.model import Bet

COLOURS: Final = {Bet.PLAYER: "#0b4fd6", Bet.BANKER: "#c8102e", Bet.TIE: "#0a7d33"}
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 240, 172, 48, 26, 8, 26
Scale = Callable[[float], float]


def hold_bands(report: Report) -> str:
    """Bands of the actual hold by number of rounds, for Player, Banker and Tie."""
    sheets = [row for bet in COLOURS for row in report.bets if row.bet is bet]
    panels = "".join(_panel(sheet, at * WIDTH) for at, sheet in enumerate(sheets))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * len(sheets)} {HEIGHT}" role="img"'
        f' aria-label="Bands of the actual hold" font-family="Libertinus Serif, Georgia, serif" font-size="9">'
        f"{panels}</svg>"
    )


def _panel(sheet: BetSheet, left: int) -> str:
    bands, colour = sheet.bands, COLOURS[sheet.bet]
    low, high = bands[0].low_9973, bands[0].high_9973

    def x(rounds: float) -> float:
        first, last = log10(bands[0].rounds), log10(bands[-1].rounds)
        return left + LEFT + (log10(rounds) - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def y(hold: float) -> float:
        return TOP + (high - hold) / (high - low) * (HEIGHT - TOP - BOTTOM)

    floor = HEIGHT - BOTTOM
    levels = sorted({low, sheet.house_edge, high} | ({0.0} if low < 0 else set()))
    marks = "".join(
        f'<line x1="{x(bands[0].rounds):.1f}" x2="{x(bands[-1].rounds):.1f}" y1="{y(level):.1f}" y2="{y(level):.1f}"'
        f' stroke="{colour if level == sheet.house_edge else "#888"}" stroke-width="0.6"'
        f"{_dashed(level, sheet.house_edge)}/>"
        + (
            f'<text x="{left + LEFT - 4}" y="{y(level) + 3:.1f}" text-anchor="end" fill="#777">'
            f"{percent(level, 2)}</text>"
            if level != 0 or abs(y(0) - y(sheet.house_edge)) > 9
            else ""
        )
        for level in levels
    )
    ticks = "".join(
        f'<text x="{x(band.rounds):.1f}" y="{floor + 13}" text-anchor="middle" fill="#777">{power(band.rounds)}</text>'
        for band in bands
    )
    return (
        f'<text x="{left + LEFT}" y="15" font-size="11" font-weight="bold" fill="{colour}">{sheet.name}</text>'
        f"{_band(bands, x, y, colour, 0.16, wide=True)}{_band(bands, x, y, colour, 0.32, wide=False)}{marks}{ticks}"
    )


def _dashed(level: float, edge: float) -> str:
    return "" if level == edge else ' stroke-dasharray="2 2" stroke-opacity="0.6"'


def _band(bands: tuple[Band, ...], x: Scale, y: Scale, colour: str, opacity: float, *, wide: bool) -> str:
    """The area between the limits. They follow 1/√n, also at the points between the powers of ten."""
    first = bands[0]
    middle = (first.high_95 + first.low_95) / 2
    half = (first.high_9973 - first.low_9973 if wide else first.high_95 - first.low_95) / 2
    steps = [first.rounds * 10 ** (at / 8) for at in range(8 * (len(bands) - 1) + 1)]
    upper = [(x(rounds), y(middle + half * (first.rounds / rounds) ** 0.5)) for rounds in steps]
    lower = [(x(rounds), y(middle - half * (first.rounds / rounds) ** 0.5)) for rounds in reversed(steps)]
    points = " ".join(f"{across:.1f},{down:.1f}" for across, down in (*upper, *lower))
    return f'<polygon points="{points}" fill="{colour}" fill-opacity="{opacity}"/>'
