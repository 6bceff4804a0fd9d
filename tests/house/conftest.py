"""What the tests of the house share: databases of both engines, and tests that are coroutines."""

from __future__ import annotations

import asyncio
import inspect

import pytest

from tests.house.databases import database_url, postgres_url, sqlite_url
from tests.house.light import lighten

__all__ = ["database_url", "postgres_url", "sqlite_url"]

LONG_S = 300
"""A test waits for facts. This ends one whose fact never comes, on a slow machine too."""


lighten()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine runs in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.function):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.function).parameters}
    asyncio.run(asyncio.wait_for(pyfuncitem.function(**arguments), LONG_S))
    return True
