"""From tallies to figures: every bet and insurance offer with its error, and how far all of it is from the exact.

Exact figures come in as `Exact`: this room does not know how they are found.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp, lgamma, log, sqrt
from typing import Any, Final

import msgspec
import numpy as np

from punto.game.insurance import Offer
from punto.rulebook.model import Bet, Moment, Rulebook
from punto.sim.atoms import RESULTS, Compiled, Int64, compiled

LEAST_EXPECTED: Final = 5.0
"""Chi-square: classes expected less often than this are taken together."""

Key = tuple[Moment, int, int]


class Exact(msgspec.Struct, frozen=True, kw_only=True):
    """What is known without simulation, for a round from a full shoe."""

    bets: dict[Bet, Fraction]
    """Expectation of one unit."""
    offers: dict[Key, Fraction]
    """Expectation of one unit of insurance, given the offer: moment, Player's and Banker's points."""
    outcomes: tuple[int, ...]
    """Coups of every settlement class, in the order of `all_outcomes`."""


class ChiSquare(msgspec.Struct, frozen=True, kw_only=True):
    statistic: float
    degrees: int
    p: float
    rounds: int


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """A bet, or an offer of insurance: how often it ended how, its estimate, and z against the exact figure."""

    ends: tuple[tuple[Fraction, int], ...]
    """Net result of one unit, and how often: won by rising odds, then returned, then lost."""
    exact: float | None

    @property
    def times(self) -> int:
        return sum(times for _, times in self.ends)

    @property
    def expectation(self) -> float | None:
        total = sum((net * times for net, times in self.ends), Fraction(0))
        return float(total / self.times) if self.times else None

    @property
    def standard_error(self) -> float | None:
        """Of the estimate, from the tally itself, as if rounds were independent; docs/simulation.md says how nearly
        they are. None below two rounds."""
        if self.times < 2:
            return None
        mean = sum((net * times for net, times in self.ends), Fraction(0)) / self.times
        square = sum((times * (net - mean) ** 2 for net, times in self.ends), Fraction(0))
        return sqrt(square / (self.times - 1) / self.times)

    @property
    def z(self) -> float | None:
        """None where the tally has no spread, as where a rare bet has not been won yet."""
        if not self.standard_error or self.exact is None or self.expectation is None:
            return None
        return (self.expectation - self.exact) / self.standard_error

    def shown(self, like: Figures | None = None) -> dict[str, Any]:
        """As in --json. `like` is the line of the rounds that compare with the exact figure like with like, and z is
        of it; without one, z is of all rounds."""
        compared = self if like is None else like
        return {
            "won": {str(net): times for net, times in self.ends if net > 0},
            "returned": sum(times for net, times in self.ends if net == 0),
            "lost": sum(times for net, times in self.ends if net < 0),
            "expectation": self.expectation,
            "standard_error": self.standard_error,
            "exact": self.exact,
            "z": compared.z,
            "compared": {
                "times": compared.times,
                "expectation": compared.expectation,
                "standard_error": compared.standard_error,
            },
            "z_all_rounds": self.z,
        }


def bet_figures(rules: Rulebook, cells: Int64, exact: Exact | None = None) -> dict[Bet, Figures]:
    """Every bet of an edition, from atom × pair flag."""
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
    """Every insurance offer of an edition, given that it is made."""
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
    """Atom × pair flag → settlement classes."""
    outcomes = np.zeros(len(known.outcomes), np.int64)
    np.add.at(outcomes, known.outcome, cells)
    return outcomes


def precision(rules: Rulebook, cells: Int64) -> float | None:
    """The largest standard error of a main bet; None while one can't be measured."""
    known = compiled(rules)
    outcomes = by_outcome(known, cells)
    main = [at for at, bet in enumerate(known.bets) if rules.bets[bet].main]
    errors = [Figures(ends=_ends(known, outcomes, at), exact=None).standard_error for at in main]
    measured = [error for error in errors if error]
    return max(measured) if len(measured) == len(errors) else None


def chi_square(rules: Rulebook, cells: Int64, exact: Exact) -> ChiSquare | None:
    """All settlement classes against their exact probabilities. None where there are too few rounds for it."""
    observed = by_outcome(compiled(rules), cells)
    rounds, coups = int(observed.sum()), sum(exact.outcomes)
    expected = [rounds * (count / coups) for count in exact.outcomes]
    statistic, degrees = pooled(observed.tolist(), expected)
    if degrees < 1:
        return None
    return ChiSquare(statistic=statistic, degrees=degrees, p=upper_gamma(degrees / 2, statistic / 2), rounds=rounds)


def pooled(observed: Sequence[int], expected: Sequence[float]) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom, with rare classes taken together."""
    classes = [(seen, mean) for seen, mean in zip(observed, expected, strict=True) if mean >= LEAST_EXPECTED]
    rare = [(seen, mean) for seen, mean in zip(observed, expected, strict=True) if mean < LEAST_EXPECTED]
    seen, mean = sum(observed for observed, _ in rare), sum(expected for _, expected in rare)
    if mean >= LEAST_EXPECTED:
        classes.append((seen, mean))
    elif classes and rare:
        classes[0] = (classes[0][0] + seen, classes[0][1] + mean)
    return sum((seen - mean) ** 2 / mean for seen, mean in classes), len(classes) - 1


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x): a series below a + 1, a continued fraction above."""
    if x <= 0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * scale)
    return scale * _fraction(a, x)


def _fraction(a: float, x: float) -> float:
    """Lentz's way to evaluate the continued fraction of Q."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    deviation = d
    for i in range(1, 100_000):
        b += 2
        d = 1 / (_not_zero(b - i * (i - a) * d, tiny))
        c = _not_zero(b - i * (i - a) / c, tiny)
        deviation *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return deviation


def _not_zero(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny


def _order(net: int) -> tuple[bool, bool, int]:
    """Won by rising odds, then returned, then lost."""
    return net <= 0, net < 0, net
