"""The last page: every bet and offer with its simulated and its exact figure."""

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
    """The page of the simulation check: what a reader needs to run it again, then every line."""
    run = report.simulation
    if run is None:
        return Page(id="simulation", title="Simulation check", words=(NONE,))
    bets = [line for line in run.lines if line.after is None]
    tables = [_run(run), _bets(report, bets), *_offers(report, run), _classes(run)]
    return Page(id="simulation", title="Simulation check", words=(verdict(run), LIKE_WITH_LIKE), tables=tuple(tables))


def verdict(run: Simulation) -> str:
    """The verdict of the check in a sentence or two, also for the workbook."""
    says = "agrees with" if run.agrees else "DIFFERS FROM"
    far = (
        "No line has rounds enough for its z to be judged."
        if run.largest_z is None
        else f"The largest |z| of {sum(line.judged for line in run.lines)} lines is {run.largest_z:.2f}; "
        f"{_chance(run.chance_of_largest)}."
    )
    chi = (
        "There are too few rounds for a chi-square."
        if run.p is None or run.chi_square is None
        else f"Over all settlement classes chi-square is {run.chi_square:,.1f} on {run.degrees} degrees, "
        f"p = {run.p:.4f}."
    )
    return f"The simulation {says} the exact figures. {far} {chi}"


def _chance(chance: float) -> str:
    return (
        f"the chance of one so large is at most {chance:.2g}" if chance < 1 else "honest runs often have one so large"
    )


def _run(run: Simulation) -> Table:
    facts = (
        ("Command that deals it again", run.command),
        ("Engine", f"{run.engine}; every engine gives the same counts"),
        ("Seed, specification of a shoe", f"{run.seed}, {run.specification}"),
        ("Shoes, cut card from the end", f"{whole(run.shoes)}, {run.cut}"),
        ("Rounds dealt", whole(run.rounds_dealt)),
        ("Rounds compared", f"{whole(run.rounds_compared)}, the first {run.rounds_per_shoe} of every shoe"),
        ("File, SHA-256", run.file_sha256),
    )
    return Table(title="The run", columns=columns("<What | <Value"), rows=tuple(row(*fact) for fact in facts))


def _bets(report: Report, bets: list[SimulatedLine]) -> Table:
    names = {bet.bet: bet.name for bet in report.bets}
    return Table(
        title="Bets",
        columns=columns("<Bet | Rounds | Won | Returned | Lost | Simulated | Exact | Error | z"),
        rows=tuple(
            row(cell(names[bet.bet], tone=TONES.get(bet.bet, "")), *_counts(bet), *_figures(bet))
            for bet in bets
            if not isinstance(bet.bet, Insurance)
        ),
        note="Simulated and exact: expectation of one unit in percent of the stake. Error: one standard error. z in "
        f"small print is shown and not judged: fewer than {LEAST_WON:,} wins are to be expected.",
    )


def _offers(report: Report, run: Simulation) -> list[Table]:
    def table(bet: Insurance, after: Moment) -> Table:
        return Table(
            title=f"{INSURANCE_NAMES[bet]} {MOMENT_NAMES[after]}",
            tone=TONES[bet],
            columns=columns("Player | Banker | Offered | Won | Returned | Lost | Simulated | Exact | Error | z"),
            rows=tuple(
                row(line.player_points, line.banker_points, *_counts(line), *_figures(line))
                for line in run.lines
                if (line.bet, line.after) == (bet, after)
            ),
        )

    return [table(offer.bet, offer.after) for offer in report.insurance]


def _counts(line: SimulatedLine) -> tuple[str, ...]:
    return tuple(whole(times) for times in (line.times, sum(line.won.values()), line.returned, line.lost))


def _figures(line: SimulatedLine) -> tuple[Cell, ...]:
    simulated = "–" if line.simulated is None else percent(line.simulated)
    error = "–" if line.standard_error is None else percent(line.standard_error)
    z = cell("–" if line.z is None else signed(line.z, 2), tone="" if line.judged else "small")
    return cell(simulated), cell(percent(line.exact), line.exact), cell(error), z


def _classes(run: Simulation) -> Table:
    coups = sum(outcome.combinations for outcome in run.outcomes)

    def expected(outcome: SimulatedOutcome) -> float:
        return run.rounds_compared * (outcome.combinations / coups)

    def share(outcome: SimulatedOutcome) -> float:
        return (outcome.times - expected(outcome)) ** 2 / expected(outcome)

    def line(outcome: SimulatedOutcome) -> Row:
        points, cards, pairs = outcome.outcome.split()
        return row(
            points, cards, pairs, whole(outcome.times), decimal(expected(outcome), 1), decimal(share(outcome), 2)
        )

    often = [outcome for outcome in run.outcomes if expected(outcome) >= 1]
    return Table(
        title=f"Settlement classes that are farthest off, {FARTHEST} of {len(run.outcomes)}",
        columns=columns("<Points, Player:Banker | <Cards | <Pairs | Rounds | Expected | Of chi-square"),
        rows=tuple(line(outcome) for outcome in sorted(often, key=share, reverse=True)[:FARTHEST]),
        note="All classes are in the workbook, CSV, Parquet and JSON. Of many classes some are always far off; "
        "chi-square judges all of them together, those expected fewer than five times as one.",
    )
