"""docs/irregularities.md: its table names every kind and paragraph there is, and its examples are played."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

from punto.cli import replay
from punto.game.irregularities.rows import REPORTED
from tests.irregularities.laws import BOOKS

TEXT: Final = (Path(__file__).parents[2] / "docs" / "irregularities.md").read_text("utf-8")
OPENING: Final = re.findall(r"```jsonl opening\n(.*?)```", TEXT, re.DOTALL)[0]
EXAMPLES: Final = re.findall(r"```jsonl\n(.*?)```\n→ ann (\S+), bob (\S+)\n", TEXT, re.DOTALL)
ROWS: Final = {
    kind: [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if line.startswith("| ")
    and "| decides |" not in line
    and (kind := next(iter(re.findall(r"\| `([a-z-]+)`", line)), None))
}
SHORT: Final = {"dealer": "D", "pit-supervisor": "PS", "pit-manager": "PM", "shift-manager": "SM", "nobody": "–"}


@pytest.mark.parametrize(("script", "ann", "bob"), EXAMPLES)
def test_an_example_comes_to_what_it_says(script: str, ann: str, bob: str) -> None:
    answers, refused = replay.run((OPENING + script).encode().splitlines())
    assert not refused, answers
    assert json.loads(answers[-1])["balances"] == {"ann": ann, "bob": bob}


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == TEXT.count("```jsonl\n") >= 5


def test_the_table_has_every_kind() -> None:
    assert set(ROWS) == set(REPORTED)


@pytest.mark.parametrize(("edition", "column"), [("2024-05-14", 5), ("2025-11-21", 6), ("undated", 7)])
@pytest.mark.parametrize("kind", REPORTED)
def test_a_row_cites_its_paragraph_and_its_rank_in_each_edition(kind: str, edition: str, column: int) -> None:
    rules = next(book for name, book in BOOKS.items() if name.endswith(edition))
    row, cells = rules.irregularities.get(kind), ROWS[kind]
    cell = cells[column]
    if row is None:
        assert cell == "–"
        return
    cited = re.findall(r"[A-Z]?[0-9]+(?:\.[0-9]+)*", cell)
    assert cited
    assert all(rules.knows(number) for number in cited)
    assert any(row.cite.startswith(number) or number.startswith(row.cite.rpartition(".")[0]) for number in cited)
    year = {"2024-05-14": "24", "2025-11-21": "25", "undated": "Live"}[edition]
    own = re.search(rf"\({year} (\S+?)\)", cells[4])
    least = own.group(1) if own is not None else cells[4].split(" ")[0]
    assert least == SHORT[row.decided_by]
