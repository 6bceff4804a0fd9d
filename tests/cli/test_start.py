"""A command does not load modules that only other commands need. Modules are checked, time is not."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.program import PLAIN, call
from tests.patience import LONG_S

STARTED = """
import sys
from punto.cli.main import run
try:
    run()
finally:
    sys.stderr.write(" ".join(sorted({name.partition(".")[0] for name in sys.modules})))
"""


@pytest.mark.parametrize("words", [["rules", "list"], ["rules", "list", "--json"]], ids=" ".join)
def test_a_list_of_editions_needs_no_heavy_package(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARTED, *words], capture_output=True, text=True, timeout=LONG_S, check=True, env=PLAIN
    )
    assert "tiger-buffalo-commission" in done.stdout
    assert {"pydantic", "numpy", "numba", "pyarrow", "litestar", "sqlalchemy"}.isdisjoint(done.stderr.split())


def test_completion_is_still_offered() -> None:
    assert "--install-completion" in call("--help").out
