"""Figures on a narrow terminal: nothing is cut, whatever the width. A figure cut short is another figure."""

from __future__ import annotations

import pytest

from punto.cli import screen
from tests.cli.program import call

GAME = "tiger-buffalo-commission/2025-11-21"
OLD = "tiger-buffalo-commission/2024-05-14"
COMMANDS = [
    ["odds", GAME, "--beyond"],
    ["odds", "live-baccarat-insurance-commission", "--beyond"],
    ["report", "--compare", OLD, GAME],
    ["rules", "show", GAME],
    ["simulate", GAME, "--shoes", "2", "--engine", "python"],
    ["strategy", GAME, "--bet", "banker=100.00", "--sessions", "3"],
]


@pytest.mark.parametrize("width", [80, 140])
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_figure_is_cut(words: list[str], width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "PIPE_WIDTH", width)
    shown = call(*words)
    assert shown.status == 0
    lines = [line for line in shown.out.splitlines() if "sha256" not in line]  # hashes are shortened on purpose
    assert [line for line in lines if "…" in line] == []
    assert max(map(len, lines)) <= width


def test_every_correlation_stands_where_one_looks_for_it() -> None:
    """Twenty bets do not fit side by side: the rest go into a table below, with the names again."""
    text = call("odds", GAME, "--beyond").out
    (row,) = [line.split() for line in text.splitlines() if line.split()[:3] == ["1", "banker", "1.00"]]
    assert row[3] == "-1.00"
    assert "banker_insurance four-cards" in " ".join(text.split())


def test_a_long_road_is_drawn_in_bands() -> None:
    """A road that is wider than the terminal goes on below; every column stays whole."""
    lines = call("roads", "BP" * 40 + "BB").out.splitlines()
    start = lines.index("Big Road")
    assert lines[start + 1] == "  " + " ".join("BP" * 34 + "B")
    assert lines[start + 2] == "  " + " ".join("·" * 69)
    assert lines[start + 7 : start + 9] == ["", "  " + " ".join("PBPBPBPBPBPB")]
    assert lines[start + 9].split() == [*"·" * 11, "B"]
    assert max(map(len, lines)) <= screen.PIPE_WIDTH
