"""A plugin of pytest for `make mutants`: every test finds all caches empty, of the source and of other tests.

mutmut changes a function only for the tests that reach it. Behind a cache that is the first test that asks, however
many go by the answer; and what was answered while tests were imported, before the change, would hide it.
"""

from __future__ import annotations

import sys

OURS = ("punto.", "tests.")


def pytest_runtest_setup() -> None:
    for name, module in [*sys.modules.items()]:
        if name.startswith(OURS):
            for value in vars(module).values():
                clear = getattr(value, "cache_clear", None)
                if callable(clear):
                    clear()
