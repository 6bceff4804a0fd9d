"""A plugin of pytest for `make mutants`: the quickest tests come first, by what mutmut measured before any change.

pytest stops at the first failure, so a change that a quick test notices costs no slow one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

MEASURED: Final = Path("mutmut-stats.json")
"""In the folder that mutmut runs tests in; not there while it measures."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if MEASURED.exists():
        seconds: dict[str, float] = json.loads(MEASURED.read_bytes())["duration_by_test"]
        items.sort(key=lambda item: seconds.get(item.nodeid, 0.0))
