"""The workbook read back: exact integers as text, formulas that come to the same numbers, nothing rounded."""

from __future__ import annotations

import re
from functools import cache

import pytest

from punto.report.records import INSURANCE_NAMES, MOMENT_NAMES, ReportError
from punto.report.xlsx.workbook import EXACT_BELOW, divisor, workbook
from tests.report.made import BEYOND_FLOATS, LIVE, NEW, checked, comparison, report
from tests.report.recalculation import Sheet, Workbook

SHOES = [(NEW, 8), (NEW, 10), (LIVE, 6)]
CHECKED = (NEW, 8)
"""The shoe whose report has a simulation check."""
each_shoe = pytest.mark.parametrize(("name", "decks"), SHOES)
TIGHT = 1e-15


@cache
def book(name: str, decks: int) -> Workbook:
    return Workbook(workbook(checked(name, decks) if (name, decks) == CHECKED else report(name, decks)))


def find(page: Sheet, column: str, text: str) -> list[int]:
    """Rows whose cell in a column says this."""
    return [
        int(cell[len(column) :])
        for cell, said in page.texts.items()
        if re.fullmatch(rf"{column}[0-9]+", cell) and said == text
    ]


@each_shoe
def test_every_bet_stands_in_its_block_and_its_formulas_hold(name: str, decks: int) -> None:
    spreadsheet = book(name, decks)
    page = spreadsheet.sheets["Bets"]
    for bet in report(name, decks).bets:
        (top,) = [row for row in find(page, "A", bet.name) if page.texts.get(f"A{row + 1}") == "Event"]
        for row, event in enumerate(bet.events, top + 2):
            assert page.texts[f"A{row}"] == event.event
            assert page.texts[f"E{row}"] == str(event.combinations)
            assert page.formulas[f"G{row}"] == f"F{row}/'Bets'!$F$5"
            assert page.formulas[f"H{row}"] == f"G{row}*D{row}"
            assert abs(spreadsheet.value("Bets", f"G{row}") - event.probability) <= TIGHT
            assert abs(spreadsheet.value("Bets", f"H{row}") - event.contribution) <= TIGHT
        total = top + 2 + len(bet.events)
        assert page.texts[f"E{total}"] == str(bet.combinations)
        assert spreadsheet.value("Bets", f"F{total}") == spreadsheet.value("Bets", "F5")
        assert abs(spreadsheet.value("Bets", f"G{total}") - 1) <= TIGHT
        assert abs(spreadsheet.value("Bets", f"H{total}") - bet.expectation) <= TIGHT
        assert abs(spreadsheet.value("Bets", f"H{total + 1}") + bet.expectation) <= TIGHT
        assert abs(spreadsheet.value("Bets", f"H{total + 2}") - bet.hit_frequency) <= TIGHT
        assert spreadsheet.value("Bets", f"H{total + 3}") == pytest.approx(bet.standard_deviation, rel=1e-14)
        assert page.texts[f"H{total + 4}"] == str(bet.expectation)


@each_shoe
def test_every_offer_has_its_line_and_its_formulas_hold(name: str, decks: int) -> None:
    spreadsheet = book(name, decks)
    page = spreadsheet.sheets["Insurance"]
    row = 4
    for table in report(name, decks).insurance:
        for offer in table.offers:
            row += 1
            assert (page.texts[f"A{row}"], page.texts[f"B{row}"]) == (
                INSURANCE_NAMES[table.bet],
                MOMENT_NAMES[table.after],
            )
            assert (page.numbers[f"C{row}"], page.numbers[f"D{row}"]) == (offer.player_points, offer.banker_points)
            assert page.texts[f"G{row}"] == str(offer.made)
            for column, exact in zip(
                "LMNOPQ",
                (
                    offer.reached,
                    offer.won_share,
                    offer.returned_share,
                    offer.lost_share,
                    offer.expectation,
                    -offer.expectation,
                ),
                strict=True,
            ):
                assert abs(spreadsheet.value("Insurance", f"{column}{row}") - exact) <= TIGHT
            assert spreadsheet.value("Insurance", f"T{row}") == ("favours the patron" if offer.favours_patron else "")
    assert f"A{row + 1}" not in page.texts


