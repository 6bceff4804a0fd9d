"""One server for the tests that need none of their own. Each worker starts it once, and stops it when the next test is
in another folder. Its tables are dealt as long as it runs."""

from __future__ import annotations

import atexit
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.house.web.running import Server, serving

HERE = Path(__file__).parent
_open = ExitStack()
atexit.register(_open.close)  # in case the run is broken off
_running: list[Server] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None, None, None]:
    yield
    if nextitem is None or not nextitem.path.is_relative_to(HERE):
        _running.clear()
        _open.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Server:
    if not _running:
        _running.append(_open.enter_context(serving(tmp_path_factory.mktemp("house"), "--no-rate-limits")))
    return _running[0]
