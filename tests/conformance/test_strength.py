"""The kit's strength, tried on a sample: `make conformance-strength` plants every defect."""

from __future__ import annotations

import pytest

from punto.conformance import pack as packs
from punto.conformance.judge import Result
from punto.conformance.vectors import Vector
from tests.conformance.defects import every_defect
from tests.conformance.make_hands import EDITIONS
from tests.conformance.mistakes import every_mistake
from tests.conformance.planting import Defect, noticed, planted, result

EVERY = 30
"""Of the defects of an edition one in this many is tried here; of the mistakes of engines, all are."""


@pytest.fixture(scope="module")
def vectors() -> tuple[Vector, ...]:
    return packs.load().vectors


def not_caught(defects: list[Defect], vectors: tuple[Vector, ...]) -> list[str]:
    return [defect.name for defect in defects if not noticed(defect, vectors).failed]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_planted_defect_fails_a_vector(edition: str, vectors: tuple[Vector, ...]) -> None:
    defects = list(every_defect(edition))
    assert len(defects) > 300
    start = EDITIONS.index(edition)
    assert not_caught(defects[start::EVERY], vectors) == []


def test_every_mistake_that_engines_make_fails_a_vector(vectors: tuple[Vector, ...]) -> None:
    assert not_caught(list(every_mistake()), vectors) == []


def test_a_defect_is_gone_when_it_was_tried(vectors: tuple[Vector, ...]) -> None:
    (defect, *_) = every_defect(EDITIONS[0])
    deals = [vector for vector in vectors if vector.edition == EDITIONS[0] and vector.level == "deal"]
    with planted(defect):
        assert Result.FAILED in {result(vector) for vector in deals}
    assert {result(vector) for vector in deals} == {Result.PASSED}
