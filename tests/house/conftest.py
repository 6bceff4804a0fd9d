"""What the tests of the house share: databases of both engines, and tests that are coroutines."""

from __future__ import annotations

import asyncio
import inspect
from contextlib import AbstractAsyncContextManager, AsyncExitStack

import pytest

from punto.house.store.interface import Store
from punto.house.table.house import House
from tests.house.databases import database_url, postgres_url, sqlite_url
from tests.house.light import lighten
from tests.house.store.units import opened
from tests.house.table.playing import a_house
from tests.patience import LONG_S

__all__ = ["database_url", "postgres_url", "sqlite_url"]

lighten()


@pytest.fixture
def store(database_url: str) -> AbstractAsyncContextManager[Store]:
    return opened(database_url)


@pytest.fixture
def house(database_url: str) -> AbstractAsyncContextManager[House]:
    return a_house(database_url)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine runs in an event loop of its own, with its store or house open."""
    if not inspect.iscoroutinefunction(pyfuncitem.function):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.function).parameters}

    async def run() -> None:
        async with AsyncExitStack() as stack:
            for name, value in arguments.items():
                if isinstance(value, AbstractAsyncContextManager):
                    arguments[name] = await stack.enter_async_context(value)
            await pyfuncitem.function(**arguments)

    asyncio.run(asyncio.wait_for(run(), LONG_S))
    return True
