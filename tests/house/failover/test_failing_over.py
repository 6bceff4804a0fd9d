"""A short run of what `make failover` does fifty times. It takes some minutes: a node is stopped for one of them."""

from __future__ import annotations

import pytest

from tests.house.failover import failing_over


@pytest.mark.soak
def test_three_failovers() -> None:
    figures = failing_over.played(failovers=3, seed=1)
    assert figures["failovers"] == 3
    assert figures["machines that vanished"] == 1
    assert figures["nodes cut off"] >= 1
    assert figures["nodes stopped"] >= 1
    assert figures["answers"]["200"] > 20
    assert figures["keys sent more than once"] > 0
