"""Serve the protocol on standard input and output. Only this module here does I/O."""

from __future__ import annotations

from importlib.metadata import version
from typing import IO, Any, Final

import msgspec

from punto.conformance.engine.answers import answer
from punto.conformance.protocol import LONGEST_LINE, VERSION
from punto.conformance.vectors import Level

LONGEST_QUESTION: Final = 16 * LONGEST_LINE


class Question(msgspec.Struct, frozen=True, kw_only=True):
    question: int
    edition: str
    level: str
    ask: str
    input: dict[str, Any]


class _Line(msgspec.Struct, frozen=True):
    hello: dict[str, Any] | None = None


def serve(source: IO[bytes], out: IO[bytes]) -> None:
    """Answer until the input ends. A question that can't be answered is `unsupported`, with the reason."""
    while line := source.readline(LONGEST_QUESTION):
        out.write(reply_to(line) + b"\n")
        out.flush()


def reply_to(line: bytes) -> bytes:
    if msgspec.json.decode(line, type=_Line).hello is not None:
        return msgspec.json.encode({"hello": introduction()})
    question = msgspec.json.decode(line, type=Question)
    try:
        result = answer(question.ask, question.edition, question.input)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return _unsupported(question.question, f"{type(error).__name__}: {error}")
    if result is None:
        return _unsupported(question.question, f"there is no question {question.ask!r}")
    return msgspec.json.encode({"question": question.question, "answer": result})


def introduction() -> dict[str, Any]:
    return {
        "protocol": VERSION,
        "name": "punto",
        "version": version("punto"),
        "editions": ["*"],
        "levels": [level.value for level in Level],
    }


def _unsupported(number: int, reason: str) -> bytes:
    return msgspec.json.encode({"question": number, "unsupported": reason})
