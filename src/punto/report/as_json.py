"""A report as one JSON document. Fractions and counts are strings, so that no reader can turn them into floats."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import msgspec

from punto.report.compare import Comparison
from punto.report.records import Report

COUNTS: Final = frozenset({"coups", "combinations", "made", "won", "returned", "lost"}) | frozenset(
    {"seed", "shoes", "times", "rounds_dealt", "rounds_compared"}
)
"""Fields that count coups or rounds. They are always strings, large or not, so that a field has one type."""


def plain(content: Report | Comparison) -> Any:
    """The content as dictionaries, lists, strings, floats and small integers."""
    return _plain(content, "")


def document(content: Report | Comparison) -> bytes:
    """The content of the JSON file."""
    return msgspec.json.format(msgspec.json.encode(plain(content)), indent=2) + b"\n"


def _plain(value: Any, field: str) -> Any:
    match value:
        case msgspec.Struct():
            return {name: _plain(getattr(value, name), name) for name in value.__struct_fields__}
        case dict():
            return {str(key): _plain(part, field) for key, part in value.items()}
        case tuple() | list():
            return [_plain(part, field) for part in value]
        case Fraction():
            return str(value)
        case int() if field in COUNTS:
            return str(value)
        case _:
            return value
