"""The simulation check: compares a file of `punto simulate --json` with the exact figures of the same edition and shoe.

Only the counts of the file are used. Estimates, errors, z and chi-square are computed again from them, against the
exact figures of the report. A file of other rules or another shoe, or with impossible counts, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from hashlib import sha256
from math import erfc, sqrt
from typing import Annotated, Final

import msgspec

from punto.game.outcome import Outcome, all_outcomes
from punto.odds.composition import full
from punto.odds.value import Way, count, valued
from punto.report.records import BetSheet, Cover, OfferTable, ReportError, SimulatedLine, SimulatedOutcome, Simulation
from punto.rulebook.model import Bet, Insurance, Moment, Rulebook
from punto.sim.estimates import Figures, chi_square

LEVEL: Final = 0.001
"""The check fails if the probability that an honest run is so far off is below this (O155)."""

LEAST_WON: Final = 1000
"""A line with fewer expected wins than this is shown but not judged, because its z is not normal yet."""

Count = Annotated[int, msgspec.Meta(ge=0)]
NOWHERE: Final = (None, None, None)
"""The moment and points of a bet, which has none because it is not an insurance offer."""


class _Counts(msgspec.Struct, frozen=True, kw_only=True):
    won: dict[str, Count]
    returned: Count
    lost: Count

    @property
    def times(self) -> int:
        return sum(self.won.values()) + self.returned + self.lost


class _BetLine(msgspec.Struct, frozen=True, kw_only=True):
    compared: _Counts


class _OfferLine(_BetLine, frozen=True, kw_only=True):
    bet: str
    after: str
    player_points: int
    banker_points: int


class _Compared(msgspec.Struct, frozen=True, kw_only=True):
    rounds_per_shoe: Count
    rounds: Count
    outcomes: dict[str, Count]


class _Run(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of `punto simulate --json` that the check needs."""

    game: str
    edition: str
    data_sha256: str
    specification: int
    decks: int
    cut: int
    seed: int
    shoes: Count
    rounds: Count
    ended: str
    engine: str
    bets: dict[str, _BetLine]
    insurance: list[_OfferLine]
    compared: _Compared


