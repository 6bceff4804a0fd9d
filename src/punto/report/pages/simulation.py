"""The last page: every bet and offer as it came out of a simulation, beside its exact figure."""

from __future__ import annotations

from typing import Final

from punto.report.figures import decimal, percent, signed, whole
from punto.report.pages.shape import Cell, Page, Row, Table, cell, columns, row
from punto.report.pages.worth import TONES
from punto.report.records import (
    INSURANCE_NAMES,
    MOMENT_NAMES,
    Report,
    SimulatedLine,
    SimulatedOutcome,
    Simulation,
)
from punto.report.simulation import LEAST_WON
from punto.rulebook.model import Insurance, Moment

FARTHEST: Final = 12
"""Settlement classes that are listed: those that add most to chi-square."""
LIKE_WITH_LIKE: Final = (
    "Compared are the rounds that every shoe has, whatever its cards are: which later rounds are dealt depends on the "
    "cards, so they are no fair sample. z is the distance from the exact expectation in standard errors."
)
NONE: Final = (
    "This report was made without a simulation. punto report --simulation FILE sets one beside the exact figures. "
    "Probabilities and expectations are counted over all coups of the shoe and carry no sampling error."
)


def simulation(report: Report) -> Page:
    """What anybody needs to run it again, then every line."""
    found = report.simulation
    if found is None:
        return Page(id="simulation", title="Simulation check", words=(NONE,))
    bets = [one for one in found.lines if one.after is None]
    tables = [_run(found), _bets(report, bets), *_offers(report, found), _classes(found)]
    return Page(id="simulation", title="Simulation check", words=(verdict(found), LIKE_WITH_LIKE), tables=tuple(tables))


def verdict(found: Simulation) -> str:
    """In a sentence or two, also for the workbook."""
    says = "agrees with" if found.agrees else "DIFFERS FROM"
    far = (
        "No line has rounds enough for its z to be judged."
        if found.largest_z is None
        else f"The largest |z| of {sum(one.judged for one in found.lines)} lines is {found.largest_z:.2f}; "
        f"{_chance(found.chance_of_largest)}."
    )
    chi = (
        "There are too few rounds for a chi-square."
        if found.p is None or found.chi_square is None
        else f"Over all settlement classes chi-square is {found.chi_square:,.1f} on {found.degrees} degrees, "
        f"p = {found.p:.4f}."
    )
    return f"The simulation {says} the exact figures. {far} {chi}"


def _chance(chance: float) -> str:
    return (
        f"the chance of one so large is at most {chance:.2g}" if chance < 1 else "honest runs often have one so large"
    )


def _run(found: Simulation) -> Table:
    facts = (
        ("Command that deals it again", found.command),
        ("Engine", f"{found.engine}; every engine gives the same counts"),
        ("Seed, specification of a shoe", f"{found.seed}, {found.specification}"),
        ("Shoes, cut card from the end", f"{whole(found.shoes)}, {found.cut}"),
        ("Rounds dealt", whole(found.rounds_dealt)),
        ("Rounds compared", f"{whole(found.rounds_compared)}, the first {found.rounds_per_shoe} of every shoe"),
        ("File, SHA-256", found.file_sha256),
    )
    return Table(title="The run", columns=columns("<What | <Value"), rows=tuple(row(*one) for one in facts))


def _bets(report: Report, bets: list[SimulatedLine]) -> Table:
    names = {one.bet: one.name for one in report.bets}
    return Table(
        title="Bets",
        columns=columns("<Bet | Rounds | Won | Returned | Lost | Simulated | Exact | Error | z"),
        rows=tuple(
            row(cell(names[one.bet], tone=TONES.get(one.bet, "")), *_counts(one), *_figures(one))
            for one in bets
            if not isinstance(one.bet, Insurance)
        ),
        note="Simulated and exact: expectation of one unit in percent of the stake. Error: one standard error. z in "
        f"small print is shown and not judged: fewer than {LEAST_WON:,} wins are to be expected.",
    )


def _offers(report: Report, found: Simulation) -> list[Table]:
    def table(bet: Insurance, after: Moment) -> Table:
        return Table(
            title=f"{INSURANCE_NAMES[bet]} {MOMENT_NAMES[after]}",
            tone=TONES[bet],
            columns=columns("Player | Banker | Offered | Won | Returned | Lost | Simulated | Exact | Error | z"),
            rows=tuple(
                row(one.player_points, one.banker_points, *_counts(one), *_figures(one))
                for one in found.lines
                if (one.bet, one.after) == (bet, after)
            ),
        )

    return [table(one.bet, one.after) for one in report.insurance]


def _counts(one: SimulatedLine) -> tuple[str, ...]:
    return tuple(whole(times) for times in (one.times, sum(one.won.values()), one.returned, one.lost))


def _figures(one: SimulatedLine) -> tuple[Cell, ...]:
    simulated = "–" if one.simulated is None else percent(one.simulated)
    error = "–" if one.standard_error is None else percent(one.standard_error)
    z = cell("–" if one.z is None else signed(one.z, 2), tone="" if one.judged else "small")
    return cell(simulated), cell(percent(one.exact), one.exact), cell(error), z


def _classes(found: Simulation) -> Table:
    coups = sum(one.combinations for one in found.outcomes)

    def expected(one: SimulatedOutcome) -> float:
        return found.rounds_compared * (one.combinations / coups)

    def share(one: SimulatedOutcome) -> float:
        return (one.times - expected(one)) ** 2 / expected(one)

    def line(one: SimulatedOutcome) -> Row:
        points, cards, pairs = one.outcome.split()
        return row(points, cards, pairs, whole(one.times), decimal(expected(one), 1), decimal(share(one), 2))

    often = [one for one in found.outcomes if expected(one) >= 1]
    return Table(
        title=f"Settlement classes that are farthest off, {FARTHEST} of {len(found.outcomes)}",
        columns=columns("<Points, Player:Banker | <Cards | <Pairs | Rounds | Expected | Of chi-square"),
        rows=tuple(line(one) for one in sorted(often, key=share, reverse=True)[:FARTHEST]),
        note="All classes are in the workbook, CSV, Parquet and JSON. Of many classes some are always far off; "
        "chi-square judges all of them together, those expected fewer than five times as one.",
    )
