"""The protocol of the kit, version 1: one JSON object a line, in both directions. Pure functions.

The runner says hello, and the engine answers with what it claims. Then the runner sends one question at a time.
"""

from __future__ import annotations

import math
from typing import Any, Final

import msgspec

from punto.conformance.vectors import ANY_EDITION, Level, Vector

VERSION: Final = 1
LONGEST_LINE: Final = 1 << 20
"""The largest reply in bytes."""
LONGEST_TEXT: Final = 200


class Hello(msgspec.Struct, frozen=True, kw_only=True):
    """How an engine describes itself. Other fields are ignored."""

    protocol: int
    name: str
    version: str
    editions: tuple[str, ...]
    levels: tuple[str, ...]

    def claims(self, vector: Vector) -> bool:
        edition = vector.edition == ANY_EDITION or ANY_EDITION in self.editions or vector.edition in self.editions
        return edition and vector.level.value in self.levels


class _HelloLine(msgspec.Struct, frozen=True, kw_only=True):
    hello: Hello


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """An answer, or `unsupported` with a reason."""

    question: int
    answer: dict[str, Any] | None = None
    unsupported: str | None = None


class ProtocolError(ValueError):
    """A line is no hello, or no reply to the question."""


def hello_line(pack: str) -> bytes:
    return msgspec.json.encode({"hello": {"protocol": VERSION, "pack": pack}}) + b"\n"


def question_line(number: int, vector: Vector) -> bytes:
    """The question without any hint at its answer: no id, no paragraphs, no `why`."""
    return (
        msgspec.json.encode(
            {
                "question": number,
                "level": vector.level,
                "edition": vector.edition,
                "ask": vector.ask,
                "input": vector.input,
            }
        )
        + b"\n"
    )


def hello(line: bytes) -> Hello:
    try:
        greeting = msgspec.json.decode(line, type=_HelloLine).hello
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProtocolError(f"the engine's first line is not a hello: {_cut(str(error))}") from None
    if greeting.protocol != VERSION:
        raise ProtocolError(f"the engine speaks protocol {greeting.protocol}: expected {VERSION}")
    known = {level.value for level in Level}
    strange = [level for level in greeting.levels if level not in known]
    if strange:
        raise ProtocolError(f"there is no level {_cut(strange[0])!r}: expected some of {', '.join(sorted(known))}")
    return msgspec.structs.replace(greeting, name=_cut(greeting.name), version=_cut(greeting.version))


def reply(line: bytes, number: int) -> Reply:
    """Parse the reply to question `number`. A reply to another question is an error, even if its answer is right."""
    try:
        answered = msgspec.json.decode(line, type=Reply)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProtocolError(f"the engine's line is not a reply: {_cut(str(error))}") from None
    if answered.question != number:
        raise ProtocolError(f"the reply is to question {answered.question}: expected a reply to question {number}")
    if (answered.answer is None) == (answered.unsupported is None):
        raise ProtocolError("expected either an answer or `unsupported`, not both")
    if not _is_plain(answered.answer):
        raise ProtocolError("the answer holds a number that JSON has no value for, or is nested too deeply")
    return answered


def _is_plain(value: object, depth: int = 0) -> bool:
    if depth > 40:
        return False
    if isinstance(value, dict):
        return all(_is_plain(part, depth + 1) for part in value.values())
    if isinstance(value, list):
        return all(_is_plain(part, depth + 1) for part in value)
    return not isinstance(value, float) or math.isfinite(value)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "…"
