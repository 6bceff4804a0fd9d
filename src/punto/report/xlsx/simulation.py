"""The sheets of the simulation check: estimates, errors, z and chi-square as formulas over the counts."""

from __future__ import annotations

from functools import reduce
from math import gcd
from typing import Any, Final

from punto.report.pages.simulation import LIKE_WITH_LIKE, NONE, verdict
from punto.report.records import INSURANCE_NAMES, MOMENT_NAMES, Report, SimulatedLine, SimulatedOutcome, Simulation
from punto.report.xlsx.book import Book
from punto.report.xlsx.worth import Key, Places
from punto.rulebook.model import Bet, Insurance
from punto.sim.estimates import LEAST_EXPECTED

TOP: Final = 12
"""The first line of figures on both sheets, from 0."""


def simulation(book: Book, report: Report, bets: dict[Bet, Places], offers: dict[Key, str]) -> None:
    """One sheet with every line, one with every settlement class; a sentence where there is no simulation."""
    sheet = book.sheet("Simulation", (24, 30, 8, 8, 18, 20, 20, 16, 16, 16, 10))
    sheet.write_string(0, 0, "Simulation check", book.title)
    found = report.simulation
    if found is None:
        sheet.write_string(1, 0, NONE, book.quiet)
        return
    _run(book, sheet, found)
    heads = "Bet|Offered|>Player|>Banker|>Rounds|>Net result, all|>Squares, all|>Simulated|>Standard error|>Exact|>z"
    book.heads(sheet, TOP - 1, heads)
    for at, one in enumerate(found.lines, TOP):
        _line(book, sheet, report, one, at)
        exact = f"=-{_edge(one, bets, offers)}"
        sheet.write_formula(at, 9, exact, book.figure, float(one.exact))
    sheet.freeze_panes(TOP, 1)
    _outcomes(book, found)


def _run(book: Book, sheet: Any, found: Simulation) -> None:
    sheet.write_string(1, 0, verdict(found), book.bold)
    sheet.write_string(2, 0, LIKE_WITH_LIKE, book.quiet)
    facts = (
        ("Command that deals it again", found.command),
        ("Engine", found.engine),
        ("Seed", str(found.seed)),
        ("Rounds dealt", str(found.rounds_dealt)),
        ("Rounds compared", str(found.rounds_compared)),
        ("File, SHA-256", found.file_sha256),
    )
    for at, (label, value) in enumerate(facts, 4):
        sheet.write_string(at, 0, label, book.quiet)
        sheet.write_string(at, 1, value)


def _edge(one: SimulatedLine, bets: dict[Bet, Places], offers: dict[Key, str]) -> str:
    if not isinstance(one.bet, Insurance):
        return bets[one.bet].edge
    assert one.after is not None, "an offer has its moment"
    assert one.player_points is not None, "and the points of both hands"
    assert one.banker_points is not None, "and the points of both hands"
    return offers[one.bet, one.after, one.player_points, one.banker_points]


def _line(book: Book, sheet: Any, report: Report, one: SimulatedLine, at: int) -> None:
    row = at + 1
    if isinstance(one.bet, Insurance):
        sheet.write_string(at, 0, INSURANCE_NAMES[one.bet], book.tone(one.bet.side))
        sheet.write_string(at, 1, "" if one.after is None else MOMENT_NAMES[one.after])
        sheet.write_number(at, 2, one.player_points)
        sheet.write_number(at, 3, one.banker_points)
    else:
        sheet.write_string(at, 0, report.name_of(one.bet), book.tone(one.bet))
    sheet.write_number(at, 4, one.times, book.count)
    book.ratio(sheet, at, 5, one.net)
    book.ratio(sheet, at, 6, one.squares)
    if one.simulated is not None:
        sheet.write_formula(at, 7, f"=F{row}/E{row}", book.figure, one.simulated)
    if one.standard_error is not None:
        spread = f"=SQRT((G{row}-F{row}*F{row}/E{row})/(E{row}-1)/E{row})"
        sheet.write_formula(at, 8, spread, book.figure, one.standard_error)
    if one.z is not None:
        sheet.write_formula(at, 10, f"=(H{row}-J{row})/I{row}", book.figure, one.z)


