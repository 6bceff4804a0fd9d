"""Events to rows and back. Reading upgrades older shapes to today's and never rewrites stored rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from punto.game import notation
from punto.game.events import AnyEvent
from punto.house.store import chain
from punto.house.store.records import SCHEMA, Row


class RecordedEvent(msgspec.Struct, frozen=True):
    """An event as it was recorded."""

    version: int
    at: int
    event: AnyEvent
    written: bytes
    """The event as JSON."""


UPCAST: Final[dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]]] = {
    ("table-opened", 1): lambda event: {**event, "settings": {**event["settings"], "name": None}},
}
"""(tag, schema) → the event as plain JSON one schema later. An event without an entry kept its shape."""


class CommandEvents(msgspec.Struct, frozen=True):
    """The events of one request, with its actor and key. An event is a record, or JSON already. `rules` is one value
    for all events, or one for each."""

    events: tuple[object, ...]
    actor: str
    rules: str | tuple[str, ...] = ""
    key: str | None = None
    body: bytes | None = None


def rows(stream: str, version: int, before: bytes, at: int, commands: Iterable[CommandEvents]) -> tuple[Row, ...]:
    """The rows that follow a stream's `version`, whose hash is `before`, with their hashes."""
    following: list[Row] = []
    for command in commands:
        events, rules = command.events, command.rules
        key, body, count = command.key, command.body, len(events)
        for number, event in enumerate(events):
            version += 1
            rule = rules if isinstance(rules, str) else rules[number]
            written = event if isinstance(event, bytes) else notation.encode(event)
            fields = (stream, version, at, command.actor, key, body, count, rule, SCHEMA, written)
            row = chain.linked(before, fields)
            following.append(row)
            before = row.hash
            key, body, count = None, None, 0
    return tuple(following)


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


def recorded(row: Row) -> RecordedEvent:
    """The same with its version and time."""
    return RecordedEvent(row.version, row.at, event(row), raised(row))
