"""docs/commands.md and docs/generated are what source and transcripts make them: `make docs` writes them anew."""

from __future__ import annotations

import re
import typing
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from docs import commands_page, kinds_page, phases_page
from docs.generate import DOCS, PAGES
from docs.refusals import MEANINGS
from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game.irregularities import kinds
from punto.game.irregularities.published import fields, published
from punto.game.irregularities.rows import REPORTED, ROWS
from punto.game.round import HEARD
from punto.game.table import Phase
from punto.rulebook.model import Rulebook
from tests.every import of_every
from tests.table.test_transcripts import codes

reports, rulings = cache(kinds_page.reports), cache(kinds_page.rulings)
"""Written once: to work them out takes a third of a second."""
SHAPE = re.compile(r"\b[A-Z][a-z]\w+")
SVG = "{http://www.w3.org/2000/svg}"
EACH_KIND = of_every([*typing.get_args(c.AnyCommand), *typing.get_args(e.AnyEvent)])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_page_is_fresh(path: Path) -> None:
    assert path.read_text("utf-8").splitlines() == PAGES[path]().splitlines(), "run: make docs"


@EACH_KIND
def test_every_command_and_event_has_its_section_and_a_sentence(kind: type) -> None:
    name = commands_page.tag(kind)
    text = (DOCS / "commands.md").read_text("utf-8")
    assert re.search(rf"^### {name}\n\n(?!\||```)\S", text, re.MULTILINE), f"{name} has neither docstring nor sentence"
    assert not (kind.__doc__ and name in commands_page.SAYS), f"{name} has a docstring; SAYS is for those without"


def test_every_refusal_has_a_meaning() -> None:
    folder = Path(kinds.__file__).parent
    irregular = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    assert set(MEANINGS) >= codes()
    assert set(MEANINGS) - codes() <= {Code[name].value for name in re.findall(r"\bCode\.(\w+)", irregular)}
    assert {*re.findall(r'refuse\(\s*"([a-z-]+)"', irregular)} <= {*MEANINGS}


# For whoever writes a script by hand


@pytest.mark.parametrize("kind", REPORTED)
def test_every_fact_of_a_kind_has_a_meaning(kind: kinds.Kind) -> None:
    row = re.search(rf"^\| `{kind}` \| (.*) \| (.*) \| .* \| .* \|$", reports(), re.MULTILINE)
    assert row is not None
    for field in fields(ROWS[kind].facts):
        assert f"`{field.name}`" in row[1]
        assert f"`{field.name}`" in row[2], f"nothing says what `{field.name}` of {kind} is"


def test_every_shape_has_its_section() -> None:
    text = (DOCS / "commands.md").read_text("utf-8")
    named = {
        name for cell in re.findall(r"^\| `\w+` \| ([^|]*) \|", text, re.MULTILINE) for name in SHAPE.findall(cell)
    }
    assert {"Entry", "TableLimits"} <= named == {kind.__name__ for kind in commands_page.SHAPES}


@pytest.mark.parametrize("rules", kinds_page.EDITIONS, ids=lambda rules: rules.id)
def test_every_ruling_has_who_gives_it_and_whether_with_a_reason(rules: Rulebook) -> None:
    rows = [line.strip("| ").split(" | ") for line in rulings().splitlines() if line.startswith("| `")]
    documented = {
        (kind, remedy, by, why, year) for kind, remedy, _, _, by, why, years in rows for year in years.split(", ")
    }
    for kind in published(rules):
        for order in kind.rulings[1:]:
            why = "yes" if order.reason_needed else "–"
            assert (f"`{kind.kind}`", order.remedy, order.decided_by, why, kinds_page.year(rules.id)) in documented


# The phase table


def test_every_move_is_drawn_or_said() -> None:
    drawing = ElementTree.fromstring(phases_page.drawing())
    arrows = [path for path in drawing.iter(f"{SVG}path") if path.get("marker-end")]
    assert len(arrows) == len(phases_page.drawn())
    page = phases_page.page()
    for (start, end), commands in phases_page.moves().items():
        for command in commands:
            if start in phases_page.IN_WORDS:
                assert f"- {start.value}: {command} → " in page
            else:
                names = (start.value.replace("-", "_"), end.value.replace("-", "_"))
                assert re.search(rf"^    {names[0]} --> {names[1]} : .*\b{command}\b", page, re.MULTILINE)


def test_every_phase_has_its_place() -> None:
    assert set(phases_page.PLACES) == set(phases_page.KINDS) == set(Phase) == set(HEARD)
    assert len(set(phases_page.PLACES.values())) == len(Phase)


def test_the_grid_is_the_phase_table() -> None:
    header, _, *rows = [line for line in phases_page.grid().splitlines() if line.startswith("|")]
    phases = [Phase(cell.strip()) for cell in header.strip("|").split("|")[1:]]
    heard = {
        (phase, name.strip())
        for name, *cells in (row.strip("|").split("|") for row in rows)
        for phase, cell in zip(phases, cells, strict=True)
        if cell.strip()
    }
    assert heard == {(phase, commands_page.tag(kind)) for phase, kinds in HEARD.items() for kind in kinds}