def _outcomes(book: Book, found: Simulation) -> None:
    """Frequent classes, then the rare ones, which count as one."""
    sheet = book.sheet("Outcomes", (28, 24, 24, 20, 20, 18))
    sheet.write_string(0, 0, "Chi-square over all settlement classes", book.title)
    words = f"Classes expected fewer than {LEAST_EXPECTED:g} times stand last and count as one."
    sheet.write_string(1, 0, words, book.quiet)
    total = sum(one.combinations for one in found.outcomes)
    shared = reduce(gcd, (one.combinations for one in found.outcomes))
    labels = ("Rounds compared", "Combinations, divided", "Greatest divisor of all counts")
    for at, (label, value) in enumerate(zip(labels, (found.rounds_compared, total // shared, shared), strict=True), 3):
        sheet.write_string(at, 0, label, book.quiet)
        sheet.write_number(at, 3, value, book.count)
    heads = "Points, cards, pairs|>Combinations, exact|>Combinations, divided|>Expected|>Simulated|>Of chi-square"
    book.heads(sheet, TOP - 1, heads)

    def expected(one: SimulatedOutcome) -> float:
        return found.rounds_compared * one.combinations / total

    often = [one for one in found.outcomes if expected(one) >= LEAST_EXPECTED]
    rare = [one for one in found.outcomes if expected(one) < LEAST_EXPECTED]
    for at, one in enumerate((*often, *rare), TOP):
        sheet.write_string(at, 0, one.outcome)
        sheet.write_string(at, 1, str(one.combinations), book.exact)
        sheet.write_number(at, 2, one.combinations // shared, book.count)
        sheet.write_formula(at, 3, f"=$D$4*C{at + 1}/$D$5", book.figure, expected(one))
        sheet.write_number(at, 4, one.times, book.count)
    _shares(
        book, sheet, found, [(one.times, expected(one)) for one in often], [(one.times, expected(one)) for one in rare]
    )
    sheet.freeze_panes(TOP, 1)


Seen = list[tuple[int, float]]


def _shares(book: Book, sheet: Any, found: Simulation, often: Seen, rare: Seen) -> None:
    """What each class adds to chi-square, and the whole of it. Rare classes that are too rare even together go with the
    first class."""
    first, last, end = TOP + len(often) + 1, TOP + len(often) + len(rare), TOP + len(often) + len(rare)
    seen, mean = sum(times for times, _ in rare), sum(means for _, means in rare)
    alone = mean >= LEAST_EXPECTED
    for at, (times, means) in enumerate(often, TOP):
        there, due = f"E{at + 1}", f"D{at + 1}"
        if at == TOP and rare and not alone:
            there, due = f"({there}+SUM(E{first}:E{last}))", f"({due}+SUM(D{first}:D{last}))"
            times, means = times + seen, means + mean
        share = f"=({there}-{due})*({there}-{due})/{due}"
        sheet.write_formula(at, 5, share, book.figure, (times - means) ** 2 / means)
    if alone:
        sheet.write_string(end, 0, "Rare classes together", book.bold)
        sheet.write_formula(end, 3, f"=SUM(D{first}:D{last})", book.figure, mean)
        sheet.write_formula(end, 4, f"=SUM(E{first}:E{last})", book.count, seen)
        share = f"=(E{end + 1}-D{end + 1})*(E{end + 1}-D{end + 1})/D{end + 1}"
        sheet.write_formula(end, 5, share, book.figure, (seen - mean) ** 2 / mean)
    if found.chi_square is None or found.degrees is None or found.p is None:
        sheet.write_string(7, 0, "There are too few rounds for a chi-square.", book.bold)
        return
    spans = f"F{TOP + 1}:F{TOP + len(often)}"
    whole = f"SUM({spans})+F{end + 1}" if alone else f"SUM({spans})"
    for at, label in enumerate(("Chi-square", "Degrees of freedom", "p"), 6):
        sheet.write_string(at, 0, label, book.bold)
    sheet.write_formula(6, 3, f"={whole}", book.figure, found.chi_square)
    sheet.write_number(7, 3, found.degrees, book.count)
    sheet.write_formula(8, 3, f"=CHIDIST({book.cell(6, 3)},{book.cell(7, 3)})", book.figure, found.p)
