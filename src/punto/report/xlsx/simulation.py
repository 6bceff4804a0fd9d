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
"""The first row of figures on both sheets, from 0."""


def simulation(book: Book, report: Report, bets: dict[Bet, Places], offers: dict[Key, str]) -> None:
    """Write one sheet with every line and one with every settlement class; a sentence if there is no simulation."""
    sheet = book.sheet("Simulation", (24, 30, 8, 8, 18, 20, 20, 16, 16, 16, 10))
    sheet.write_string(0, 0, "Simulation check", book.title)
    run = report.simulation
    if run is None:
        sheet.write_string(1, 0, NONE, book.quiet)
        return
    _run(book, sheet, run)
    heads = "Bet|Offered|>Player|>Banker|>Rounds|>Net result, all|>Squares, all|>Simulated|>Standard error|>Exact|>z"
    book.heads(sheet, TOP - 1, heads)
    for at, line in enumerate(run.lines, TOP):
        _line(book, sheet, report, line, at)
        exact = f"=-{_edge(line, bets, offers)}"
        sheet.write_formula(at, 9, exact, book.figure, float(line.exact))
    sheet.freeze_panes(TOP, 1)
    _outcomes(book, run)


def _run(book: Book, sheet: Any, run: Simulation) -> None:
    sheet.write_string(1, 0, verdict(run), book.bold)
    sheet.write_string(2, 0, LIKE_WITH_LIKE, book.quiet)
    facts = (
        ("Command that deals it again", run.command),
        ("Engine", run.engine),
        ("Seed", str(run.seed)),
        ("Rounds dealt", str(run.rounds_dealt)),
        ("Rounds compared", str(run.rounds_compared)),
        ("File, SHA-256", run.file_sha256),
    )
    for at, (label, value) in enumerate(facts, 4):
        sheet.write_string(at, 0, label, book.quiet)
        sheet.write_string(at, 1, value)


def _edge(line: SimulatedLine, bets: dict[Bet, Places], offers: dict[Key, str]) -> str:
    if not isinstance(line.bet, Insurance):
        return bets[line.bet].edge
    assert line.after is not None, "an offer has its moment"
    assert line.player_points is not None, "and the points of both hands"
    assert line.banker_points is not None, "and the points of both hands"
    return offers[line.bet, line.after, line.player_points, line.banker_points]


def _line(book: Book, sheet: Any, report: Report, line: SimulatedLine, at: int) -> None:
    row = at + 1
    if isinstance(line.bet, Insurance):
        sheet.write_string(at, 0, INSURANCE_NAMES[line.bet], book.tone(line.bet.side))
        sheet.write_string(at, 1, "" if line.after is None else MOMENT_NAMES[line.after])
        sheet.write_number(at, 2, line.player_points)
        sheet.write_number(at, 3, line.banker_points)
    else:
        sheet.write_string(at, 0, report.name_of(line.bet), book.tone(line.bet))
    sheet.write_number(at, 4, line.times, book.count)
    book.ratio(sheet, at, 5, line.net)
    book.ratio(sheet, at, 6, line.squares)
    if line.simulated is not None:
        sheet.write_formula(at, 7, f"=F{row}/E{row}", book.figure, line.simulated)
    if line.standard_error is not None:
        spread = f"=SQRT((G{row}-F{row}*F{row}/E{row})/(E{row}-1)/E{row})"
        sheet.write_formula(at, 8, spread, book.figure, line.standard_error)
    if line.z is not None:
        sheet.write_formula(at, 10, f"=(H{row}-J{row})/I{row}", book.figure, line.z)


def _outcomes(book: Book, run: Simulation) -> None:
    """Write the sheet of settlement classes: the frequent ones, then the rare ones, which count as one class."""
    sheet = book.sheet("Outcomes", (28, 24, 24, 20, 20, 18))
    sheet.write_string(0, 0, "Chi-square over all settlement classes", book.title)
    words = f"Classes expected fewer than {LEAST_EXPECTED:g} times stand last and count as one."
    sheet.write_string(1, 0, words, book.quiet)
    total = sum(outcome.combinations for outcome in run.outcomes)
    shared = reduce(gcd, (outcome.combinations for outcome in run.outcomes))
    labels = ("Rounds compared", "Combinations, divided", "Greatest divisor of all counts")
    for at, (label, value) in enumerate(zip(labels, (run.rounds_compared, total // shared, shared), strict=True), 3):
        sheet.write_string(at, 0, label, book.quiet)
        sheet.write_number(at, 3, value, book.count)
    heads = "Points, cards, pairs|>Combinations, exact|>Combinations, divided|>Expected|>Simulated|>Of chi-square"
    book.heads(sheet, TOP - 1, heads)

    def expected(outcome: SimulatedOutcome) -> float:
        return run.rounds_compared * outcome.combinations / total

    often = [outcome for outcome in run.outcomes if expected(outcome) >= LEAST_EXPECTED]
    rare = [outcome for outcome in run.outcomes if expected(outcome) < LEAST_EXPECTED]
    for at, outcome in enumerate((*often, *rare), TOP):
        sheet.write_string(at, 0, outcome.outcome)
        sheet.write_string(at, 1, str(outcome.combinations), book.exact)
        sheet.write_number(at, 2, outcome.combinations // shared, book.count)
        sheet.write_formula(at, 3, f"=$D$4*C{at + 1}/$D$5", book.figure, expected(outcome))
        sheet.write_number(at, 4, outcome.times, book.count)
    _shares(
        book,
        sheet,
        run,
        [(outcome.times, expected(outcome)) for outcome in often],
        [(outcome.times, expected(outcome)) for outcome in rare],
    )
    sheet.freeze_panes(TOP, 1)


Seen = list[tuple[int, float]]


def _shares(book: Book, sheet: Any, run: Simulation, often: Seen, rare: Seen) -> None:
    """Write what each class adds to chi-square, and the total. If the rare classes are too rare even together, they are
    added to the first class."""
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
    if run.chi_square is None or run.degrees is None or run.p is None:
        sheet.write_string(7, 0, "There are too few rounds for a chi-square.", book.bold)
        return
    spans = f"F{TOP + 1}:F{TOP + len(often)}"
    whole = f"SUM({spans})+F{end + 1}" if alone else f"SUM({spans})"
    for at, label in enumerate(("Chi-square", "Degrees of freedom", "p"), 6):
        sheet.write_string(at, 0, label, book.bold)
    sheet.write_formula(6, 3, f"={whole}", book.figure, run.chi_square)
    sheet.write_number(7, 3, run.degrees, book.count)
    sheet.write_formula(8, 3, f"=CHIDIST({book.cell(6, 3)},{book.cell(7, 3)})", book.figure, run.p)
