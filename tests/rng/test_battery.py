"""The battery: planted defects fail it, honest generators pass at the stated rate, and the list has not changed."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec
import numpy as np
import pytest

from punto.cards import DECK
from punto.rng.battery import holm, run
from punto.rng.registered import LEVEL, REGISTERED, VERSION
from punto.rng.sources import FACES, House, Simulation
from punto.sim import rng as readable
from tests.rng.planted import DEFECTS, found_by, honest
from tests.rng.rate import batteries, kolmogorov, many, passes

QUICK = [name for name, (_, _, shoes) in DEFECTS.items() if shoes]


def test_the_list_is_the_one_that_was_laid_down() -> None:
    """Whoever changes the list raises VERSION and writes the new digest here."""
    assert VERSION == 1
    assert LEVEL == 0.01
    assert sha256(msgspec.json.encode(REGISTERED)).hexdigest()[:16] == "b411cb27b892b9c5"
    assert len({test.id for test in REGISTERED}) == len(REGISTERED) == 27


@pytest.mark.parametrize("name", QUICK)
def test_a_planted_defect_fails(name: str) -> None:
    make, _, shoes = DEFECTS[name]
    assert found_by(run(make(1), shoes=shoes, decks=8))


def test_the_same_without_a_defect_passes() -> None:
    """The house's own shuffle with bits from a seed; the planted shuffles differ from it by a line each."""
    assert not found_by(run(honest(1), shoes=500, decks=8))


def test_honest_batteries_pass_at_the_stated_rate() -> None:
    """Fixed seeds. `python -m tests.rng.rate` does it 1,000 times."""
    p_values = batteries("simulation", 40, 500, decks=8)
    assert passes(p_values) >= 38
    for at, test in enumerate(REGISTERED):
        ps = [battery[at] for battery in p_values]
        assert not many(ps) or kolmogorov(ps) > 1e-4, test.id


def test_the_house_passes_too() -> None:
    """Truly random, so the bound is so low that honest shoes never go below it."""
    results = run(House(), shoes=500, decks=8)
    assert min(result.adjusted for result in results) > 1e-9


def test_the_simulation_s_shoes_are_the_simulation_s() -> None:
    """Shoe by shoe those of the readable generator, and no index is used twice."""
    source = Simulation(7)
    first, second = source.shoes(8, 6), source.shoes(8, 3)
    for index, shoe in [*enumerate(first), *enumerate(second, 8)]:
        assert [FACES[str(card)] for card in readable.shuffled(7, index, 8)] == shoe.tolist()
    words = np.frombuffer(Simulation(9).raw(64), np.uint32)
    assert tuple(words[:4]) == readable.philox((0, 0, 0, 0), (9, 0))
    assert sorted(source.orders(5, 1)[0].tolist()) == [0, 1, 2, 3, 4]


def test_the_house_s_shoes_are_the_house_s(monkeypatch: pytest.MonkeyPatch) -> None:
    from punto.rng import sources

    def sorted_shoe(decks: int) -> tuple[str, ...]:
        return tuple(str(card) for card in DECK * decks)

    monkeypatch.setattr(sources, "new_shoe", sorted_shoe)
    assert House().shoes(2, 1)[0].tolist() == [*range(52)] * 2


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.5]) == [1.0, 1.0]
    assert holm([0.0, 1.0]) == [0.0, 1.0]


def test_every_registered_test_is_in_the_document() -> None:
    text = (Path(__file__).parents[2] / "docs" / "rng.md").read_text("utf-8")
    for test in REGISTERED:
        assert f"| `{test.id}` | {test.looks_at} | {test.distribution} |" in text
