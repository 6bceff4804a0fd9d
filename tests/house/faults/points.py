"""Commit points, seen from outside the house: before BEGIN, before COMMIT, and after COMMIT but before any answer.

The connections of the stores are replaced by counting ones, in the process that calls `watched`.
"""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg

from punto.house.store.postgres.writer import _APPEND
from punto.house.store.sqlite import store as sqlite

Seen = Callable[[str], None]


class Points:
    """Counts the commit points of a process, and ends it at one of them."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self._left: int | None = None

    def arm(self, number: int) -> None:
        """Die at the point of this number from now on, counted from 0."""
        self.passed.clear()
        self._left = number

    def __call__(self, name: str) -> None:
        if self._left == len(self.passed):
            os.kill(os.getpid(), signal.SIGKILL)
        self.passed.append(name)


class _Sqlite:
    """A writing connection that reports its commit points."""

    def __init__(self, connection: sqlite3.Connection, seen: Seen) -> None:
        self._connection = connection
        self._seen = seen

    def execute(self, text: str, *values: Any) -> Any:
        if text == "BEGIN IMMEDIATE":
            self._seen("before BEGIN")
        return self._watched(self._connection.execute, text, *values)

    def executemany(self, text: str, values: Any) -> Any:
        return self._watched(self._connection.executemany, text, values)

    def _watched(self, done: Callable[..., Any], text: str, *values: Any) -> Any:
        """A small batch is one statement outside a transaction."""
        if text != "COMMIT" and not text.startswith("INSERT INTO at_once"):
            return done(text, *values)
        self._seen("before COMMIT")
        result = done(text, *values)
        self._seen("after COMMIT")
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def _counting(seen: Seen) -> type[asyncpg.Connection]:
    """A statement outside a transaction is its own BEGIN and COMMIT: it has one point before it and one after it."""

    class Counting(asyncpg.Connection):  # type: ignore[misc]
        async def execute(self, query: str, *args: Any, **more: Any) -> Any:
            kind = query.split(" ", 1)[0].strip(";\n")
            if kind == "BEGIN":
                seen("before BEGIN")
                return await super().execute(query, *args, **more)
            alone = kind in ("INSERT", "UPDATE", "DELETE", "WITH") and not self.is_in_transaction()
            if kind != "COMMIT" and not alone:
                return await super().execute(query, *args, **more)
            seen("before COMMIT")
            done = await super().execute(query, *args, **more)
            seen("after COMMIT")
            return done

        async def fetch(self, query: str, *args: Any, **more: Any) -> Any:
            if query is not _APPEND or self.is_in_transaction():
                return await super().fetch(query, *args, **more)
            seen("before COMMIT")
            done = await super().fetch(query, *args, **more)
            seen("after COMMIT")
            return done

    return Counting


def watched(seen: Seen) -> None:
    """From now on every store that this process opens reports its commit points."""
    migrated, pool = sqlite.migrated, asyncpg.create_pool

    def opened(path: Path) -> Any:
        return _Sqlite(migrated(path), seen)

    def pooled(*arguments: Any, **more: Any) -> Any:
        return pool(*arguments, connection_class=_counting(seen), **more)

    sqlite.migrated = opened
    asyncpg.create_pool = pooled
