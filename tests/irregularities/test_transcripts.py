"""Irregularities as whole tables: scripts, what `punto replay` prints for them, and balances worked out by hand.

`make transcripts` writes the outputs anew; the difference is read before it is kept.
"""

from __future__ import annotations

import json
import re
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from punto.game import events as e
from punto.game import notation
from punto.game.evolve import evolve
from punto.game.irregularities.rows import REPORTED
from punto.game.table import NEW, conserved
from punto.rulebook.model import Rulebook
from tests.every import of_every
from tests.irregularities.laws import BOOKS
from tests.transcripts import reading
from tests.transcripts.reading import Step, Transcript

SOURCE: Final = Path(__file__).parents[2] / "src" / "punto" / "game" / "irregularities"
CITED: Final = re.compile(r"(?<![\w.])(?:[0-9]{1,2}(?:\.[0-9]{1,2})+|[A-Z][0-9]{1,2})(?![\w])")
CUSTOM: Final = {"too-many-of-a-card", "no-such-remedy"}
"""Codes that no transcript here needs to show. The first is shown by the transcript of the shoe. The second comes where
an edition lacks a remedy: `test_remedies` shows it by taking each remedy out."""

NAMES: Final = reading.irregular_names()
each = of_every(NAMES)


def books(transcript: Transcript) -> list[Rulebook]:
    return [BOOKS[edition] for edition in transcript.editions]


def steps() -> Iterator[tuple[Transcript, Step]]:
    for name in NAMES:
        for step in reading.transcript(name).steps:
            yield reading.transcript(name), step


@each
def test_a_script_prints_what_is_on_record(name: str) -> None:
    assert reading.played(name).decode().splitlines() == reading.printed(name).read_text("utf-8").splitlines()


@each
def test_the_balances_worked_out_by_hand_are_the_balances_paid(name: str) -> None:
    assert reading.transcript(name).expected == reading.transcript(name).end["balances"]


@each
def test_a_script_says_what_it_shows_under_which_paragraphs(name: str) -> None:
    first, second, *_ = reading.transcript(name).script.splitlines()
    assert first.startswith("# ")
    cited = CITED.findall(second.partition("Paragraphs: ")[2])
    assert cited
    printed = {number for step in reading.transcript(name).steps for number in cites((step.events, step.refused))}
    for number in cited:
        assert any(book.knows(number) for book in books(reading.transcript(name))), number
        shown = [
            paragraph
            for paragraph in printed
            if paragraph == number or paragraph.startswith(f"{number}.") or number.startswith(f"{paragraph}.")
        ]
        assert shown, f"{number} is announced and does not come up: {sorted(printed)}"


def cites(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "paragraph" and inner is not None:
                yield inner
            yield from cites(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from cites(inner)


@each
def test_every_paragraph_is_one_of_a_governing_edition(name: str) -> None:
    for step in reading.transcript(name).steps:
        cited = set(cites(step.events)) | set(cites(step.refused))
        assert cited, f"{name} {step.number} cites nothing"
        assert all(any(book.knows(number) for book in books(reading.transcript(name))) for number in cited), (
            f"{name} {step.number}"
        )


@each
def test_the_printed_events_keep_every_chip(name: str) -> None:
    table = NEW
    for step in reading.transcript(name).steps:
        for event in step.events:
            table = evolve(table, notation.event(json.dumps(event).encode()))
        assert conserved(table), f"{name} {step.number}"


def test_there_are_enough() -> None:
    assert len(NAMES) >= 45
    stale = {path.stem for path in (reading.FOLDER / "irregularities").glob("*.out")}
    assert stale == {Path(name).name for name in NAMES}


def test_every_event_of_section_5_happens() -> None:
    shown = {event["event"] for _, step in steps() for event in step.events}
    assert {str(kind.__struct_config__.tag) for kind in typing.get_args(e.IrregularEvent)} <= shown


def test_every_refusal_is_met() -> None:
    source = "".join(path.read_text("utf-8") for path in SOURCE.glob("*.py"))
    codes = set(re.findall(r'\brefuse\(\s*"([a-z-]+)"', source)) | {"wrong-rank", "unknown-irregularity"}
    met = {step.refused["code"] for _, step in steps() if step.refused is not None}
    assert codes - CUSTOM <= met


def kinds(edition: str, *, carried_out: bool) -> set[str]:
    """Kinds whose remedy was carried out, or whose ruling by too low a rank was refused, in the editions of one day."""
    seen = set()
    for transcript, step in steps():
        if not any(name.endswith(edition) for name in transcript.editions):
            continue
        reported = [
            earlier for earlier in transcript.steps[: step.number] if earlier.command["do"] == "report-irregularity"
        ]
        if carried_out and any(
            event["event"] in ("play-resumed", "round-voided", "options-opened", "insurance-offered")
            for event in step.events
        ):
            seen |= {report.command["kind"] for report in reported[-1:]}
        if not carried_out and step.refused is not None and step.refused["code"] == "wrong-rank":
            seen |= {report.command["kind"] for report in reported[-1:]}
    return seen


@pytest.mark.parametrize("edition", ["2024-05-14", "2025-11-21", "undated"])
def test_every_row_has_its_remedy_and_its_refusal_of_rank(edition: str) -> None:
    rules = next(book for name, book in BOOKS.items() if name.endswith(edition))
    heard = (row for row in rules.irregularities.values() if row.goes_by != "late-wagers")
    rows = {row.id: row for row in heard if row.id in REPORTED}
    assert set(rows) <= kinds(edition, carried_out=True)
    ranked = {kind for kind, row in rows.items() if row.decided_by not in ("nobody", "dealer")}
    assert ranked <= kinds(edition, carried_out=False)
