"""From counts to figures: an estimate with its error, its distance from the exact figure, and chi-square.

This module needs no NumPy, so that a report can check a simulation without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp, lgamma, log, sqrt
from typing import Any, Final

import msgspec

LEAST_EXPECTED: Final = 5.0
"""Chi-square: classes expected less often than this are pooled."""


class ChiSquare(msgspec.Struct, frozen=True, kw_only=True):
    statistic: float
    degrees: int
    p: float
    rounds: int


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """A bet or an offer of insurance: how often each result came, the estimate, and its z against the exact figure."""

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
        """Standard error of the estimate, from the tally itself, as if rounds were independent; docs/simulation.md says
        how nearly they are. None below two rounds."""
        if self.times < 2:
            return None
        mean = sum((net * times for net, times in self.ends), Fraction(0)) / self.times
        square = sum((times * (net - mean) ** 2 for net, times in self.ends), Fraction(0))
        return sqrt(square / (self.times - 1) / self.times)

    @property
    def z(self) -> float | None:
        """Distance from the exact figure in standard errors. None if all results are equal, for example while a rare
        bet has not been won yet."""
        if not self.standard_error or self.exact is None or self.expectation is None:
            return None
        return (self.expectation - self.exact) / self.standard_error

    def shown(self, like: Figures | None = None) -> dict[str, Any]:
        """The line as in --json. `like` has the figures of the rounds that compare fairly with the exact figure; z is
        computed from it. Without `like`, z is computed from all rounds."""
        compared = self if like is None else like
        return {
            **self._counts(),
            "expectation": self.expectation,
            "standard_error": self.standard_error,
            "exact": self.exact,
            "z": compared.z,
            "compared": {
                **compared._counts(),
                "times": compared.times,
                "expectation": compared.expectation,
                "standard_error": compared.standard_error,
            },
            "z_all_rounds": self.z,
        }

    def _counts(self) -> dict[str, Any]:
        return {
            "won": {str(net): times for net, times in self.ends if net > 0},
            "returned": sum(times for net, times in self.ends if net == 0),
            "lost": sum(times for net, times in self.ends if net < 0),
        }


def chi_square(observed: Sequence[int], expected: Sequence[float]) -> ChiSquare | None:
    """Pearson's chi-square, with rare classes pooled. None if there are too few rounds."""
    statistic, degrees = pooled(observed, expected)
    if degrees < 1:
        return None
    return ChiSquare(
        statistic=statistic, degrees=degrees, p=upper_gamma(degrees / 2, statistic / 2), rounds=sum(observed)
    )


def pooled(observed: Sequence[int], expected: Sequence[float]) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom, with rare classes pooled."""
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
    """Evaluate the continued fraction of Q by Lentz's method."""
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
