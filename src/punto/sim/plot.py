"""Charts of sessions: results, results round by round, drawdown. Matplotlib is imported only when a chart is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from math import ceil, floor
from textwrap import fill
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from punto.sim.patron.kernel import NOT_PLAYED, Field
from punto.sim.patron.sessions import Sessions
from punto.sim.patron.stats import Summary

FORMATS: Final = (".png", ".svg", ".pdf")
SIZE: Final = (12.0, 8.0)
LINES: Final = 60
BINS: Final = 60
WIDTH: Final = 100

INK, FAINT, GRID = "#1f2937", "#6b7280", "#e5e7eb"
RESULT, SHOE, FALL, LOSS, GAIN = "#1d4ed8", "#0f766e", "#b45309", "#b91c1c", "#15803d"

Walk = npt.NDArray[np.int64]


def picture(
    title: str, sessions: Sessions, summary: Summary, walks: Sequence[Walk], unit_cents: int, ending: str
) -> bytes:
    """Four charts as a file of the given format. The same sessions give the same file. Results differ by about whole
    units, so bars whose width is no multiple of the unit would show a pattern that is not there."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    figure.suptitle(fill(title, WIDTH), fontsize=13, color=INK, fontweight="bold")
    charts = figure.subplots(2, 2)
    money = sessions[Field.NET] / 100
    _histogram(charts[0, 0], money, unit_cents / 100, RESULT, "Result of a session")
    _marks(charts[0, 0], summary)
    _walks(charts[0, 1], walks)
    _histogram(
        charts[1, 0], sessions.shoes[sessions.shoes != NOT_PLAYED] / 100, unit_cents / 100, SHOE, "Result of a shoe"
    )
    _falls(charts[1, 1], sessions[Field.DRAWDOWN] / 100)
    for chart in charts.ravel():
        _plainly(chart)
    file = BytesIO()
    metadata: dict[str, Any] = (
        {"CreationDate": None} if ending == ".pdf" else {"Date": None} if ending == ".svg" else {}
    )
    figure.savefig(file, format=ending[1:], dpi=140, metadata=metadata)
    return file.getvalue()


def _histogram(chart: Any, values: npt.NDArray[np.float64], unit: float, colour: str, title: str) -> None:
    """Bars over the middle 99.8 % of the values. Values beyond are counted in the first and the last bar."""
    low, high = np.quantile(values, (0.001, 0.999)) if len(values) else (0.0, 0.0)
    width = unit * max(1, ceil((high - low) / unit / BINS))
    first = (floor(low / width) - 0.5) * width
    edges = first + width * np.arange(ceil((high - first) / width) + 1)
    shares = np.full(len(values), 100 / max(1, len(values)))
    chart.hist(np.clip(values, edges[0], edges[-1]), bins=edges, weights=shares, color=colour, alpha=0.85, rwidth=0.92)
    chart.axvline(0, color=INK, linewidth=0.8)
    chart.set_title(title)
    chart.set_xlabel("won")
    chart.set_ylabel("share, %")


def _marks(chart: Any, summary: Summary) -> None:
    """The mean, the middle half and the chance of ruin."""
    spread = summary.per_session
    chart.axvline(spread.mean / 100, color=LOSS if spread.mean < 0 else GAIN, linewidth=1.6, linestyle="--")
    error = "" if spread.standard_error is None else f" ± {spread.standard_error / 100:,.2f}"
    lines = [
        f"mean {spread.mean / 100:,.2f}{error}",
        f"middle half {spread.quantiles[0.25] / 100:,.0f} to {spread.quantiles[0.75] / 100:,.0f}",
        f"ends ahead {100 * summary.won.share:.1f} %",
        f"ruined {100 * summary.ruin.share:.2f} %",
    ]
    chart.set_ylim(top=1.35 * chart.get_ylim()[1])  # room for the words above the bars
    box = {"facecolor": "white", "edgecolor": GRID, "boxstyle": "round,pad=0.4", "alpha": 0.9}
    chart.text(0.02, 0.97, "\n".join(lines), transform=chart.transAxes, va="top", fontsize=9, color=INK, bbox=box)


def _walks(chart: Any, walks: Sequence[Walk]) -> None:
    """Some sessions round by round, and the range that holds nine in ten of all `walks`."""
    for walk in walks[:LINES]:
        colour = GAIN if walk[-1] > 0 else LOSS
        chart.plot(walk / 100, color=colour, alpha=0.28, linewidth=0.8)
    longest = max((len(walk) for walk in walks), default=1)
    held = np.array([np.concatenate([walk, np.full(longest - len(walk), walk[-1])]) for walk in walks]) / 100
    if len(held):
        low, middle, high = np.quantile(held, (0.05, 0.5, 0.95), axis=0)
        chart.fill_between(np.arange(longest), low, high, color=RESULT, alpha=0.10, linewidth=0, label="nine in ten")
        chart.plot(middle, color=INK, linewidth=1.6, label="median")
        chart.legend(loc="upper left", frameon=False, fontsize=9)
    chart.axhline(0, color=INK, linewidth=0.8)
    chart.set_title(f"The first {len(walks)} sessions, {min(LINES, len(walks))} drawn")
    chart.set_xlabel("round")
    chart.set_ylabel("won so far")


def _falls(chart: Any, falls: npt.NDArray[np.float64]) -> None:
    """The share of sessions whose drawdown reaches each amount."""
    ordered = np.sort(falls)
    share = np.append(100.0, 100 * (1 - np.arange(len(ordered)) / max(1, len(ordered))))
    chart.step(np.append(0.0, ordered), share, where="post", color=FALL, linewidth=1.8)
    chart.fill_between(np.append(0.0, ordered), share, step="post", color=FALL, alpha=0.12, linewidth=0)
    for part in (0.5, 0.95):
        at = float(np.quantile(ordered, part, method="inverted_cdf")) if len(ordered) else 0.0
        chart.plot([at, at], [0, 100 * (1 - part)], color=FAINT, linewidth=0.9, linestyle=":")
        label = f"one in {round(1 / (1 - part))}: {at:,.0f}"
        late = len(ordered) and at > 0.7 * ordered[-1]
        words = {"ha": "right" if late else "left", "fontsize": 9, "color": INK}
        chart.annotate(label, (at, 100 * (1 - part)), (0 if late else 6, 8), textcoords="offset points", **words)
    chart.set_ylim(0, 105)
    chart.set_xlim(left=0)
    chart.set_title("Drawdown: sessions that fall at least this far")
    chart.set_xlabel("below an earlier peak")
    chart.set_ylabel("share of sessions, %")


def _plainly(chart: Any) -> None:
    """Style a chart: thousands separators, a faint grid, no box."""
    from matplotlib.ticker import StrMethodFormatter

    chart.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    chart.yaxis.set_major_formatter(StrMethodFormatter("{x:,.4g}" if "%" in chart.get_ylabel() else "{x:,.0f}"))
    chart.grid(color=GRID, linewidth=0.7)
    chart.set_axisbelow(True)
    chart.tick_params(colors=FAINT, labelsize=9)
    chart.title.set_color(INK)
    chart.title.set_fontsize(11)
    for side in ("top", "right"):
        chart.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        chart.spines[side].set_color(GRID)
