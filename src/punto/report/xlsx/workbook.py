"""A report as a workbook with live formulas. Exact integers are text; formulas use integers that fit a spreadsheet.

A spreadsheet's number keeps 15 digits. Every count of a report is therefore divided by the greatest common divisor of
all counts, stated on the sheet: the quotients are below 10¹⁵ and exact. If they are not, no workbook is made.
"""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from functools import reduce
from io import BytesIO
from math import gcd
from typing import Any, Final

from punto.cards import RANKS
from punto.report.compare import PER_MILLION, Comparison
from punto.report.figures import pays
from punto.report.pages.document import facts
from punto.report.records import INSURANCE_NAMES, MOMENT_NAMES, Report, ReportError
from punto.report.xlsx.book import Book
from punto.report.xlsx.simulation import simulation
from punto.report.xlsx.worth import bets, heat, hold, insurance, summary
from punto.rulebook.model import Bet

EXACT_BELOW: Final = 10**15


def workbook(content: Report | Comparison) -> bytes:
    """The content of the file. It carries the report's own date, so the same report gives the same bytes."""
    import xlsxwriter

    cover = content.cover if isinstance(content, Report) else content.new
    made = BytesIO()
    options = {"in_memory": True, "strings_to_numbers": False, "strings_to_formulas": False, "strings_to_urls": False}
    file = xlsxwriter.Workbook(made, options)
    file.set_properties({"title": cover.title, "author": "Punto", "created": dt.datetime.fromisoformat(cover.date)})
    book = Book(file)
    if isinstance(content, Report):
        _report(book, content)
    else:
        _comparison(book, content)
    file.close()
    return made.getvalue()


def divisor(report: Report) -> int:
    """The greatest common divisor of all counts. Raises ReportError if the quotients would still be too large."""
    counts = [event.combinations for bet in report.bets for event in bet.events]
    for table in report.insurance:
        for offer in table.offers:
            counts += (offer.made, offer.won, offer.returned, offer.lost)
    divisor_of_all = reduce(gcd, counts, report.cover.coups)
    if report.cover.coups // divisor_of_all >= EXACT_BELOW:
        raise ReportError("the counts are too large to stay exact in a workbook: write .csv, .parquet or .json instead")
    return divisor_of_all


def _report(book: Book, report: Report) -> None:
    shared = divisor(report)
    front = book.sheet("Cover", (28, 100))
    summed = book.sheet("Summary", (24, 30, 16, 16, 16, 26, 12))
    places = bets(book, report, shared)
    summary(book, summed, report, places)
    _cover(book, front, report.cover.title, facts(report.cover))
    offers = insurance(book, report, shared)
    heat(book, report, offers)
    _plays(book, report)
    hold(book, report, places)
    _moved(book, report)
    _removal(book, report)
    _decks(book, report)
    _rules(book, report)
    simulation(book, report, places, offers)


def _cover(book: Book, sheet: Any, title: str, lines: tuple[tuple[str, str], ...]) -> None:
    sheet.hide_gridlines(2)
    sheet.write_string(0, 0, title, book.title)
    for at, (label, value) in enumerate(lines, 2):
        sheet.write_string(at, 0, label, book.quiet)
        sheet.write_string(at, 1, value, book.text)
    note = "Formulas are live. Figures in small print are exact: integers and fractions as text, never rounded."
    sheet.write_string(len(lines) + 3, 0, note, book.quiet)


def _plays(book: Book, report: Report) -> None:
    sheet = book.sheet("Insured plays", (20, 30, 8, 8, 10, 8, 18, 18, 18, 18, 14))
    limit = report.insurance_limit
    sheet.write_string(0, 0, "Original Bet plus insurance", book.title)
    sheet.write_string(
        1, 0, f"From the offer on, one unit on the insured hand. {limit.number}: {limit.gist}", book.quiet
    )
    heads = (
        "Insurance|Offered|>Player|>Banker|Pays|>Stake|>Expectation alone|>insured|>Deviation alone|>insured|>Given up"
    )
    book.heads(sheet, 3, heads)
    at = 4
    for table in report.insurance:
        for offer in table.offers:
            sheet.write_string(at, 0, INSURANCE_NAMES[table.bet], book.tone(table.bet.side))
            sheet.write_string(at, 1, MOMENT_NAMES[table.after])
            sheet.write_number(at, 2, offer.player_points)
            sheet.write_number(at, 3, offer.banker_points)
            sheet.write_string(at, 4, pays(offer.pays))
            book.ratio(sheet, at, 5, offer.stake)
            for column, value in enumerate((offer.alone, offer.together), 6):
                sheet.write_number(at, column, float(value), book.figure)
            for column, deviation in enumerate((offer.deviation_alone, offer.deviation_together), 8):
                sheet.write_number(at, column, deviation, book.figure)
            sheet.write_formula(at, 10, f"=G{at + 1}-H{at + 1}", book.percent, float(offer.alone - offer.together))
            at += 1
    at += 2
    sheet.write_string(at - 1, 0, "Whole rounds, before a card is seen, per unit of Original Bet", book.bold)
    book.heads(sheet, at, "Original Bet|Insurance|||||>Taken in|>Staked on it|>House edge|>Deviation")
    for below, play in enumerate(report.whole_rounds, 1):
        sheet.write_string(at + below, 0, play.bet.side.value.capitalize(), book.tone(play.bet.side))
        sheet.write_string(at + below, 1, play.strategy)
        sheet.write_number(at + below, 6, float(play.taken), book.percent)
        sheet.write_number(at + below, 7, float(play.insured), book.figure)
        sheet.write_number(at + below, 8, float(-play.expectation), book.percent)
        sheet.write_number(at + below, 9, play.standard_deviation, book.figure)
    sheet.freeze_panes(4, 0)


