"""kill -9: no cent and no answer is lost, and every round comes back as the rules demand.

Killing a process does not lose what the system still holds in memory, so these tests can't show that commits are
flushed: `test_flush.py` does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.databases import ENGINES, server_url
from tests.patience import LONG_S

ROOT = Path(__file__).parents[3]
KILLS = {"sqlite": 100, "postgresql": 50}
SHARE = {"sqlite": 1, "postgresql": 3}
"""One of so many commit points is taken. `make soak` takes all on both engines, and kills 20,000 times at random."""


def killed(engine: str, *options: str) -> dict[str, int]:
    """Run the kills in a process of its own, since lives are forked from a process without threads."""
    place = {"PUNTO_TEST_DATABASE_URL": server_url()} if engine == "postgresql" else {}
    command = [sys.executable, "-m", "tests.house.faults.killing", "--engine", engine, *options]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **place}, capture_output=True, text=True, timeout=LONG_S
    )
    assert done.returncode == 0, done.stderr[-6000:]
    counts: dict[str, int] = json.loads(done.stdout)
    return counts


@pytest.mark.parametrize("engine", ENGINES)
def test_at_random_moments(engine: str) -> None:
    counts = killed(engine, "--kills", str(KILLS[engine]), "--seed", "1")
    assert counts["kills"] == KILLS[engine]
    assert counts["answers"] > KILLS[engine], "lives get to play"
    assert counts["scripts to their end"] == counts["tables"] > 5


@pytest.mark.parametrize("engine", ENGINES)
def test_at_every_commit_point(engine: str) -> None:
    counts = killed(engine, "--seed", "0", "--share", str(SHARE[engine]))
    assert counts["kills"] > 200 // SHARE[engine]
    assert counts["kills in recovery"] > 10
    assert counts["scripts to their end"] == counts["tables"]
