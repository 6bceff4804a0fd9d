"""The graphics card's kernel, built by the host's C++ compiler, against the compiled engine: equal in every cell."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from bench import gpu as bench
from punto.rulebook.model import Rulebook
from punto.sim import gpu
from punto.sim.kernel_tables import Compiled
from punto.sim.shoes import FLAGS, setup
from tests.rulebook.library import every_edition

by_edition = pytest.mark.parametrize("rules", every_edition(), ids=lambda rules: rules.id)


@by_edition
def test_the_same_source_on_the_host_gives_the_same_tallies(rules: Rulebook) -> None:
    """A cut that ends some shoes on their cut card, a range across 2³²."""
    assert shutil.which("g++"), "the test builds C++: install a compiler"
    of = setup(rules, decks=8, cut=16, seed=bench.SEED)
    first, count = 2**32 - 700, 1_501
    built = bench.on_the_host(rules, of.decks, of.cut_at, first, count)
    assert np.array_equal(built.reshape(-1, len(FLAGS)), Compiled(of).deal_range(first, count).cells)


@by_edition
def test_without_a_card_the_engine_says_so(rules: Rulebook) -> None:
    if shutil.which("nvidia-smi"):
        assert gpu.Gpu(rules, 8, 400).threads >= 32
    else:
        with pytest.raises(gpu.NoGpu, match=r"CuPy|graphics card"):
            gpu.Gpu(rules, 8, 400)


@by_edition
def test_shared_memory_holds_the_shoes_of_every_shoe_size(rules: Rulebook) -> None:
    for decks in rules.procedure.decks:
        made_for = gpu.shape(rules, decks, 52 * decks - 16)
        assert gpu.shared_bytes(made_for, 32) < 48 * 1024
        assert gpu.arrays(rules, decks).least[52 * decks] == 65536 % (52 * decks)
