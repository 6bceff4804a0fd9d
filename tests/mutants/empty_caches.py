"""A plugin of pytest for `make mutants`: every test finds all caches empty, of the source and of other tests.

A change is tried only on the tests that reach its function. Behind a cache only the first test that asks reaches the
function, however many use the answer. And an answer cached while tests were imported, before the change was switched
on, would hide the change.
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
