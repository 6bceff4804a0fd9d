"""Async tests as pytest runs them: each is given a store or a house on the database that it names."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from tests.house.store.units import opened
from tests.house.table.playing import a_house

Test = Callable[..., Awaitable[None]]


def on_store(database: str = "database_url") -> Callable[[Test], Callable[..., None]]:
    """The test's `store` is on the database of this fixture."""
    return lambda test: _sync(test, "store", opened, database)


def on_house(database: str = "database_url") -> Callable[[Test], Callable[..., None]]:
    """The test's `house` is on the database of this fixture."""
    return lambda test: _sync(test, "house", a_house, database)


def _sync(
    test: Test, name: str, open_it: Callable[[str], AbstractAsyncContextManager[object]], database: str
) -> Callable[..., None]:
    wanted = inspect.signature(test).parameters
    fixtures = [parameter for parameter in wanted.values() if parameter.name != name]
    if database not in wanted:
        fixtures.append(inspect.Parameter(database, inspect.Parameter.POSITIONAL_OR_KEYWORD))

    def run(**values: Any) -> None:
        async def body() -> None:
            async with open_it(values[database]) as subject:
                own = {key: value for key, value in values.items() if key in wanted}
                await test(**own, **{name: subject})

        asyncio.run(asyncio.wait_for(body(), 120))

    run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
    run.__signature__ = inspect.Signature(fixtures)  # type: ignore[attr-defined]  # pytest reads the fixtures from it
    return run
