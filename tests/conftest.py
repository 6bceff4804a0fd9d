"""How all tests run: Hypothesis the same way every time in CI, at random and longer where a developer asks for it.

HYPOTHESIS_PROFILE chooses: ci (the default) or dev.
"""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=100, print_blob=True)
settings.register_profile("dev", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# The proofs are plain functions in plain modules: let their asserts explain themselves too.
pytest.register_assert_rewrite("tests.rules")


FIRST = ("tests/house/faults/", "tests/browser/", "tests/house/", "tests/properties/", "tests/sim/")
"""Where the long tests are: a worker that gets one of them last keeps all others waiting."""
LAST = ("tests/report/", "tests/docs/", "tests/cli/")
"""These tests run compiled files, which `make test` compiles while the other tests begin."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        last = len(FIRST) + 1 + item.nodeid.startswith(LAST)
        return next((at for at, start in enumerate(FIRST) if item.nodeid.startswith(start)), last)

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """What is imported and collected stays to the end, so the garbage collector does not look through it again. By
    default it would take a tenth of the time of the random tables, so it also runs less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)
