"""The graphics card's kernel, built by the host's C++ compiler, against the compiled engine: equal in every cell, for
all rounds and for those that every shoe has."""

from __future__ import annotations

import shutil

import pytest

from bench import gpu as bench
from punto.rulebook.model import Rulebook
from punto.sim import gpu
from punto.sim.kernel.tables import Compiled
from punto.sim.shoes import setup
from tests.rulebook.library import every_edition
from tests.sim.test_kernel import same

by_edition = pytest.mark.parametrize("rules", every_edition(), ids=lambda rules: rules.id)


@by_edition
def test_the_same_source_on_the_host_gives_the_same_tallies(rules: Rulebook) -> None:
    """A cut that ends some shoes on their cut card, a range across 2³²."""
    assert shutil.which("g++"), "the test builds C++: install a compiler"
    of = setup(rules, decks=8, cut=16, seed=bench.SEED)
    first, count = 2**32 - 700, 1_501
    assert same(bench.on_the_host(of, first, count), Compiled(of).deal_range(first, count))


@by_edition
def test_the_same_source_at_the_ends_of_what_is_allowed(rules: Rulebook) -> None:
    """Fewest and most decks, the largest seed, a cut card with six cards behind it, and one with six before it."""
    for decks, cut in ((min(rules.procedure.decks), 6), (max(rules.procedure.decks), None)):
        most = 52 * decks - 6 - (11 if rules.procedure.burn != "none" else 0)
        of = setup(rules, decks=decks, cut=most if cut is None else cut, seed=(1 << 64) - 1)
        assert same(bench.on_the_host(of, 3, 701), Compiled(of).deal_range(3, 701))


@by_edition
def test_without_a_card_the_engine_says_so(rules: Rulebook) -> None:
    if shutil.which("nvidia-smi"):
        assert gpu.Gpu(setup(rules)).threads >= 32
    else:
        with pytest.raises(gpu.NoGpu, match=r"CuPy|graphics card"):
            gpu.Gpu(setup(rules))


@by_edition
def test_shared_memory_holds_the_shoes_of_every_shoe_size(rules: Rulebook) -> None:
    for decks in rules.procedure.decks:
        made_for = gpu.shape(setup(rules, decks=decks))
        assert gpu.shared_bytes(made_for, 32) < 48 * 1024
