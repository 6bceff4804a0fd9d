"""Figures from tallies: errors, chi-square, and the incomplete gamma function against known values."""

from __future__ import annotations

from fractions import Fraction
from math import erfc, exp, sqrt

import numpy as np
import pytest

from punto.rulebook import load
from punto.sim import estimates, stats
from punto.sim.kernel.tables import Compiled
from punto.sim.shoes import no_tally, setup

RULES = load.edition("tiger-buffalo-commission", "2025-11-21")


def test_q_of_one_degree_is_the_error_function_and_of_two_the_exponential() -> None:
    for x in (0.0, 1e-9, 0.1, 0.7, 1.4, 1.6, 3.0, 20.0, 100.0):
        assert estimates.upper_gamma(0.5, x) == pytest.approx(erfc(sqrt(x)), rel=1e-12)
        assert estimates.upper_gamma(1.0, x) == pytest.approx(exp(-x), rel=1e-12)


@pytest.mark.parametrize("a", [1, 2, 5, 30, 389])
def test_q_of_a_whole_number_is_a_poisson_sum(a: int) -> None:
    for x in (0.01, a / 2, a - 1.0, a + 0.5, a + 2.0, 2.0 * a, 3.0 * a):
        term = total = exp(-x)
        for k in range(1, a):
            term *= x / k
            total += term
        assert estimates.upper_gamma(a, x) == pytest.approx(total, rel=1e-9, abs=1e-15)


# Printed tables of chi-square: statistic, degrees, p.
PRINTED = [(3.841459, 1, 0.05), (18.307038, 10, 0.05), (23.209251, 10, 0.01), (124.342113, 100, 0.05)]


@pytest.mark.parametrize(("statistic", "degrees", "p"), PRINTED)
def test_the_printed_tables(statistic: float, degrees: int, p: float) -> None:
    assert estimates.upper_gamma(degrees / 2, statistic / 2) == pytest.approx(p, rel=1e-5)


def test_rare_classes_are_taken_together() -> None:
    statistic, degrees = estimates.pooled([60, 40, 3, 4], [50.0, 50.0, 3.0, 4.0])
    assert statistic == pytest.approx(4.0)
    assert degrees == 2
    statistic, degrees = estimates.pooled([61, 40, 0], [50.0, 50.0, 1.0])
    assert statistic == pytest.approx(100 / 51 + 2)
    assert degrees == 1
    assert estimates.pooled([1], [1.0]) == (0, -1)


def test_expectation_error_and_z_of_a_line() -> None:
    """Five rounds by hand: twice 19/20, once 0, twice -1."""
    line = estimates.Figures(ends=((Fraction(19, 20), 2), (Fraction(0), 1), (Fraction(-1), 2)), exact=-0.01)
    values = [0.95, 0.95, 0.0, -1.0, -1.0]
    assert line.expectation == pytest.approx(np.mean(values))
    assert line.standard_error == pytest.approx(np.std(values, ddof=1) / sqrt(5))
    assert line.expectation is not None
    assert line.standard_error is not None
    assert line.z == pytest.approx((line.expectation + 0.01) / line.standard_error)


def test_no_figure_is_made_up_where_there_is_none() -> None:
    nothing = estimates.Figures(ends=((Fraction(11), 0), (Fraction(-1), 0)), exact=-0.1)
    assert (nothing.expectation, nothing.standard_error, nothing.z) == (None, None, None)
    lost = estimates.Figures(ends=((Fraction(11), 0), (Fraction(-1), 9)), exact=-0.1)
    assert (lost.expectation, lost.standard_error, lost.z) == (-1.0, 0.0, None)
    empty = no_tally(setup(RULES)).cells
    assert stats.precision(RULES, empty) is None
    assert stats.chi_square(RULES, empty, stats.Exact(bets={}, offers={}, outcomes=(1,) * 779)) is None


def test_precision_is_the_largest_error_of_the_main_bets() -> None:
    cells = Compiled(setup(RULES, seed=1)).deal_range(0, 500).cells
    lines = stats.bet_figures(RULES, cells)
    errors = [lines[bet].standard_error for bet, rule in RULES.bets.items() if rule.main]
    assert stats.precision(RULES, cells) == max(error for error in errors if error is not None)


def test_a_wrong_distribution_is_found_out() -> None:
    """A fair tally, compared as if all 779 outcomes were equally likely."""
    cells = Compiled(setup(RULES, seed=1)).deal_range(0, 500).cells
    chi_square = stats.chi_square(RULES, cells, stats.Exact(bets={}, offers={}, outcomes=(1,) * 779))
    assert chi_square is not None
    assert chi_square.p < 1e-12
