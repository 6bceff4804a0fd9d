"""The sheets whose figures are formulas: bets, summary, insurance, heat maps, bands of the actual hold."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from punto.report.content import BAND_ROUNDS, Z_95, Z_9973
from punto.report.figures import pays
from punto.report.records import INSURANCE_NAMES, MOMENT_NAMES, BetSheet, OfferSheet, OfferTable, Report
from punto.report.xlsx.book import Book
from punto.rulebook.model import Bet, Insurance, Moment

TOTAL: Final = "'Bets'!$F$5"
"""The cell with the reduced total, for formulas on all sheets."""
BETS_TOP: Final = 6


class Places(NamedTuple):
    """The cells with a bet's figures on the sheet of bets."""

    hit: str
    edge: str
    deviation: str


def bets(book: Book, report: Report, shared: int) -> dict[Bet, Places]:
    """Write the sheet of bets: Event | Pays | Combinations | Probability | Return, one block per bet."""
    sheet = book.sheet("Bets", (44, 10, 12, 10, 22, 22, 16, 16, 12))
    sheet.write_string(0, 0, "Every bet", book.title)
    words = (
        "Counts are ordered sequences of six cards. Exact counts are text; formulas use them divided by what all share."
    )
    sheet.write_string(1, 0, words, book.quiet)
    sheet.write_string(2, 0, "Combinations in all")
    sheet.write_string(2, 4, str(report.cover.coups), book.exact)
    sheet.write_string(3, 0, "Greatest divisor of all counts")
    sheet.write_number(3, 5, shared, book.count)
    sheet.write_string(4, 0, "Combinations in all, divided")
    sheet.write_number(4, 5, report.cover.coups // shared, book.count)
    places: dict[Bet, Places] = {}
    at = BETS_TOP
    for bet in report.bets:
        places[bet.bet] = _bet(book, sheet, bet, at, shared)
        at += len(bet.events) + 8
    sheet.ignore_errors({"number_stored_as_text": "A1:I2000"})
    return places


def _bet(book: Book, sheet: Any, bet: BetSheet, top: int, shared: int) -> Places:
    sheet.write_string(top, 0, bet.name, book.tone(bet.bet))
    sheet.write_string(top, 1, f"{bet.paragraph}; layouts {' '.join(bet.layouts)}", book.quiet)
    heads = "Event|Result|Pays|>Pays, net|>Combinations, exact|>Combinations, divided|>Probability|>Return|Paragraph"
    book.heads(sheet, top + 1, heads)
    first = top + 2
    for at, event in enumerate(bet.events, first):
        row = at + 1
        sheet.write_string(at, 0, event.event)
        sheet.write_string(at, 1, event.result)
        sheet.write_string(at, 2, pays(event.pays) if event.result == "won" else event.result)
        book.ratio(sheet, at, 3, event.pays)
        sheet.write_string(at, 4, str(event.combinations), book.exact)
        sheet.write_number(at, 5, event.combinations // shared, book.count)
        sheet.write_formula(at, 6, f"=F{row}/{TOTAL}", book.figure, float(event.probability))
        sheet.write_formula(at, 7, f"=G{row}*D{row}", book.figure, float(event.contribution))
        sheet.write_string(at, 8, event.paragraph, book.quiet)
    end = first + len(bet.events)
    span = {letter: f"{letter}{first + 1}:{letter}{end}" for letter in "BDFGH"}
    for column in range(9):
        sheet.write_blank(end, column, None, book.total)
    sheet.write_string(end, 0, "Total", book.total)
    sheet.write_string(end, 4, str(bet.combinations), book.total_exact)
    sheet.write_formula(end, 5, f"=SUM({span['F']})", book.total_count, bet.combinations // shared)
    sheet.write_formula(end, 6, f"=SUM({span['G']})", book.total_figure, 1)
    sheet.write_formula(end, 7, f"=SUM({span['H']})", book.total_figure, float(bet.expectation))
    labels = ("House edge", "Hit frequency", "Deviation", "Expectation, exact")
    for at, label in enumerate(labels, end + 1):
        sheet.write_string(at, 0, label, book.quiet)
    whole = f"H{end + 1}"
    squares = f"SUMPRODUCT({span['G']},{span['D']},{span['D']})"
    sheet.write_formula(end + 1, 7, f"=-{whole}", book.percent, bet.house_edge)
    sheet.write_formula(end + 2, 7, f'=SUMIF({span["B"]},"won",{span["G"]})', book.percent, float(bet.hit_frequency))
    sheet.write_formula(end + 3, 7, f"=SQRT({squares}-{whole}*{whole})", book.figure, bet.standard_deviation)
    sheet.write_string(end + 4, 7, str(bet.expectation), book.exact)
    edge, hit, deviation = (book.at("Bets", end + line, 7) for line in (1, 2, 3))
    return Places(hit, edge, deviation)


def summary(book: Book, sheet: Any, report: Report, places: dict[Bet, Places]) -> None:
    """Write one row per bet, best for the patron first, and a chart of the house edge."""
    sheet.write_string(0, 0, "Bets, best for the patron first", book.title)
    book.heads(sheet, 2, "Bet|Pays|>Hit frequency|>House edge|>Deviation|Flag|Paragraph")
    for at, bet in enumerate(report.by_edge(), 3):
        place = places[bet.bet]
        sheet.write_string(at, 0, bet.name, book.tone(bet.bet))
        sheet.write_string(at, 1, " / ".join(pays(event.pays) for event in bet.events if event.result == "won"))
        sheet.write_formula(at, 2, f"={place.hit}", book.percent, float(bet.hit_frequency))
        sheet.write_formula(at, 3, f"={place.edge}", book.percent, bet.house_edge)
        sheet.write_formula(at, 4, f"={place.deviation}", book.figure, bet.standard_deviation)
        flag = "favours the patron" if bet.favours_patron else ""
        sheet.write_formula(at, 5, f'=IF(D{at + 1}<0,"favours the patron","")', book.bold, flag)
        sheet.write_string(at, 6, bet.paragraph, book.quiet)
    last = len(report.bets) + 2
    chart = book.file.add_chart({"type": "bar"})
    chart.add_series(
        {
            "name": "House edge",
            "categories": ["Summary", 3, 0, last, 0],
            "values": ["Summary", 3, 3, last, 3],
            "fill": {"color": "#9a6b00"},
            "gap": 40,
        }
    )
    chart.set_y_axis({"reverse": True})
    chart.set_x_axis({"num_format": "0%", "major_gridlines": {"visible": True, "line": {"color": "#d3dae1"}}})
    chart.set_legend({"none": True})
    chart.set_title({"name": "House edge", "name_font": {"size": 12}})
    chart.set_size({"width": 760, "height": 60 + 22 * len(report.bets)})
    sheet.insert_chart(last + 2, 0, chart)
    sheet.fit_to_pages(1, 1)
    sheet.freeze_panes(3, 1)


Key = tuple[Insurance, Moment, int, int]


def insurance(book: Book, report: Report, shared: int) -> dict[Key, str]:
    """Write one row per offer. Returns the cell with the house edge of each offer."""
    widths = (20, 28, 8, 8, 10, 8, 20, 18, 18, 18, 18, 12, 12, 12, 12, 14, 12, 14, 14, 20, 10)
    sheet = book.sheet("Insurance", widths)
    sheet.write_string(0, 0, "Insurance: every offer", book.title)
    words = "Offered is out of all coups; won, returned and lost are given the offer. Counts are divided as for bets."
    sheet.write_string(1, 0, words, book.quiet)
    book.heads(
        sheet,
        3,
        "Insurance|Offered|>Player|>Banker|Pays|>Pays, net|>Combinations, exact|>Combinations, divided|>Won, divided|"
        ">Returned, divided|>Lost, divided|>Offered in|>Won|>Returned|>Lost|>Expectation|>House edge|>Deviation|"
        "A tie|Flag|Paragraph",
    )
    cells: dict[Key, str] = {}
    at = 4
    for table in report.insurance:
        for offer in table.offers:
            _offer(book, sheet, table, offer, at, shared)
            cells[table.bet, table.after, offer.player_points, offer.banker_points] = book.at("Insurance", at, 16)
            at += 1
    sheet.freeze_panes(4, 4)
    sheet.ignore_errors({"number_stored_as_text": f"G1:G{at}"})
    return cells


def _offer(book: Book, sheet: Any, table: OfferTable, offer: OfferSheet, at: int, shared: int) -> None:
    row = at + 1
    sheet.write_string(at, 0, INSURANCE_NAMES[table.bet], book.tone(table.bet.side))
    sheet.write_string(at, 1, MOMENT_NAMES[table.after])
    sheet.write_number(at, 2, offer.player_points)
    sheet.write_number(at, 3, offer.banker_points)
    sheet.write_string(at, 4, pays(offer.pays))
    book.ratio(sheet, at, 5, offer.pays)
    sheet.write_string(at, 6, str(offer.made), book.exact)
    for column, combinations in enumerate((offer.made, offer.won, offer.returned, offer.lost), 7):
        sheet.write_number(at, column, combinations // shared, book.count)
    sheet.write_formula(at, 11, f"=H{row}/{TOTAL}", book.percent, float(offer.reached))
    shares = (offer.won_share, offer.returned_share, offer.lost_share)
    for column, letter, share in zip((12, 13, 14), "IJK", shares, strict=True):
        sheet.write_formula(at, column, f"={letter}{row}/H{row}", book.percent, float(share))
    sheet.write_formula(at, 15, f"=M{row}*F{row}-O{row}", book.figure, float(offer.expectation))
    sheet.write_formula(at, 16, f"=-P{row}", book.percent, offer.house_edge)
    spread = f"=SQRT(M{row}*F{row}*F{row}+O{row}-P{row}*P{row})"
    sheet.write_formula(at, 17, spread, book.figure, offer.standard_deviation)
    sheet.write_string(at, 18, "paid" if offer.tie_pays else "returned")
    flag = "favours the patron" if offer.favours_patron else ""
    sheet.write_formula(at, 19, f'=IF(P{row}>0,"favours the patron","")', book.bold, flag)
    sheet.write_string(at, 20, offer.paragraph, book.quiet)


def heat(book: Book, report: Report, places: dict[Key, str]) -> None:
    """Write the heat maps: house edge by the points of both hands, coloured."""
    sheet = book.sheet("Heat maps", (14, *(8 for _ in range(10))))
    sheet.write_string(0, 0, "House edge by points: Player down, Banker across", book.title)
    top = 2
    for table in report.insurance:
        title = f"{INSURANCE_NAMES[table.bet]} {MOMENT_NAMES[table.after]}"
        sheet.write_string(top, 0, title, book.tone(table.bet.side))
        sheet.write_string(top + 1, 0, "Player \\ Banker", book.quiet)
        for points in range(10):
            sheet.write_number(top + 1, points + 1, points, book.points)
            sheet.write_number(top + 2 + points, 0, points, book.points)
            for banker in range(10):
                sheet.write_blank(top + 2 + points, banker + 1, None, book.map)
        for offer in table.offers:
            place = (top + 2 + offer.player_points, offer.banker_points + 1)
            edge = places[table.bet, table.after, offer.player_points, offer.banker_points]
            sheet.write_formula(*place, f"={edge}", book.map, offer.house_edge)
        book.scale(sheet, top + 2, 1, top + 11, 10, good_is_low=True)
        top += 14
    sheet.fit_to_pages(1, 1)


def hold(book: Book, report: Report, places: dict[Bet, Places]) -> None:
    """Write the bands of the actual hold: house edge ± z × deviation / √rounds."""
    sheet = book.sheet("Hold", (24, 14, *(13 for _ in range(2 * len(BAND_ROUNDS)))))
    sheet.write_string(0, 0, "Bands of the actual hold by number of rounds", book.title)
    top = 2
    for label, z, low, high in (("95 %", Z_95, "low_95", "high_95"), ("99.73 %", Z_9973, "low_9973", "high_9973")):
        sheet.write_string(top, 0, f"{label} of all runs, z =", book.bold)
        sheet.write_number(top, 1, z)
        sheet.write_string(top + 1, 0, "Bet", book.head)
        sheet.write_string(top + 1, 1, "House edge", book.head)
        for at, rounds in enumerate(BAND_ROUNDS):
            sheet.write_number(top + 1, 2 + 2 * at, rounds, book.count)
            sheet.write_string(top + 1, 3 + 2 * at, "rounds", book.head)
        for row, bet in enumerate(report.bets, top + 2):
            place = places[bet.bet]
            sheet.write_string(row, 0, bet.name, book.tone(bet.bet))
            sheet.write_formula(row, 1, f"={place.edge}", book.percent, bet.house_edge)
            for at, band in enumerate(bet.bands):
                error = f"{book.cell(top, 1)}*{place.deviation}/SQRT({book.cell(top + 1, 2 + 2 * at)})"
                edge = book.cell(row, 1)
                sheet.write_formula(row, 2 + 2 * at, f"={edge}-{error}", book.percent, getattr(band, low))
                sheet.write_formula(row, 3 + 2 * at, f"={edge}+{error}", book.percent, getattr(band, high))
        top += len(report.bets) + 4
