"""Test whether recorded results look random: counts of lawful rounds against exact probabilities, by chi-square."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import msgspec

from punto.rulebook.model import Rulebook
from punto.sim import estimates
from punto.sim.audit.tables import tables
from punto.sim.estimates import ChiSquare


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """One result: how often it came, and how often it was expected."""

    observed: int
    expected: float
    z: float | None
    """Standard deviations between the two."""


class Chance(msgspec.Struct, frozen=True, kw_only=True):
    results: dict[str, Share]
    """Player, banker and tie."""
    chi_square: ChiSquare | None
    """Over all settlement classes: it detects deviations in a few rare ones. None if there are too few rounds."""
    chi_square_results: ChiSquare | None
    """Over player, banker and tie alone: it detects a small shift of these, which a test over all classes may miss."""


def chance(rules: Rulebook, outcomes: Sequence[int], coups: Sequence[int]) -> Chance:
    """`outcomes` are rounds and `coups` exact counts of a full shoe, both in the order of `all_outcomes`."""
    rounds, total = sum(outcomes), sum(coups)
    leads = [(outcome.lead > 0) - (outcome.lead < 0) for outcome in tables(rules).outcomes]
    results = {}
    for name, lead in (("player", 1), ("banker", -1), ("tie", 0)):
        observed = sum(seen for seen, here in zip(outcomes, leads, strict=True) if here == lead)
        share = sum(count for count, here in zip(coups, leads, strict=True) if here == lead) / total
        spread = sqrt(rounds * share * (1 - share))
        z = (observed - rounds * share) / spread if spread else None
        results[name] = Share(observed=observed, expected=rounds * share, z=z)
    shares = results.values()
    return Chance(
        results=results,
        chi_square=estimates.chi_square(outcomes, [rounds * (coup / total) for coup in coups]),
        chi_square_results=estimates.chi_square(
            [share.observed for share in shares], [share.expected for share in shares]
        ),
    )
