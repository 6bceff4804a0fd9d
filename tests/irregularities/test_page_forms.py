"""The page's forms come from the published rows: they name no kind and no field, and the page has words for each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from punto.game.irregularities.published import Field, Reported, published
from tests.irregularities.laws import BOOKS

PIT = Path(__file__).parents[2] / "web" / "src" / "pit"
FORMS = ("Approvals", "CardRows", "DecideForm", "Field", "Follows", "Form", "Irregular", "ReportForm", "asked", "form")
KINDS: list[Reported] = [reported for rules in BOOKS.values() for reported in published(rules)]
FIELDS: list[tuple[str, Field]] = [
    (reported.kind, field)
    for reported in KINDS
    for field in (*reported.fields, *(field for ruling in reported.rulings for field in ruling.fields))
]
WAYS = {(name, value) for reported in KINDS for ruling in reported.rulings for name, value in ruling.says.items()}
TYPES = {field.type for _, field in FIELDS} | {field.holds for _, field in FIELDS}
"""Types of fields: words that the page may name."""
BESIDES = {"player", "banker", "pay"}
"""Field names that are also names of the hands or of other things."""


def code(file: Path) -> str:
    text = re.sub(r"<style>.*?</style>|/\*.*?\*/|<!--.*?-->", "", file.read_text(), flags=re.DOTALL)
    return re.sub(r"^\s*//.*$|\b(?:import|export) .* from .*$", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("file", [path for path in PIT.iterdir() if path.stem in FORMS], ids=lambda file: file.name)
def test_no_field_and_no_kind_is_named_by_hand(file: Path) -> None:
    names = {field.name for _, field in FIELDS} | {name for name, _ in WAYS}
    fields = "|".join(sorted(names - TYPES - BESIDES))
    said = re.findall(rf"""["'`.](?:{fields})["'`]|\.(?:{fields})\b|\b(?:{fields})\??:""", code(file))
    assert said == []
    kinds = "|".join(word for word in {kind.kind.value for kind in KINDS} - names - TYPES)
    assert re.findall(rf"""["'`](?:{kinds})["'`]""", code(file)) == []


def test_the_page_has_words_for_every_kind_field_and_ruling() -> None:
    files = (PIT / "words.ts", PIT / "kinds" / "words.ts")
    known = {key for file in files for key in re.findall(r'^  "?([\w.-]+)"?: \[', file.read_text(), re.MULTILINE)}
    keys = {f"kind.{reported.kind}" for reported in KINDS}
    marks = {name for name, _ in WAYS}
    keys |= {f"fact.{field.name}" for _, field in FIELDS if not field.short and field.name not in marks}
    keys |= {f"{field.name}.{value}" for _, field in FIELDS for value in field.choices if field.type == "choice"}
    keys |= {f"{name}.{str(value).lower()}" for name, value in WAYS}
    keys |= {f"remedy.{ruling.remedy}" for reported in KINDS for ruling in reported.rulings if not ruling.says}
    assert not keys - known
