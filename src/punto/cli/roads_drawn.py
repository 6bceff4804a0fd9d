"""Roads on a terminal: letters as well as colours, because colour alone is not enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

RESULT = {"B": "[red]B[/]", "P": "[blue]P[/]", "T": "[green]T[/]", ".": "[dim]·[/]"}
MARK = {"R": "[red]R[/]", "B": "[blue]B[/]", ".": "[dim]·[/]"}
TIES = {".": "[dim]·[/]"}
MARGIN = "  "
DERIVED = {"big_eye": "Big Eye Boy", "small": "Small Road", "cockroach": "Cockroach Pig"}


def draw(screen: Console, boards: dict[str, Any]) -> None:
    """Draw the roads, one below the other."""
    for title, rows in (("Bead plate", boards["bead"]), ("Big Road", boards["big_road"])):
        _grid(screen, title, rows, RESULT)
    if any(cell not in ". " for row in boards["ties"] for cell in row):
        _grid(screen, "Ties on the Big Road", boards["ties"], TIES)
    for key, title in DERIVED.items():
        _grid(screen, f"{title} (R regular, B irregular)", boards[key]["rows"], MARK)
    for side, name in (("B", "Banker"), ("P", "Player")):
        next_marks = ", ".join(f"{title} {boards['ask'][side][key] or 'none'}" for key, title in DERIVED.items())
        screen.print(f"Added if {name} wins next: {next_marks}")
    screen.print("[dim]Roads record the past and change no odds.[/]")


def _grid(screen: Console, title: str, rows: list[str], marks: dict[str, str]) -> None:
    """Draw bands as wide as the screen, so that columns stay intact."""
    screen.print(f"[bold]{title}[/]")
    fit = max(1, (screen.width - len(MARGIN) + 1) // 2)
    for start in range(0, max(1, len(rows[0])), fit):
        if start:
            screen.print()
        for row in rows:
            screen.print(MARGIN + " ".join(marks.get(cell, cell) for cell in row[start : start + fit]))
