"""A vector: a question about an edition, the expected answer, and other acceptable answers with their rulings.

Pure functions. The id depends on the question and its answers: if either changes, so does the id.
"""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Any, Final

import msgspec

ANY_EDITION: Final = "*"
"""The edition of a question that concerns no single edition: roads, and which edition governs."""

ID_DIGITS: Final = 12


class Level(StrEnum):
    """What an engine may claim, from the smallest library to a whole house."""

    DEAL = "deal"
    OUTCOME = "outcome"
    SETTLE = "settle"
    INSURANCE = "insurance"
    LIMITS = "limits"
    TABLE = "table"
    IRREGULARITIES = "irregularities"
    ROADS = "roads"
    ODDS = "odds"
    HISTORY = "history"


class Acceptable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another answer that the text allows. The ruling says how Punto reads the text, and why it can be read so."""

    ruling: str
    answer: dict[str, Any]


class Vector(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One question. `ask` is its kind; `why` tells a person what it tests."""

    id: str
    edition: str
    level: Level
    ask: str
    paragraphs: tuple[str, ...]
    input: dict[str, Any]
    expected: dict[str, Any]
    acceptable: tuple[Acceptable, ...] = ()
    rests_on: tuple[str, ...] = ()
    """Rulings without which the text allows too many answers to list. A different answer is then no failure."""
    why: str


def rulings_of(vector: Vector) -> tuple[str, ...]:
    """The rulings that a vector names, each once."""
    return tuple(dict.fromkeys((*(other.ruling for other in vector.acceptable), *vector.rests_on)))


def canonical(value: object) -> bytes:
    """JSON with sorted keys and no blanks: equal values give equal bytes."""
    return msgspec.json.encode(value, order="sorted")


def vector(
    *,
    edition: str,
    level: Level,
    ask: str,
    paragraphs: tuple[str, ...],
    input: dict[str, Any],
    expected: dict[str, Any],
    acceptable: tuple[Acceptable, ...] = (),
    rests_on: tuple[str, ...] = (),
    why: str,
) -> Vector:
    """A vector with its id computed."""
    made = Vector(
        id="",
        edition=edition,
        level=level,
        ask=ask,
        paragraphs=paragraphs,
        input=input,
        expected=expected,
        acceptable=acceptable,
        rests_on=rests_on,
        why=why,
    )
    return msgspec.structs.replace(made, id=id_of(made))


def id_of(vector: Vector) -> str:
    """The level, and the start of a hash over the question and all its answers. `why` and paragraphs are not hashed."""
    question = [vector.edition, vector.level, vector.ask, vector.input]
    meaning = [*question, vector.expected, vector.acceptable, vector.rests_on]
    return f"{vector.level.value}-{hashlib.sha256(canonical(meaning)).hexdigest()[:ID_DIGITS]}"
