"""Every other format read back: CSV, Parquet, JSON, HTML, PDF. Exact figures survive; same report, same bytes."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser
from io import BytesIO, StringIO

import pyarrow.parquet as pq
import pytest
from pypdf import PdfReader

from punto.report import as_json, html, pdf, table
from punto.report.compare import Comparison
from punto.report.facts import facts
from punto.report.pages.document import document
from punto.report.records import Report
from tests.report.made import BEYOND_FLOATS, COMMISSION, LIVE, NEW, OLD, checked, comparison, report

CONTENTS: dict[str, Callable[[], Report | Comparison]] = {
    "ten decks": lambda: report(NEW, 10),
    "live": lambda: report(LIVE, 6),
    "layout M": lambda: report(NEW, 8, "M"),
    "checked": lambda: checked(NEW, 8),
    "comparison": lambda: comparison(OLD, NEW),
    "other game": lambda: comparison(LIVE, NEW, 8),
}
each_content = pytest.mark.parametrize("content", CONTENTS, indirect=True)


@pytest.fixture
def content(request: pytest.FixtureRequest) -> Report | Comparison:
    return CONTENTS[request.param]()


def rows(content: Report | Comparison) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(table.csv_table(content).decode())))


# CSV and Parquet


def test_the_csv_holds_every_count_as_it_is() -> None:
    original = report(NEW, 10)
    exact = {
        (row["bet"], row["event"], row["measure"]): row["exact"] for row in rows(original) if row["section"] == "bets"
    }
    for bet in original.bets:
        for event in bet.events:
            assert exact[bet.bet, event.event, "combinations"] == str(event.combinations)
            assert Fraction(exact[bet.bet, event.event, "probability"]) == event.probability
            assert Fraction(exact[bet.bet, event.event, "return"]) == event.contribution
    (total,) = [row for row in rows(original) if row["measure"] == "coups"]
    assert int(total["exact"]) == original.cover.coups > BEYOND_FLOATS


@each_content
def test_the_csv_is_the_facts(content: Report | Comparison) -> None:
    lines = rows(content)
    known = list(facts(content))
    assert len(lines) == len(known) > 100
    for row, fact in zip(lines, known, strict=True):
        assert row["exact"] == fact.exact
        assert (float(row["value"]) if row["value"] else None) == fact.value


def test_a_fact_is_told_once() -> None:
    about = [tuple(value for key, value in row.items() if key not in ("exact", "value")) for row in rows(checked())]
    assert len(about) == len(set(about))


def test_a_float_beside_a_fraction_is_that_fraction() -> None:
    for fact in facts(report()):
        if fact.value is not None and re.fullmatch(r"-?[0-9]+(/[0-9]+)?", fact.exact):
            assert fact.value == float(Fraction(fact.exact))


@each_content
def test_the_parquet_says_what_the_csv_says(content: Report | Comparison) -> None:
    parquet = pq.read_table(BytesIO(table.parquet_table(content)))
    assert parquet.column_names == [*table.COLUMNS, "integer"]
    assert str(parquet.schema.field("integer").type) == "decimal128(38, 0)"
    assert str(parquet.schema.field("exact").type) == "string"
    lines = parquet.to_pylist()
    assert [line["exact"] for line in lines] == [row["exact"] for row in rows(content)]
    assert [line["value"] for line in lines] == [fact.value for fact in facts(content)]
    wholes = [line for line in lines if line["integer"] is not None]
    assert wholes
    assert all(line["integer"] == Decimal(line["exact"]) for line in wholes)


# JSON


def test_json_keeps_fractions_and_counts_as_text() -> None:
    original = report(NEW, 10)
    data = json.loads(as_json.document(original))
    assert data["cover"]["coups"] == str(original.cover.coups)
    for bet, said in zip(original.bets, data["bets"], strict=True):
        assert Fraction(said["expectation"]) == bet.expectation
        assert sum(int(event["combinations"]) for event in said["events"]) == int(said["combinations"])
        assert sum(Fraction(event["probability"]) for event in said["events"]) == 1
        assert said["house_edge"] == bet.house_edge
    assert data["insurance"][0]["offers"][0]["made"] == str(original.insurance[0].offers[0].made)


def numbers(value: object) -> list[int]:
    if isinstance(value, dict):
        return [number for inner in value.values() for number in numbers(inner)]
    if isinstance(value, list):
        return [number for inner in value for number in numbers(inner)]
    return [value] if isinstance(value, int) else []


@each_content
def test_no_json_number_is_too_large_for_a_float(content: Report | Comparison) -> None:
    data = json.loads(as_json.document(content))
    assert max(numbers(data)) <= 10**9


# HTML


class Reader(HTMLParser):
    """Collects text, the tables' rows, and anything that reaches out of the file."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.reaches: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag not in ("meta", "line", "polygon"):
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag in ("script", "link", "img", "iframe") or attributes.get("src"):
            self.reaches.append(tag)
        if attributes.get("href"):
            self.links.append(str(attributes["href"]))
        if attributes.get("id"):
            self.ids.add(str(attributes["id"]))

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "polygon"):
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data


@each_content
def test_the_page_stands_alone_and_is_well_formed(content: Report | Comparison) -> None:
    text = html.page(document(content)).decode()
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert reader.reaches == []
    assert all(link.startswith("#") and link[1:] in reader.ids for link in reader.links)
    assert "@import" not in text
    assert "url(" not in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_the_page_shows_every_count() -> None:
    original = report(NEW, 10)
    reader = Reader()
    reader.feed(html.page(document(original)).decode())
    cells = {cell for row in reader.rows for cell in row}
    for bet in original.bets:
        assert f"{bet.combinations:,}" in cells
        assert {f"{event.combinations:,}" for event in bet.events} <= cells
    assert {f"{offer.made:,}" for one_table in original.insurance for offer in one_table.offers} <= cells


def test_the_page_shows_chinese_names_and_paragraphs() -> None:
    text = html.page(document(report())).decode()
    assert "閒" in text
    assert "3.12.2" in text
    assert "made without a simulation" in text


# PDF


@pytest.mark.parametrize("content", ["live", "checked", "comparison"], indirect=True)
def test_a_pdf_is_made_the_same_every_time(content: Report | Comparison) -> None:
    first = pdf.pdf(document(content))
    assert first.startswith(b"%PDF-")
    assert first == pdf.pdf(document(content))


@pytest.mark.parametrize(("name", "decks"), [(NEW, 10), (COMMISSION, 8)])
def test_the_pdf_says_every_count_and_paragraph(name: str, decks: int) -> None:
    original = report(name, decks)
    pages = PdfReader(BytesIO(pdf.pdf(document(original)))).pages
    words = {word for page in pages for word in page.extract_text().split()}
    for bet in original.bets:
        assert {f"{event.combinations:,}" for event in bet.events} <= words
        assert bet.paragraph in words
    assert {f"{offer.made:,}" for one_table in original.insurance for offer in one_table.offers} <= words
    assert {original.cover.data_sha256, original.cover.document_sha256} <= words
    assert {line.number for section in original.sections for line in section.paragraphs if section.number} <= words


def test_without_a_chinese_font_the_names_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is set without the Chinese names, never with empty boxes in their place."""
    monkeypatch.setattr(pdf, "CHINESE", ())
    assert pdf.pdf(document(report())).startswith(b"%PDF-")


# All


@each_content
def test_the_same_report_gives_the_same_bytes(content: Report | Comparison) -> None:
    for made in (as_json.document, table.csv_table, table.parquet_table):
        assert made(content) == made(content)
    assert html.page(document(content)) == html.page(document(content))
