"""What a vector is: one question about an edition, the expected answer, and other lawful answers with their rulings.

Pure. An id names the question together with its answers: change either, and it is another id.
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
    """Another answer that the text allows. The ruling says how Punto reads the text, and why it could be read so."""

    ruling: str
    answer: dict[str, Any]


class Vector(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One question. `ask` names its kind, `why` says for a person what it tries."""

    id: str
    edition: str
    level: Level
    ask: str
    paragraphs: tuple[str, ...]
    input: dict[str, Any]
    expected: dict[str, Any]
    acceptable: tuple[Acceptable, ...] = ()
    rests_on: tuple[str, ...] = ()
    """Rulings without which the text leaves the answer open in more ways than can be listed: nobody fails here."""
    why: str


def rulings_of(vector: Vector) -> tuple[str, ...]:
    """The rulings that a vector names, each once."""
    return tuple(dict.fromkeys((*(other.ruling for other in vector.acceptable), *vector.rests_on)))


def canonical(value: object) -> bytes:
    """JSON with sorted keys and no blanks: the same value is the same bytes."""
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
    """A vector with the id that its meaning gives it."""
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
    """Level, and the start of a hash over the question and every answer to it. Words and paragraphs are left out."""
    question = [vector.edition, vector.level, vector.ask, vector.input]
    meaning = [*question, vector.expected, vector.acceptable, vector.rests_on]
    return f"{vector.level.value}-{hashlib.sha256(canonical(meaning)).hexdigest()[:ID_DIGITS]}"