def _moved(book: Book, report: Report) -> None:
    """Write covariances as figures, and correlations as formulas over them."""
    pairs = {(pair.one, pair.other): pair for pair in report.moved}
    shown = [bet.bet for bet in report.bets]
    for title in ("Covariance", "Correlation"):
        sheet = book.sheet(title, (20, *(11 for _ in shown)))
        sheet.write_string(0, 0, f"{title} of two bets on one round, one unit each", book.title)
        _names(book, sheet, report, shown)
        for down, bet in enumerate(shown):
            for across, other in enumerate(shown):
                pair = pairs[bet, other]
                row, column = down + 3, across + 1
                if title == "Covariance":
                    sheet.write_number(row, column, float(pair.covariance), book.figure)
                    continue
                here = book.at("Covariance", row, column)
                own = f"{book.at('Covariance', row, down + 1)}*{book.at('Covariance', across + 3, column)}"
                sheet.write_formula(row, column, f"={here}/SQRT({own})", book.figure, pair.correlation)
        book.scale(sheet, 3, 1, len(shown) + 2, len(shown), good_is_low=True)
        sheet.freeze_panes(3, 1)


def _names(book: Book, sheet: Any, report: Report, shown: list[Bet]) -> None:
    for at, bet in enumerate(shown):
        sheet.write_string(2, at + 1, report.name_of(bet), book.head)
        sheet.write_string(at + 3, 0, report.name_of(bet), book.tone(bet))


def _removal(book: Book, report: Report) -> None:
    sheet = book.sheet("Removal", (20, *(11 for _ in RANKS)))
    sheet.write_string(0, 0, "Change of expectation when one card of the rank is removed", book.title)
    book.heads(sheet, 2, "|>".join(("Bet", *RANKS)))
    count = book.sheet("Counting", (20, *(6 for _ in RANKS), 12, 18, 16))
    count.write_string(
        0, 0, f"The best linear count in small tags; the cut leaves {report.cut_cards} cards", book.title
    )
    book.heads(count, 2, "|>".join(("Bet", *RANKS, "Kept", "Deviation at cut", "Gain per shoe")))
    for at, counted in enumerate(report.counting, 3):
        for page in (sheet, count):
            page.write_string(at, 0, report.name_of(counted.bet), book.tone(counted.bet))
        for column, rank in enumerate(RANKS, 1):
            if rank in counted.effects:
                sheet.write_number(at, column, float(counted.effects[rank]), book.percent)
                count.write_number(at, column, counted.tags[rank])
        count.write_number(at, len(RANKS) + 1, counted.correlation, book.figure)
        count.write_number(at, len(RANKS) + 2, counted.deviation_at_cut, book.percent)
        count.write_number(at, len(RANKS) + 3, counted.gain_per_shoe, book.figure)
    book.scale(sheet, 3, 1, len(report.counting) + 2, len(RANKS), good_is_low=False)
    sheet.freeze_panes(3, 1)


def _decks(book: Book, report: Report) -> None:
    sheet = book.sheet("Decks", (38, *(13 for _ in report.by_decks)))
    sheet.write_string(0, 0, "House edge by number of decks", book.title)
    book.heads(sheet, 2, "|>".join(("Bet", *(f"{figures.decks} decks" for figures in report.by_decks))))
    for at, bet in enumerate(report.bets, 3):
        sheet.write_string(at, 0, bet.name, book.tone(bet.bet))
        for column, figures in enumerate(report.by_decks, 1):
            sheet.write_number(at, column, float(-figures.expectations[bet.bet]), book.percent)
    last = len(report.bets) + 3
    sheet.write_string(last, 0, "Insurance offers that favour the patron", book.bold)
    for column, figures in enumerate(report.by_decks, 1):
        sheet.write_number(last, column, figures.favourable_offers, book.bold)
    sheet.freeze_panes(3, 1)


