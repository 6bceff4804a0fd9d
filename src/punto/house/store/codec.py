"""Rows and events. Reading raises older shapes to today's and never rewrites what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from punto.game import notation
from punto.game.events import AnyEvent
from punto.house.store import chain
from punto.house.store.records import SCHEMA, Row


class Moved(msgspec.Struct, frozen=True):
    """An event as it was recorded."""

    version: int
    at: int
    event: AnyEvent
    written: bytes
    """The event as JSON."""


UPCAST: Final[dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]]] = {}
"""(tag, schema) → the event as plain JSON one schema later. An event without an entry kept its shape."""


class Said(msgspec.Struct, frozen=True):
    """The events that one command led to, and under which key it was asked. Events are records or JSON already;
    `rules` is of all of them, or of each."""

    events: tuple[object, ...]
    actor: str
    rules: str | tuple[str, ...] = ""
    key: str | None = None
    body: bytes | None = None


def rows(stream: str, version: int, before: bytes, at: int, said: Iterable[Said]) -> tuple[Row, ...]:
    """The rows that follow a stream's `version`, whose hash is `before`, with their hashes."""
    made: list[Row] = []
    for one in said:
        events, rules = one.events, one.rules
        key, body, count = one.key, one.body, len(events)
        for place, event in enumerate(events):
            version += 1
            rule = rules if isinstance(rules, str) else rules[place]
            written = event if isinstance(event, bytes) else notation.encode(event)
            fields = (stream, version, at, one.actor, key, body, count, rule, SCHEMA, written)
            row = chain.linked(before, fields)
            made.append(row)
            before = row.hash
            key, body, count = None, None, 0
    return tuple(made)


def raised(row: Row) -> bytes:
    """A row's event as JSON in today's shape."""
    if row.schema == SCHEMA:
        return row.event
    if not 0 < row.schema <= SCHEMA:
        raise ValueError(f"{row.stream} {row.version}: schema {row.schema} is not known here, the newest is {SCHEMA}")
    event = msgspec.json.decode(row.event)
    for schema in range(row.schema, SCHEMA):
        upcast = UPCAST.get((event["event"], schema))
        event = upcast(event) if upcast is not None else event
    return msgspec.json.encode(event)


def event(row: Row) -> AnyEvent:
    """The event of a table's row."""
    return notation.event(raised(row))


def moved(row: Row) -> Moved:
    """The same with how it was recorded."""
    return Moved(row.version, row.at, event(row), raised(row))
