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
    found = report(NEW, 10)
    told = {(row["bet"], row["event"], row["measure"]): row["exact"] for row in rows(found) if row["section"] == "bets"}
    for bet in found.bets:
        for event in bet.events:
            assert told[bet.bet, event.event, "combinations"] == str(event.combinations)
            assert Fraction(told[bet.bet, event.event, "probability"]) == event.probability
            assert Fraction(told[bet.bet, event.event, "return"]) == event.contribution
    (total,) = [row for row in rows(found) if row["measure"] == "coups"]
    assert int(total["exact"]) == found.cover.coups > BEYOND_FLOATS


@each_content
def test_the_csv_is_the_facts(content: Report | Comparison) -> None:
    told = rows(content)
    known = list(facts(content))
    assert len(told) == len(known) > 100
    for row, fact in zip(told, known, strict=True):
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
    found = pq.read_table(BytesIO(table.parquet_table(content)))
    assert found.column_names == [*table.COLUMNS, "integer"]
    assert str(found.schema.field("integer").type) == "decimal128(38, 0)"
    assert str(found.schema.field("exact").type) == "string"
    lines = found.to_pylist()
    assert [line["exact"] for line in lines] == [row["exact"] for row in rows(content)]
    assert [line["value"] for line in lines] == [fact.value for fact in facts(content)]
    wholes = [line for line in lines if line["integer"] is not None]
    assert wholes
    assert all(line["integer"] == Decimal(line["exact"]) for line in wholes)


# JSON


def test_json_keeps_fractions_and_counts_as_text() -> None:
    found = report(NEW, 10)
    told = json.loads(as_json.document(found))
    assert told["cover"]["coups"] == str(found.cover.coups)
    for bet, said in zip(found.bets, told["bets"], strict=True):
        assert Fraction(said["expectation"]) == bet.expectation
        assert sum(int(event["combinations"]) for event in said["events"]) == int(said["combinations"])
        assert sum(Fraction(event["probability"]) for event in said["events"]) == 1
        assert said["house_edge"] == bet.house_edge
    assert told["insurance"][0]["offers"][0]["made"] == str(found.insurance[0].offers[0].made)


def numbers(value: object) -> list[int]:
    if isinstance(value, dict):
        return [one for inner in value.values() for one in numbers(inner)]
    if isinstance(value, list):
        return [one for inner in value for one in numbers(inner)]
    return [value] if isinstance(value, int) else []


@each_content
def test_no_json_number_is_too_large_for_a_float(content: Report | Comparison) -> None:
    told = json.loads(as_json.document(content))
    assert max(numbers(told)) <= 10**9


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
        found = dict(attrs)
        if tag not in ("meta", "line", "polygon"):
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag in ("script", "link", "img", "iframe") or found.get("src"):
            self.reaches.append(tag)
        if found.get("href"):
            self.links.append(str(found["href"]))
        if found.get("id"):
            self.ids.add(str(found["id"]))

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
    found = report(NEW, 10)
    reader = Reader()
    reader.feed(html.page(document(found)).decode())
    told = {cell for row in reader.rows for cell in row}
    for bet in found.bets:
        assert f"{bet.combinations:,}" in told
        assert {f"{event.combinations:,}" for event in bet.events} <= told
    assert {f"{one.made:,}" for one_table in found.insurance for one in one_table.offers} <= told


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
    found = report(name, decks)
    pages = PdfReader(BytesIO(pdf.pdf(document(found)))).pages
    told = {word for page in pages for word in page.extract_text().split()}
    for bet in found.bets:
        assert {f"{event.combinations:,}" for event in bet.events} <= told
        assert bet.paragraph in told
    assert {f"{one.made:,}" for one_table in found.insurance for one in one_table.offers} <= told
    assert {found.cover.data_sha256, found.cover.document_sha256} <= told
    assert {line.number for section in found.sections for line in section.paragraphs if section.number} <= told


def test_without_a_chinese_font_the_names_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never boxes: the page is set without them."""
    monkeypatch.setattr(pdf, "CHINESE", ())
    assert pdf.pdf(document(report())).startswith(b"%PDF-")


# All


@each_content
def test_the_same_report_gives_the_same_bytes(content: Report | Comparison) -> None:
    for made in (as_json.document, table.csv_table, table.parquet_table):
        assert made(content) == made(content)
    assert html.page(document(content)) == html.page(document(content))
