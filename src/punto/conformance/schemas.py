"""JSON Schemas of the exported pack and the protocol. Those of records are generated, so that they can't differ."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from punto.conformance.pack import Manifest
from punto.conformance.protocol import LONGEST_LINE, VERSION, Hello, Reply
from punto.conformance.report import Report
from punto.conformance.vectors import Level, Vector

CARD: Final = {"type": "string", "pattern": "^[A23456789TJQK][SHDC]$"}
CARDS: Final = {"type": "array", "items": CARD}
AMOUNT: Final = {"type": "string", "pattern": "^[0-9]+\\.[0-9]{2}$"}
NUMBER: Final = {"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+|/[0-9]+)?$"}
TEXT: Final = {"type": "string"}
RESULT: Final = {"enum": ["won", "lost", "returned"]}
MARK: Final = {"enum": ["R", "B", None]}
MARKS: Final = {"type": "object", "properties": dict.fromkeys(("big_eye", "small", "cockroach"), MARK)}
ROWS: Final = {"type": "array", "items": TEXT, "minItems": 6, "maxItems": 6}
BOOLEAN: Final = {"type": "boolean"}
OBJECT: Final = {"type": "object"}

Schema = dict[str, Any]


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties}


def _map(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


_WAGER: Final = _object(id=TEXT, bet=TEXT, stake=AMOUNT)
_INSURANCE: Final = _object(id=TEXT, bet=TEXT, after=TEXT, stake=AMOUNT)
_LIMITS: Final = _object(minimum=AMOUNT, maximum=AMOUNT, maximum_differential=AMOUNT, bets=OBJECT)
_SLIP: Final = _object(refused=BOOLEAN, lines=_map(_object(result=RESULT, handed_back=AMOUNT)), handed_back=AMOUNT)

QUESTIONS: Final[dict[str, tuple[Schema, Schema]]] = {
    "deal": (_object(cards={**CARDS, "minItems": 6, "maxItems": 6}), _object(player=CARDS, banker=CARDS)),
    "outcome": (
        _object(player=CARDS, banker=CARDS, bets=_list(TEXT)),
        _object(
            winner={"enum": ["player", "banker", "tie"]},
            player_points={"type": "integer"},
            banker_points={"type": "integer"},
            bets=_map(RESULT),
        ),
    ),
    "settle": (
        _object(
            layout=TEXT,
            player=CARDS,
            banker=CARDS,
            wagers=_list(_WAGER),
            insurance=_list(_INSURANCE),
            limits=_LIMITS,
        ),
        _SLIP,
    ),
    "offer": (
        _object(after=TEXT, player=CARDS, banker=CARDS),
        _object(offer={"anyOf": [{"type": "null"}, _object(bet=TEXT, odds=NUMBER)]}),
    ),
    "most": (
        _object(
            bet=TEXT,
            after=TEXT,
            player=CARDS,
            banker=CARDS,
            wagers=_list(_WAGER),
            insurance=_list(_INSURANCE),
            limits=_LIMITS,
        ),
        _object(most=AMOUNT),
    ),
    "box": (_object(limits=_LIMITS, moves=_list(OBJECT)), _object(box=_map(AMOUNT))),
    "play": (
        _object(commands=_list(OBJECT)),
        _object(
            steps=_list(
                _object(
                    accepted=BOOLEAN,
                    phase=TEXT,
                    balances=_map(AMOUNT),
                    winner=TEXT,
                    lines=_list({"type": "array", "items": TEXT, "minItems": 4, "maxItems": 4}),
                )
            ),
            owed=_map(AMOUNT),
        ),
    ),
    "derived": (_object(results=TEXT), _object(big_eye=TEXT, small=TEXT, cockroach=TEXT)),
    "next": (_object(results=TEXT), _object(banker=MARKS, player=MARKS)),
    "bead": (_object(results=TEXT), _object(rows=ROWS)),
    "big-road": (_object(results=TEXT), _object(rows=ROWS)),
    "odds": (
        _object(decks={"type": "integer"}, removed=CARDS, bets=_list(TEXT)),
        _object(bets=_map(_object(won=NUMBER, returned=NUMBER, lost=NUMBER, expectation=NUMBER))),
    ),
    "in-force": (_object(game=TEXT, on=TEXT), _object(edition={"type": ["string", "null"]})),
}
"""Each kind of question → the shapes of its input and of its answer."""


def schemas() -> dict[str, Schema]:
    """File name → schema."""
    answers: Schema = {"$defs": {ask: answer for ask, (_, answer) in QUESTIONS.items()}}
    return {
        "vector.json": _vector(),
        "manifest.json": _titled("A manifest of a pack", msgspec.json.schema(Manifest)),
        "report.json": _titled("A report of a run", msgspec.json.schema(Report)),
        "hello.json": _titled("What an engine says first", {"type": "object", "properties": {"hello": _of(Hello)}}),
        "question.json": _titled("A question", _question()),
        "reply.json": _titled(f"A reply, one line of at most {LONGEST_LINE} bytes", msgspec.json.schema(Reply)),
        "answers.json": _titled(f"Answers by kind of question, protocol {VERSION}", answers),
    }


def _of(record: type) -> Schema:
    schema = msgspec.json.schema(record)
    name = schema["$ref"].rpartition("/")[2]
    inner: Schema = schema["$defs"][name]
    return inner


def _titled(title: str, schema: Schema) -> Schema:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


def _vector() -> Schema:
    """A vector. The shapes of its input and answer depend on `ask`."""
    schema = _titled("A vector", _of(Vector))
    schema["$defs"] = msgspec.json.schema(Vector)["$defs"]
    schema["allOf"] = [
        {
            "if": {"properties": {"ask": {"const": ask}}},
            "then": {"properties": {"input": question, "expected": answer}},
        }
        for ask, (question, answer) in QUESTIONS.items()
    ]
    return schema


def _question() -> Schema:
    return _object(
        question={"type": "integer"},
        level={"enum": [level.value for level in Level]},
        edition=TEXT,
        ask={"enum": list(QUESTIONS)},
        input=OBJECT,
    )