def _rules(book: Book, report: Report) -> None:
    sheet = book.sheet("Rules", (14, 120, 14))
    sheet.write_string(0, 0, "The rules in our words; the document itself is the law", book.title)
    lines: list[tuple[str, str, str]] = []
    for section in report.sections:
        lines += [(f"{section.number} {section.title}".strip(), "", "")]
        lines += [(paragraph.number, paragraph.gist, paragraph.kind) for paragraph in section.paragraphs]
    lines += [("Rulings", "Where the document is silent", "")] if report.rulings else []
    lines += [(ruling.number, ruling.gist, ruling.kind) for ruling in report.rulings]
    lines += [("Errata", "Where the document's text is not what it means", "")] if report.errata else []
    lines += [
        (erratum.cite, f"{erratum.says}; read as: {erratum.read_as}", erratum.ruling) for erratum in report.errata
    ]
    for at, (number, gist, kind) in enumerate(lines, 2):
        sheet.write_string(at, 0, number, book.quiet if kind else book.bold)
        sheet.write_string(at, 1, gist, book.text)
        sheet.write_string(at, 2, kind, book.quiet)


def _comparison(book: Book, comparison: Comparison) -> None:
    front = book.sheet("Cover", (28, 100))
    lines = tuple(
        (f"{when}: {label}", value)
        for when, edition in (("Old", comparison.old), ("New", comparison.new))
        for label, value in facts(edition)
    )
    _cover(book, front, f"{comparison.old.id} → {comparison.new.id}", lines)
    sheet = book.sheet("Bets", (20, 14, 52, 52, 14, 14, 14, 18, 12, 12))
    book.heads(sheet, 0, "Bet|Status|Old pays|New pays|>Old edge|>New edge|>Change|>Per million staked|Old §|New §")
    for at, bet in enumerate(comparison.bets, 1):
        sheet.write_string(at, 0, bet.name, book.tone(bet.bet))
        for column, text in (
            (1, bet.status),
            (2, bet.old_pays),
            (3, bet.new_pays),
            (8, bet.old_paragraph),
            (9, bet.new_paragraph),
        ):
            sheet.write_string(at, column, text or "–", book.text)
        _edges(book, sheet, at, 4, bet.old_expectation, bet.new_expectation, bet.change)
        if bet.change is not None:
            sheet.write_formula(at, 7, f"=G{at + 1}*{PER_MILLION}", book.money, float(bet.change * PER_MILLION))
    cells = book.sheet("Insurance", (20, 30, 8, 8, 10, 10, 14, 14, 14))
    book.heads(cells, 0, "Insurance|Offered|>Player|>Banker|Old odds|New odds|>Old edge|>New edge|>Change")
    for at, offer in enumerate(comparison.offers, 1):
        cells.write_string(at, 0, INSURANCE_NAMES[offer.bet], book.tone(offer.bet.side))
        cells.write_string(at, 1, MOMENT_NAMES[offer.after])
        cells.write_number(at, 2, offer.player_points)
        cells.write_number(at, 3, offer.banker_points)
        for column, odds in ((4, offer.old_odds), (5, offer.new_odds)):
            cells.write_string(at, column, "–" if odds is None else pays(odds))
        _edges(book, cells, at, 6, offer.old_expectation, offer.new_expectation, offer.change)
    cells.write_string(
        len(comparison.offers) + 2, 0, f"The same in odds and in worth: {comparison.offers_alike} cells", book.quiet
    )
    felts = book.sheet("Layouts", (10, 12, 14, 60, 60))
    book.heads(felts, 0, "Layout|Status|Positions|Bets added|Bets removed")
    for at, felt in enumerate(comparison.layouts, 1):
        words = (felt.layout, felt.status, felt.positions, ", ".join(felt.bets_added), ", ".join(felt.bets_removed))
        for column, text in enumerate(words):
            felts.write_string(at, column, text, book.text)
    felts.write_string(len(comparison.layouts) + 2, 0, f"The same: {comparison.layouts_alike} layouts", book.quiet)


def _edges(
    book: Book, sheet: Any, at: int, column: int, old: Fraction | None, new: Fraction | None, change: Fraction | None
) -> None:
    """Write old edge, new edge, and the change as a formula over both."""
    for place, value in ((column, old), (column + 1, new)):
        if value is not None:
            sheet.write_number(at, place, float(-value), book.percent)
    if change is not None:
        here, there = book.cell(at, column), book.cell(at, column + 1)
        sheet.write_formula(at, column + 2, f"={there}-{here}", book.percent, float(change))