class Simulated(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is claimed to come from `punto simulate --json`. Nothing in it is checked yet."""

    name: str
    data: bytes


def simulation(
    file: Simulated, rules: Rulebook, cover: Cover, bets: Sequence[BetSheet], insurance: Sequence[OfferTable]
) -> Simulation:
    """Check a file against the exact figures. Raises ReportError if the file is not valid."""
    name = file.name
    try:
        run = msgspec.json.decode(file.data, type=_Run)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReportError(f"{name} is no result of punto simulate --json: {error}") from None
    _same(run, cover, name)
    outcomes = _outcomes(run, rules, name)
    _check_counts(run, rules, outcomes, insurance, name)
    lines = (*_bet_lines(run, bets), *_offer_lines(run, insurance))
    exact = count(rules, full(rules, cover.decks)).outcome_counts
    total, rounds = sum(exact), run.compared.rounds
    chi = chi_square(list(outcomes.values()), [rounds * (coups / total) for coups in exact])
    judged = [abs(line.z) for line in lines if line.judged and line.z is not None]
    largest = max(judged, default=None)
    chance = 1.0 if largest is None else min(1.0, len(judged) * erfc(largest / sqrt(2)))
    return Simulation(
        file_sha256=sha256(file.data).hexdigest(),
        command=f"punto simulate {cover.id} --shoes {run.shoes} --seed {run.seed} --decks {run.decks} "
        f"--cut {run.cut} --engine {run.engine} --json",
        engine=run.engine,
        seed=run.seed,
        cut=run.cut,
        specification=run.specification,
        shoes=run.shoes,
        rounds_dealt=run.rounds,
        rounds_compared=rounds,
        rounds_per_shoe=run.compared.rounds_per_shoe,
        lines=lines,
        largest_z=largest,
        chance_of_largest=chance,
        chi_square=None if chi is None else chi.statistic,
        degrees=None if chi is None else chi.degrees,
        p=None if chi is None else chi.p,
        agrees=chance >= LEVEL and (chi is None or chi.p >= LEVEL),
        outcomes=tuple(
            SimulatedOutcome(outcome=str(outcome), times=times, combinations=coups)
            for (outcome, times), coups in zip(outcomes.items(), exact, strict=True)
        ),
    )


def _same(run: _Run, cover: Cover, name: str) -> None:
    """Check that the file and the report have the same edition, rules' data and number of decks."""
    for what, had, has in (
        ("edition", f"{run.game}/{run.edition}", cover.id),
        ("number of decks", run.decks, cover.decks),
        ("hash of the rules' data", run.data_sha256, cover.data_sha256),
    ):
        if had != has:
            raise ReportError(f"{name} is a simulation of something else: its {what} is {had}, the report's {has}")


def _outcomes(run: _Run, rules: Rulebook, name: str) -> dict[Outcome, int]:
    known = {str(outcome): outcome for outcome in all_outcomes(rules.table_of_play)}
    compared = run.compared.outcomes
    if compared.keys() != known.keys():
        raise ReportError(
            f"{name} is damaged: it has {len(compared)} outcomes, expected the {len(known)} of the edition"
        )
    rounds = run.compared.rounds
    if (
        sum(compared.values()) != rounds
        or rounds != run.shoes * run.compared.rounds_per_shoe
        or not 0 < rounds <= run.rounds
    ):
        raise ReportError(
            f"{name} is damaged: its outcomes add up to {sum(compared.values())}, expected {run.shoes} shoes "
            f"of {run.compared.rounds_per_shoe} rounds that are compared"
        )
    return {outcome: compared[text] for text, outcome in known.items()}


def _check_counts(
    run: _Run, rules: Rulebook, outcomes: dict[Outcome, int], insurance: Sequence[OfferTable], name: str
) -> None:
    """Check that every bet's counts follow from the outcomes, and that every offer is there once, at its odds, and not
    in more rounds than were compared."""
    due = {str(bet): _from_outcomes(value.ways) for bet, value in valued(rules, outcomes, run.compared.rounds).items()}
    compared = {bet: line.compared for bet, line in run.bets.items()}
    for bet in due.keys() | compared.keys():
        if due.get(bet) != compared.get(bet):
            raise ReportError(f"{name} is damaged: the counts of {bet} do not follow from its outcomes")
    offers = {
        (str(table.bet), str(table.after), offer.player_points, offer.banker_points): str(offer.pays)
        for table in insurance
        for offer in table.offers
    }
    lines = {_key(line): line.compared for line in run.insurance}
    if lines.keys() != offers.keys() or len(lines) != len(run.insurance):
        raise ReportError(f"{name} is damaged: it does not have the {len(offers)} insurance offers of the edition")
    for key, line in lines.items():
        if set(line.won) != {offers[key]} or line.times > run.compared.rounds:
            raise ReportError(f"{name} is damaged: the counts of {' '.join(map(str, key))} are impossible")


def _from_outcomes(ways: Sequence[Way]) -> _Counts:
    """The counts of a bet. Ways with the same result and odds but different paragraphs are added."""
    won: dict[str, int] = {}
    for way in ways:
        if way.odds is not None:
            won[str(way.odds)] = won.get(str(way.odds), 0) + way.coups
    by_result = [sum(way.coups for way in ways if way.result == result) for result in ("returned", "lost")]
    return _Counts(won=won, returned=by_result[0], lost=by_result[1])


def _key(line: _OfferLine) -> tuple[str, str, int, int]:
    return line.bet, line.after, line.player_points, line.banker_points


def _bet_lines(run: _Run, bets: Sequence[BetSheet]) -> Iterator[SimulatedLine]:
    for sheet in bets:
        yield _line(run.bets[sheet.bet].compared, sheet.expectation, sheet.hit_frequency, bet=sheet.bet)


def _offer_lines(run: _Run, insurance: Sequence[OfferTable]) -> Iterator[SimulatedLine]:
    lines = {_key(line): line.compared for line in run.insurance}
    for table in insurance:
        for offer in table.offers:
            counts = lines[str(table.bet), str(table.after), offer.player_points, offer.banker_points]
            at = (table.after, offer.player_points, offer.banker_points)
            yield _line(counts, offer.expectation, offer.won_share, bet=table.bet, at=at)


def _line(
    counts: _Counts,
    exact: Fraction,
    wins: Fraction,
    *,
    bet: Bet | Insurance,
    at: tuple[Moment | None, int | None, int | None] = NOWHERE,
) -> SimulatedLine:
    won = tuple((Fraction(odds), times) for odds, times in counts.won.items())
    line = Figures(ends=(*won, (Fraction(0), counts.returned), (Fraction(-1), counts.lost)), exact=float(exact))
    after, player_points, banker_points = at
    return SimulatedLine(
        bet=bet,
        after=after,
        player_points=player_points,
        banker_points=banker_points,
        times=line.times,
        won=counts.won,
        returned=counts.returned,
        lost=counts.lost,
        simulated=line.expectation,
        exact=exact,
        standard_error=line.standard_error,
        z=line.z,
        judged=line.times * wins >= LEAST_WON,
    )
