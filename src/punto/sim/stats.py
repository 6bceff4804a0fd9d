"""From tallies to figures: every bet and insurance offer with its error and its distance from the exact figure.

The caller passes exact figures as `Exact`; this module does not compute them.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec
import numpy as np

from punto.game.insurance import Offer
from punto.rulebook.model import Bet, Moment, Rulebook
from punto.sim import estimates
from punto.sim.atoms import RESULTS, Compiled, Int64, compiled
from punto.sim.estimates import ChiSquare, Figures

Key = tuple[Moment, int, int]


class Exact(msgspec.Struct, frozen=True, kw_only=True):
    """Exact figures, known without simulation, for a round from a full shoe."""

    bets: dict[Bet, Fraction]
    """Expectation of one unit."""
    offers: dict[Key, Fraction]
    """Expectation of one unit of insurance, given the offer: moment, Player's and Banker's points."""
    outcomes: tuple[int, ...]
    """Coups of every settlement class, in the order of `all_outcomes`."""


def bet_figures(rules: Rulebook, cells: Int64, exact: Exact | None = None) -> dict[Bet, Figures]:
    """Figures of every bet of an edition, from counts by atom × pair flag."""
    known = compiled(rules)
    outcomes = by_outcome(known, cells)
    worth = {bet: None if exact is None else float(exact.bets[bet]) for bet in known.bets}
    return {bet: Figures(ends=_ends(known, outcomes, at), exact=worth[bet]) for at, bet in enumerate(known.bets)}


def _ends(known: Compiled, outcomes: Int64, bet: int) -> tuple[tuple[Fraction, int], ...]:
    nets, which = np.unique(known.pays[:, bet], return_inverse=True)
    counts = np.zeros(len(nets), np.int64)
    np.add.at(counts, which, outcomes)
    by_net = dict(zip(nets.tolist(), counts.tolist(), strict=True))
    return tuple((Fraction(net, known.scale[bet]), by_net[net]) for net in sorted(by_net, key=_order))


def offer_figures(rules: Rulebook, cells: Int64, exact: Exact | None = None) -> dict[Offer, Figures]:
    """Figures of every insurance offer of an edition, given that it is made."""
    known = compiled(rules)
    counts = np.zeros(len(RESULTS) * len(known.offers) + 1, np.int64)
    atoms = cells.sum(axis=1)
    for moment in range(known.insured.shape[1]):
        np.add.at(counts, known.insured[:, moment], atoms)
    figures = {}
    for offer, (won, returned, lost) in zip(known.offers, counts[:-1].reshape(-1, len(RESULTS)).tolist(), strict=True):
        ends = ((offer.odds, won), (Fraction(0), returned), (Fraction(-1), lost))
        worth = None if exact is None else exact.offers.get((offer.after, offer.player_points, offer.banker_points))
        figures[offer] = Figures(ends=ends, exact=None if worth is None else float(worth))
    return figures


def by_outcome(known: Compiled, cells: Int64) -> Int64:
    """Turn counts by atom × pair flag into counts by settlement class."""
    outcomes = np.zeros(len(known.outcomes), np.int64)
    np.add.at(outcomes, known.outcome, cells)
    return outcomes


def outcome_counts(rules: Rulebook, cells: Int64) -> dict[str, int]:
    """Name of each settlement class → count, in the order of `all_outcomes`."""
    known = compiled(rules)
    return {
        str(outcome): count for outcome, count in zip(known.outcomes, by_outcome(known, cells).tolist(), strict=True)
    }


def precision(rules: Rulebook, cells: Int64) -> float | None:
    """The largest standard error of a main bet; None while that of some main bet can't be measured."""
    known = compiled(rules)
    outcomes = by_outcome(known, cells)
    main = [at for at, bet in enumerate(known.bets) if rules.bets[bet].main]
    errors = [Figures(ends=_ends(known, outcomes, at), exact=None).standard_error for at in main]
    measured = [error for error in errors if error]
    return max(measured) if len(measured) == len(errors) else None


def chi_square(rules: Rulebook, cells: Int64, exact: Exact) -> ChiSquare | None:
    """Chi-square of all settlement classes against their exact probabilities. None if there are too few rounds."""
    observed = by_outcome(compiled(rules), cells)
    rounds, coups = int(observed.sum()), sum(exact.outcomes)
    return estimates.chi_square(observed.tolist(), [rounds * (count / coups) for count in exact.outcomes])


def _order(net: int) -> tuple[bool, bool, int]:
    """Sort key: won by rising odds, then returned, then lost."""
    return net <= 0, net < 0, net
