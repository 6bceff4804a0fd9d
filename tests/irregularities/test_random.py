"""Random tables of every edition with irregularities in every phase: the laws hold after every command.

A sample, fixed by its seeds; `pytest -m soak` plays a hundred times as many.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from punto.game import events as e
from punto.game.irregularities.rows import REPORTED
from tests.irregularities.laws import BOOKS
from tests.irregularities.playing import Table

ROUNDS = 14
TABLES = 45
"""Tables of each edition, and rounds at each."""

by_edition = pytest.mark.parametrize("edition", BOOKS)


def played(edition: str, first: int, tables: int) -> Counter[str]:
    """What happened at these tables, and which kinds were decided."""
    counts: Counter[str] = Counter()
    for seed in range(first, first + tables):
        table = Table(random.Random(f"{edition} {seed}"), BOOKS[edition], often=0.15, closely=seed % 10 == 0)
        table.play(ROUNDS)
        counts += table.ruled.happened
        for event in table.ruled.events:
            if isinstance(event, e.IrregularityReported):
                counts[f"kind {event.irregularity.kind}"] += 1
                counts[f"phase {event.irregularity.phase}"] += 1
    return counts


@by_edition
def test_the_laws_hold_whatever_goes_wrong(edition: str) -> None:
    counts = played(edition, 0, TABLES)
    assert counts["betting-opened"] >= TABLES * ROUNDS
    assert counts["irregularity-decided"] > 200
    reported = {kind for kind in REPORTED if counts[f"kind {kind}"]}
    rows = BOOKS[edition].irregularities.items()
    known = {kind for kind, row in rows if kind in REPORTED and row.goes_by != "late-wagers"}
    assert known - reported <= {"cut-card"}, "a cut card comes first too seldom for a sample"


@pytest.mark.soak
@by_edition
def test_the_laws_hold_for_a_long_time(edition: str) -> None:
    played(edition, 1_000, 100 * TABLES)