@each_shoe
def test_every_formula_comes_to_its_cached_value(name: str, decks: int) -> None:
    """So a viewer that does not calculate shows the same as one that does."""
    spreadsheet = book(name, decks)
    seen = 0
    for title, page in spreadsheet.sheets.items():
        for cell, cached in page.cached.items():
            worked = spreadsheet.value(title, cell)
            if isinstance(worked, str):
                assert worked == cached
            else:
                assert abs(worked - float(cached)) <= 1e-14 * max(1, abs(worked)), f"{title} {cell}"
            seen += 1
    assert seen > 1000


@each_shoe
def test_no_number_is_beyond_what_a_spreadsheet_keeps(name: str, decks: int) -> None:
    """Whatever is written as a number is read back as the same number, with at most 15 digits if it is whole."""
    for page in book(name, decks).sheets.values():
        for written in page.written.values():
            if re.fullmatch(r"-?[0-9]+", written):
                assert abs(int(written)) < EXACT_BELOW
                assert int(float(written)) == int(written)


def test_ten_decks_go_beyond_floats_and_stay_exact() -> None:
    coups = report(NEW, 10).cover.coups
    page = book(NEW, 10).sheets["Bets"]
    assert coups > BEYOND_FLOATS
    assert page.texts["E3"] == str(coups)
    assert int(page.numbers["F4"]) * int(page.numbers["F5"]) == coups


@each_shoe
def test_the_counts_divided_are_the_counts(name: str, decks: int) -> None:
    shared = divisor(report(name, decks))
    page = book(name, decks).sheets["Bets"]
    for cell, exact in page.texts.items():
        if cell.startswith("E") and exact.isdigit() and f"F{cell[1:]}" in page.numbers:
            assert int(page.numbers[f"F{cell[1:]}"]) * shared == int(exact)


def test_counts_that_do_not_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.report.xlsx.workbook.EXACT_BELOW", 10**6)
    with pytest.raises(ReportError, match=r"too large to stay exact"):
        workbook(report())


def test_the_sheets_of_a_report() -> None:
    worth = ["Cover", "Summary", "Bets", "Insurance", "Heat maps", "Insured plays", "Hold"]
    risk = ["Covariance", "Correlation", "Removal", "Counting", "Decks", "Rules", "Simulation"]
    assert list(book(NEW, 10).sheets) == [*worth, *risk]
    assert list(book(*CHECKED).sheets) == [*worth, *risk, "Outcomes"]


def test_heat_maps_refer_to_the_offers() -> None:
    spreadsheet = book(NEW, 8)
    page = spreadsheet.sheets["Heat maps"]
    offers = sum(len(table.offers) for table in report(NEW, 8).insurance)
    assert len(page.formulas) == offers
    assert all(formula.startswith("'Insurance'!Q") for formula in page.formulas.values())


def test_a_comparison_as_a_workbook() -> None:
    spreadsheet = Workbook(workbook(comparison("tiger-buffalo-commission/2025-11-21", NEW)))
    page = spreadsheet.sheets["Bets"]
    (row,) = find(page, "A", "Banker")
    (change,) = [
        bet.change for bet in comparison("tiger-buffalo-commission/2025-11-21", NEW).bets if bet.bet == "banker"
    ]
    assert change is not None
    assert page.texts[f"B{row}"] == "odds changed"
    assert spreadsheet.value("Bets", f"G{row}") == pytest.approx(float(change), abs=1e-15)
    assert spreadsheet.value("Bets", f"H{row}") == pytest.approx(float(change * 10**6), abs=1e-8)


def test_the_same_report_gives_the_same_workbook() -> None:
    assert workbook(report()) == workbook(report())
