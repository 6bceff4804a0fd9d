"""One server for the tests that need no other: it is started once a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.house.web.running import Server, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("house"), "--no-rate-limits") as one:
        yield one
